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
//! usual answer to `initialize`, `tools` for a listing of one well-made tool, `tools NAME NAME next=CURSOR`
//! for a page of such tools, `ID` inside the text for the number of the last request, and `‹CR›`, `‹BOM›`,
//! `‹FF›` for bytes that do not show. `> tools/list again` is a page of the second listing,
//! `> server/discover unknown` a request of a revision that nobody knows, `> initialize NAME,NAME` one that
//! declares capabilities; `discovered` and `modern NAME NAME` are answers of 2026-07-28. `! …` says how
//! things end: `silent`, `exit CODE`, `signal NUMBER`, `ignores close`, `killed`, `stderr TEXT`,
//! `no newline`, `cut` for a line over our bound, `overflow TEXT`, `interrupted`, and for what never
//! starts `not found PROGRAM`, `broken link PROGRAM`, `not executable PROGRAM`, `no interpreter PROGRAM`, `no directory PATH`,
//! `unresolved TEXT`. `--- probe`, `--- refused` and
//! `--- undeclared` start the other launches of a server.
//!
//! [`config`] reads a configuration file in the same spirit.

use std::collections::HashMap;

use crate::config::{ConfigFile, Unset};
use crate::document::{Dialect, Document, Value};
use crate::location::Location;
use crate::snapshot::{
    Ending, Exchange, Exit, Http, HttpAnswer, Launch, Line, LineEnd, Outcome, Peer, Purpose, Snapshot, StartFailure,
    StartFault, Tail,
};
use crate::transcript::{replies_to, reply_in};
use crate::view::Listed;

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"parcels","version":"1.4.0"}}}"#;

const LISTING: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"track_parcel","description":"Shows where a parcel is and when it will arrive.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}]}}"#;

const DISCOVERED: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"parcels","version":"1.4.0"}}}}"#;

/// Milliseconds that a silent request is said to have waited.
const SILENCE_MS: u64 = 30_000;

/// Reads a conversation.
///
/// # Errors
/// When a line is none of the known ones; names it.
pub fn snapshot(text: &str) -> Result<Snapshot, String> {
    let mut parts = text.split("--- ");
    let mut snapshot = Snapshot::from(launch(parts.next().unwrap_or_default())?);
    for part in parts {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        let place = match name.trim_end() {
            "probe" => &mut snapshot.probe,
            "refused" => &mut snapshot.refused,
            "undeclared" => &mut snapshot.undeclared,
            other => return Err(format!("no such launch: {other}")),
        };
        *place = Some(launch(text)?);
    }
    Ok(snapshot)
}

fn launch(text: &str) -> Result<Launch, String> {
    let clean = Ending::AfterClose(Exit { code: Some(0), signal: None });
    let mut launch = Launch {
        lines: Vec::new(),
        exchanges: Vec::new(),
        stderr: Tail::default(),
        ending: clean,
        overflow: None,
        http: None,
    };
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        match line.split_at_checked(2) {
            Some(("> ", request)) => send(&mut launch, request),
            Some(("< ", text)) => receive(&mut launch, text),
            Some(("! ", event)) => happen(&mut launch, event)?,
            _ if line == "<" => receive(&mut launch, ""),
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
    let is_again = second == Some("again");
    let alike = |exchange: &&Exchange| {
        exchange.method == method && matches!(exchange.purpose, Purpose::ToolsAgain(_)) == is_again
    };
    let page = launch.exchanges.iter().filter(alike).count();
    let purpose = match (method.as_str(), second) {
        ("initialize", _) => Purpose::Initialize,
        ("tools/list", Some("again")) => Purpose::ToolsAgain(page),
        ("tools/list", _) => Purpose::Tools(page),
        ("tools/call", name) => Purpose::Call(name.unwrap_or_default().to_owned()),
        ("server/discover", Some("unknown")) => Purpose::UnknownRevision,
        ("server/discover", _) => Purpose::Discover,
        ("resources/templates/list", _) => Purpose::Listing(crate::view::TEMPLATES.to_owned()),
        (other, _) => Purpose::Listing(other.split('/').next().unwrap_or_default().to_owned()),
    };
    let id = launch.exchanges.len() + 1;
    let declared = second.filter(|_| method == "initialize").map(|names| {
        let names: Vec<String> = names.split(',').map(|name| format!(r#""{name}":{{}}"#)).collect();
        format!(r#","params":{{"capabilities":{{{}}}}}"#, names.join(","))
    });
    let declared = declared.unwrap_or_default();
    let bytes = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{declared}}}"#).into_bytes();
    launch.exchanges.push(Exchange { method, purpose, request: launch.lines.len(), outcome: Outcome::Ended });
    push(launch, Peer::Client, bytes);
}

fn receive(launch: &mut Launch, text: &str) {
    let text = match text.split_once(' ') {
        None if text == "ok" => INITIALIZED.to_owned(),
        None if text == "tools" => LISTING.to_owned(),
        Some(("tools", names)) => listing(names),
        None if text == "discovered" => DISCOVERED.to_owned(),
        None if text == "modern" => modern(LISTING),
        Some(("modern", names)) => modern(&listing(names)),
        _ => text.to_owned(),
    };
    let id = launch.exchanges.len();
    let text = text.replace("\"id\":ID", &format!("\"id\":{id}")).replace("\"id\": ID", &format!("\"id\": {id}"));
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

/// A page of well-made tools.
fn listing(words: &str) -> String {
    let cursor = words.split(' ').find_map(|word| word.strip_prefix("next="));
    let names = words.split(' ').filter(|word| !word.starts_with("next="));
    let tools: Vec<String> = names
        .map(|name| {
            let does = name.replace('_', " ");
            format!(
                r#"{{"name":"{name}","description":"Use this to {does} of the parcel service, one day at a time.","inputSchema":{{"type":"object","properties":{{}},"additionalProperties":false}}}}"#
            )
        })
        .collect();
    let next = cursor.map(|cursor| format!(r#","nextCursor":"{cursor}""#)).unwrap_or_default();
    format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{{"tools":[{}]{next}}}}}"#, tools.join(","))
}

/// A listing as it is since 2026-07-28.
fn modern(listing: &str) -> String {
    listing.replacen(r#""result":{"#, r#""result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","#, 1)
}

/// Reads a configuration file as the rules' pages show it: `‹BOM›` is a byte order mark, and a line
/// `! unset SERVER VARIABLE NAME` says that a variable has no value.
///
/// # Errors
/// When a line that starts with `! ` says something else.
pub fn config(path: &str, text: &str) -> Result<ConfigFile, String> {
    let (events, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("! "));
    let mut file = ConfigFile::read(path, &lines.join("\n").replace("‹BOM›", "\u{feff}"));
    for event in events {
        let words: Vec<&str> = event.split(' ').collect();
        let ["!", "unset", server, variable, from] = words[..] else { return Err(format!("no such event: {event}")) };
        let (server, variable, from) = (server.to_owned(), variable.to_owned(), from.to_owned());
        file.unset.push(Unset { server, variable, from });
    }
    Ok(file)
}

fn http(launch: &mut Launch) -> &mut Http {
    launch.ending = Ending::Released;
    launch.http.get_or_insert_default()
}

/// `STATUS`, or `none`, then words `type=`, `scheme=`, `fault=`, and the detail: the answer to our last message.
fn http_answer(launch: &mut Launch, text: &str) -> Result<(), String> {
    let number = launch.lines.iter().filter(|line| line.from == Peer::Client).count();
    let mut answer = HttpAnswer { number, ..HttpAnswer::default() };
    let mut details = Vec::new();
    for (nth, word) in text.split(' ').enumerate() {
        match word.split_once('=') {
            _ if nth == 0 => answer.status = word.parse().ok(),
            Some(("type", kind)) => answer.content_type = Some(kind.to_owned()),
            Some(("scheme", scheme)) => answer.scheme = Some(scheme.to_owned()),
            Some(("fault", fault)) => {
                let fault = serde_json::from_value(fault.into()).map_err(|error| format!("{text}: {error}"))?;
                answer.fault = Some(fault);
            }
            _ => details.push(word),
        }
    }
    answer.detail = details.join(" ");
    if let (Some(_), Some(last)) = (answer.fault, launch.exchanges.last_mut()) {
        last.outcome = Outcome::Refused(number);
    }
    http(launch).answers.push(answer);
    Ok(())
}

fn push(launch: &mut Launch, from: Peer, bytes: Vec<u8>) {
    let at = launch.lines.len() as u64 * 1_000;
    launch.lines.push(Line { at, from, bytes, end: LineEnd::Feed });
}

fn happen(launch: &mut Launch, event: &str) -> Result<(), String> {
    let gone = |code| Exit { code: Some(code), signal: None };
    match event.split_once(' ').unwrap_or((event, "")) {
        ("http", answer) => http_answer(launch, answer)?,
        ("notified", status) => {
            push(launch, Peer::Client, br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_vec());
            http_answer(launch, status)?;
        }
        ("local", status) => {
            let status = status.parse().map_err(|_| format!("no status: {event}"))?;
            http(launch).is_local = true;
            http(launch).from_elsewhere = Some(status);
        }
        ("ended", status) => {
            http(launch).after_end = Some(status.parse().map_err(|_| format!("no status: {event}"))?);
        }
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
        ("broken" | "not" | "no" | "unresolved", what) if what != "newline" => {
            *launch = Launch::not_started(failure(event)?)
        }
        ("signal", number) => {
            let signal = number.parse().map_err(|_| format!("no signal: {event}"))?;
            launch.ending = Ending::Early(Exit { code: None, signal: Some(signal) });
        }
        ("cut", _) => {
            if let Some(last) = launch.lines.last_mut() {
                last.end = LineEnd::Cut;
            }
        }
        ("overflow", bound) => {
            launch.overflow = Some(bound.to_owned());
            if let Some(last) = launch.exchanges.last_mut() {
                last.outcome = Outcome::Overflowed;
            }
        }
        ("interrupted", _) => {
            if let Some(last) = launch.exchanges.last_mut() {
                last.outcome = Outcome::Interrupted;
            }
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

/// Why nothing was started.
fn failure(event: &str) -> Result<StartFailure, String> {
    let kinds = [
        ("not found ", StartFault::NotFound, "No such file or directory (os error 2)"),
        ("not executable ", StartFault::NotExecutable, "Permission denied (os error 13)"),
        ("no interpreter ", StartFault::NoInterpreter, "No such file or directory (os error 2)"),
        ("broken link ", StartFault::BrokenLink, "/opt/python/3.14/bin/python3"),
        ("no directory ", StartFault::NoDirectory, "No such file or directory (os error 2)"),
        ("unresolved ", StartFault::Unresolved, ""),
    ];
    let known = kinds.into_iter().find_map(|(words, kind, detail)| Some((event.strip_prefix(words)?, kind, detail)));
    let (rest, kind, detail) = known.ok_or_else(|| format!("no such event: {event}"))?;
    let detail = if detail.is_empty() { rest } else { detail };
    Ok(StartFailure { kind, program: rest.to_owned(), detail: detail.to_owned() })
}

/// Gives every request the first later message with its id.
fn answer(launch: &mut Launch) {
    let mut replies: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, line) in launch.lines.iter().enumerate().filter(|(_, line)| line.from == Peer::Server) {
        if let Some(id) = reply_in(line).and_then(|reply| replies_to(reply.root()).map(str::to_owned)) {
            replies.entry(id).or_default().push(at);
        }
    }
    for (nth, exchange) in launch.exchanges.iter_mut().enumerate() {
        let Some(places) = replies.get(&(nth + 1).to_string()) else { continue };
        if let Some(at) = places.get(places.partition_point(|at| *at <= exchange.request)) {
            exchange.outcome = Outcome::Answered(*at);
        }
    }
}

/// Reads several servers: an object of lists of tool names.
///
/// # Errors
/// When it is not that.
pub fn run(text: &str) -> Result<Vec<Listed>, String> {
    let document = Document::parse(text, Dialect::STRICT).map_err(|error| error.to_string())?;
    let listed = |(name, tools): (&str, Value<'_>)| Listed {
        name: name.to_owned(),
        tools: tools.items().filter_map(Value::as_str).map(str::to_owned).collect(),
        place: Location::file(".mcp.json"),
    };
    Ok(document.root().members().map(listed).collect())
}
