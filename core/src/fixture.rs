//! Conversations written as text: what the rules' pages show, and what tests play.
//!
//! ```text
//! > initialize
//! < ok
//! > tools/list
//! < Listening on port 8080
//! < tools
//! ! exit 1
//! ```
//!
//! `> METHOD` is a request of ours, numbered from 1. `< TEXT` is a line of the server; `ok` stands for a
//! usual answer to `initialize`, `tools` for a listing of one well-made tool, `ID` inside the text for the
//! number of the last request, and `‹CR›`, `‹BOM›`, `‹FF›` for bytes that do not show. `! …` says how
//! things end: `silent`, `exit CODE`, `ignores close`, `killed`, `not found PROGRAM`, `stderr TEXT`,
//! `no newline`. `--- probe` starts the second launch.

use crate::snapshot::{
    Ending, Exchange, Exit, Launch, Line, LineEnd, Outcome, Peer, Purpose, Snapshot, StartFailure, StartFault, Tail,
};
use crate::transcript::{Body, Role, role};

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"parcels","version":"1.4.0"}}}"#;

const LISTING: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"track_parcel","description":"Shows where a parcel is and when it will arrive.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}]}}"#;

/// Milliseconds that a silent request is said to have waited.
const SILENCE_MS: u64 = 30_000;

/// Reads a conversation.
///
/// # Errors
/// When a line is none of the known ones; names it.
pub fn snapshot(text: &str) -> Result<Snapshot, String> {
    let mut launches = text.split("--- probe").map(launch);
    let main = launches.next().unwrap_or_else(|| launch(""))?;
    Ok(Snapshot { main, probe: launches.next().transpose()? })
}

fn launch(text: &str) -> Result<Launch, String> {
    let clean = Ending::AfterClose(Exit { code: Some(0), signal: None });
    let mut launch =
        Launch { lines: Vec::new(), exchanges: Vec::new(), stderr: Tail::default(), ending: clean, overflow: None };
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        match line.split_at_checked(2) {
            Some(("> ", request)) => send(&mut launch, request),
            Some(("< ", text)) => receive(&mut launch, text),
            Some(("! ", event)) => happen(&mut launch, event)?,
            _ => return Err(format!("not a line of a conversation: {line}")),
        }
    }
    answer(&mut launch);
    Ok(launch)
}

fn send(launch: &mut Launch, request: &str) {
    let mut words = request.split(' ');
    let method = words.next().unwrap_or_default().to_owned();
    let second = words.next();
    let page = launch.exchanges.iter().filter(|exchange| exchange.method == method).count();
    let purpose = match (method.as_str(), second) {
        ("initialize", _) => Purpose::Initialize,
        ("tools/list", Some("again")) => Purpose::ToolsAgain(0),
        ("tools/list", _) => Purpose::Tools(page),
        ("tools/call", name) => Purpose::Call(name.unwrap_or_default().to_owned()),
        ("server/discover", _) => Purpose::Discover,
        (other, _) => Purpose::Listing(other.split('/').next().unwrap_or_default().to_owned()),
    };
    let id = launch.exchanges.len() + 1;
    let bytes = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#).into_bytes();
    launch.exchanges.push(Exchange { method, purpose, request: launch.lines.len(), outcome: Outcome::Ended });
    push(launch, Peer::Client, bytes);
}

fn receive(launch: &mut Launch, text: &str) {
    let text = match text {
        "ok" => INITIALIZED,
        "tools" => LISTING,
        other => other,
    };
    let text = text.replace("\"id\":ID", &format!("\"id\":{}", launch.exchanges.len()));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, marked)) = rest.split_once('‹') {
        bytes.extend_from_slice(before.as_bytes());
        let (name, behind) = marked.split_once('›').unwrap_or((marked, ""));
        match name {
            "CR" => bytes.push(b'\r'),
            "BOM" => bytes.extend_from_slice(crate::transcript::BOM),
            _ => bytes.push(0xff),
        }
        rest = behind;
    }
    bytes.extend_from_slice(rest.as_bytes());
    push(launch, Peer::Server, bytes);
}

fn push(launch: &mut Launch, from: Peer, bytes: Vec<u8>) {
    let at = launch.lines.len() as u64 * 1_000;
    launch.lines.push(Line { at, from, bytes, end: LineEnd::Feed });
}

fn happen(launch: &mut Launch, event: &str) -> Result<(), String> {
    let gone = |code| Exit { code: Some(code), signal: None };
    match event.split_once(' ').unwrap_or((event, "")) {
        ("silent", _) => {
            if let Some(last) = launch.exchanges.last_mut() {
                last.outcome = Outcome::Silent(SILENCE_MS);
            }
        }
        ("exit", code) => {
            launch.ending = Ending::Early(gone(code.parse().map_err(|_| format!("no exit code: {event}"))?))
        }
        ("ignores", "close") => launch.ending = Ending::AfterTerminate(Exit { code: None, signal: Some(15) }),
        ("killed", _) => launch.ending = Ending::Killed,
        ("not", found) => {
            let program = found.strip_prefix("found ").unwrap_or(found).to_owned();
            let detail = "No such file or directory (os error 2)".to_owned();
            *launch = Launch::not_started(StartFailure { kind: StartFault::NotFound, program, detail });
        }
        ("stderr", text) => launch.stderr.bytes.extend_from_slice(format!("{text}\n").as_bytes()),
        ("no", "newline") => {
            if let Some(last) = launch.lines.last_mut() {
                last.end = LineEnd::Stream;
            }
        }
        _ => return Err(format!("no such event: {event}")),
    }
    Ok(())
}

/// Gives every request the first later message with its id.
fn answer(launch: &mut Launch) {
    for (nth, exchange) in launch.exchanges.iter_mut().enumerate() {
        let id = (nth + 1).to_string();
        let later = launch.lines.iter().enumerate().skip(exchange.request + 1);
        let answered = later.filter(|(_, line)| line.from == Peer::Server).find(|(_, line)| {
            let Body::Json(document) = Body::parse(&line.bytes) else { return false };
            let root = document.root();
            role(root) == Role::Response && root.get("id").is_some_and(|value| value.raw() == id)
        });
        if let Some((at, _)) = answered {
            exchange.outcome = Outcome::Answered(at);
        }
    }
}
