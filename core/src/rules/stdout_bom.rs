//! A byte order mark on stdout.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "stdout-bom",
    summary: "a byte order mark stands in front of a message",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("stdout_bom.md"),
    check: Check::Stdio(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let mut marked = wire.messages.iter().filter(|message| message.has_bom());
    let Some(first) = marked.next() else { return };
    let more = match marked.count() {
        0 => String::new(),
        1 => " One more line is like it.".to_owned(),
        more => format!(" {} are like it.", count(more, "more line")),
    };
    let message = format!("Line {} of stdout starts with a byte order mark (EF BB BF).{more}", first.number);
    out.report(Site::of(Kind::Wire, "stdout"), message).fault("stdout-bom");
}
