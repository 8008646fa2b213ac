//! The server answers with a revision that clients do not take.

use super::prelude::*;
use crate::protocol::{MODERN, REVISIONS};

pub static RULE: Rule = Rule {
    id: "protocol-version-refused",
    summary: "initialize is answered with a revision that has no handshake or does not exist",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("protocol_version_refused.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let answered = server.initialize().and_then(|result| result.get("protocolVersion")?.as_str());
    let has_handshake = |version: &str| version != MODERN && REVISIONS.contains(&version);
    let Some(version) = answered.filter(|version| !has_handshake(version)) else { return };
    let shown = excerpt(version, 40);
    let message = if version == MODERN {
        format!("`initialize` is answered with version {shown}, a revision that has no handshake.")
    } else {
        format!("`initialize` is answered with version \"{shown}\", which is no revision of the protocol.")
    };
    out.report(answer_site("initialize", &["protocolVersion"]), message).fault("protocol-version-refused");
}
