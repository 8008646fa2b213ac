//! The server answers with a revision that clients do not take.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "protocol-version-refused",
    summary: "initialize is answered with a revision that has no handshake or does not exist",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("protocol_version_refused.md"),
    check: Check::Server(check),
};

/// The revisions with a handshake.
const KNOWN: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The first revision without one.
const WITHOUT_HANDSHAKE: &str = "2026-07-28";

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(version) = server.revision().filter(|version| !KNOWN.contains(version)) else { return };
    let shown = excerpt(version, 40);
    let message = if version == WITHOUT_HANDSHAKE {
        format!("`initialize` is answered with version {shown}, a revision that has no handshake.")
    } else {
        format!("`initialize` is answered with version \"{shown}\", which is no revision of the protocol.")
    };
    out.report(answer_site("initialize", &["protocolVersion"]), message).fault("protocol-version-refused");
}
