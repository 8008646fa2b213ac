//! A server that was not looked at.

use super::prelude::*;
use crate::view::Evidence;

pub static RULE: Rule = Rule {
    id: "server-skipped",
    summary: "a configured server was not checked",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("server_skipped.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Evidence::Skipped(reason) = server.evidence else { return };
    let reason = visible(reason.trim().trim_end_matches('.'));
    out.report(Site::server(), format!("The server was not checked: {reason}."));
}
