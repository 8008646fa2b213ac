//! Text on the line of a message.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "stdout-glued",
    summary: "text stands on the same line as a message",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("stdout_glued.md"),
    check: Check::Stdio(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let phases = wire.phases();
    let mut groups: BTreeMap<&str, Vec<(&Message<'_>, &str, &str)>> = BTreeMap::new();
    for message in &wire.messages {
        let Shape::Glued(range) = &message.shape else { continue };
        let text = message.bare();
        let before = text.get(..range.start).unwrap_or_default();
        let behind = text.get(range.end..).unwrap_or_default();
        groups.entry(phases.of(message.at)).or_default().push((message, before, behind));
    }
    for (phase, lines) in groups {
        let Some((first, before, behind)) = lines.first() else { continue };
        let at = first.number;
        let mut message = if !before.trim().is_empty() {
            format!("Text stands in front of the message on line {at} of stdout: \"{}\".", excerpt(before, 60))
        } else if behind.trim_start().starts_with('{') {
            format!("Line {at} of stdout holds more than one message.")
        } else {
            format!("Text stands behind the message on line {at} of stdout: \"{}\".", excerpt(behind, 60))
        };
        if lines.len() > 1 {
            message.push_str(&format!(
                " {} like it.",
                if lines.len() == 2 {
                    "One more line is".to_owned()
                } else {
                    format!("{} are", count(lines.len() - 1, "more line"))
                }
            ));
        }
        out.report(Site::of(Kind::Wire, phase), message).fault("stdout-glued");
    }
}
