//! Revisions that a server does not know, and what it says to them.

use super::prelude::*;
use crate::protocol::REVISIONS;

pub static RULE: Rule = Rule {
    id: "version-error-missing",
    summary: "a revision that the server does not know is not refused as the protocol asks",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("version_error_missing.md"),
    check: Check::Server(check),
};

/// The code of the error that names the supported revisions.
const UNSUPPORTED: &str = "-32022";

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    unknown_revision(server, out);
    refused_handshake(server, out);
}

/// The answer to a request of a revision that nobody knows.
fn unknown_revision(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(modern) = server.modern() else { return };
    let asked = modern.exchange(&Purpose::UnknownRevision);
    let Some(answer) = asked.and_then(|exchange| modern.answer(exchange)) else { return };
    let site = answer_site("server/discover", &["error"]);
    let Some(error) = error_of(answer) else {
        // The official SDK for TypeScript does so, in every server.
        out.report(site, "A request of a revision that does not exist is answered as if the server spoke it.")
            .why("Nothing is lost today: a client of a later revision will take the server for one of its own.")
            .level(Level::Note);
        return;
    };
    let supported = error.get("data").and_then(|data| data.get("supported"));
    let is_named = supported.is_some_and(|list| list.items().any(|item| item.as_str().is_some()));
    let is_code = error.get("code").is_some_and(|code| code.raw() == UNSUPPORTED);
    let how = match (is_code, is_named) {
        (true, true) => return,
        (true, false) => "without the revisions that are supported, in `data.supported`".to_owned(),
        (false, _) => format!("but with the error {}, and not {UNSUPPORTED}", error_words(error)),
    };
    out.report(site, format!("A request of a revision that does not exist is refused, {how}."));
}

/// The answer to a handshake, of a server that knows none.
fn refused_handshake(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(refused) = server.transcripts().and_then(|transcripts| transcripts.refused.as_ref()) else { return };
    let answer = refused.exchange(&Purpose::Initialize).and_then(|exchange| refused.answer(exchange));
    let Some(error) = answer.and_then(error_of) else { return };
    if !REVISIONS.iter().any(|revision| error.raw().contains(revision)) {
        let message =
            format!("`initialize` is refused without naming a revision that would do: {}.", error_words(error));
        out.report(answer_site("initialize", &["error"]), message)
            .level(Level::Note)
            .why("Whoever runs an older client is not told what it lacks.")
            .fix("Name the supported revisions in the error, best in `data.supported`.");
    }
}
