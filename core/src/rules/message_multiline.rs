//! One message on several lines.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "message-multiline",
    summary: "one message is spread over several lines",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("message_multiline.md"),
    check: Check::Stdio(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let mut spread = wire.messages.iter().filter_map(|message| match message.shape {
        Shape::Spread(lines) => Some((message.number, lines)),
        _ => None,
    });
    let Some((first, lines)) = spread.next() else { return };
    let more = match spread.count() {
        0 => String::new(),
        1 => " One more message is like it.".to_owned(),
        more => format!(" {} are like it.", count(more, "more message")),
    };
    let lines = count(lines, "line");
    let message = format!("The message that starts on line {first} of stdout is spread over {lines}.{more}");
    out.report(Site::of(Kind::Wire, "stdout"), message).fault("message-multiline");
}
