//! The place of an argument inside the declaration of its tool.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::file::{File, is_word};
use super::idioms::{Anchor, Declared};

/// Names that are followed to where they are defined, for one declaration.
const MOST_FOLLOWED: usize = 60;

/// How far a name is followed from definition to definition.
const MOST_STEPS: u8 = 3;

/// Bytes behind a declaration without brackets that count as its own.
const REST: usize = 6_000;

/// Places of a name in a scope that are compared.
const MOST_PLACES: usize = 200;

/// Bytes of one scope that are searched.
const LONGEST_SCOPE: usize = 64 << 10;

/// Keys that hold the arguments.
const HOLDERS: &[&str] = &[
    "inputSchema",
    "input_schema",
    "InputSchema",
    "rawInputSchema",
    "RawInputSchema",
    "paramsSchema",
    "argsSchema",
    "parameters",
    "Parameters",
    "inputs",
    "schema",
    "args",
    "args_schema",
    "arguments",
];

/// Words that define what stands behind them.
const DEFINING: &[&str] = &[
    "const",
    "let",
    "var",
    "val",
    "class",
    "struct",
    "type",
    "interface",
    "func",
    "function",
    "def",
    "fn",
    "record",
    "enum",
    "static",
];

/// The names of properties on the way of a pointer: `/inputSchema/properties/a/items/properties/b`.
pub(super) fn properties(pointer: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut parts = pointer.split('/').skip(1);
    while let Some(part) = parts.next() {
        if matches!(part, "properties" | "required" | "arguments")
            && let Some(name) = parts.next()
        {
            names.push(name.replace("~1", "/").replace("~0", "~"));
        }
    }
    names
}

/// Finds arguments in one file, which is read for definitions only once.
pub(super) struct Arguments<'f, 'a> {
    file: &'f File<'a>,
    /// Where each name is defined; most declarations need none.
    definitions: OnceCell<HashMap<&'a str, usize>>,
}

impl<'f, 'a> Arguments<'f, 'a> {
    pub(super) fn new(file: &'f File<'a>) -> Self {
        Self { file, definitions: OnceCell::new() }
    }

    /// The range of the innermost of some nested properties that can be found.
    pub(super) fn find(&self, declared: &Declared, path: &[String]) -> Option<Range<usize>> {
        let (first, rest) = path.split_first()?;
        let mut found = self.first(declared, first)?;
        for name in rest {
            let Some(inner) = self.below(&found, name) else { break };
            found = inner;
        }
        Some(found)
    }

    fn first(&self, declared: &Declared, name: &str) -> Option<Range<usize>> {
        let spellings = spellings(name);
        let scopes = self.scopes(declared);
        let inside = |worst| scopes.iter().find_map(|scope| self.in_scope(scope, &spellings, worst));
        inside(1).or_else(|| self.followed(&scopes, &spellings)).or_else(|| inside(2))
    }

    /// What the scopes refer to by name, nearest first.
    fn followed(&self, scopes: &[Range<usize>], spellings: &[String]) -> Option<Range<usize>> {
        let mut queue: VecDeque<(Range<usize>, u8)> = scopes.iter().map(|scope| (scope.clone(), 0)).collect();
        let mut seen = HashSet::new();
        while let Some((scope, steps)) = queue.pop_front() {
            for definition in self.references(&scope) {
                if seen.len() >= MOST_FOLLOWED || !seen.insert(definition) {
                    continue;
                }
                let Some(target) = self.extent(definition) else { continue };
                if let Some(found) = self.in_scope(&target, spellings, 1) {
                    return Some(found);
                }
                if steps + 1 < MOST_STEPS {
                    queue.push_back((target, steps + 1));
                }
            }
        }
        None
    }

    /// Offsets of the definitions of words in a range that is defined elsewhere.
    fn references(&self, scope: &Range<usize>) -> Vec<usize> {
        let definitions = self.definitions.get_or_init(|| definitions(self.file));
        let mut found = Vec::new();
        let mut at = scope.start;
        let limit = self.limit(scope).unwrap_or(at);
        while at < limit && found.len() < MOST_FOLLOWED {
            if !is_word(self.file.bytes[at]) {
                at += 1;
                continue;
            }
            let word = self.file.word_at(at);
            if let Some(definition) = definitions.get(word)
                && !scope.contains(definition)
                && !self.file.outline().is_comment(at)
                && self.file.outline().string_at(at).is_none()
            {
                found.push(*definition);
            }
            at += word.len().max(1);
        }
        found
    }

    /// The range of what is defined at an offset: a bracket, or lines that are indented.
    fn extent(&self, definition: usize) -> Option<Range<usize>> {
        let line = self.file.line_start(definition);
        let text = &self.file.text[line..definition];
        if self.file.language.indents && text.trim_start().starts_with("class") {
            let (_, indent) = self.file.line(line);
            return Some(definition..self.end_of_lines(self.file.line_end(definition), indent));
        }
        let (_, bracket) = self.file.outline().from(definition).next()?;
        if bracket.open > definition + 500 {
            return None;
        }
        // The bracket of a list of types may come first: what counts is the first one that holds something.
        Some(bracket.open..self.chain_end(bracket.close))
    }

    /// The end of the lines that are indented more deeply.
    fn end_of_lines(&self, from: usize, indent: usize) -> usize {
        let mut end = from;
        while end < self.file.bytes.len() {
            let (line, own) = self.file.line(end + 1);
            if !line.is_empty() && own <= indent {
                return end;
            }
            end = self.file.line_end((end + 1).min(self.file.bytes.len()));
        }
        self.file.bytes.len()
    }

    /// Behind the calls that are chained to a bracket: `).optional().describe("…")`.
    fn chain_end(&self, close: usize) -> usize {
        let file = self.file;
        let mut end = (close + 1).min(file.bytes.len());
        for _ in 0..200 {
            let dot = file.forth(end);
            let at = match file.bytes.get(dot..) {
                Some([b'.', ..]) => file.forth(dot + 1),
                Some([b'?' | b'!', b'.', ..]) => file.forth(dot + 2),
                _ => break,
            };
            let open = at + file.word_at(at).len();
            let bracket = file.outline().from(open).next().map(|(_, bracket)| bracket);
            match bracket.filter(|bracket| bracket.open == open && open > at) {
                Some(bracket) => end = (bracket.close + 1).min(file.bytes.len()),
                None => break,
            }
        }
        end
    }

    /// Where the arguments of a tool are declared, best place first.
    fn scopes(&self, declared: &Declared) -> Vec<Range<usize>> {
        match declared.anchor {
            Anchor::Bracket(index) => self.of_bracket(index),
            Anchor::Mark(index) => {
                let mark = self.file.outline().bracket(index);
                let mut scopes = self.of_function(mark.close);
                scopes.push(mark.open..mark.close);
                scopes
            }
            Anchor::Function(end) => self.of_function(end),
            Anchor::Rest => std::iter::once(self.rest(declared.end)).collect(),
            Anchor::Lines => {
                let line = self.file.line_start(declared.start);
                let keys: Vec<usize> = self.file.siblings(self.key_column(declared)).map(|(start, _)| start).collect();
                let start = keys.iter().copied().min().unwrap_or(line).min(line);
                let depth = self.key_column(declared) - line;
                let end = self.end_of_lines(self.file.line_end(declared.start), depth.saturating_sub(1));
                std::iter::once(start..end).collect()
            }
        }
    }

    /// Where the key starts whose value a declared name is.
    fn key_column(&self, declared: &Declared) -> usize {
        let quote = usize::from(self.file.is_quoted(declared.start, declared.end));
        self.file.key_before(declared.start - quote).map_or(declared.start, |(_, start)| start)
    }

    fn of_bracket(&self, index: usize) -> Vec<Range<usize>> {
        let outline = self.file.outline();
        let bracket = outline.bracket(index);
        let own = bracket.open..self.chain_end(bracket.close);
        let mut scopes: Vec<Range<usize>> = std::iter::once(own).collect();
        // A tool that is handed over together with its handler.
        if let Some(parent) = outline.parent(index).map(|parent| outline.bracket(parent))
            && self.file.bytes[parent.open] == b'('
        {
            scopes.push(parent.open..parent.close);
        }
        scopes
    }

    /// The parameters of the function behind an offset, then its body. Marks and types in between are left
    /// out.
    fn of_function(&self, at: usize) -> Vec<Range<usize>> {
        let outline = self.file.outline();
        let mut behind = at;
        let mut scopes = Vec::new();
        for (_, bracket) in outline.from(at) {
            if bracket.open < behind {
                continue;
            }
            behind = bracket.close;
            if self.belongs_to_mark(bracket.open) {
                continue;
            }
            scopes.push(bracket.open..bracket.close);
            if scopes.len() == 2 || self.file.bytes[bracket.open] == b'{' {
                break;
            }
        }
        scopes
    }

    fn belongs_to_mark(&self, open: usize) -> bool {
        let file = self.file;
        let path = file.bytes[..open].iter().rev().take(200).take_while(|byte| is_word(**byte) || b".:".contains(byte));
        let start = open - path.count();
        let sigil = file.byte_before(start);
        let is_list = file.bytes[open] == b'[' && (sigil == Some(b'#') || file.language.is_csharp());
        sigil == Some(b'@') || is_list
    }

    /// Text behind a declaration that has no bracket: up to the next one of the sort.
    fn rest(&self, from: usize) -> Range<usize> {
        let end = (from + REST).min(self.file.bytes.len());
        let end = (end..=self.file.bytes.len()).find(|end| self.file.text.is_char_boundary(*end)).unwrap_or(from);
        let text = &self.file.text[from..end];
        let next = ["tool_name", "\nclass ", "\nexport class "].iter().filter_map(|mark| text.find(mark)).min();
        from..next.map_or(end, |length| from + length)
    }

    fn in_scope(&self, scope: &Range<usize>, spellings: &[String], worst: u8) -> Option<Range<usize>> {
        let narrowed = self.holder(scope);
        let scopes = [narrowed.as_ref(), Some(scope)];
        spellings.iter().find_map(|name| scopes.into_iter().flatten().find_map(|scope| self.best(scope, name, worst)))
    }

    /// Where the search of a scope ends; nothing where enough was searched.
    fn limit(&self, scope: &Range<usize>) -> Option<usize> {
        let end = scope.end.min(scope.start + LONGEST_SCOPE);
        self.file.spend(end - scope.start).then_some(end)
    }

    /// The bracket inside a scope that holds the arguments: that of `properties`, else of `inputSchema`.
    fn holder(&self, scope: &Range<usize>) -> Option<Range<usize>> {
        let outer = self.value_of(scope, HOLDERS)?;
        Some(self.value_of(&outer, &["properties"]).unwrap_or(outer))
    }

    /// The bracket that is the value of the first of these keys, at the least depth.
    fn value_of(&self, scope: &Range<usize>, keys: &[&str]) -> Option<Range<usize>> {
        let mut best: Option<(u32, usize, usize)> = None;
        let mut at = scope.start;
        let end = self.limit(scope)?;
        while at < end {
            if !is_word(self.file.bytes[at]) {
                at += 1;
                continue;
            }
            let word = self.file.word_at(at);
            let end = at + word.len().max(1);
            if keys.contains(&word)
                && let Some(value) = self.held_after(end)
                && !self.is_text(at)
            {
                let depth = self.depth(at);
                if best.is_none_or(|(least, ..)| depth < least) {
                    best = Some((depth, at, value));
                }
            }
            at = end;
        }
        best.and_then(|(_, _, value)| self.bracket_at(value, scope.end))
    }

    /// What a key holds, or what a call of its name is given.
    fn held_after(&self, key_end: usize) -> Option<usize> {
        let is_call = self.file.bytes.get(key_end) == Some(&b'(');
        if is_call { Some(key_end) } else { self.file.value_after(key_end) }
    }

    /// The bracket that a value is, or that it is given: `{`, `z.object({`.
    fn bracket_at(&self, value: usize, end: usize) -> Option<Range<usize>> {
        let (_, bracket) = self.file.outline().from(value).next()?;
        let is_near = bracket.open < end && !self.file.text[value..bracket.open].contains([',', ';', '\n', ')']);
        is_near.then(|| bracket.open..self.chain_end(bracket.close))
    }

    fn depth(&self, at: usize) -> u32 {
        let outline = self.file.outline();
        outline.around(at).map_or(0, |index| outline.bracket(index).depth + 1)
    }

    /// Whether an offset is in a comment, or in a text and not at its start.
    fn is_text(&self, at: usize) -> bool {
        let outline = self.file.outline();
        outline.is_comment(at) || outline.string_at(at).is_some_and(|quote| quote + 1 != at)
    }

    /// The best place of a name in a scope: a key before a call's argument before a bare word, then the
    /// least depth, then the first.
    fn best(&self, scope: &Range<usize>, name: &str, worst: u8) -> Option<Range<usize>> {
        let end = self.file.text.floor_char_boundary(self.limit(scope)?);
        let text = self.file.text.get(scope.start..end)?;
        let places = text.match_indices(name).take(MOST_PLACES).map(|(at, _)| scope.start + at);
        let ranked = places.filter_map(|at| {
            let end = at + name.len();
            let form = self.form(at, end).filter(|form| *form <= worst)?;
            Some(((form, self.depth(at), at), at..end))
        });
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, range)| range)
    }

    /// How a name stands here: 0 a key or the tag of a field, 1 the first argument of a call or a parameter
    /// with its type, 2 a parameter that may as well be a use.
    fn form(&self, start: usize, end: usize) -> Option<u8> {
        let file = self.file;
        let (before, after) = (file.byte_before(start), file.bytes.get(end).copied());
        let is_quoted = file.is_quoted(start, end);
        if file.outline().is_comment(start) {
            return None;
        }
        // The tag of a field: `json:"q,omitempty"`, in text between backticks.
        if before == Some(b'"') && matches!(after, Some(b'"' | b',')) && file.bytes[..start - 1].ends_with(b"json:") {
            return Some(0);
        }
        if !is_quoted && before == Some(b'"') && after == Some(b',') {
            return None;
        }
        if self.is_text(start) {
            return None;
        }
        if is_quoted {
            let quote = start - 1;
            if file.value_after(end).is_some() {
                return Some(0);
            }
            let opens = file.byte_before(file.back(quote)) == Some(b'(');
            return opens.then_some(1);
        }
        if !file.is_bare(start, end) {
            return None;
        }
        match before {
            // Ruby's symbols, PHP's variables.
            Some(b':') if file.byte_before(start - 1) != Some(b':') => return Some(1),
            Some(b'.') => return None,
            _ => {}
        }
        if file.value_after(end).is_some() {
            return Some(0);
        }
        let next = file.bytes.get(file.forth(end)).copied();
        if !matches!(next, Some(b',' | b')' | b'=')) {
            return None;
        }
        // A parameter behind its type says more than a bare one, which may be a mere use.
        let type_end = file.byte_before(file.back(start));
        let has_type = type_end.is_some_and(|byte| is_word(byte) || b">]?*&".contains(&byte));
        Some(if has_type { 1 } else { 2 })
    }

    /// A property below another one.
    fn below(&self, outer: &Range<usize>, name: &str) -> Option<Range<usize>> {
        let value = self.file.value_after(outer.end)?;
        let spellings = spellings(name);
        let bracket = self.bracket_at(value, self.file.bytes.len());
        let inside = bracket.as_ref().and_then(|bracket| self.in_scope(bracket, &spellings, 1));
        let line = value..self.file.line_end(value);
        inside.or_else(|| self.followed(&[bracket.unwrap_or(line)], &spellings))
    }
}

/// A property, and what a field of that name may be called in source.
fn spellings(name: &str) -> Vec<String> {
    const LONGEST: usize = 200;
    if name.is_empty() || name.len() > LONGEST {
        return Vec::new();
    }
    let mut all = vec![name.to_owned(), format!("${name}"), super::snake(name), super::camel(name, false)];
    all.dedup();
    all
}

/// Where each name is defined that a file defines.
fn definitions<'a>(file: &File<'a>) -> HashMap<&'a str, usize> {
    let mut found = HashMap::new();
    let mut at = 0;
    while at < file.bytes.len() {
        if !is_word(file.bytes[at]) {
            at += 1;
            continue;
        }
        let word = file.word_at(at);
        let end = at + word.len().max(1);
        let is_first = at == 0 || file.bytes[at - 1] == b'\n';
        let name = if DEFINING.contains(&word) {
            defined(file, end)
        } else if is_first && file.language.indents && file.value_after(end).is_some() {
            Some(at)
        } else {
            None
        };
        if let Some(name) = name {
            found.entry(file.word_at(name)).or_insert(name + file.word_at(name).len());
        }
        at = end;
    }
    found
}

/// The name behind a word that defines: directly, or behind the bracket of a receiver.
fn defined(file: &File<'_>, end: usize) -> Option<usize> {
    let mut at = file.forth(end);
    if at == end {
        return None;
    }
    if file.bytes.get(at) == Some(&b'(') {
        let line = &file.bytes[at..file.line_end(at)];
        at = file.forth(at + line.iter().position(|byte| *byte == b')')? + 1);
    }
    (!file.word_at(at).is_empty()).then_some(at)
}
