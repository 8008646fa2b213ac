//! A line on stdout that is no JSON-RPC message.

use super::prelude::*;
use crate::snapshot::Outcome;

pub static RULE: Rule = Rule {
    id: "stdout-not-jsonrpc",
    summary: "a line on stdout is not a JSON-RPC message",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("stdout_not_jsonrpc.md"),
    check: Check::Stdio(check),
};

/// What sort of line it is: each is a fault of its own, with its own loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Text,
    NoVersion,
    Batch,
    Both,
    Half,
}

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let phases = wire.phases();
    // A command that prints its usage and exits is not a server with a stray line: that it exited is the fault.
    let never_spoke = wire
        .unanswered()
        .is_some_and(|exchange| exchange.purpose == Purpose::Initialize && exchange.outcome == Outcome::Ended);
    let all_answered = wire.launch.exchanges.iter().all(|exchange| matches!(exchange.outcome, Outcome::Answered(_)));
    let mut groups: BTreeMap<(&str, Sort), Vec<&Message<'_>>> = BTreeMap::new();
    for message in &wire.messages {
        let Some(sort) = sort(wire, message) else { continue };
        if (sort == Sort::Text && never_spoke) || (sort == Sort::Half && !all_answered) {
            continue;
        }
        groups.entry((phases.of(message.at), sort)).or_default().push(message);
    }
    for ((phase, sort), lines) in groups {
        report(phase, sort, &lines, out);
    }
}

fn sort(wire: &Transcript<'_>, message: &Message<'_>) -> Option<Sort> {
    match message.shape {
        Shape::Text => Some(Sort::Text),
        Shape::Half => Some(Sort::Half),
        Shape::NotMessage(_) => {
            let Some(value) = message.json() else { return Some(Sort::Text) };
            let has = |key| value.get(key).is_some();
            let is_version = value.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
            if value.is_array() {
                let is_batch = !value.is_empty() && value.items().all(|item| !matches!(role(item), Role::Fault(_)));
                match (is_batch, wire.allows_batches()) {
                    (true, true) => None,
                    (true, false) => Some(Sort::Batch),
                    (false, _) => Some(Sort::Text),
                }
            } else if is_version && has("result") && has("error") {
                Some(Sort::Both)
            } else if !is_version && has("id") && (has("result") || has("error") || has("method")) {
                Some(Sort::NoVersion)
            } else {
                Some(Sort::Text)
            }
        }
        _ => None,
    }
}

fn report(phase: &'static str, sort: Sort, lines: &[&Message<'_>], out: &mut Out<'_>) {
    let Some(first) = lines.first() else { return };
    let shown = excerpt(first.bare(), 80);
    let at = first.number;
    let site = Site::of(Kind::Wire, phase);
    let more = match lines.len() {
        1 => String::new(),
        2 => " One more line is like it.".to_owned(),
        all => format!(" {} are like it.", count(all - 1, "more line")),
    };
    match sort {
        Sort::Text => {
            let what = match &first.body {
                Body::Json(_) => "is JSON, but not a JSON-RPC message",
                _ => "is not JSON-RPC",
            };
            let draft = out.report(site, format!("Line {at} of stdout ({phase}) {what}: \"{shown}\".{more}"));
            if let Some(fix) = known_source(first.bare()) {
                draft.fix(fix);
            }
        }
        Sort::NoVersion => {
            let message = format!("Line {at} of stdout lacks `\"jsonrpc\": \"2.0\"`: \"{shown}\".{more}");
            out.report(site, message)
                .why("A message that does not name its version is not JSON-RPC 2.0, and clients drop it: the request it answers stays unanswered.")
                .fix("Write `\"jsonrpc\": \"2.0\"` into every message.")
                .fault("jsonrpc-missing")
                .discriminator("jsonrpc-missing");
        }
        Sort::Batch => {
            let message = format!("Line {at} of stdout wraps its message in an array: \"{shown}\".{more}");
            out.report(site, message)
                .why("Only the revision 2025-03-26 lets messages travel in arrays; in every other one clients drop the line, and the request stays unanswered.")
                .fix("Write each message as an object on a line of its own.")
                .fault("batch")
                .discriminator("batch");
        }
        Sort::Both => {
            let message = format!("Line {at} of stdout has both a `result` and an `error`: \"{shown}\".{more}");
            out.report(site, message)
                .why("A response holds one of the two, and strict clients drop a message that holds both, even where one is null: the request stays unanswered.")
                .fix("Leave the member out that does not apply, instead of sending it as null.")
                .fault("result-and-error")
                .discriminator("result-and-error");
        }
        Sort::Half => {
            let message = format!("The last line of stdout stops in the middle of a message: \"{shown}\".");
            out.report(site, message)
                .why("The message is lost: a client reads it only when its line has ended.")
                .fix("Flush stdout before the process exits, and write each message in one piece.")
                .discriminator("half");
        }
    }
}

/// What to do about lines whose author is known.
fn known_source(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    if text.starts_with("[dotenv@") {
        return Some("dotenv prints this line: call `config({ quiet: true })`, or set `DOTENV_CONFIG_QUIET=true`.");
    }
    if text.starts_with("> ") {
        return Some(
            "This is the banner of a package runner: start the program itself (`node dist/index.js`), or run the script with `--silent`.",
        );
    }
    None
}
