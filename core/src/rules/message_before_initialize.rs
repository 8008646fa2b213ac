//! A message before the answer to `initialize`.

use super::prelude::*;
use crate::snapshot::Outcome;

pub static RULE: Rule = Rule {
    id: "message-before-initialize",
    summary: "a message is sent before the answer to initialize",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("message_before_initialize.md"),
    check: Check::Wire(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let Some(exchange) = wire.exchange(&Purpose::Initialize) else { return };
    let end = match exchange.outcome {
        Outcome::Answered(at) => at,
        _ => usize::MAX,
    };
    let mut methods: BTreeMap<&str, (usize, &'static str)> = BTreeMap::new();
    for message in wire.messages.iter().take_while(|message| message.at < end) {
        let (method, sort) = match message.json().map(role) {
            Some(Role::Request(method)) => (method, "request"),
            Some(Role::Notification(method)) => (method, "notification"),
            _ => continue,
        };
        if !matches!(method, "ping" | "notifications/message") {
            methods.entry(method).or_insert((message.number, sort));
        }
    }
    for (method, (number, sort)) in methods {
        let shown = excerpt(method, 80);
        let message =
            format!("The {sort} `{shown}` is sent on line {number} of stdout, before the answer to `initialize`.");
        out.report(Site::of(Kind::Wire, shown), message);
    }
}
