//! A local server over HTTP that answers pages of other origins.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "http-origin-unchecked",
    summary: "a local server over HTTP answers a request with a foreign Origin",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("http_origin_unchecked.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(http) = server.main().and_then(|main| main.launch.http.as_ref()) else { return };
    let Some(status) = http.from_elsewhere.filter(|status| http.is_local && *status != 403) else { return };
    let message = if (200..300).contains(&status) {
        format!("The server answers a request from a foreign origin with status {status}, as if it were a client.")
    } else {
        format!("The server refuses a request from a foreign origin with status {status}; it has to be 403.")
    };
    let draft = out.report(Site::server(), message);
    if !(200..300).contains(&status) {
        draft.level(Level::Note);
    }
}
