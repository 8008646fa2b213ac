//! Whether a name, where it stands, is being declared.

use super::file::{File, is_word};
use super::languages::{Idiom, NEVER_BESIDE, NOT_DECLARING, RARELY_BESIDE, Shape};
use crate::site::Kind;
use crate::text::fold;

/// How a text relates to the name that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Case {
    /// It is the name.
    Exact,
    /// It is the name in CamelCase, as methods and classes are called.
    Camel,
    /// It is the name without its first part, which may be put in front at run time.
    Tail,
}

/// A place where a name may be declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) case: Case,
}

/// What holds the rest of a declaration.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// The bracket around the name, or the one that the name is the key of.
    Bracket(usize),
    /// A mark in front of a function or a class: its bracket.
    Mark(usize),
    /// A function: the offset behind its name.
    Function(usize),
    /// What follows the name.
    Rest,
    /// Lines of the same depth.
    Lines,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) doubt: u8,
    pub(super) anchor: Anchor,
}

/// Lines that a mark may stand above the name.
const MOST_LINES: usize = 80;

/// Words that may stand between a key and the text that is its value.
const WRAPPERS: &[&str] = &["String::from(", "Cow::Borrowed(", "Cow::from(", "Some(", "str("];

impl File<'_> {
    /// Whether a name is declared here; the most certain idiom counts.
    pub(super) fn declares(&self, hit: Hit, kind: Kind) -> Option<Declared> {
        let is_quoted = self.is_quoted(hit.start, hit.end);
        if !is_quoted && !self.is_bare(hit.start, self.word_end(hit)) {
            return None;
        }
        let idioms = self.language.idioms.iter().filter(|idiom| idiom.kind == kind);
        let fitting = idioms.filter_map(|idiom| Some((idiom, self.fits(idiom, hit, is_quoted)?)));
        let (idiom, anchor) = fitting.min_by_key(|(idiom, _)| idiom.doubt)?;
        let quote = if is_quoted { hit.start - 1 } else { usize::MAX };
        let is_text = !self.language.is_yaml() && self.outline().is_quoted_elsewhere(hit.start, quote);
        (!is_text).then_some(Declared { start: hit.start, end: hit.end, doubt: idiom.doubt, anchor })
    }

    /// Whether a constant is used as the name of something: `registerTool(NAME`, `name: Names.NAME.value`.
    pub(super) fn declares_by_constant(&self, start: usize, end: usize, kind: Kind) -> Option<Declared> {
        let path = self.bytes[..start]
            .iter()
            .rev()
            .take(200)
            .take_while(|byte| is_word(**byte) || **byte == b'.' || **byte == b':');
        let mut value = start - path.count();
        // A key and its value may be written without space in between.
        if let Some(colon) = self.text.get(value..start)?.rfind(':')
            && self.bytes[value + colon - usize::from(colon > 0)] != b':'
        {
            value += colon + 1;
        }
        let idioms = self.language.idioms.iter().filter(|idiom| idiom.kind == kind && idiom.doubt < 2);
        let fitting = idioms.filter_map(|idiom| {
            let anchor = match &idiom.shape {
                Shape::Call(calls) => self.called(value, calls),
                Shape::CallNamed(word) => self.called_like(value, word),
                Shape::Member { keys, of, beside } => self.is_member_of(value, keys, of, beside),
                _ => None,
            };
            Some((idiom.doubt, anchor?))
        });
        let (doubt, anchor) = fitting.min_by_key(|(doubt, _)| *doubt)?;
        let is_text = self.outline().is_quoted_elsewhere(start, usize::MAX);
        (!is_text).then_some(Declared { start, end, doubt, anchor })
    }

    /// A method's name may end in a word that its tool's name leaves out.
    fn word_end(&self, hit: Hit) -> usize {
        let is_async = hit.case == Case::Camel && self.bytes[hit.end..].starts_with(b"Async");
        hit.end + if is_async { 5 } else { 0 }
    }

    fn fits(&self, idiom: &Idiom, hit: Hit, is_quoted: bool) -> Option<Anchor> {
        match (&idiom.shape, is_quoted) {
            (Shape::Marked { word, sigil, marks }, false) => self.marked(hit, word, sigil, marks),
            (Shape::Class(of), false) if hit.case == Case::Camel => self.class(hit, of),
            (Shape::Line { keys, beside }, _) => self.in_lines(hit, is_quoted, keys, beside),
            _ if hit.case == Case::Camel => None,
            (Shape::Key(under), _) => self.key(hit, is_quoted, under),
            (Shape::Handed(calls), false) => self.handed(hit, calls),
            (Shape::Call(calls), true) => self.value(hit.start - 1).and_then(|value| self.called(value, calls)),
            (Shape::CallNamed(word), true) => self.called_like(hit.start - 1, word),
            (Shape::Member { keys, of, beside }, true) => {
                self.value(hit.start - 1).and_then(|value| self.is_member_of(value, keys, of, beside))
            }
            (Shape::Getter(words), true) => self.getter(hit.start - 1, words),
            (Shape::Constant, true) => self.constant(hit).map(|_| Anchor::Rest),
            _ => None,
        }
    }

    /// Where the expression starts that a quoted text is the whole of.
    fn value(&self, quote: usize) -> Option<usize> {
        let wrapped = WRAPPERS.iter().find_map(|wrapper| self.ends_with(quote, wrapper));
        // Prefixes of strings: `f"…"`, `r"…"`.
        let plain = match self.word_before(quote) {
            (prefix, start) if (1..=2).contains(&prefix.len()) => start,
            _ => quote,
        };
        Some(self.before_prefix(wrapped.unwrap_or(plain)))
    }

    /// Where a sum starts whose last part starts here: `PREFIX + "name"`.
    fn before_prefix(&self, part: usize) -> usize {
        let plus = self.back(part);
        if self.byte_before(plus) != Some(b'+') {
            return part;
        }
        let end = self.back(plus - 1);
        let path = self.bytes[..end].iter().rev().take(200).take_while(|byte| is_word(**byte) || **byte == b'.');
        let length = path.count();
        if length == 0 { part } else { end - length }
    }

    fn called(&self, value: usize, calls: &[&str]) -> Option<Anchor> {
        let before = self.back(value);
        let at = match self.byte_before(before)? {
            b'(' => self.without_types(before - 1),
            // A call without brackets.
            byte if is_word(byte) && self.language.extensions.contains(&"rb") => before,
            _ => return None,
        };
        let callee = calls.iter().find_map(|call| self.ends_with(at, call))?;
        if at == before {
            return Some(Anchor::Rest);
        }
        // The declaration of a function of that name is none of a tool.
        if matches!(self.word_before(self.back(callee)).0, "function" | "def" | "fn" | "func") {
            return None;
        }
        self.bracket_anchor(value)
    }

    fn bracket_anchor(&self, at: usize) -> Option<Anchor> {
        let bracket = self.outline().around(at)?;
        Some(if self.is_mark(bracket) {
            Anchor::Mark(self.outermost_of_mark(bracket))
        } else {
            Anchor::Bracket(bracket)
        })
    }

    /// `@name(`, `#[name(` and `[name(`.
    fn is_mark(&self, bracket: usize) -> bool {
        let open = self.outline().bracket(bracket).open;
        let path = self.bytes[..open].iter().rev().take(200).take_while(|byte| is_word(**byte) || b".:".contains(byte));
        let start = open - path.count();
        match self.byte_before(start) {
            Some(b'@') => true,
            Some(b'[' | b',' | b' ') => self.is_in_mark(bracket),
            _ => false,
        }
    }

    /// Whether a bracket is directly in `#[…]`, or in `[…]` where the language writes its marks so.
    fn is_in_mark(&self, bracket: usize) -> bool {
        let outline = self.outline();
        let Some(parent) = outline.parent(bracket) else { return false };
        let open = outline.bracket(parent).open;
        self.bytes[open] == b'['
            && (self.byte_before(open) == Some(b'#')
                || self.language.is_csharp()
                    && matches!(
                        self.byte_before(self.back(open)),
                        None | Some(b'{' | b'}' | b';' | b']' | b'/' | b')' | b',' | b'>')
                    ))
    }

    fn outermost_of_mark(&self, bracket: usize) -> usize {
        if self.is_in_mark(bracket) { self.outline().parent(bracket).unwrap_or(bracket) } else { bracket }
    }

    /// The first text among the arguments of a call whose name tells what it does.
    fn called_like(&self, quote: usize, wanted: &str) -> Option<Anchor> {
        let near = quote.saturating_sub(200);
        let open = self.bytes[near..quote].iter().rposition(|byte| b"(){}[]\"'`;=".contains(byte))?;
        let open = near + open;
        if self.bytes[open] != b'(' {
            return None;
        }
        let end = self.without_types(open);
        let (callee, start) = self.word_before(end);
        let is_declared =
            matches!(self.word_before(self.back(start)).0, "function" | "def" | "fn" | "func" | "class" | "new");
        if is_declared || !names_a_maker(callee, wanted) {
            return None;
        }
        self.bracket_anchor(open + 1)
    }

    fn is_member_of(&self, value: usize, keys: &[&str], of: &[&str], beside: &[&str]) -> Option<Anchor> {
        let (key, start) = self.key_before(value)?;
        if !keys.contains(&key) {
            return None;
        }
        let Some(bracket) = self.outline().around(start) else {
            return self.is_beside_in_lines(start, beside).then_some(Anchor::Lines);
        };
        let belongs = || of.iter().any(|word| self.belongs_to(bracket, word));
        let has = |words: &[&str]| self.member(bracket, words).is_some();
        let is_strong = beside.contains(&"inputSchema");
        let told = || has(beside) && !has(NEVER_BESIDE) && (is_strong || !has(RARELY_BESIDE));
        let fits = if of.is_empty() { beside.is_empty() || told() } else { belongs() };
        if fits {
            return self.bracket_anchor(start);
        }
        None
    }

    /// A class body whose scope is told by indentation.
    fn is_beside_in_lines(&self, key: usize, beside: &[&str]) -> bool {
        self.language.indents && self.line_start(key) < key && self.has_sibling(key, beside)
    }

    /// Whether a bracket is that of a call or a type, or is handed to it: `Tool(`, `Tool = {`, `tool({`.
    fn belongs_to(&self, bracket: usize, word: &str) -> bool {
        let outline = self.outline();
        let mut current = Some(bracket);
        for _ in 0..3 {
            let Some(index) = current else { return false };
            let mut at = self.without_types(outline.bracket(index).open);
            if self.byte_before(at) == Some(b'=') {
                at = self.without_types(at - 1);
            }
            if self.ends_with(at, word).is_some() {
                return true;
            }
            if !self.byte_before(at).is_some_and(|byte| b"([,&".contains(&byte)) {
                return false;
            }
            current = outline.parent(index);
        }
        false
    }

    fn key(&self, hit: Hit, is_quoted: bool, under: &[&str]) -> Option<Anchor> {
        let start = hit.start - usize::from(is_quoted);
        let opens = self.byte_before(self.back(start)).is_some_and(|byte| b"{,([;".contains(&byte));
        let is_line = self.text.get(self.line_start(start)..start).is_some_and(|before| before.trim().is_empty());
        if !opens && !is_line {
            return None;
        }
        let value = self.value_after(hit.end)?;
        // In data such a key may as well be part of a report about tools.
        if self.language.lexis.templates && self.is_among_tools(start) {
            return Some(Anchor::Rest);
        }
        // The value is a bracket, or a call whose first argument is one.
        let (mut index, mut bracket) = self.outline().from(value).next()?;
        let callee = self.text.get(value..bracket.open)?;
        if callee.len() > 100 || callee.bytes().any(|byte| !is_word(byte) && !b".:<> ".contains(&byte)) {
            return None;
        }
        for _ in 0..2 {
            if self.bytes[bracket.open] == b'{' || self.member(index, under).is_some() {
                break;
            }
            let (inner, next) = self.outline().from(bracket.open + 1).next()?;
            (index, bracket) = (inner, next);
        }
        self.member(index, under).map(|_| Anchor::Bracket(index))
    }

    /// Whether a key is one of `tools: { … }`.
    fn is_among_tools(&self, key: usize) -> bool {
        let Some(bracket) = self.outline().around(key).map(|index| self.outline().bracket(index)) else { return false };
        let holder = self.key_before(bracket.open).map(|(holder, _)| holder);
        self.bytes[bracket.open] == b'{' && matches!(holder, Some("tools" | "TOOLS"))
    }

    fn handed(&self, hit: Hit, calls: &[&str]) -> Option<Anchor> {
        let before = self.back(hit.start);
        let next = self.bytes.get(self.forth(hit.end)).copied();
        if self.byte_before(before)? != b'(' || !matches!(next, Some(b',' | b')')) {
            return None;
        }
        let mut at = self.back(before - 1);
        // `mcp.tool()(NAME)`
        if self.byte_before(at) == Some(b')') {
            let inner = self.outline().around(at - 1)?;
            at = self.outline().bracket(inner).open;
        }
        calls.iter().find_map(|call| self.ends_with(at, call))?;
        self.outline().around(hit.start).map(Anchor::Bracket)
    }

    fn class(&self, hit: Hit, of: &[&str]) -> Option<Anchor> {
        if self.word_before(self.back(hit.start)).0 != "class" {
            return None;
        }
        let at = self.forth(hit.end);
        let parent = self.bytes.get(at).filter(|byte| **byte == b'<').map(|_| self.forth(at + 1))?;
        let line = self.text.get(parent..self.line_end(parent))?.trim();
        of.contains(&line).then_some(Anchor::Rest)
    }

    fn getter(&self, quote: usize, words: &[&str]) -> Option<Anchor> {
        let before = self.back(quote);
        let (word, start) = self.word_before(before);
        let at = if word == "return" { self.back(start) } else { before };
        let near = self.bytes[at.saturating_sub(120)..at].rsplit(|byte| *byte == b';').next()?;
        let near = std::str::from_utf8(near).unwrap_or_default();
        let ends = near.ends_with(['{', ':', '>']);
        let is_getter = |word: &str| {
            let call = format!("{word}(");
            near.rfind(&call).is_some_and(|at| {
                !near[..at].bytes().next_back().is_some_and(is_word) && near[at..].matches('(').count() == 1
            })
        };
        (ends && words.iter().any(|word| is_getter(word))).then_some(Anchor::Rest)
    }

    /// The constant whose value is a name, if it is called alike.
    pub(super) fn constant(&self, hit: Hit) -> Option<&str> {
        let (key, start) = self.key_before(self.value(hit.start - 1)?)?;
        let (folded, name) = (fold(key), fold(&self.text[hit.start..hit.end]));
        let is_alike = folded.contains(&name) || (folded.contains("tool") && folded.contains("name"));
        let declares = ["const", "let", "var", "val", "final", "static"];
        let is_name = folded == "name" && declares.contains(&self.word_before(self.back(start)).0);
        // What a minifier has renamed.
        let is_short = key.len() <= 3 && name.len() >= 6 && self.language.lexis.templates;
        (is_alike || is_name || is_short).then_some(key)
    }

    fn marked(&self, hit: Hit, word: &str, sigil: &str, marks: &[&str]) -> Option<Anchor> {
        let end = self.word_end(hit);
        let next = self.forth(end);
        if !matches!(self.bytes.get(next), Some(b'(' | b'<' | b'[')) {
            return None;
        }
        let before = self.back(hit.start);
        let (last, _) = self.word_before(before);
        let is_called = self.byte_before(before) == Some(b'.') || matches!(last, "new" | "return" | "await");
        if is_called || (!word.is_empty() && last != word) {
            return None;
        }
        let positional = matches!(word, "def" | "function");
        self.has_mark(hit.start, sigil, marks, positional).then_some(Anchor::Function(end))
    }

    /// Whether a mark that gives no other name stands in the line of an offset or above it.
    fn has_mark(&self, at: usize, sigil: &str, marks: &[&str], positional: bool) -> bool {
        let mut start = self.line_start(at);
        let (line, indent) = self.line(start);
        if line.starts_with(sigil) && is_mark_line(line, sigil, marks) {
            return !gives_name(&self.text[start..at], positional);
        }
        for _ in 0..MOST_LINES {
            let Some(above) = start.checked_sub(1) else { return false };
            start = self.line_start(above);
            let (line, own) = self.line(start);
            if own == indent && line.starts_with(sigil) && is_mark_line(line, sigil, marks) {
                return !gives_name(&self.text[start..at], positional);
            }
            let goes_on = own > indent
                || [sigil, "@", "#[", "[", ")", "]", "///", "//", "*", "/*", "#", "\"\"\""]
                    .iter()
                    .any(|mark| line.starts_with(mark));
            if line.is_empty() || !goes_on {
                return false;
            }
        }
        false
    }

    fn in_lines(&self, hit: Hit, is_quoted: bool, keys: &[&str], beside: &[&str]) -> Option<Anchor> {
        let (start, end) = (hit.start - usize::from(is_quoted), hit.end + usize::from(is_quoted));
        let rest = self.text.get(end..self.line_end(end))?.trim();
        let (key, at) = self.key_before(start)?;
        let front = self.text.get(self.line_start(start)..at)?;
        let is_line =
            front.bytes().all(|byte| byte == b' ' || byte == b'-') && (rest.is_empty() || rest.starts_with('#'));
        (is_line && keys.contains(&key) && (beside.is_empty() || self.has_sibling(at, beside))).then_some(Anchor::Lines)
    }

    /// Whether lines of the same depth around a key have one of these keys.
    fn has_sibling(&self, key: usize, beside: &[&str]) -> bool {
        self.siblings(key).any(|(start, end)| beside.contains(&&self.text[start..end]))
    }

    /// The keys of the same depth as one, as ranges: those behind it first.
    pub(super) fn siblings(&self, key: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let depth = key - self.line_start(key);
        let below = std::iter::successors(Some(self.line_end(key)), |end| {
            (*end < self.bytes.len()).then(|| self.line_end(end + 1))
        });
        let below = below.take(400).filter(|end| *end < self.bytes.len()).map(|end| end + 1);
        let above =
            std::iter::successors(self.line_start(key).checked_sub(1), |end| self.line_start(*end).checked_sub(1));
        let above = above.take(400).map(|end| self.line_start(end));
        let own = move |start: usize, stops_at_item: bool| {
            let (line, indent) = self.line(start);
            let is_item = line.starts_with("- ") && indent + 2 == depth;
            let is_outside = !line.is_empty() && indent < depth && (!is_item || stops_at_item);
            let at = start + depth;
            let is_key = !line.is_empty() && (indent == depth || is_item);
            (is_outside, is_key.then(|| (at, at + self.word_at(at).len())), is_item)
        };
        let below =
            below.map(move |start| own(start, true)).take_while(|(outside, ..)| !outside).filter_map(|(_, key, _)| key);
        let mut done = false;
        let above = above.map(move |start| own(start, false)).take_while(move |(outside, _, is_item)| {
            let goes_on = !done && !outside;
            done |= is_item;
            goes_on
        });
        below
            .chain(above.filter_map(|(_, key, _)| key))
            .filter(|(start, end)| end > start && self.value_after(*end).is_some())
    }
}

/// Whether a callee makes something of this sort: `registerTool`, `add_mcp_tool`, not `callTool`.
fn names_a_maker(callee: &str, wanted: &str) -> bool {
    let words = words_of(callee);
    words.iter().any(|word| word == wanted || word.strip_suffix('s') == Some(wanted)) && !names_a_user(callee)
}

/// Whether a callee asks for something or acts on it.
fn names_a_user(callee: &str) -> bool {
    words_of(callee).iter().any(|word| NOT_DECLARING.contains(&word.as_str()))
}

/// The words of a camelCase or snake_case name, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_upper = true;
    for character in name.chars() {
        let is_upper = character.is_uppercase();
        if character == '_' || (is_upper && !was_upper) {
            words.push(String::new());
        }
        was_upper = is_upper;
        if character != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words
}

/// Whether a line that starts with the sigil has one of the marks.
fn is_mark_line(line: &str, sigil: &str, marks: &[&str]) -> bool {
    let body = &line[sigil.len()..];
    // Only a list of marks may have one behind others; texts in brackets are none.
    let body = if sigil == "[" { body } else { body.split(['(', '"', '\'', ' ', ']']).next().unwrap_or_default() };
    let mut words = body.split(|character: char| !character.is_alphanumeric() && character != '_');
    // A mark of the project's own making: `@logged_tool`, `@tools.reader`.
    let is_own = |word: &str| marks.is_empty() && names_a_maker(word, "tool");
    let named = |word: &str| marks.contains(&word) || is_own(word);
    if marks.is_empty() { words.clone().any(named) && !words.any(names_a_user) } else { words.any(named) }
}

/// Whether a mark names what it marks, so that the function's own name does not count.
fn gives_name(mark: &str, positional: bool) -> bool {
    let first = mark.find('(').map(|at| mark[at + 1..].trim_start()).unwrap_or_default();
    let names = ["name", "Name"].iter().any(|key| {
        mark.match_indices(key).any(|(at, _)| {
            let before = mark[..at].bytes().next_back();
            let after = mark[at + key.len()..].trim_start();
            before.is_some_and(|byte| !is_word(byte) && byte != b'.')
                && (after.starts_with('=') && !after.starts_with("==") || after.starts_with(':'))
        })
    });
    // A text with spaces is a title or a description.
    let quoted = first.strip_prefix(['"', '\'']).and_then(|text| text.split(['"', '\'']).next());
    names || (positional && quoted.is_some_and(|text| !text.contains(' ')))
}
