//! The framing of language servers.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "framing-content-length",
    summary: "messages are framed with Content-Length headers",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("framing_content_length.md"),
    check: Check::Stdio(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let Some(first) = wire.messages.iter().find(|message| message.shape == Shape::Header) else { return };
    let text = first.bare().trim();
    let header = text.rfind("Content-").and_then(|at| text.get(at..)).unwrap_or(text);
    let message = format!(
        "Line {} of stdout is a header, \"{}\": messages of MCP are not framed with headers.",
        first.number,
        excerpt(header, 60)
    );
    out.report(Site::of(Kind::Wire, "stdout"), message);
}
