//! The parser behind [`Document`](super::Document): one pass, spans for everything.

use super::{Dialect, INDEXED_FROM, Kind, MAX_DEPTH, Member, Node, Object, Oddity, PORTABLE_DEPTH, Span, SyntaxError};

/// Reads a whole text.
pub(super) fn parse(text: &str, dialect: Dialect) -> Result<(Node, Vec<Oddity>), SyntaxError> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        depth: 0,
        deepest: 0,
        dialect,
        oddities: Vec::new(),
        items: Vec::new(),
        members: Vec::new(),
    };
    if u32::try_from(text.len()).is_err() {
        return Err(parser.fault("the text is larger than 4 GiB"));
    }
    let root = parser.document()?;
    if parser.deepest > PORTABLE_DEPTH {
        parser.oddities.push(Oddity::DeepNesting(parser.deepest));
    }
    Ok((root, parser.oddities))
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    deepest: usize,
    dialect: Dialect,
    oddities: Vec<Oddity>,
    /// Items and members of the containers being read; each container takes its own off the end.
    items: Vec<Node>,
    members: Vec<Member>,
}

type Parsed<T> = Result<T, SyntaxError>;

impl Parser<'_> {
    fn document(&mut self) -> Parsed<Node> {
        self.skip_blank()?;
        if self.at == self.bytes.len() {
            return Err(self.fault("there is no value, the text is empty"));
        }
        let root = self.value()?;
        self.skip_blank()?;
        if self.at < self.bytes.len() {
            return Err(self.fault("there is more text behind the end of the value"));
        }
        Ok(root)
    }

    fn value(&mut self) -> Parsed<Node> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Kind::Bool(true))?,
            Some(b'f') => self.word("false", Kind::Bool(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(_) => return Err(self.fault("expected a value")),
            None => return Err(self.fault("the text ends where a value is expected")),
        };
        Ok(Node { span: self.span_from(start), kind })
    }

    fn word(&mut self, word: &'static str, kind: Kind) -> Parsed<Kind> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(kind);
        }
        if word.as_bytes().starts_with(rest) {
            self.at = self.bytes.len();
            return Err(self.fault("the text ends in the middle of a word"));
        }
        Err(self.fault("expected a value"))
    }

    fn array(&mut self) -> Parsed<Kind> {
        self.enter()?;
        let base = self.items.len();
        loop {
            self.skip_blank()?;
            if self.peek() == Some(b']') && (self.items.len() == base || self.dialect.trailing_commas) {
                break;
            }
            let item = self.value()?;
            self.items.push(item);
            self.skip_blank()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                Some(_) => return Err(self.fault("expected a comma or the end of the array")),
                None => return Err(self.fault("the text ends inside an array")),
            }
        }
        self.leave();
        Ok(Kind::Array(self.items.drain(base..).collect()))
    }

    fn object(&mut self) -> Parsed<Kind> {
        self.enter()?;
        let base = self.members.len();
        loop {
            self.skip_blank()?;
            match self.peek() {
                Some(b'}') if self.members.len() == base || self.dialect.trailing_commas => break,
                Some(b'"') => {}
                Some(_) => return Err(self.fault("expected a key in double quotes")),
                None => return Err(self.fault("the text ends inside an object")),
            }
            let member = self.member()?;
            self.members.push(member);
            self.skip_blank()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                Some(_) => return Err(self.fault("expected a comma or the end of the object")),
                None => return Err(self.fault("the text ends inside an object")),
            }
        }
        self.leave();
        let members: Box<[Member]> = self.members.drain(base..).collect();
        let sorted = self.index(&members);
        Ok(Kind::Object(Box::new(Object { members, sorted })))
    }

    fn member(&mut self) -> Parsed<Member> {
        let start = self.at;
        let unescaped = self.string()?;
        let key = self.span_from(start);
        self.skip_blank()?;
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.fault("expected a colon behind the key")),
            None => return Err(self.fault("the text ends behind a key")),
        }
        self.skip_blank()?;
        Ok(Member { key, unescaped, value: self.value()? })
    }

    /// Sorts a large object's members by key, and notes repeated keys of any object.
    fn index(&mut self, members: &[Member]) -> Box<[u32]> {
        if members.len() < INDEXED_FROM {
            for (at, member) in members.iter().enumerate() {
                if let Some(first) = members[..at].iter().find(|first| self.key(first) == self.key(member)) {
                    self.note_repeat(first, member);
                }
            }
            return Box::default();
        }
        let mut sorted: Box<[u32]> = (0..members.len() as u32).collect();
        sorted.sort_by(|left, right| self.key(&members[*left as usize]).cmp(self.key(&members[*right as usize])));
        for pair in sorted.windows(2) {
            let (first, again) = (&members[pair[0] as usize], &members[pair[1] as usize]);
            if self.key(first) == self.key(again) {
                self.note_repeat(first, again);
            }
        }
        sorted
    }

    fn note_repeat(&mut self, first: &Member, again: &Member) {
        let key = self.key(again).to_owned();
        self.oddities.push(Oddity::RepeatedKey { key, first: first.key, again: again.key });
    }

    fn key<'a>(&'a self, member: &'a Member) -> &'a str {
        let quoted = || &self.text[member.key.start as usize + 1..member.key.end as usize - 1];
        member.unescaped.as_deref().unwrap_or_else(quoted)
    }

    /// Reads a string; gives its text only where escapes make it differ from the source.
    fn string(&mut self) -> Parsed<Option<Box<str>>> {
        let opening = self.at;
        self.at += 1;
        let mut unescaped: Option<String> = None;
        let mut copied = self.at;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let text = unescaped.get_or_insert_default();
                    text.push_str(&self.text[copied..self.at]);
                    let character = self.escape()?;
                    unescaped.get_or_insert_default().push(character);
                    copied = self.at;
                }
                Some(0..=0x1f) => return Err(self.fault("a control character in a string must be escaped")),
                Some(_) => self.at += 1,
                None => {
                    let mut error = self.fault("the text ends inside a string");
                    error.position = super::position_in(self.text, opening);
                    return Err(error);
                }
            }
        }
        if let Some(text) = &mut unescaped {
            text.push_str(&self.text[copied..self.at]);
        }
        self.at += 1;
        Ok(unescaped.map(String::into_boxed_str))
    }

    fn escape(&mut self) -> Parsed<char> {
        let start = self.at;
        self.at += 2;
        Ok(match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            Some(_) => {
                self.at = start;
                return Err(self.fault("unknown escape in a string"));
            }
            None => {
                self.at = self.bytes.len();
                return Err(self.fault("the text ends inside a string"));
            }
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Parsed<char> {
        let first = self.hex4()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        let low_follows = first < 0xdc00 && self.bytes[self.at..].starts_with(b"\\u");
        if low_follows {
            let back = self.at;
            self.at += 2;
            let second = self.hex4()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        self.oddities.push(Oddity::LoneSurrogate(self.span_from(start)));
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Parsed<u32> {
        let Some(digits) = self.bytes.get(self.at..self.at + 4) else {
            self.at = self.bytes.len();
            return Err(self.fault("the text ends inside a string"));
        };
        let code = digits.iter().try_fold(0, |code, digit| Some(code * 16 + (*digit as char).to_digit(16)?));
        let Some(code) = code else { return Err(self.fault("\\u needs four hexadecimal digits")) };
        self.at += 4;
        Ok(code)
    }

    fn number(&mut self) -> Parsed<Kind> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            Some(_) => return Err(self.fault("expected a digit")),
            None => return Err(self.fault("the text ends inside a number")),
        }
        let mut integer = true;
        if self.peek() == Some(b'.') {
            integer = false;
            self.at += 1;
            self.need_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            integer = false;
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.need_digits()?;
        }
        if let Some(b'0'..=b'9') = self.peek() {
            return Err(self.fault("a number must not start with 0"));
        }
        if !in_range(&self.text[start..self.at], integer) {
            self.oddities.push(Oddity::NumberOutOfRange(self.span_from(start)));
        }
        Ok(Kind::Number)
    }

    fn need_digits(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(b'0'..=b'9') => {
                self.digits();
                Ok(())
            }
            Some(_) => Err(self.fault("expected a digit")),
            None => Err(self.fault("the text ends inside a number")),
        }
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    fn skip_blank(&mut self) -> Parsed<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if self.dialect.comments => self.comment()?,
                Some(b'/') => return Err(self.fault("a comment, which this file's readers do not accept")),
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Parsed<()> {
        let rest = &self.text[self.at..];
        if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
            return Ok(());
        }
        if !rest.starts_with("/*") {
            return Err(self.fault("expected a value"));
        }
        let Some(length) = rest[2..].find("*/") else {
            self.at = self.bytes.len();
            return Err(self.fault("the text ends inside a comment"));
        };
        self.at += length + 4;
        Ok(())
    }

    fn enter(&mut self) -> Parsed<()> {
        if self.depth == MAX_DEPTH {
            let mut error = self.fault("arrays and objects nest deeper than 512 levels");
            error.too_deep = true;
            return Err(error);
        }
        self.at += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        Ok(())
    }

    fn leave(&mut self) {
        self.at += 1;
        self.depth -= 1;
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }

    fn fault(&self, what: &'static str) -> SyntaxError {
        let offset = self.text.floor_char_boundary(self.at.min(self.text.len()));
        SyntaxError {
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
            position: super::position_in(self.text, offset),
            what,
            truncated: self.at >= self.bytes.len(),
            too_deep: false,
        }
    }
}

/// Integers must fit 64 bits; everything else must fit a double.
fn in_range(text: &str, integer: bool) -> bool {
    let short = text.len() < 19;
    if integer {
        return short || text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok();
    }
    text.parse::<f64>().is_ok_and(f64::is_finite)
}
