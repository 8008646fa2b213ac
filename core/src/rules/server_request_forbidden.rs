//! A request of the server on a connection where only clients may ask.

use super::prelude::*;
use crate::text::bounded;

pub static RULE: Rule = Rule {
    id: "server-request-forbidden",
    summary: "a server of 2026-07-28 sends a request",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("server_request_forbidden.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(modern) = server.modern() else { return };
    let mut told: HashSet<&str> = HashSet::new();
    for message in modern.messages.iter().filter_map(Message::json) {
        if let Role::Request(method) = role(message)
            && told.insert(method)
        {
            let text = format!("The server sends a request, `{}`; in 2026-07-28 only clients do.", excerpt(method, 60));
            out.report(answer_site(&bounded(method), &[]), text);
        }
    }
}
