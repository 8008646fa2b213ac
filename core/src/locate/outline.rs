//! The outline of a source text: its brackets, strings and comments, in one pass.
//!
//! This is no parser. A string that is never closed ends with its line where the language says so, and a
//! bracket without a partner costs nothing but itself.

use super::languages::Lexis;

/// A pair of brackets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub(super) open: usize,
    /// Offset of the closing one; the end of the text where there is none.
    pub(super) close: usize,
    parent: u32,
    pub(super) depth: u32,
}

/// Text that is not code.
#[derive(Clone, Copy, Debug)]
struct Quiet {
    start: usize,
    end: usize,
    is_comment: bool,
}

#[derive(Debug, Default)]
pub(super) struct Outline {
    brackets: Vec<Bracket>,
    quiet: Vec<Quiet>,
}

const NONE: u32 = u32::MAX;

/// Parents that are climbed before a place counts as being in no bracket.
const MOST_CLIMBED: usize = 200;

/// Longest regular expression, in bytes.
const LONGEST_PATTERN: usize = 1_000;

/// Brackets that stand open between a closing one and its partner before it counts as stray.
const MOST_UNCLOSED: usize = 4;

impl Outline {
    pub(super) fn of(text: &str, lexis: &Lexis) -> Self {
        let mut lexer =
            Lexer { text: text.as_bytes(), lexis, at: 0, last: b'(', open: Vec::new(), outline: Self::default() };
        lexer.run();
        lexer.outline
    }

    /// The innermost bracket around an offset.
    pub(super) fn around(&self, at: usize) -> Option<usize> {
        let mut index = self.brackets.partition_point(|bracket| bracket.open < at).checked_sub(1)?;
        for _ in 0..MOST_CLIMBED {
            let bracket = self.brackets[index];
            if bracket.close >= at {
                return Some(index);
            }
            if bracket.parent == NONE {
                return None;
            }
            index = bracket.parent as usize;
        }
        None
    }

    pub(super) fn bracket(&self, index: usize) -> Bracket {
        self.brackets[index]
    }

    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        let parent = self.brackets[index].parent;
        (parent != NONE).then_some(parent as usize)
    }

    /// Brackets that open at or behind an offset, in order.
    pub(super) fn from(&self, at: usize) -> impl Iterator<Item = (usize, Bracket)> + '_ {
        let first = self.brackets.partition_point(|bracket| bracket.open < at);
        self.brackets[first..].iter().enumerate().map(move |(nth, bracket)| (first + nth, *bracket))
    }

    fn quiet_at(&self, at: usize) -> Option<Quiet> {
        let index = self.quiet.partition_point(|quiet| quiet.start <= at).checked_sub(1)?;
        Some(self.quiet[index]).filter(|quiet| quiet.end > at)
    }

    /// Whether an offset is in a comment, or in a string that starts somewhere else than `quote`.
    pub(super) fn is_quoted_elsewhere(&self, at: usize, quote: usize) -> bool {
        self.quiet_at(at).is_some_and(|quiet| quiet.is_comment || quiet.start != quote)
    }

    /// Whether an offset is in a comment.
    pub(super) fn is_comment(&self, at: usize) -> bool {
        self.quiet_at(at).is_some_and(|quiet| quiet.is_comment)
    }

    /// Where the string starts that an offset is in.
    pub(super) fn string_at(&self, at: usize) -> Option<usize> {
        self.quiet_at(at).filter(|quiet| !quiet.is_comment).map(|quiet| quiet.start)
    }
}

struct Lexer<'a> {
    text: &'a [u8],
    lexis: &'a Lexis,
    at: usize,
    /// The last byte of code that is no white space: tells a division from a pattern.
    last: u8,
    /// Open brackets: index and whether a template goes on behind it.
    open: Vec<(u32, bool)>,
    outline: Outline,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.text.get(self.at).copied() {
            match byte {
                b'(' | b'[' | b'{' => self.opens(false),
                b')' | b']' | b'}' => self.closes(byte),
                b'"' | b'\'' | b'`' | b'/' | b'#' | b'-' if self.is_quiet(byte) => continue,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                self.last = byte;
            }
            self.at += 1;
        }
        let end = self.text.len();
        for (index, _) in std::mem::take(&mut self.open) {
            self.outline.brackets[index as usize].close = end;
        }
    }

    fn opens(&mut self, is_template: bool) {
        let parent = self.open.last().map_or(NONE, |(index, _)| *index);
        let index = self.outline.brackets.len() as u32;
        let depth = self.open.len() as u32;
        self.outline.brackets.push(Bracket { open: self.at, close: usize::MAX, parent, depth });
        self.open.push((index, is_template));
    }

    fn closes(&mut self, byte: u8) {
        let opener = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let partner = self
            .open
            .iter()
            .rev()
            .take(MOST_UNCLOSED)
            .position(|(index, _)| self.text[self.outline.brackets[*index as usize].open] == opener);
        let Some(unclosed) = partner else { return };
        for _ in 0..=unclosed {
            let Some((index, is_template)) = self.open.pop() else { return };
            self.outline.brackets[index as usize].close = self.at;
            if is_template {
                self.template(self.at);
                return;
            }
        }
    }

    /// Skips a comment, a string or a pattern, if one starts here.
    fn is_quiet(&mut self, byte: u8) -> bool {
        let rest = &self.text[self.at..];
        if let Some((open, close)) = self.lexis.block
            && rest.starts_with(open.as_bytes())
        {
            let end = find(rest, open.len(), close.as_bytes());
            self.skip(end, true);
            return true;
        }
        if self.lexis.line.iter().any(|mark| rest.starts_with(mark.as_bytes())) && !self.is_attribute(rest) {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            self.skip(end, true);
            return true;
        }
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'`' => self.backtick(),
            b'/' => self.pattern(),
            _ => false,
        }
    }

    /// `#[` opens an attribute where `#` also opens a comment.
    fn is_attribute(&self, rest: &[u8]) -> bool {
        self.lexis.attributes && rest.starts_with(b"#[")
    }

    fn skip(&mut self, length: usize, is_comment: bool) {
        let end = (self.at + length).min(self.text.len());
        self.outline.quiet.push(Quiet { start: self.at, end, is_comment });
        if !is_comment {
            self.last = b'"';
        }
        self.at = end;
    }

    fn string(&mut self, quote: u8) -> bool {
        let rest = &self.text[self.at..];
        if self.lexis.triple && rest.starts_with(&[quote; 3]) {
            let length = find(rest, 3, &[quote; 3]);
            self.skip(length, false);
            return true;
        }
        if quote == b'\'' && self.lexis.characters {
            return self.character();
        }
        let before = &self.text[..self.at];
        if quote == b'"' && self.lexis.raw {
            let hashes = before.iter().rev().take_while(|byte| **byte == b'#').count();
            if before[..before.len() - hashes].ends_with(b"r") {
                let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
                let length = find(rest, 1, &close);
                self.skip(length, false);
                return true;
            }
        }
        let is_verbatim = self.lexis.verbatim && (before.ends_with(b"@") || before.ends_with(b"@$"));
        let many_lines = self.lexis.long_strings || is_verbatim;
        let length = end_of_string(rest, quote, many_lines, !is_verbatim);
        self.skip(length, false);
        true
    }

    /// One character in quotes; what else begins with an apostrophe is a lifetime or a label.
    fn character(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let longest = 12.min(rest.len());
        let closes = rest[1..longest].iter().position(|byte| *byte == b'\'');
        let is_escape = rest.get(1) == Some(&b'\\');
        let length = match closes {
            Some(0) | None => return false,
            // The closing quote may itself be what is escaped.
            Some(1) if is_escape => 4,
            Some(bytes) if is_escape || bytes <= 4 && std::str::from_utf8(&rest[1..=bytes]).is_ok_and(is_one) => {
                bytes + 2
            }
            Some(_) => return false,
        };
        self.skip(length.min(rest.len()), false);
        true
    }

    fn backtick(&mut self) -> bool {
        if self.lexis.templates {
            self.template(self.at);
            // The loop steps over the last byte: the closing backtick, or the bracket that was opened.
            self.at += 1;
        } else if self.lexis.backticks {
            let length = find(&self.text[self.at..], 1, b"`");
            self.skip(length, false);
        } else {
            return false;
        }
        true
    }

    /// The text of a template from its start, or from behind a value in it, up to its end or the next value.
    /// Stands on its last byte afterwards.
    fn template(&mut self, start: usize) {
        let mut at = start + 1;
        while let Some(byte) = self.text.get(at).copied() {
            match byte {
                b'\\' => at += 1,
                b'`' => break,
                b'$' if self.text.get(at + 1) == Some(&b'{') => {
                    self.outline.quiet.push(Quiet { start, end: at, is_comment: false });
                    self.at = at + 1;
                    self.opens(true);
                    self.last = b'{';
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        let end = (at + 1).min(self.text.len());
        self.outline.quiet.push(Quiet { start, end, is_comment: false });
        self.last = b'"';
        self.at = end - 1;
    }

    /// A regular expression between slashes.
    fn pattern(&mut self) -> bool {
        if !self.lexis.templates || !b"(,=:[!&|?{};\n+".contains(&self.last) {
            return false;
        }
        let rest = &self.text[self.at..];
        let (mut at, mut in_class) = (1, false);
        loop {
            match rest.get(at) {
                None | Some(b'\n') => return false,
                _ if at > LONGEST_PATTERN => return false,
                Some(b'\\') => at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break,
                _ => {}
            }
            at += 1;
        }
        self.skip(at + 1, false);
        true
    }
}

fn is_one(text: &str) -> bool {
    text.chars().count() == 1
}

/// Length up to behind the first `close` from an offset; the whole where there is none.
fn find(text: &[u8], from: usize, close: &[u8]) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let found = rest.windows(close.len()).position(|window| window == close);
    found.map_or(text.len(), |at| from + at + close.len())
}

fn end_of_string(text: &[u8], quote: u8, many_lines: bool, escapes: bool) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at).copied() {
        match byte {
            b'\\' if escapes => at += 1,
            b'\n' if !many_lines => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
