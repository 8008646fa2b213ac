//! Messages that end with a carriage return and a line feed.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "stdout-crlf",
    summary: "lines end with a carriage return and a line feed",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("stdout_crlf.md"),
    check: Check::Stdio(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let mut lines =
        wire.messages.iter().filter(|message| message.shape == Shape::Message && message.has_carriage_return());
    let Some(first) = lines.next() else { return };
    let number = first.number;
    let message = match lines.count() {
        0 => format!("Line {number} of stdout ends with CR LF instead of LF."),
        1 => format!("Line {number} of stdout ends with CR LF instead of LF, and so does one more."),
        more => format!("Line {number} of stdout ends with CR LF instead of LF, and so do {more} more."),
    };
    out.report(Site::of(Kind::Wire, "stdout"), message);
}
