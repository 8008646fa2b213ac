//! The baseline on GitHub: what a pull request adds to it, and its refresh on the default branch.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mcp_lint_core::baseline::{Absent, Baseline, Entry};
use mcp_lint_core::report::Report;
use serde_json::{Value, json};

use super::api::{Api, Refusal, Request};
use super::event::Event;

/// The branch that a refresh is proposed on.
const BRANCH: &str = "mcp-lint/baseline";

/// How often a commit is tried when others commit at the same time.
const RACES: u32 = 3;

const TITLE: &str = "Refresh the mcp-lint baseline";

/// How a refresh reaches the default branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Commit,
    PullRequest,
}

/// What came of a refresh.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refresh {
    /// Every entry is still there, or there is no baseline.
    Unchanged,
    /// The branch has moved on: the run for its new commit will see to it.
    Overtaken,
    Committed(usize),
    /// A pull request with this address takes out so many entries.
    Proposed(String, usize),
}

/// Why there was no refresh.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the baseline on the default branch cannot be read: {0}")]
    Unreadable(String),
}

/// A file at a commit.
struct File {
    /// Identity of its content, which a change has to name.
    blob: String,
    baseline: Baseline,
    text: String,
}

/// Entries that a pull request's baseline has and that of its base has not.
///
/// # Errors
/// When the base's file cannot be read.
pub(crate) async fn growth(
    api: &Api,
    event: &Event,
    path: &str,
    base_sha: &str,
    now: &Baseline,
) -> Result<Vec<Entry>, Failure> {
    let before = read(api, event, path, base_sha).await?.map(|file| file.baseline).unwrap_or_default();
    let known: BTreeMap<Entry, &Entry> = before.entries().into_iter().map(|entry| (plain(entry), entry)).collect();
    let is_more = |entry: &&Entry| known.get(&plain(entry)).is_none_or(|before| accepts_more(entry, before));
    Ok(now.entries().into_iter().filter(is_more).cloned().collect())
}

/// What an entry is about, without what it accepts.
fn plain(entry: &Entry) -> Entry {
    Entry { max: None, reason: None, until: None, ..entry.clone() }
}

/// Whether an entry goes further than it did, or longer.
fn accepts_more(entry: &Entry, before: &Entry) -> bool {
    let further = before.max.is_some_and(|before| entry.max.is_none_or(|now| now > before));
    let longer = before.until.as_ref().is_some_and(|before| entry.until.as_ref().is_none_or(|now| now > before));
    further || longer
}

/// Takes out of the baseline on the default branch what the report says is gone; adds nothing.
///
/// # Errors
/// When GitHub refuses, or the file is broken.
pub(crate) async fn refresh(
    api: &Api,
    event: &Event,
    path: &str,
    branch: &str,
    report: &Report,
    way: Way,
) -> Result<Refresh, Failure> {
    for _ in 0..RACES {
        if head(api, event, branch).await? != event.head_sha {
            return Ok(Refresh::Overtaken);
        }
        let Some(file) = read(api, event, path, branch).await? else { return Ok(Refresh::Unchanged) };
        let (text, fewer) = updated(&file, report);
        if text == file.text {
            return Ok(Refresh::Unchanged);
        }
        let done = match way {
            Way::Commit => write(api, event, path, branch, &text, &file.blob).await.map(|()| Refresh::Committed(fewer)),
            Way::PullRequest => {
                propose(api, event, path, branch, &text, fewer).await.map(|url| Refresh::Proposed(url, fewer))
            }
        };
        match done {
            Ok(done) => return Ok(done),
            // Somebody else committed in between: look again.
            Err(refusal) if refusal.status() == Some(409) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(Refresh::Overtaken)
}

/// The file without what is gone, and how many entries that are.
fn updated(file: &File, report: &Report) -> (String, usize) {
    let mut baseline = file.baseline.clone();
    let absent = Absent { gone: report.gone.clone(), not_judged: Vec::new() };
    baseline.update(&report.findings, &absent);
    if baseline == file.baseline {
        return (file.text.clone(), 0);
    }
    (baseline.render(), file.baseline.entries().len() - baseline.entries().len())
}

async fn head(api: &Api, event: &Event, branch: &str) -> Result<String, Refusal> {
    let route = format!("{}/git/ref/heads/{}", repository(event), path_segments(branch));
    let answer = api.send(Request::Get, &route).await?;
    Ok(answer.pointer("/object/sha").and_then(Value::as_str).unwrap_or_default().to_owned())
}

/// The baseline at a branch or commit; nothing where there is none.
async fn read(api: &Api, event: &Event, path: &str, at: &str) -> Result<Option<File>, Failure> {
    let route = format!("{}/contents/{}?ref={}", repository(event), path_segments(path), path_segments(at));
    let answer = match api.send(Request::Get, &route).await {
        Ok(answer) => answer,
        Err(refusal) if refusal.status() == Some(404) => return Ok(None),
        Err(refusal) => return Err(refusal.into()),
    };
    let member = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
    let packed: String = member("content").split_whitespace().collect();
    let bytes = STANDARD.decode(packed).map_err(|error| Failure::Unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| Failure::Unreadable(error.to_string()))?;
    let baseline = Baseline::parse(&text).map_err(Failure::Unreadable)?;
    Ok(Some(File { blob: member("sha").to_owned(), baseline, text }))
}

/// Commits the file to a branch; GitHub refuses with 409 if it is not what it was.
async fn write(api: &Api, event: &Event, path: &str, branch: &str, text: &str, blob: &str) -> Result<(), Refusal> {
    let route = format!("{}/contents/{}", repository(event), path_segments(path));
    let body = json!({ "message": TITLE, "content": STANDARD.encode(text), "sha": blob, "branch": branch });
    let done = async || {
        let file = read(api, event, path, branch).await.ok()??;
        (file.text == text).then_some(Value::Null)
    };
    api.send_once(Request::Put(&body), &route, done).await.map(|_| ())
}

/// Puts the file on a branch of its own, started anew from the default branch, and opens a pull request for it
/// unless one is open.
async fn propose(
    api: &Api,
    event: &Event,
    path: &str,
    base: &str,
    text: &str,
    fewer: usize,
) -> Result<String, Refusal> {
    let there = format!("{}/git/refs/heads/{BRANCH}", repository(event));
    let moved = json!({ "sha": event.head_sha, "force": true });
    match api.send(Request::Patch(&moved), &there).await {
        Ok(_) => {}
        Err(refusal) if matches!(refusal.status(), Some(404 | 422)) => {
            let made = json!({ "ref": format!("refs/heads/{BRANCH}"), "sha": event.head_sha });
            api.send(Request::Post(&made), &format!("{}/git/refs", repository(event))).await?;
        }
        Err(refusal) => return Err(refusal),
    }
    let blob = match read(api, event, path, BRANCH).await {
        Ok(Some(file)) => file.blob,
        Ok(None) | Err(Failure::Unreadable(_)) => String::new(),
        Err(Failure::Refused(refusal)) => return Err(refusal),
    };
    write(api, event, path, BRANCH, text, &blob).await?;
    if let Some(open) = open_pull_request(api, event, base).await? {
        return Ok(open);
    }
    let body = json!({
        "title": TITLE,
        "head": BRANCH,
        "base": base,
        "body": format!("{fewer} known findings are gone, or got better. Nothing is added."),
    });
    let opened = async || open_pull_request(api, event, base).await.ok()?.map(|url| json!({ "html_url": url }));
    let made = api.send_once(Request::Post(&body), &format!("{}/pulls", repository(event)), opened).await?;
    Ok(address(&made).unwrap_or_default())
}

async fn open_pull_request(api: &Api, event: &Event, base: &str) -> Result<Option<String>, Refusal> {
    let owner = &event.repository.owner;
    let route = format!("{}/pulls?state=open&head={owner}:{BRANCH}&base={}", repository(event), path_segments(base));
    let answer = api.send(Request::Get, &route).await?;
    Ok(answer.get(0).and_then(address))
}

fn address(pull_request: &Value) -> Option<String> {
    pull_request.get("html_url")?.as_str().map(str::to_owned)
}

fn repository(event: &Event) -> String {
    format!("/repos/{}/{}", event.repository.owner, event.repository.name)
}

/// A path or branch name for an address: every segment percent-encoded.
fn path_segments(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/') {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
