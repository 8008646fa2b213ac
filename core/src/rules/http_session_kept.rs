//! A session over HTTP that goes on after it was ended.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "http-session-kept",
    summary: "a session over HTTP is still served after its end",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("http_session_kept.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let http = server.main().and_then(|main| main.launch.http.as_ref());
    if let Some(status) = http.and_then(|http| http.after_end).filter(|status| *status != 404) {
        let message = format!("The session was ended, and a request in it is answered with status {status}, not 404.");
        out.report(Site::server(), message);
    }
}
