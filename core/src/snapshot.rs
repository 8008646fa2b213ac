//! What one server did, kept as it happened: every line both ways, stderr's tail, how it ended.
//!
//! A snapshot is evidence. It holds bytes, not meanings; [`transcript`](crate::transcript) reads it.

use serde::{Deserialize, Serialize};

/// Everything one server did, launch by launch. No launch mixes a handshake with the requests of 2026-07-28.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The launch that is judged: with a handshake, or without one where the server knows none.
    pub main: Launch,
    /// The launch that gets `server/discover` as its first message, where that is another one: it lists too
    /// where the server understands it.
    pub probe: Option<Launch>,
    /// The launch in which the server refused the handshake, where the main one does without.
    #[serde(default)]
    pub refused: Option<Launch>,
    /// The launch that declares no client capability, where the main one declares some.
    #[serde(default)]
    pub undeclared: Option<Launch>,
}

impl From<Launch> for Snapshot {
    /// A server that was launched once.
    fn from(main: Launch) -> Self {
        Self { main, probe: None, refused: None, undeclared: None }
    }
}

/// One process from start to end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// Lines in both directions, in the order they passed us.
    pub lines: Vec<Line>,
    /// Requests we sent, in order.
    pub exchanges: Vec<Exchange>,
    /// The end of what the process wrote to stderr.
    pub stderr: Tail,
    /// How the launch ended.
    pub ending: Ending,
    /// Set when the process wrote more than we read; says which bound, as the end of a sentence.
    pub overflow: Option<String>,
    /// What was seen of HTTP, where there is no process but a server that runs elsewhere.
    #[serde(default)]
    pub http: Option<Http>,
}

/// What was seen of a server over HTTP beside its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Http {
    /// Answers to our requests, in the order they came.
    pub answers: Vec<HttpAnswer>,
    /// Whether the server runs on this machine.
    pub is_local: bool,
    /// Status of the answer to a request that a page of another origin could send, where one was made.
    pub from_elsewhere: Option<u16>,
    /// Status of the answer to a request in the session that we had ended, where the server had said yes to that.
    #[serde(default)]
    pub after_end: Option<u16>,
}

/// The head of one HTTP answer, or why there was none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpAnswer {
    /// Which message of ours it answers, from 1; 0 is the stream of the older transport.
    pub number: usize,
    /// The status, where an answer came.
    pub status: Option<u16>,
    /// The content type, as sent.
    pub content_type: Option<String>,
    /// Whether it names a session.
    pub is_session: bool,
    /// Scheme of the authentication that it asks for.
    pub scheme: Option<String>,
    /// Why nothing could be made of it.
    pub fault: Option<HttpFault>,
    /// Words for the fault: the system's, or where a redirect leads.
    pub detail: String,
}

/// Why an HTTP request came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HttpFault {
    /// The address or a header cannot be used as it is written.
    Unusable,
    /// The name of the host is not known.
    NoAddress,
    /// Nobody listens there.
    NoConnection,
    /// There is no trust in who answers.
    Tls,
    /// It leads to another origin, or to too many places.
    Elsewhere,
    /// The status says no, and the body is no message.
    Refused,
    /// The body is compressed, which we did not ask for.
    Encoded,
    /// The answer broke off.
    BrokenOff,
}

/// One line of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Microseconds since the process was started.
    pub at: u64,
    /// Who wrote it.
    pub from: Peer,
    /// The bytes without the line feed; a carriage return is part of them.
    pub bytes: Vec<u8>,
    /// What ended the line.
    pub end: LineEnd,
}

/// A side of the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Peer {
    /// We, on the server's stdin.
    Client,
    /// The server, on its stdout.
    Server,
}

/// What ended a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnd {
    /// A line feed.
    Feed,
    /// The stream ended, or we stopped reading, without a line feed.
    Stream,
    /// The line passed our bound and the rest was dropped.
    Cut,
}

/// One request of ours and what became of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// The JSON-RPC method.
    pub method: String,
    /// What the request was for.
    pub purpose: Purpose,
    /// Position of the request in [`Launch::lines`].
    pub request: usize,
    /// How it ended.
    pub outcome: Outcome,
}

/// Why a request was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The handshake.
    Initialize,
    /// A page of the listing the rules look at; pages count from 0.
    Tools(usize),
    /// A page of the second listing, made to see whether the first one was stable.
    ToolsAgain(usize),
    /// A page of another declared listing, named by its capability.
    Listing(String),
    /// A safe call of the named tool.
    Call(String),
    /// The first message a newer client sends.
    Discover,
    /// A request of a revision that nobody knows.
    UnknownRevision,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A message with the request's id came; its position in [`Launch::lines`].
    Answered(usize),
    /// Nothing came within this many milliseconds.
    Silent(u64),
    /// The HTTP request came to nothing, for the reason in the answer of this number.
    Refused(usize),
    /// The server closed its stdout first.
    Ended,
    /// One of our bounds on what we read was passed first.
    Overflowed,
    /// We were told to stop.
    Interrupted,
}

/// The end of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// The last bytes.
    pub bytes: Vec<u8>,
    /// How many bytes came before those and were dropped.
    pub dropped: u64,
}

/// How a launch ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// There never was a process.
    NotStarted(StartFailure),
    /// It ended by itself before we closed its stdin.
    Early(Exit),
    /// It ended after we closed its stdin.
    AfterClose(Exit),
    /// It was still alive after its stdin closed, and ended on SIGTERM.
    AfterTerminate(Exit),
    /// It had to be killed.
    Killed,
    /// It is not ours to end: a server over HTTP.
    Released,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// The exit code, if it exited.
    pub code: Option<i32>,
    /// The signal's number, if one ended it.
    pub signal: Option<i32>,
}

/// Why a command did not start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFailure {
    /// The kind of failure.
    pub kind: StartFault,
    /// The program that was to be started, as configured.
    pub program: String,
    /// The operating system's words.
    pub detail: String,
}

/// Kinds of failure to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartFault {
    /// No such program.
    NotFound,
    /// The program is a link to something that is not there; the detail is where it leads.
    BrokenLink,
    /// There is such a file, but it may not be executed.
    NotExecutable,
    /// The file's interpreter or loader is missing.
    NoInterpreter,
    /// The working directory does not exist.
    NoDirectory,
    /// A variable file or an input that the entry needs cannot be read.
    Unresolved,
    /// Anything else.
    Other,
}

impl Launch {
    /// A launch in which no process came to be.
    #[must_use]
    pub fn not_started(failure: StartFailure) -> Self {
        Self {
            lines: Vec::new(),
            exchanges: Vec::new(),
            stderr: Tail::default(),
            ending: Ending::NotStarted(failure),
            overflow: None,
            http: None,
        }
    }

    /// A server over HTTP whose address cannot be used, for a reason.
    #[must_use]
    pub fn not_reached(detail: String) -> Self {
        let initialize = Exchange {
            method: "initialize".to_owned(),
            purpose: Purpose::Initialize,
            request: 0,
            outcome: Outcome::Refused(1),
        };
        let answer = HttpAnswer { number: 1, fault: Some(HttpFault::Unusable), detail, ..HttpAnswer::default() };
        Self {
            lines: Vec::new(),
            exchanges: vec![initialize],
            stderr: Tail::default(),
            ending: Ending::Released,
            overflow: None,
            http: Some(Http { answers: vec![answer], ..Http::default() }),
        }
    }

    /// Whether the first request is that of newer clients, which know no handshake.
    #[must_use]
    pub fn is_modern(&self) -> bool {
        self.exchanges.first().is_some_and(|first| first.purpose == Purpose::Discover)
    }

    /// The exit, where the process ended by itself or on SIGTERM.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        match self.ending {
            Ending::Early(exit) | Ending::AfterClose(exit) | Ending::AfterTerminate(exit) => Some(exit),
            Ending::NotStarted(_) | Ending::Killed | Ending::Released => None,
        }
    }
}
