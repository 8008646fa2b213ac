//! One source text while it is looked at, and steps through it: backwards from a name, and around it.

use std::cell::{Cell, OnceCell};

use super::languages::Language;
use super::outline::{Bracket, Outline};

/// White space that is stepped over at once.
const MOST_SPACE: usize = 2_000;

/// Text that is read inside a bracket to learn what its members are called.
const MOST_INSIDE: usize = 64 << 10;

/// Bytes of one file that are read again, all in all, to look around names. A file that needs more is made to.
const BUDGET: usize = 32 << 20;

/// Bytes of a line that are looked at.
const LONGEST_LINE: usize = 4_000;

pub(super) struct File<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) language: &'static Language,
    outline: OnceCell<Outline>,
    /// Offsets of the first byte of every line.
    lines: OnceCell<Vec<usize>>,
    left: Cell<usize>,
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

impl<'a> File<'a> {
    pub(super) fn new(text: &'a str, language: &'static Language) -> Self {
        let (outline, lines) = (OnceCell::new(), OnceCell::new());
        Self { text, bytes: text.as_bytes(), language, outline, lines, left: Cell::new(BUDGET) }
    }

    /// Takes from what may be read again; false where it is used up.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    pub(super) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(self.text, &self.language.lexis))
    }

    pub(super) fn byte_before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|before| self.bytes.get(before)).copied()
    }

    /// Whether a range has the same quotes around it.
    pub(super) fn is_quoted(&self, start: usize, end: usize) -> bool {
        let quote = self.byte_before(start).filter(|byte| is_quote(*byte));
        quote.is_some() && quote == self.bytes.get(end).copied()
    }

    /// Whether a range is a whole word.
    pub(super) fn is_bare(&self, start: usize, end: usize) -> bool {
        let is_part = |byte: Option<u8>| byte.is_some_and(|byte| is_word(byte) || is_quote(byte));
        !is_part(self.byte_before(start)) && !is_part(self.bytes.get(end).copied())
    }

    /// The offset behind the last character that is no white space.
    pub(super) fn back(&self, at: usize) -> usize {
        let space = self.bytes[..at].iter().rev().take(MOST_SPACE).take_while(|byte| byte.is_ascii_whitespace());
        at - space.count()
    }

    /// The offset of the next character that is no white space.
    pub(super) fn forth(&self, at: usize) -> usize {
        let space = self.bytes[at..].iter().take(MOST_SPACE).take_while(|byte| byte.is_ascii_whitespace());
        at + space.count()
    }

    /// Where the text starts that ends here, white space left out of account.
    pub(super) fn ends_with(&self, at: usize, wanted: &str) -> Option<usize> {
        let mut at = self.back(at);
        let end = at;
        for byte in wanted.bytes().rev() {
            if !is_word(byte) || at < end && !self.bytes.get(at).is_some_and(|next| is_word(*next)) {
                at = self.back(at);
            }
            at = at.checked_sub(1).filter(|before| self.bytes[*before] == byte)?;
        }
        let is_whole = !wanted.bytes().next().is_some_and(is_word) || !self.byte_before(at).is_some_and(is_word);
        is_whole.then_some(at)
    }

    /// The word that ends here, and where it starts.
    pub(super) fn word_before(&self, at: usize) -> (&'a str, usize) {
        let length = self.bytes[..at].iter().rev().take(200).take_while(|byte| is_word(**byte)).count();
        let start = at - length;
        (self.text.get(start..at).unwrap_or_default(), start)
    }

    /// The word that starts here.
    pub(super) fn word_at(&self, at: usize) -> &'a str {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = rest.iter().take(200).take_while(|byte| is_word(**byte)).count();
        self.text.get(at..at + length).unwrap_or_default()
    }

    /// Behind what a call or a list of types is named, where the types stand in `<…>`.
    pub(super) fn without_types(&self, at: usize) -> usize {
        let at = self.back(at);
        if self.byte_before(at) != Some(b'>') {
            return at;
        }
        let mut open = 0_usize;
        for (back, byte) in self.bytes[..at].iter().rev().take(300).enumerate() {
            match byte {
                b'>' => open += 1,
                b'<' => open -= 1,
                b';' => break,
                _ => {}
            }
            if open == 0 {
                return at - back - 1;
            }
        }
        at
    }

    /// The key of the member whose value starts here, and where the key starts: `key: `, `"key" => `,
    /// `key: string = `.
    pub(super) fn key_before(&self, value: usize) -> Option<(&'a str, usize)> {
        let at = self.back(value);
        let is_assigned = self.byte_before(at)? == b'=';
        let at = [":=", "=>", "=", ":"]
            .iter()
            .find_map(|sign| self.bytes[..at].ends_with(sign.as_bytes()).then(|| at - sign.len()))?;
        let (word, start) = self.key_at(at)?;
        if is_assigned
            && matches!(word, "string" | "str" | "String")
            && let Some(before) = self.back(start).checked_sub(1)
            && self.bytes[before] == b':'
        {
            return self.key_at(before);
        }
        Some((word, start))
    }

    fn key_at(&self, end: usize) -> Option<(&'a str, usize)> {
        let at = self.back(end);
        let quote = self.byte_before(at).filter(|byte| is_quote(*byte));
        let (word, start) = self.word_before(at - usize::from(quote.is_some()));
        (!word.is_empty()).then(|| (word, start - usize::from(quote.is_some() && start > 0)))
    }

    /// Where the value of a key starts that ends here, if it is a key: `key: `, `"key" => `, `key = `,
    /// `key?: `.
    pub(super) fn value_after(&self, key_end: usize) -> Option<usize> {
        let mut at = key_end;
        if self.bytes.get(at).is_some_and(|byte| is_quote(*byte)) {
            at += 1;
        }
        if self.bytes.get(at).is_some_and(|byte| matches!(byte, b'?' | b'!')) {
            at += 1;
        }
        at = self.forth(at);
        let rest = self.bytes.get(at..)?;
        if rest.starts_with(b"==") || rest.starts_with(b"::") {
            return None;
        }
        let sign = [":=", "=>", "=", ":"].iter().find(|sign| rest.starts_with(sign.as_bytes()))?;
        Some(self.forth(at + sign.len()))
    }

    /// The first offset at which one of the words is a direct member of a bracket.
    pub(super) fn member(&self, bracket: usize, words: &[&str]) -> Option<(usize, usize)> {
        if self.left.get() == 0 {
            return None;
        }
        let outline = self.outline();
        let Bracket { open, close, .. } = outline.bracket(bracket);
        let mut at = open + 1;
        let limit = close.min(open + MOST_INSIDE);
        let from = at;
        // Step from word to word, and over brackets: only what stands directly inside counts.
        while at < limit {
            let byte = self.bytes[at];
            if matches!(byte, b'(' | b'[' | b'{')
                && let Some((_, inner)) = outline.from(at).next()
                && inner.open == at
            {
                at = inner.close + 1;
            } else if is_word(byte) {
                let word = self.word_at(at);
                let end = at + word.len().max(1);
                if words.contains(&word) && self.is_member(at, end) {
                    self.spend(at - from);
                    return Some((at, end));
                }
                at = end;
            } else {
                at += 1;
            }
        }
        self.spend(limit.saturating_sub(from));
        None
    }

    /// A key with a value, a builder's call, or a member that is only named: `{ name, inputSchema }`.
    fn is_member(&self, start: usize, end: usize) -> bool {
        let quoted = self.outline().string_at(start);
        if quoted.is_some_and(|quote| quote + 1 != start) || self.outline().is_comment(start) {
            return false;
        }
        let next = self.bytes.get(self.forth(end)).copied();
        self.value_after(end).is_some() || (quoted.is_none() && matches!(next, Some(b'(' | b',' | b'}')))
    }

    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let breaks = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        })
    }

    pub(super) fn line_start(&self, at: usize) -> usize {
        let lines = self.lines();
        lines[lines.partition_point(|start| *start <= at) - 1]
    }

    pub(super) fn line_end(&self, at: usize) -> usize {
        let lines = self.lines();
        lines.get(lines.partition_point(|start| *start <= at)).map_or(self.bytes.len(), |next| next - 1)
    }

    /// The line from an offset on, and its indentation in bytes; of a very long one the start.
    pub(super) fn line(&self, start: usize) -> (&'a str, usize) {
        let end = self.line_end(start).min(start + LONGEST_LINE);
        let end = self.text.floor_char_boundary(end);
        let line = self.text.get(start..end).unwrap_or_default();
        (line.trim(), line.len() - line.trim_start().len())
    }
}
