//! A launch, read: what each line of stdout is, and which message answers which request.

use crate::document::{Dialect, Document, SyntaxError, Value};
use crate::snapshot::{Exchange, Launch, Line, Outcome, Peer, Purpose};

/// A launch with every line of the server parsed once.
#[derive(Debug)]
pub struct Transcript<'a> {
    /// The evidence.
    pub launch: &'a Launch,
    /// One entry per line of the server, in order.
    pub messages: Vec<Message<'a>>,
}

/// One line of the server's stdout.
#[derive(Debug)]
pub struct Message<'a> {
    /// Position in [`Launch::lines`].
    pub at: usize,
    /// Number of the line among the server's lines, from 1.
    pub number: usize,
    /// The line itself.
    pub line: &'a Line,
    /// What it holds.
    pub body: Body,
}

/// What a line of stdout holds, a trailing carriage return and a leading byte order mark set aside.
#[derive(Debug)]
pub enum Body {
    /// Nothing but white space.
    Blank,
    /// Bytes that are not UTF-8; the number is the offset of the first bad one.
    NotUtf8(usize),
    /// Text that is not JSON.
    NotJson(SyntaxError),
    /// JSON.
    Json(Document),
}

/// The bytes of a UTF-8 byte order mark.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

impl<'a> Transcript<'a> {
    /// Parses every line the server wrote.
    #[must_use]
    pub fn read(launch: &'a Launch) -> Self {
        let lines = launch.lines.iter().enumerate().filter(|(_, line)| line.from == Peer::Server);
        let messages =
            lines.enumerate().map(|(nth, (at, line))| Message { at, number: nth + 1, line, body: Body::read(line) });
        Self { launch, messages: messages.collect() }
    }

    /// The message at a position of [`Launch::lines`].
    #[must_use]
    pub fn message(&self, at: usize) -> Option<&Message<'a>> {
        let nth = self.messages.binary_search_by_key(&at, |message| message.at).ok()?;
        self.messages.get(nth)
    }

    /// The message that answers a request, if one did.
    #[must_use]
    pub fn answer(&self, exchange: &Exchange) -> Option<Value<'_>> {
        match exchange.outcome {
            Outcome::Answered(at) => self.message(at)?.json(),
            _ => None,
        }
    }

    /// The first exchange with a purpose.
    #[must_use]
    pub fn exchange(&self, purpose: &Purpose) -> Option<&'a Exchange> {
        self.launch.exchanges.iter().find(|exchange| exchange.purpose == *purpose)
    }

    /// The results of the pages of one listing, in order; pages answered with an error are left out.
    pub fn results(&self, belongs: fn(&Purpose) -> bool) -> impl Iterator<Item = Value<'_>> {
        let pages = self.launch.exchanges.iter().filter(move |exchange| belongs(&exchange.purpose));
        pages.filter_map(|exchange| self.answer(exchange)?.get("result"))
    }
}

impl Message<'_> {
    /// The JSON value, if the line is one.
    #[must_use]
    pub fn json(&self) -> Option<Value<'_>> {
        match &self.body {
            Body::Json(document) => Some(document.root()),
            _ => None,
        }
    }

    /// The text of the line, with whatever is not UTF-8 replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.line.bytes).into_owned()
    }

    /// Whether the line ends with a carriage return in front of its line feed.
    #[must_use]
    pub fn has_carriage_return(&self) -> bool {
        self.line.bytes.ends_with(b"\r")
    }

    /// Whether a byte order mark stands in front.
    #[must_use]
    pub fn has_bom(&self) -> bool {
        self.line.bytes.starts_with(BOM)
    }
}

impl Body {
    fn read(line: &Line) -> Self {
        Self::parse(&line.bytes)
    }

    /// What some bytes of a stdout line hold.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Err(error) => Self::NotUtf8(error.valid_up_to()),
            Ok(text) if text.trim().is_empty() => Self::Blank,
            Ok(text) => match Document::parse(text, Dialect::STRICT) {
                Ok(document) => Self::Json(document),
                Err(error) => Self::NotJson(error),
            },
        }
    }
}

/// What a JSON value is in JSON-RPC 2.0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role<'a> {
    /// Has `method` and `id`.
    Request(&'a str),
    /// Has `method` and no `id`.
    Notification(&'a str),
    /// Has `id` and exactly one of `result` and `error`.
    Response,
    /// None of these; says what is wrong, as the end of a sentence.
    Fault(&'static str),
}

/// Classifies a JSON value as a JSON-RPC 2.0 message.
#[must_use]
pub fn role(value: Value<'_>) -> Role<'_> {
    if value.is_array() {
        return Role::Fault("it is an array; messages are sent one by one");
    }
    if !value.is_object() {
        return Role::Fault("it is not an object");
    }
    if value.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Role::Fault("it has no \"jsonrpc\": \"2.0\"");
    }
    match (value.get("method"), value.get("id")) {
        (Some(method), id) => match (method.as_str(), id) {
            (Some(method), Some(_)) => Role::Request(method),
            (Some(method), None) => Role::Notification(method),
            (None, _) => Role::Fault("its method is not a string"),
        },
        (None, None) => Role::Fault("it has neither a method nor an id"),
        (None, Some(_)) => match (value.get("result"), value.get("error")) {
            (Some(_), Some(_)) => Role::Fault("it has both a result and an error"),
            (None, None) => Role::Fault("it has neither a method, a result nor an error"),
            _ => Role::Response,
        },
    }
}
