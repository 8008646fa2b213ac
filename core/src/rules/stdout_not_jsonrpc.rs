//! A line on stdout that is no JSON-RPC message.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "stdout-not-jsonrpc",
    summary: "a line on stdout is not a JSON-RPC message",
    level: Level::Error,
    since: "0.1.0",
    page: include_str!("stdout_not_jsonrpc.md"),
    check: Check::Wire(check),
};

fn check(_wire: &Transcript<'_>, _out: &mut Out<'_>) {}
