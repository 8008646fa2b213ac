//! JSON text that forgets nothing.
//!
//! A [`Document`] keeps what a value tree throws away: the place of every value, repeated keys, the
//! text of numbers, and the oddities that one parser accepts and the next one refuses. Rules look at
//! it through [`Value`], a cheap copyable reference.

use std::fmt;
use std::sync::OnceLock;

mod parser;

/// How deep arrays and objects may nest before a document is refused, in levels.
///
/// Far above anything a real definition needs (13 is the deepest seen on 231 servers) and far below
/// what would endanger our own stack.
pub const MAX_DEPTH: usize = 512;

/// Nesting that serde_json and several other strict parsers refuse, in levels.
pub const PORTABLE_DEPTH: usize = 127;

/// From this many members on, an object carries an index, so that a lookup stays logarithmic.
const INDEXED_FROM: usize = 16;

/// What a reader of a file accepts beyond plain JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// `//` and `/* */` comments.
    pub comments: bool,
    /// A comma behind the last member or item.
    pub trailing_commas: bool,
}

impl Dialect {
    /// Plain JSON (RFC 8259): what travels on the wire and what `.mcp.json` holds.
    pub const STRICT: Self = Self { comments: false, trailing_commas: false };
    /// JSON with comments, as Visual Studio Code reads its own files.
    pub const COMMENTS: Self = Self { comments: true, trailing_commas: true };
}

/// A half-open range of byte offsets into the text of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

/// A place as people count: both numbers start at 1, the column counts UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line number, from 1.
    pub line: u32,
    /// Column in UTF-16 code units, from 1.
    pub column: u32,
}

/// Why a text is not JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset of the fault.
    pub offset: u32,
    /// The same place as line and column.
    pub position: Position,
    /// What was found or missing there, as the end of a sentence.
    pub what: &'static str,
    /// Whether more text could have made it valid: the document just stops.
    pub truncated: bool,
    /// Whether the text was refused for its depth alone.
    pub too_deep: bool,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(out, "line {line}, column {column}: {}", self.what)
    }
}

impl std::error::Error for SyntaxError {}

/// Something two conforming parsers read differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// An object has one key twice; most parsers keep the last value.
    RepeatedKey {
        /// The key.
        key: String,
        /// The key's first appearance.
        first: Span,
        /// The key's later appearance.
        again: Span,
    },
    /// Half of a surrogate pair in an escape: JavaScript and Python keep it, strict parsers refuse.
    LoneSurrogate(Span),
    /// A number that does not fit a double, or an integer beyond 64 bits.
    NumberOutOfRange(Span),
    /// Deeper than [`PORTABLE_DEPTH`]; the number is the depth reached.
    DeepNesting(usize),
}

/// A parsed text.
#[derive(Debug)]
pub struct Document {
    text: Box<str>,
    root: Node,
    oddities: Vec<Oddity>,
    lines: OnceLock<Lines>,
}

/// A node keeps its own text only where escapes make it differ from the source.
#[derive(Debug)]
struct Node {
    span: Span,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Null,
    Bool(bool),
    Number,
    String(Option<Box<str>>),
    Array(Box<[Node]>),
    Object(Box<Object>),
}

#[derive(Debug)]
struct Object {
    members: Box<[Member]>,
    /// Member positions sorted by key, then position; empty for small objects.
    sorted: Box<[u32]>,
}

#[derive(Debug)]
struct Member {
    key: Span,
    unescaped: Option<Box<str>>,
    value: Node,
}

impl Document {
    /// Reads a text.
    ///
    /// # Errors
    /// When the text is not JSON in this dialect, nests deeper than [`MAX_DEPTH`], or is over 4 GiB.
    pub fn parse(text: impl Into<Box<str>>, dialect: Dialect) -> Result<Self, SyntaxError> {
        let text = text.into();
        let (root, oddities) = parser::parse(&text, dialect)?;
        Ok(Self { text, root, oddities, lines: OnceLock::new() })
    }

    /// The source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value { document: self, node: &self.root }
    }

    /// What other parsers may read differently, in order of appearance.
    #[must_use]
    pub fn oddities(&self) -> &[Oddity] {
        &self.oddities
    }

    /// Line and column of a byte offset.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        self.lines.get_or_init(|| Lines::of(&self.text)).position(&self.text, offset)
    }
}

/// What turns offsets into lines and columns without reading a line from its start: a listing is often
/// one line of megabytes.
#[derive(Debug)]
pub(crate) struct Lines {
    /// Offset of the first byte of every line.
    starts: Vec<u32>,
    /// UTF-16 units in front of every block of the text.
    units: Vec<u32>,
}

/// Bytes between two counts of UTF-16 units.
const BLOCK: usize = 4_096;

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect();
        let blocks = text.as_bytes().chunks(BLOCK).scan(0, |sum, block| {
            let before = *sum;
            *sum += utf16_units(block);
            Some(before)
        });
        Self { starts, units: blocks.collect() }
    }

    /// Line and column of an offset into the text these are the lines of.
    pub(crate) fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let column = self.units(text, offset) - self.units(text, self.starts[line]);
        Position { line: line as u32 + 1, column: column + 1 }
    }

    /// UTF-16 units in front of an offset.
    fn units(&self, text: &str, offset: u32) -> u32 {
        let offset = offset as usize;
        let Some(before) = self.units.get(offset / BLOCK) else {
            // Behind the last byte of a text of whole blocks.
            return self.units.last().copied().unwrap_or(0)
                + utf16_units(&text.as_bytes()[offset.saturating_sub(BLOCK)..offset]);
        };
        before + utf16_units(&text.as_bytes()[offset / BLOCK * BLOCK..offset])
    }
}

/// UTF-16 units of a piece of UTF-8, which may begin and end inside a character: one at the first byte of
/// every character, and a second one where it takes four bytes.
fn utf16_units(piece: &[u8]) -> u32 {
    piece.iter().map(|byte| u32::from(byte & 0xc0 != 0x80) + u32::from(*byte >= 0xf0)).sum()
}

/// The position of an offset in a text that did not parse.
fn position_in(text: &str, offset: usize) -> Position {
    let before = &text.as_bytes()[..offset];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    Position { line, column: utf16_units(&before[line_start..]) + 1 }
}

/// A reference to one value of a [`Document`].
#[derive(Clone, Copy)]
pub struct Value<'a> {
    document: &'a Document,
    node: &'a Node,
}

impl<'a> Value<'a> {
    /// The JSON word for what this is: `null`, `boolean`, `number`, `string`, `array` or `object`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self.node.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "boolean",
            Kind::Number => "number",
            Kind::String(_) => "string",
            Kind::Array(_) => "array",
            Kind::Object(_) => "object",
        }
    }

    /// Whether this is `null`, which is not the same as absent.
    #[must_use]
    pub fn is_null(self) -> bool {
        matches!(self.node.kind, Kind::Null)
    }

    /// Whether this is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        matches!(self.node.kind, Kind::Object(_))
    }

    /// Whether this is an array.
    #[must_use]
    pub fn is_array(self) -> bool {
        matches!(self.node.kind, Kind::Array(_))
    }

    /// Whether this is a number.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self.node.kind, Kind::Number)
    }

    /// The boolean, if it is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The string with its escapes resolved, if it is one.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        match &self.node.kind {
            Kind::String(own) => Some(self.document.string(own.as_deref(), self.node.span)),
            _ => None,
        }
    }

    /// The number as a double, if it is one; out-of-range numbers become infinite.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.is_number().then(|| self.raw().parse().unwrap_or(f64::NAN))
    }

    /// The number as a non-negative integer, if it is written as one.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.is_number().then(|| self.raw().parse().ok()).flatten()
    }

    /// The source text of this value.
    #[must_use]
    pub fn raw(self) -> &'a str {
        &self.document.text[self.node.span.start as usize..self.node.span.end as usize]
    }

    /// Where this value stands in the text.
    #[must_use]
    pub fn span(self) -> Span {
        self.node.span
    }

    /// Line and column of the value's first byte.
    #[must_use]
    pub fn position(self) -> Position {
        self.document.position(self.node.span.start)
    }

    /// How many items or members it has; 0 for everything else.
    #[must_use]
    pub fn len(self) -> usize {
        match &self.node.kind {
            Kind::Array(items) => items.len(),
            Kind::Object(object) => object.members.len(),
            _ => 0,
        }
    }

    /// Whether it has neither items nor members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The items of an array; nothing for everything else.
    pub fn items(self) -> impl ExactSizeIterator<Item = Value<'a>> + DoubleEndedIterator {
        let items: &'a [Node] = match &self.node.kind {
            Kind::Array(items) => items,
            _ => &[],
        };
        items.iter().map(move |node| Value { document: self.document, node })
    }

    /// The members of an object in source order, repeated keys included; nothing for everything else.
    pub fn members(self) -> impl ExactSizeIterator<Item = (&'a str, Value<'a>)> + DoubleEndedIterator {
        let document = self.document;
        self.member_nodes().iter().map(move |member| {
            (document.string(member.unescaped.as_deref(), member.key), Value { document, node: &member.value })
        })
    }

    /// The members of an object whose value counts: of a repeated key the last one.
    fn counted(self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        self.members().filter(move |(key, value)| self.get(key).is_some_and(|last| std::ptr::eq(last.node, value.node)))
    }

    /// The item of an array at a position, at once.
    #[must_use]
    pub fn item(self, nth: usize) -> Option<Value<'a>> {
        match &self.node.kind {
            Kind::Array(items) => items.get(nth).map(|node| Value { document: self.document, node }),
            _ => None,
        }
    }

    fn member_nodes(self) -> &'a [Member] {
        match &self.node.kind {
            Kind::Object(object) => &object.members,
            _ => &[],
        }
    }

    /// The value of a key. Of a repeated key the last one counts, as in every common parser.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        let member = self.find(key)?;
        Some(Value { document: self.document, node: &member.value })
    }

    /// Where a key itself stands.
    #[must_use]
    pub fn key_span(self, key: &str) -> Option<Span> {
        self.find(key).map(|member| member.key)
    }

    fn find(self, key: &str) -> Option<&'a Member> {
        let Kind::Object(object) = &self.node.kind else { return None };
        let name = |member: &'a Member| self.document.string(member.unescaped.as_deref(), member.key);
        if object.sorted.is_empty() {
            return object.members.iter().rev().find(|member| name(member) == key);
        }
        let behind = object.sorted.partition_point(|at| name(&object.members[*at as usize]) <= key);
        let last = object.sorted.get(behind.checked_sub(1)?)?;
        let member = &object.members[*last as usize];
        (name(member) == key).then_some(member)
    }

    /// Follows a JSON pointer (RFC 6901) from this value.
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<Value<'a>> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| match &value.node.kind {
            Kind::Object(_) => value.get(&token.replace("~1", "/").replace("~0", "~")),
            Kind::Array(_) => value.item(token.parse().ok()?),
            _ => None,
        })
    }

    /// The value as a `serde_json` tree, for libraries that ask for one.
    #[must_use]
    pub fn to_json(self) -> serde_json::Value {
        match &self.node.kind {
            Kind::Null => serde_json::Value::Null,
            Kind::Bool(value) => (*value).into(),
            Kind::Number => number(self.raw()),
            Kind::String(_) => self.as_str().unwrap_or_default().into(),
            Kind::Array(_) => self.items().map(Value::to_json).collect(),
            Kind::Object(_) => serde_json::Value::Object(
                self.members().map(|(key, value)| (key.to_owned(), value.to_json())).collect(),
            ),
        }
    }

    /// Whether two values mean the same JSON: member order and number spelling do not count.
    #[must_use]
    pub fn same_as(self, other: Value<'_>) -> bool {
        match (&self.node.kind, &other.node.kind) {
            (Kind::Number, Kind::Number) => self.raw() == other.raw() || self.as_f64() == other.as_f64(),
            (Kind::Array(_), Kind::Array(_)) => {
                self.len() == other.len() && self.items().zip(other.items()).all(|(left, right)| left.same_as(right))
            }
            (Kind::Object(_), Kind::Object(_)) => {
                // Of a repeated key only the last value counts, as everywhere; to look at it once for every time
                // the key is given would double the work with each level.
                let twin = |(key, mine): (&str, Value<'_>)| other.get(key).is_some_and(|theirs| mine.same_as(theirs));
                self.counted().all(twin) && other.counted().all(|(key, _)| self.find(key).is_some())
            }
            (Kind::Null, Kind::Null) => true,
            (Kind::Bool(left), Kind::Bool(right)) => left == right,
            (Kind::String(_), Kind::String(_)) => self.as_str() == other.as_str(),
            _ => false,
        }
    }

    /// The document this value belongs to.
    #[must_use]
    pub fn document(self) -> &'a Document {
        self.document
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.raw())
    }
}

impl Document {
    /// A key or string: its own text where escapes were resolved, else the source between the quotes.
    fn string<'a>(&'a self, unescaped: Option<&'a str>, quoted: Span) -> &'a str {
        unescaped.unwrap_or_else(|| &self.text[quoted.start as usize + 1..quoted.end as usize - 1])
    }
}

/// Numbers that fit no 64-bit type become the nearest double, or null where that is infinite.
fn number(raw: &str) -> serde_json::Value {
    if let Ok(integer) = raw.parse::<i64>() {
        return integer.into();
    }
    if let Ok(integer) = raw.parse::<u64>() {
        return integer.into();
    }
    raw.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map_or(serde_json::Value::Null, Into::into)
}

/// Appends one token to a JSON pointer, escaped (RFC 6901).
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}
