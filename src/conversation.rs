//! One conversation with a server: the requests a client makes to list tools, in its order.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use mcp_lint_core::document::{Document, Value};
use mcp_lint_core::protocol::MODERN;
use mcp_lint_core::snapshot::{
    Ending, Exchange, Http, Launch, Line, LineEnd, Outcome, Peer, Purpose, StartFailure, StartFault, Tail,
};
use mcp_lint_core::transcript::{answer_in, is_discovery, is_modern};
use mcp_lint_core::view::{TEMPLATES, next_cursor, safe_calls};
use serde_json::json;
use tokio::sync::watch;

use crate::declared::{Declared, Protocol};
use crate::http::{Address, Remote};
use crate::launch::{Command, Process};
use crate::wire::{Bounds, Seen};

/// A revision that nobody speaks: a server has to say so, or newer clients cannot agree on one with it.
const UNKNOWN_REVISION: &str = "2099-01-01";

/// Pages of one listing that are read; the largest known server lists 1,083 tools on one.
const MOST_PAGES: usize = 100;

/// Safe calls made to one server.
const MOST_CALLS: usize = 20;

/// How long `server/discover` may take: what the SDKs' clients wait before they give up on it.
const PROBE_TIME: Duration = Duration::from_secs(10);

/// How a server is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// How long each phase may take.
    pub(crate) timeout: Duration,
    /// Whether to call tools that promise to be safe.
    pub(crate) call: bool,
    /// Whether to launch the server again for `server/discover`.
    pub(crate) probe: bool,
    /// With or without a handshake.
    pub(crate) protocol: Protocol,
    /// Capabilities we declare.
    pub(crate) declared: Declared,
    /// How much output is read.
    pub(crate) bounds: Bounds,
}

/// What a session is doing, for a status line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Starting,
    Listing,
    Calling,
    Stopping,
    Probing,
    Comparing,
}

/// How a server is met.
#[derive(Clone, Debug)]
pub(crate) enum Server {
    /// It is started.
    Start(Command),
    /// It runs already.
    Reach(Address),
}

/// A launch, and what it told.
pub(crate) struct Told {
    pub(crate) launch: Launch,
    /// Whether the handshake was answered with a refusal.
    pub(crate) is_refused: bool,
    /// Whether a request without a handshake came to a result.
    pub(crate) is_understood: bool,
}

impl Told {
    /// Nothing was started.
    pub(crate) fn nothing(failure: StartFailure) -> Self {
        Self { launch: Launch::not_started(failure), is_refused: false, is_understood: false }
    }
}

/// What carries messages.
enum Link {
    Process(Process),
    Remote(Remote, Address),
}

impl Link {
    fn open(server: &Server, bounds: Bounds) -> Result<Self, StartFailure> {
        match server {
            Server::Start(command) => Process::start(command, bounds).map(Self::Process),
            Server::Reach(address) => Remote::open(address, bounds)
                .map(|remote| Self::Remote(remote, address.clone()))
                .map_err(|detail| StartFailure { kind: StartFault::Other, program: "HTTP".to_owned(), detail }),
        }
    }

    fn started(&self) -> Instant {
        match self {
            Self::Process(process) => process.started(),
            Self::Remote(remote, _) => remote.started(),
        }
    }

    /// Sends a message; over HTTP, gives the number of its request.
    fn send(&mut self, mut message: Vec<u8>) -> Option<usize> {
        match self {
            Self::Process(process) => {
                message.push(b'\n');
                process.send(message);
                None
            }
            Self::Remote(remote, _) => Some(remote.send(message)),
        }
    }

    /// Whether answers come by another way than the requests they answer.
    fn is_two_way(&self) -> bool {
        matches!(self, Self::Remote(_, Address { is_sse: true, .. }))
    }

    async fn next(&mut self) -> Option<Seen> {
        match self {
            Self::Process(process) => process.next().await,
            Self::Remote(remote, _) => remote.next().await,
        }
    }
}

/// A conversation that goes on.
pub(crate) struct Conversation {
    link: Link,
    plan: Plan,
    /// The revision that every request names, where there was no handshake.
    named: Option<&'static str>,
    /// Whether tools were listed as they have been since 2026-07-28.
    is_modern: bool,
    interrupt: watch::Receiver<bool>,
    lines: Vec<Line>,
    exchanges: Vec<Exchange>,
    overflow: Option<String>,
}

impl Conversation {
    /// Starts or reaches a server.
    ///
    /// # Errors
    /// When there is nothing to speak to.
    pub(crate) fn start(server: &Server, plan: Plan, interrupt: watch::Receiver<bool>) -> Result<Self, StartFailure> {
        let link = Link::open(server, plan.bounds)?;
        Ok(Self {
            link,
            plan,
            named: None,
            is_modern: false,
            interrupt,
            lines: Vec::new(),
            exchanges: Vec::new(),
            overflow: None,
        })
    }

    /// With a handshake: tools twice, other declared lists, safe calls.
    pub(crate) async fn greet_and_list(mut self, revision: &str, phase: &mut impl FnMut(Phase)) -> Told {
        let about = self.initialize(revision).await;
        let is_refused = about.is_none() && self.was_refused();
        if let Some(about) = about {
            self.notify("notifications/initialized");
            self.list_all(&about, phase).await;
        }
        phase(Phase::Stopping);
        Told { launch: self.finish().await, is_refused, is_understood: false }
    }

    /// Without a handshake, as newer clients start; a server that does not understand it is left alone, unless
    /// there is no other way to speak to it.
    pub(crate) async fn discover_and_list(mut self, is_only: bool, phase: &mut impl FnMut(Phase)) -> Told {
        self.named = Some(MODERN);
        let deadline = Instant::now() + self.plan.timeout.min(PROBE_TIME);
        let answer = self.ask("server/discover", None, Purpose::Discover, deadline).await;
        let about = answer.filter(|answer| answer.root().get("result").is_some_and(is_discovery));
        let was_answered = matches!(self.exchanges.last(), Some(Exchange { outcome: Outcome::Answered(_), .. }));
        let mut is_understood = about.is_some();
        match about {
            Some(about) if is_only => self.list_all(&about, phase).await,
            Some(about) => {
                self.list_tools().await;
                self.list_declared(&about).await;
            }
            None if is_only && was_answered => {
                self.list_tools().await;
                is_understood = self.is_modern;
            }
            None => {}
        }
        if is_understood {
            self.named = Some(UNKNOWN_REVISION);
            let deadline = Instant::now() + self.plan.timeout.min(PROBE_TIME);
            self.ask("server/discover", None, Purpose::UnknownRevision, deadline).await;
        }
        phase(Phase::Stopping);
        Told { launch: self.finish().await, is_refused: false, is_understood }
    }

    /// Everything that is listed, tools twice, and safe calls.
    async fn list_all(&mut self, about: &Document, phase: &mut impl FnMut(Phase)) {
        phase(Phase::Listing);
        let safe = self.list_tools().await;
        if safe.is_some() {
            self.list_again().await;
        }
        self.list_declared(about).await;
        phase(Phase::Calling);
        self.call(&safe.unwrap_or_default()).await;
    }

    /// The handshake; gives the whole answer where it has a result.
    async fn initialize(&mut self, revision: &str) -> Option<Document> {
        let params = self.plan.declared.greeting(revision);
        let deadline = self.deadline();
        let answer = self.ask("initialize", Some(params), Purpose::Initialize, deadline).await?;
        let revision = answer.root().pointer("/result/protocolVersion").and_then(Value::as_str);
        if let (Link::Remote(remote, _), Some(revision)) = (&self.link, revision) {
            remote.agree_on(revision);
        }
        answer.root().get("result").is_some().then_some(answer)
    }

    /// Whether the last request was turned down: by an error, or over HTTP by a status that blames the request.
    fn was_refused(&self) -> bool {
        match self.exchanges.last().map(|exchange| exchange.outcome) {
            Some(Outcome::Answered(_)) => true,
            Some(Outcome::Refused(number)) => match &self.link {
                Link::Remote(remote, _) => matches!(remote.status(number), Some(400 | 405 | 406 | 415 | 422)),
                Link::Process(_) => false,
            },
            _ => false,
        }
    }

    /// The listing that is judged; gives the tools that are safe to call.
    async fn list_tools(&mut self) -> Option<Vec<String>> {
        let mut safe = Vec::new();
        let mut is_new = false;
        let read = |result: Value<'_>| {
            safe.extend(safe_calls(result));
            is_new |= is_modern(result);
        };
        let answered = self.pages("tools/list", Purpose::Tools, read).await;
        self.is_modern |= is_new;
        answered.then_some(safe)
    }

    async fn list_again(&mut self) {
        self.pages("tools/list", Purpose::ToolsAgain, |_| {}).await;
    }

    async fn list_declared(&mut self, about: &Document) {
        let capabilities = about.root().pointer("/result/capabilities");
        let listings = [
            ("prompts", "prompts", "prompts/list"),
            ("resources", "resources", "resources/list"),
            ("resources", TEMPLATES, "resources/templates/list"),
        ];
        for (capability, listing, method) in listings {
            let is_declared = capabilities.and_then(|all| all.get(capability)).is_some_and(Value::is_object);
            if is_declared {
                self.pages(method, |_| Purpose::Listing(listing.to_owned()), |_| {}).await;
            }
        }
    }

    /// Every page of a listing, under one deadline; whether the first one was answered with a result.
    async fn pages(
        &mut self,
        method: &str,
        purpose: impl Fn(usize) -> Purpose,
        mut read: impl FnMut(Value<'_>),
    ) -> bool {
        let deadline = self.deadline();
        let mut cursor: Option<String> = None;
        let mut seen = HashSet::new();
        for page in 0..MOST_PAGES {
            let params = cursor.as_ref().map(|cursor| json!({ "cursor": cursor }));
            let answer = self.ask(method, params, purpose(page), deadline).await;
            let Some(result) = answer.as_ref().and_then(|answer| answer.root().get("result")) else {
                return page > 0;
            };
            read(result);
            let next = next_cursor(result, self.named.is_some());
            let Some(next) = next.filter(|cursor| seen.insert((*cursor).to_owned())) else { return true };
            cursor = Some(next.to_owned());
        }
        true
    }

    /// Calls each safe tool once, and stops at the first that does not answer.
    async fn call(&mut self, safe: &[String]) {
        if !self.plan.call {
            return;
        }
        let deadline = self.deadline();
        for name in safe.iter().take(MOST_CALLS) {
            let params = json!({ "name": name, "arguments": {} });
            if self.ask("tools/call", Some(params), Purpose::Call(name.clone()), deadline).await.is_none() {
                return;
            }
        }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.plan.timeout
    }

    fn notify(&mut self, method: &str) {
        self.write(json!({ "jsonrpc": "2.0", "method": method }).to_string());
    }

    /// Sends a request and reads until its answer, which is given whole.
    async fn ask(
        &mut self,
        method: &str,
        params: Option<serde_json::Value>,
        purpose: Purpose,
        deadline: Instant,
    ) -> Option<Document> {
        let id = self.exchanges.len() + 1;
        let mut request = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if let Some(params) = params {
            request["params"] = params;
        }
        if let Some(revision) = self.named {
            request["params"]["_meta"] = self.plan.declared.meta(revision);
        }
        let (position, sent) = (self.lines.len(), Instant::now());
        let number = self.write(request.to_string());
        let (outcome, answer) = self.answer(id, number, sent, deadline).await;
        self.exchanges.push(Exchange { method: method.to_owned(), purpose, request: position, outcome });
        answer
    }

    /// Reads until the answer to a request: by its id, and over HTTP by the number of the message.
    async fn answer(
        &mut self,
        id: usize,
        number: Option<usize>,
        sent: Instant,
        deadline: Instant,
    ) -> (Outcome, Option<Document>) {
        loop {
            let mut interrupt = self.interrupt.clone();
            let seen = tokio::select! {
                biased;
                _ = interrupt.wait_for(|stop| *stop) => return (Outcome::Interrupted, None),
                seen = self.link.next() => seen,
                () = tokio::time::sleep_until(deadline.into()) => {
                    let waited = u64::try_from(sent.elapsed().as_millis()).unwrap_or(u64::MAX);
                    return (Outcome::Silent(waited), None);
                }
            };
            match seen {
                None => return (Outcome::Ended, None),
                Some(Seen::Overflow(what)) => {
                    self.overflow = Some(what);
                    return (Outcome::Overflowed, None);
                }
                // The older transport answers on its own stream, which is number 0.
                Some(Seen::Refused(which)) if which == 0 || Some(which) == number => {
                    return (Outcome::Refused(which), None);
                }
                Some(Seen::Done(which)) if which == 0 || (Some(which) == number && !self.link.is_two_way()) => {
                    return (Outcome::Refused(which), None);
                }
                Some(Seen::Refused(_) | Seen::Done(_)) => {}
                Some(Seen::Line(line)) => {
                    if let Some(answer) = self.receive(line, id) {
                        return (Outcome::Answered(self.lines.len() - 1), Some(answer));
                    }
                }
            }
        }
    }

    /// Keeps a line; answers it if it is a request; gives the message if it answers ours.
    fn receive(&mut self, line: Line, id: usize) -> Option<Document> {
        let answer = answer_in(&line, id);
        let reply = if answer.is_none() { self.plan.declared.reply(&line) } else { None };
        self.lines.push(line);
        if let Some(reply) = reply {
            self.write(reply);
        }
        answer
    }

    fn write(&mut self, text: String) -> Option<usize> {
        let at = u64::try_from(self.link.started().elapsed().as_micros()).unwrap_or(u64::MAX);
        let bytes = text.into_bytes();
        let number = self.link.send(bytes.clone());
        self.lines.push(Line { at, from: Peer::Client, bytes, end: LineEnd::Feed });
        number
    }

    async fn finish(self) -> Launch {
        let hurry = self.overflow.is_some() || *self.interrupt.borrow();
        let (mut lines, mut overflow) = (self.lines, self.overflow);
        let (ending, stderr, http) = match self.link {
            Link::Process(process) => {
                let take = |seen| match seen {
                    Seen::Line(line) => lines.push(line),
                    Seen::Overflow(what) => overflow = Some(what),
                    Seen::Done(_) | Seen::Refused(_) => {}
                };
                let (ending, stderr) = process.stop(hurry, take).await;
                (ending, stderr, None)
            }
            Link::Remote(remote, address) => {
                let was_greeted =
                    matches!(self.exchanges.first(), Some(Exchange { outcome: Outcome::Answered(_), .. }));
                let first = lines.first().filter(|_| was_greeted && !hurry).map(|line| line.bytes.clone());
                let http = facts(remote, &address, first, self.plan.timeout).await;
                (Ending::Released, Tail::default(), Some(http))
            }
        };
        Launch { lines, exchanges: self.exchanges, stderr, ending, overflow, http }
    }
}

/// What there is to know of HTTP at the end. A page of any origin can reach a server on the user's machine, so
/// one that runs there is sent its first message again as such a page would.
async fn facts(remote: Remote, address: &Address, first: Option<Vec<u8>>, timeout: Duration) -> Http {
    let is_local = address.is_local();
    let from_elsewhere = match first.filter(|_| is_local && !address.is_sse) {
        Some(message) => remote.ask_from_elsewhere(message, timeout).await,
        None => None,
    };
    let (answers, after_end) = remote.close().await;
    Http { answers, is_local, from_elsewhere, after_end }
}
