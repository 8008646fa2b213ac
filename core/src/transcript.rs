//! A launch, read: what each line of stdout is, and which message answers which request.

use std::ops::Range;

use crate::document::{Dialect, Document, SyntaxError, Value};
use crate::protocol::MODERN;
use crate::snapshot::{Exchange, HttpAnswer, Launch, Line, LineEnd, Outcome, Peer, Purpose, Snapshot};

mod messages;
mod shape;

pub use messages::{Role, error_of, error_words, is_discovery, is_listing, is_modern, request_words, role};
use shape::{join_spread, message_within, shape};

/// Every launch of a server, read.
#[derive(Debug)]
pub struct Transcripts<'a> {
    /// The launch that is judged.
    pub main: Transcript<'a>,
    /// The launch that got `server/discover` first, where that is another one.
    pub probe: Option<Transcript<'a>>,
    /// The launch in which the server refused the handshake, where the main one does without.
    pub refused: Option<Transcript<'a>>,
    /// The launch that declared no client capability, where the main one declared some.
    pub undeclared: Option<Transcript<'a>>,
}

impl<'a> Transcripts<'a> {
    /// Parses every line of every launch.
    #[must_use]
    pub fn read(snapshot: &'a Snapshot) -> Self {
        let read = |launch: &'a Option<Launch>| launch.as_ref().map(Transcript::read);
        Self {
            main: Transcript::read(&snapshot.main),
            probe: read(&snapshot.probe),
            refused: read(&snapshot.refused),
            undeclared: read(&snapshot.undeclared),
        }
    }
}

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
    /// What it is in the conversation.
    pub shape: Shape,
    /// The message inside, where only the form of the line is wrong.
    inner: Option<Document>,
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

/// What a line is as a piece of the conversation. Every line is exactly one of these, so that no two
/// rules speak about one line; a carriage return and a byte order mark are set aside here too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// White space, which every reader passes over.
    Blank,
    /// One JSON-RPC message.
    Message,
    /// JSON that is no message; says what is wrong, as the end of a sentence.
    NotMessage(&'static str),
    /// Text that is not JSON and has no message in it.
    Text,
    /// A message with something else on its line; the bytes of the message in [`Message::bare`].
    Glued(Range<usize>),
    /// A header of the framing that language servers use, with or without a message in front.
    Header,
    /// The first line of a message that takes this many lines.
    Spread(usize),
    /// A later line of JSON that takes several.
    Continued,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// JSON that nests deeper than [`MAX_DEPTH`](crate::document::MAX_DEPTH).
    TooDeep,
    /// The last line, which stops in the middle of a message.
    Half,
    /// A line that passed our bound.
    Cut,
}

/// The stretches of a launch by which findings about lines are told apart. Positions would not do: they
/// change from launch to launch.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    initialized: Option<usize>,
    last: Option<usize>,
}

impl Phases {
    /// The stretch that a line belongs to, by its position in [`Launch::lines`].
    #[must_use]
    pub fn of(self, at: usize) -> &'static str {
        match (self.initialized, self.last) {
            (None, _) => "before initialize",
            (Some(initialized), _) if at <= initialized => "before initialize",
            (_, Some(last)) if at > last => "after the last answer",
            _ => "after initialize",
        }
    }
}

/// The bytes of a UTF-8 byte order mark.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

impl<'a> Transcript<'a> {
    /// Parses every line the server wrote.
    #[must_use]
    pub fn read(launch: &'a Launch) -> Self {
        let lines = launch.lines.iter().enumerate().filter(|(_, line)| line.from == Peer::Server);
        let messages = lines.enumerate().map(|(nth, (at, line))| {
            let body = Body::parse(&line.bytes);
            let inner =
                if matches!(body, Body::Json(_)) && !body.is_array() { None } else { lenient(&body, &line.bytes) };
            Message { at, number: nth + 1, line, shape: shape(line, &body), body, inner }
        });
        let mut messages: Vec<Message<'a>> = messages.collect();
        join_spread(&mut messages);
        Self { launch, messages }
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
            Outcome::Answered(at) => self.message(at)?.meant(),
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

    /// The stretches of this launch.
    #[must_use]
    pub fn phases(&self) -> Phases {
        let answered = |exchange: &Exchange| match exchange.outcome {
            Outcome::Answered(at) => Some(at),
            _ => None,
        };
        let first = self.exchange(&Purpose::Initialize).or_else(|| self.exchange(&Purpose::Discover));
        let initialized = first.and_then(answered);
        let answers: Option<Vec<usize>> = self.launch.exchanges.iter().map(answered).collect();
        Phases { initialized, last: answers.and_then(|answers| answers.into_iter().max()) }
    }

    /// The first request of the handshake or the listing that was not answered.
    #[must_use]
    pub fn unanswered(&self) -> Option<&'a Exchange> {
        self.launch.exchanges.iter().find(|exchange| {
            matches!(exchange.purpose, Purpose::Initialize | Purpose::Discover | Purpose::Tools(_))
                && !matches!(exchange.outcome, Outcome::Answered(_))
        })
    }

    /// Whether the launch was cut short by us: then the server is not to blame for how it ended.
    #[must_use]
    pub fn was_cut_short(&self) -> bool {
        self.launch.overflow.is_some()
            || self.launch.exchanges.iter().any(|exchange| exchange.outcome == Outcome::Interrupted)
    }

    /// The lines that the server wrote after a request, and before our next one.
    #[must_use]
    pub fn after(&self, exchange: &Exchange) -> &[Message<'a>] {
        let next = self.launch.exchanges.iter().map(|other| other.request).find(|at| *at > exchange.request);
        let start = self.messages.partition_point(|message| message.at <= exchange.request);
        let end = next.map_or(self.messages.len(), |next| self.messages.partition_point(|message| message.at < next));
        self.messages.get(start..end).unwrap_or_default()
    }

    /// Whether the server wrote a reply to a request that only its form keeps from being an answer: then
    /// the fault is the form, and not that there is no answer.
    #[must_use]
    pub fn has_unreadable_reply(&self, exchange: &Exchange) -> bool {
        self.after(exchange).iter().any(|message| match message.shape {
            Shape::Glued(_) | Shape::Spread(_) | Shape::Header | Shape::NotUtf8 | Shape::TooDeep => true,
            Shape::NotMessage(_) => message.json().is_some_and(|value| {
                (value.is_array() && !self.allows_batches())
                    || (value.get("id").is_some() && (value.get("result").is_some() || value.get("error").is_some()))
            }),
            _ => false,
        })
    }

    /// The HTTP answer that came instead of an answer to a request.
    #[must_use]
    pub fn refusal(&self, exchange: &Exchange) -> Option<&'a HttpAnswer> {
        let Outcome::Refused(number) = exchange.outcome else { return None };
        let answers = self.launch.http.as_ref()?.answers.iter().filter(|answer| answer.number == number);
        answers.max_by_key(|answer| answer.fault.is_some())
    }

    /// The same in words that follow the name of the request.
    #[must_use]
    pub fn refusal_words(&self, exchange: &Exchange) -> String {
        match self.refusal(exchange).and_then(|answer| answer.status) {
            Some(status) => format!("comes to nothing: HTTP status {status}"),
            None => "comes to nothing over HTTP".to_owned(),
        }
    }

    /// The request that an HTTP answer is for; nothing where our message was none.
    #[must_use]
    pub fn asked(&self, answer: &HttpAnswer) -> Option<&'a Exchange> {
        let mut ours = self.launch.lines.iter().enumerate().filter(|(_, line)| line.from == Peer::Client);
        let (position, _) = ours.nth(answer.number.checked_sub(1)?)?;
        self.launch.exchanges.iter().find(|exchange| exchange.request == position)
    }

    /// Whether an HTTP answer is for our `notifications/initialized`.
    #[must_use]
    pub fn is_initialized(&self, answer: &HttpAnswer) -> bool {
        let mut ours = self.launch.lines.iter().filter(|line| line.from == Peer::Client);
        let message = answer.number.checked_sub(1).and_then(|nth| ours.nth(nth));
        let name = b"\"notifications/initialized\"";
        message.is_some_and(|line| line.bytes.windows(name.len()).any(|window| window == name))
    }

    /// Whether the revision is the one that lets messages travel in arrays.
    #[must_use]
    pub fn allows_batches(&self) -> bool {
        self.revision() == Some("2025-03-26")
    }

    /// Whether the launch has no handshake, as since 2026-07-28.
    #[must_use]
    pub fn is_modern(&self) -> bool {
        self.launch.is_modern()
    }

    /// What the server says of itself: the result of `initialize`, or without a handshake that of
    /// `server/discover`.
    #[must_use]
    pub fn about(&self) -> Option<Value<'_>> {
        let first = self.exchange(&Purpose::Initialize).or_else(|| self.exchange(&Purpose::Discover))?;
        self.answer(first)?.get("result")
    }

    /// The revision that the launch speaks: the one that the server answered with, or the one that our requests
    /// name where it understands them.
    #[must_use]
    pub fn revision(&self) -> Option<&str> {
        if self.is_modern() {
            return self.understands_modern().then_some(MODERN);
        }
        self.about()?.get("protocolVersion")?.as_str()
    }

    /// Whether `server/discover` is answered with what it asks for.
    #[must_use]
    pub fn is_discovered(&self) -> bool {
        self.is_modern() && self.about().is_some_and(is_discovery)
    }

    /// Whether requests without a handshake are understood.
    #[must_use]
    pub fn understands_modern(&self) -> bool {
        // Many a server with a handshake lists its tools without one, too.
        let mut lists = self.answered().filter(|(exchange, _)| exchange.purpose == Purpose::Tools(0));
        self.is_discovered() || (self.is_modern() && lists.any(|(_, result)| is_modern(result)))
    }

    /// Requests that came to a result, in order. One of a revision that nobody knows is none.
    pub fn answered(&self) -> impl Iterator<Item = (&'a Exchange, Value<'_>)> {
        let known = self.launch.exchanges.iter().filter(|exchange| exchange.purpose != Purpose::UnknownRevision);
        known.filter_map(|exchange| Some((exchange, self.answer(exchange)?.get("result")?)))
    }

    /// The client capabilities that we declared, by name.
    #[must_use]
    pub fn declared(&self) -> Vec<String> {
        let first = self.launch.exchanges.first().and_then(|exchange| self.launch.lines.get(exchange.request));
        let Some(Body::Json(request)) = first.map(|line| Body::parse(&line.bytes)) else { return Vec::new() };
        let root = request.root();
        let declared = root
            .pointer("/params/capabilities")
            .or_else(|| root.pointer("/params/_meta/io.modelcontextprotocol~1clientCapabilities"));
        declared.into_iter().flat_map(Value::members).map(|(name, _)| name.to_owned()).collect()
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

    /// The message that was meant: the line's value, else what a lenient reader finds in it.
    #[must_use]
    pub fn meant(&self) -> Option<Value<'_>> {
        self.inner.as_ref().map(Document::root).or_else(|| self.json())
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

    /// The text without a byte order mark; empty where it is not UTF-8.
    #[must_use]
    pub fn bare(&self) -> &str {
        bare(self.line)
    }
}

fn bare(line: &Line) -> &str {
    let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl Body {
    fn is_array(&self) -> bool {
        matches!(self, Self::Json(document) if document.root().is_array())
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

/// The message that answers a request, as a lenient reader finds it: also between other text, in an array,
/// in bytes that are not UTF-8, without a version, with its id as a string. What is wrong with the form is a
/// finding of its own; the check goes on, so that the author sees everything at once.
#[must_use]
pub fn answer_in(line: &Line, id: usize) -> Option<Document> {
    reply_in(line).filter(|document| replies_to(document.root()) == Some(&id.to_string()))
}

/// The reply in a line, whatever it answers.
pub(crate) fn reply_in(line: &Line) -> Option<Document> {
    if line.end != LineEnd::Feed {
        // A message whose line never ends does not reach any client.
        return None;
    }
    let body = Body::parse(&line.bytes);
    let inner = lenient(&body, &line.bytes);
    let document = match (inner, body) {
        (Some(inner), _) => inner,
        (None, Body::Json(document)) => document,
        _ => return None,
    };
    replies_to(document.root()).is_some().then_some(document)
}

/// The id of the request that a message answers, as a text: a string stands for the number in it.
pub(crate) fn replies_to(value: Value<'_>) -> Option<&str> {
    let is_reply = value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some());
    let id = value.get("id").filter(|_| is_reply)?;
    Some(id.as_str().unwrap_or(id.raw()))
}

/// The message inside a line whose form is wrong.
fn lenient(body: &Body, bytes: &[u8]) -> Option<Document> {
    let parse = |text: &str| Document::parse(text.trim(), Dialect::STRICT).ok();
    match body {
        Body::Blank => None,
        Body::Json(document) => {
            let mut items = document.root().items();
            items
                .find(|item| item.get("result").is_some() || item.get("error").is_some())
                .and_then(|item| parse(item.raw()))
        }
        Body::NotUtf8(_) => {
            let text = String::from_utf8_lossy(bytes);
            parse(&text).or_else(|| parse(text.get(message_within(&text)?)?))
        }
        Body::NotJson(_) => {
            let text = std::str::from_utf8(bytes.strip_prefix(BOM).unwrap_or(bytes)).ok()?;
            reply_among(text)
        }
    }
}

/// The first reply among the messages that share a line, else the first message.
fn reply_among(text: &str) -> Option<Document> {
    const MOST: usize = 4;
    let mut rest = text;
    let mut first = None;
    for _ in 0..MOST {
        let Some(range) = message_within(rest) else { break };
        let document = Document::parse(rest.get(range.clone())?.trim(), Dialect::STRICT).ok()?;
        if document.root().get("method").is_none() {
            return Some(document);
        }
        first = first.or(Some(document));
        rest = rest.get(range.end..)?;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{Ending, Exit, Tail};

    fn launch(lines: &[&str]) -> Launch {
        let line =
            |text: &&str| Line { at: 0, from: Peer::Server, bytes: text.as_bytes().to_vec(), end: LineEnd::Feed };
        Launch {
            lines: lines.iter().map(line).collect(),
            exchanges: Vec::new(),
            stderr: Tail::default(),
            ending: Ending::AfterClose(Exit { code: Some(0), signal: None }),
            overflow: None,
            http: None,
        }
    }

    fn shapes(lines: &[&str]) -> Vec<Shape> {
        Transcript::read(&launch(lines)).messages.into_iter().map(|message| message.shape).collect()
    }

    const MESSAGE: &str = r#"{"jsonrpc":"2.0","method":"a"}"#;

    #[test]
    fn every_line_is_one_thing() {
        assert_eq!(shapes(&["", " \t\r", MESSAGE]), [Shape::Blank, Shape::Blank, Shape::Message]);
        assert_eq!(shapes(&["{", "ready"]), [Shape::Text, Shape::Text], "what never becomes JSON is text");
        assert_eq!(shapes(&["[info] {ready}", MESSAGE]), [Shape::Text, Shape::Message]);
        assert_eq!(shapes(&["{ \"level\":", "1 }"])[1], Shape::Continued);
        assert!(matches!(shapes(&["{ \"level\":", "1 }"])[0], Shape::NotMessage(_)), "a log object on two lines");
    }

    #[test]
    fn glued_text_is_cut_off_at_the_message() {
        assert_eq!(shapes(&[&format!("hello {{x}} {MESSAGE} bye")]), [Shape::Glued(10..41)]);
        assert_eq!(shapes(&["say \"jsonrpc\" {}"]), [Shape::Text], "the word alone is no message");
    }

    #[test]
    fn a_message_ends_the_search_for_the_end_of_another() {
        let half = "{ \"jsonrpc\": \"2.0\",";
        assert_eq!(shapes(&[half, MESSAGE]), [Shape::Text, Shape::Message]);
        assert_eq!(shapes(&[half, "\"method\":"]), [Shape::Spread(2), Shape::Continued], "stopped in the middle");
    }

    #[test]
    fn hostile_lines_take_no_more_than_linear_time() {
        let mut lines = vec!["[1,"; 500];
        lines.extend(vec!["1,"; 100_000]);
        assert_eq!(shapes(&lines).len(), lines.len());
    }
}
