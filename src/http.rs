//! A server over HTTP: what is sent becomes requests, and what comes back becomes the same lines that a
//! process would write.
//!
//! Streamable HTTP has one address, to which every message is posted; the older transport opens a stream of
//! events first, which names the address to post to and carries all answers.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_lint_core::snapshot::{HttpAnswer, HttpFault, Line, LineEnd, Peer};
use mcp_lint_core::sse::{Event, Reader};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, ORIGIN, WWW_AUTHENTICATE};
use reqwest::{Client, Response, Url, redirect};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::wire::{Bounds, Seen};

/// Redirects that are followed, all of them on one origin.
const MOST_REDIRECTS: usize = 3;

/// Longest wait for a connection.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Longest wait for the end of a session to be acknowledged.
const END_TIME: Duration = Duration::from_secs(2);

/// Most bytes of a refusal that are read to see whether it is a message.
const REFUSAL: usize = 64 << 10;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// How a server is reached.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) url: Url,
    /// Headers of every request, as given; their values are secrets.
    pub(crate) headers: HeaderMap,
    /// Whether it speaks the older transport, of two addresses.
    pub(crate) is_sse: bool,
}

/// A server to be reached, or why it cannot be.
#[derive(Debug)]
pub(crate) struct Reach {
    pub(crate) address: Result<Address, String>,
    /// Values to be kept out of every message.
    pub(crate) secrets: Vec<String>,
}

impl Reach {
    /// Reads an address and headers. What stands in the address beside host and path may be a key, and so may
    /// the value of any header.
    pub(crate) fn new(url: &str, headers: &[(String, String)], is_sse: bool, mut secrets: Vec<String>) -> Self {
        for (_, value) in headers {
            secrets.push(value.clone());
            secrets.extend(value.split_once(' ').map(|(_, credentials)| credentials.to_owned()));
        }
        let address = read_address(url).and_then(|url| {
            secrets.extend(secrets_of(&url));
            Ok(Address { url, headers: read_headers(headers)?, is_sse })
        });
        Self { address, secrets }
    }
}

/// What an address holds beside host and path, in every form it may be quoted in.
fn secrets_of(url: &Url) -> Vec<String> {
    use base64::Engine;

    let mut secrets: Vec<String> = url.query().into_iter().chain(url.password()).map(str::to_owned).collect();
    for part in url.query().unwrap_or_default().split('&') {
        secrets.push(part.split_once('=').map_or(part, |(_, value)| value).to_owned());
    }
    secrets.extend(url.query_pairs().map(|(_, value)| value.into_owned()));
    if !url.username().is_empty() {
        let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let (user, password) = (plain(url.username()), plain(url.password().unwrap_or_default()));
        secrets.push(base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}")));
        secrets.extend([user, password, url.username().to_owned()]);
    }
    secrets
}

fn read_address(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("the address cannot be read: {error}"))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(format!("unknown scheme {other:?} in the address: expected http or https")),
    }
}

fn read_headers(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("{name:?} is no name of a header"))?;
        // The value is not quoted: it may be a key.
        let mut value =
            HeaderValue::from_str(value).map_err(|_| format!("the value of the header {name} cannot be sent"))?;
        value.set_sensitive(true);
        map.append(known, value);
    }
    Ok(map)
}

impl Address {
    /// What reports call the server until it says its name: host and path.
    pub(crate) fn name(&self) -> String {
        let port = self.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}{port}{}", self.url.host_str().unwrap_or_default(), self.url.path())
    }

    /// Whether it is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        match self.url.host() {
            Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(url::Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
            Some(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
            None => false,
        }
    }
}

/// A connection to a server.
#[derive(Debug)]
pub(crate) struct Remote {
    queue: mpsc::UnboundedSender<(usize, Vec<u8>)>,
    lines: mpsc::Receiver<Seen>,
    shared: Arc<Shared>,
    posted: usize,
    work: JoinSet<()>,
}

/// What requests have in common.
#[derive(Debug)]
struct Shared {
    client: Client,
    address: Address,
    bounds: Bounds,
    start: Instant,
    lines: mpsc::Sender<Seen>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    session: Option<HeaderValue>,
    version: Option<HeaderValue>,
    answers: Vec<HttpAnswer>,
    bytes: usize,
    count: usize,
}

impl Remote {
    /// Prepares a connection; nothing is sent before the first message.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub(crate) fn open(address: &Address, bounds: Bounds) -> Result<Self, String> {
        let origin = address.url.origin();
        let within = redirect::Policy::custom(move |attempt| {
            // After a 301, 302 or 303 the message would be gone.
            let keeps_message = matches!(attempt.status().as_u16(), 307 | 308);
            let is_ours =
                attempt.url().origin() == origin && attempt.previous().len() <= MOST_REDIRECTS && keeps_message;
            if is_ours { attempt.follow() } else { attempt.stop() }
        });
        let client = crate::client::builder()
            .connect_timeout(CONNECT_TIME)
            .redirect(within)
            .build()
            .map_err(|error| format!("TLS cannot be set up: {error}"))?;
        let (send, lines) = mpsc::channel(256);
        let shared = Arc::new(Shared {
            client,
            address: address.clone(),
            bounds,
            start: Instant::now(),
            lines: send,
            state: Mutex::default(),
        });
        let (queue, waiting) = mpsc::unbounded_channel();
        let mut work = JoinSet::new();
        work.spawn(Arc::clone(&shared).post_all(waiting));
        Ok(Self { queue, lines, shared, posted: 0, work })
    }

    pub(crate) fn started(&self) -> Instant {
        self.shared.start
    }

    /// Queues a message; gives its number, by which its end is told.
    pub(crate) fn send(&mut self, message: Vec<u8>) -> usize {
        self.posted += 1;
        // The task is gone only when the connection is.
        let _ = self.queue.send((self.posted, message));
        self.posted
    }

    pub(crate) async fn next(&mut self) -> Option<Seen> {
        self.lines.recv().await
    }

    /// The revision that was agreed on, which later requests name.
    pub(crate) fn agree_on(&self, revision: &str) {
        if let Ok(mut state) = self.shared.state.lock() {
            state.version = HeaderValue::from_str(revision).ok();
        }
    }

    /// The status that answers a message, by its number.
    pub(crate) fn status(&self, number: usize) -> Option<u16> {
        let state = self.shared.state.lock().ok()?;
        state.answers.iter().find(|answer| answer.number == number)?.status
    }

    /// Posts a message as a page of another origin would; gives the status.
    pub(crate) async fn ask_from_elsewhere(&self, message: Vec<u8>, wait: Duration) -> Option<u16> {
        let foreign = HeaderValue::from_static("https://mcp-lint.invalid");
        let mut headers = self.shared.headers(&message);
        headers.remove(SESSION);
        headers.insert(ORIGIN, foreign);
        let sent = self.shared.client.post(self.shared.address.url.clone()).headers(headers).body(message).send();
        let answer = tokio::time::timeout(wait, sent).await.ok()?.ok()?;
        Some(answer.status().as_u16())
    }

    /// Ends the session; gives what was answered to every request, and the status of one more in that session.
    pub(crate) async fn close(mut self) -> (Vec<HttpAnswer>, Option<u16>) {
        let session = self.shared.state.lock().ok().and_then(|state| state.session.clone());
        let after_end = match session.filter(|_| !self.shared.address.is_sse) {
            Some(session) => self.shared.end_session(session).await,
            None => None,
        };
        self.work.shutdown().await;
        let answers = self.shared.state.lock().map(|mut state| std::mem::take(&mut state.answers)).unwrap_or_default();
        (answers, after_end)
    }
}

impl Shared {
    /// Posts messages one after the other, as they were written; their answers are read side by side.
    async fn post_all(self: Arc<Self>, mut waiting: mpsc::UnboundedReceiver<(usize, Vec<u8>)>) {
        let mut reading = JoinSet::new();
        let (told, mut place) = watch::channel(None);
        let mut target = Some(self.address.url.clone());
        if self.address.is_sse {
            target = None;
            reading.spawn(Arc::clone(&self).listen(told));
        }
        while let Some((number, message)) = waiting.recv().await {
            let url = match &target {
                Some(url) => url.clone(),
                None => match place.wait_for(Option::is_some).await.ok().and_then(|place| place.clone()) {
                    Some(url) => url,
                    None => return,
                },
            };
            target = Some(url.clone());
            let sent = self.client.post(url).headers(self.headers(&message)).body(message).send().await;
            let answered = self.take_head(number, sent).await;
            if let Some((response, is_stream)) = answered {
                reading.spawn(Arc::clone(&self).take_body(number, response, is_stream));
            }
        }
        while reading.join_next().await.is_some() {}
    }

    /// The stream of the older transport: its first event names the address to post to.
    async fn listen(self: Arc<Self>, told: watch::Sender<Option<Url>>) {
        let request = self.client.get(self.address.url.clone()).headers(self.address.headers.clone());
        let sent = request.header(ACCEPT, "text/event-stream").send().await;
        let Some((mut response, _)) = self.take_head(0, sent).await else { return };
        let mut reader = Reader::default();
        let fault = loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break None,
                Err(error) => break Some(words(&error)),
            };
            let mut events = Vec::new();
            reader.take(&chunk, |event| events.push(event));
            for event in events {
                if event.name != b"endpoint" {
                    if self.pass(event.data, reader.pending()).await.is_none() {
                        return;
                    }
                    continue;
                }
                match self.endpoint(&event) {
                    Ok(url) => drop(told.send_replace(Some(url))),
                    Err(answer) => return self.fail(0, answer).await,
                }
            }
            if self.count_bytes(chunk.len(), reader.pending()).await.is_none() {
                return;
            }
        };
        self.end(0, fault).await;
    }

    /// The address that an `endpoint` event names: on our origin, or our headers would go to strangers.
    fn endpoint(&self, event: &Event) -> Result<Url, HttpAnswer> {
        let text = String::from_utf8_lossy(&event.data);
        let url = self.address.url.join(text.trim());
        let is_ours = |url: &Url| url.origin() == self.address.url.origin();
        url.ok().filter(is_ours).ok_or_else(|| HttpAnswer {
            fault: Some(HttpFault::Elsewhere),
            detail: text.into_owned(),
            ..HttpAnswer::default()
        })
    }

    /// Ends a session, and asks in it once more where the server said that it is over.
    async fn end_session(&self, session: HeaderValue) -> Option<u16> {
        const PING: &[u8] = br#"{"jsonrpc":"2.0","id":"after the end","method":"ping"}"#;
        let url = &self.address.url;
        let end = self.client.delete(url.clone()).headers(self.address.headers.clone()).header(SESSION, session);
        // Whatever comes of it, we are gone.
        let ended = tokio::time::timeout(END_TIME, end.send()).await.ok()?.ok()?;
        if !ended.status().is_success() {
            return None;
        }
        let again = self.client.post(url.clone()).headers(self.headers(PING)).body(PING).send();
        let answer = tokio::time::timeout(END_TIME, again).await.ok()?.ok()?;
        Some(answer.status().as_u16())
    }

    fn headers(&self, message: &[u8]) -> HeaderMap {
        let mut headers = self.address.headers.clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if let Ok(state) = self.state.lock() {
            if let Some(session) = &state.session {
                headers.insert(SESSION, session.clone());
            }
            if let Some(version) = &state.version {
                headers.insert(VERSION, version.clone());
            }
        }
        modern_headers(message, &mut headers);
        headers
    }

    /// Reads the head of an answer; gives the answer where a body is to be read, and whether it is a stream.
    async fn take_head(&self, number: usize, sent: reqwest::Result<Response>) -> Option<(Response, bool)> {
        let response = match sent {
            Ok(response) => response,
            Err(error) => {
                let answer =
                    HttpAnswer { fault: Some(fault_of(&error)), detail: words(&error), ..HttpAnswer::default() };
                self.fail(number, answer).await;
                return None;
            }
        };
        let text =
            |name: &HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let content_type = text(&CONTENT_TYPE);
        let mut answer = HttpAnswer {
            number,
            status: Some(response.status().as_u16()),
            content_type: content_type.clone(),
            scheme: text(&WWW_AUTHENTICATE).and_then(|value| value.split_whitespace().next().map(str::to_owned)),
            ..HttpAnswer::default()
        };
        if let Some(session) = response.headers().get(SESSION) {
            answer.is_session = true;
            if let Ok(mut state) = self.state.lock() {
                state.session = Some(session.clone());
            }
        }
        let encoding = text(&reqwest::header::CONTENT_ENCODING).filter(|encoding| encoding != "identity");
        let kind = content_type
            .as_deref()
            .unwrap_or_default()
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        if response.status().is_redirection() {
            answer.fault = Some(HttpFault::Elsewhere);
            answer.detail = text(&LOCATION).unwrap_or_default();
        } else if !response.status().is_success() {
            return self.take_refusal(answer, response).await;
        } else if let Some(encoding) = encoding {
            answer.fault = Some(HttpFault::Encoded);
            answer.detail = encoding;
        } else if matches!(response.status().as_u16(), 202 | 204) {
            self.note(answer);
            self.end(number, None).await;
            return None;
        } else {
            // A body of another kind is read as JSON: if it is, the server can still be judged.
            self.note(answer);
            return Some((response, kind == "text/event-stream"));
        }
        self.fail(number, answer).await;
        None
    }

    /// A refusal may hold a message that answers the request, as 2026-07-28 demands.
    async fn take_refusal(&self, mut answer: HttpAnswer, mut response: Response) -> Option<(Response, bool)> {
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > REFUSAL {
                break;
            }
        }
        let number = answer.number;
        if serde_json::from_slice::<serde_json::Value>(&body).is_ok_and(|message| message.get("jsonrpc").is_some()) {
            self.note(answer);
            self.pass(body, 0).await;
            self.end(number, None).await;
        } else {
            answer.fault = Some(HttpFault::Refused);
            // A page for people says nothing that the status does not.
            let text = String::from_utf8_lossy(&body);
            answer.detail = if text.trim_start().starts_with('<') { String::new() } else { text.into_owned() };
            self.fail(number, answer).await;
        }
        None
    }

    async fn take_body(self: Arc<Self>, number: usize, mut response: Response, is_stream: bool) {
        let (mut reader, mut body) = (Reader::default(), Vec::new());
        let fault = loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break None,
                Err(error) => break Some(words(&error)),
            };
            let mut events = Vec::new();
            if is_stream {
                reader.take(&chunk, |event| events.push(event.data));
            } else {
                body.extend_from_slice(&chunk);
            }
            for event in events {
                if self.pass(event, 0).await.is_none() {
                    return;
                }
            }
            if self.count_bytes(chunk.len(), reader.pending() + body.len()).await.is_none() {
                return;
            }
        };
        if !is_stream && !body.is_empty() {
            self.pass(body, 0).await;
        }
        self.end(number, fault).await;
    }

    /// Hands a message over as a line.
    async fn pass(&self, bytes: Vec<u8>, pending: usize) -> Option<()> {
        let at = u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX);
        let count = self.with_state(|state| {
            state.count += 1;
            state.count
        });
        let line = Line { at, from: Peer::Server, bytes, end: LineEnd::Feed };
        self.lines.send(Seen::Line(line)).await.ok()?;
        if count > self.bounds.lines {
            return self.overflow(format!("more than {} messages", self.bounds.lines)).await;
        }
        self.count_bytes(0, pending).await
    }

    /// Counts what was read, and stops at a bound: of one message, or of all.
    async fn count_bytes(&self, more: usize, pending: usize) -> Option<()> {
        let total = self.with_state(|state| {
            state.bytes += more;
            state.bytes
        });
        if pending > self.bounds.line {
            return self.overflow(format!("a message of more than {} MiB", self.bounds.line >> 20)).await;
        }
        if total > self.bounds.stdout {
            return self.overflow(format!("more than {} MiB", self.bounds.stdout >> 20)).await;
        }
        Some(())
    }

    /// What only a thread that panicked could keep from us.
    fn with_state<T: Default>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        self.state.lock().map(|mut state| change(&mut state)).unwrap_or_default()
    }

    async fn overflow(&self, what: String) -> Option<()> {
        let _ = self.lines.send(Seen::Overflow(what)).await;
        None
    }

    fn note(&self, answer: HttpAnswer) {
        self.with_state(|state| state.answers.push(answer));
    }

    /// Notes an answer with a fault, and tells that the request came to nothing.
    async fn fail(&self, number: usize, answer: HttpAnswer) {
        self.note(HttpAnswer { number, ..answer });
        let _ = self.lines.send(Seen::Refused(number)).await;
    }

    /// Tells that no more comes of a request; a fault is that of a body which broke off.
    async fn end(&self, number: usize, fault: Option<String>) {
        if let Some(detail) = fault {
            let fault = Some(HttpFault::BrokenOff);
            return self.fail(number, HttpAnswer { fault, detail, ..HttpAnswer::default() }).await;
        }
        let _ = self.lines.send(Seen::Done(number)).await;
    }
}

/// From 2026-07-28 on headers repeat what a message says: its revision, method and name.
fn modern_headers(message: &[u8], headers: &mut HeaderMap) {
    let Ok(message) = serde_json::from_slice::<serde_json::Value>(message) else { return };
    let text = |pointer: &str| message.pointer(pointer).and_then(serde_json::Value::as_str);
    let Some(revision) = text("/params/_meta/io.modelcontextprotocol~1protocolVersion") else { return };
    let name = match text("/method") {
        Some("tools/call" | "prompts/get") => text("/params/name"),
        Some("resources/read") => text("/params/uri"),
        _ => None,
    };
    for (header, value) in [(VERSION, Some(revision)), (METHOD, text("/method")), (NAME, name)] {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(&header_text(value)).ok()) {
            headers.insert(header, value);
        }
    }
}

/// A value that is not plain ASCII is sent in the form that the protocol gives for it.
fn header_text(value: &str) -> String {
    use base64::Engine;

    let is_plain =
        value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && value.trim() == value && !value.starts_with("=?");
    if is_plain {
        return value.to_owned();
    }
    format!("=?base64?{}?=", base64::engine::general_purpose::STANDARD.encode(value))
}

/// What kept a request from being answered.
fn fault_of(error: &reqwest::Error) -> HttpFault {
    let words = words(error).to_ascii_lowercase();
    if words.contains("dns error") || words.contains("lookup address") {
        HttpFault::NoAddress
    } else if ["certificate", "tls", "handshake"].iter().any(|word| words.contains(word)) {
        HttpFault::Tls
    } else if error.is_connect() {
        HttpFault::NoConnection
    } else {
        HttpFault::BrokenOff
    }
}

/// An error and its causes, without the address, which may hold a secret.
fn words(error: &reqwest::Error) -> String {
    let mut words = Vec::new();
    let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(error) = cause {
        words.push(error.to_string());
        cause = error.source();
    }
    words.dedup();
    words.join(": ")
}
