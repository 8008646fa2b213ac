//! A server without a handshake that does not say what it supports.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "discover-missing",
    summary: "a server of 2026-07-28 does not answer server/discover",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("discover_missing.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(modern) = server.modern().filter(|modern| !modern.is_discovered()) else { return };
    let answer = modern.exchange(&Purpose::Discover).and_then(|exchange| modern.answer(exchange));
    let how = match answer.map(|answer| (answer, error_of(answer))) {
        Some((_, Some(error))) => format!("is answered with an error: {}", error_words(error)),
        Some((answer, None)) => {
            let result = answer.get("result").map(|result| excerpt(result.raw(), 80)).unwrap_or_default();
            format!("is answered with {result}, which names no `supportedVersions`")
        }
        None => "is not answered".to_owned(),
    };
    let message = format!("Requests of 2026-07-28 are answered, but `server/discover` {how}.");
    out.report(answer_site("server/discover", &[]), message).fault("discover-missing");
}
