//! Bytes on stdout that are not UTF-8.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "stdout-not-utf8",
    summary: "stdout holds bytes that are not UTF-8",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("stdout_not_utf8.md"),
    check: Check::Stdio(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let mut lines = wire.messages.iter().filter(|message| message.shape == Shape::NotUtf8);
    let Some(first) = lines.next() else { return };
    let Body::NotUtf8(offset) = first.body else { return };
    let bytes = first.line.bytes.strip_prefix(BOM).unwrap_or(&first.line.bytes);
    let bad = bytes.get(offset).map_or(String::new(), |byte| format!("the byte 0x{byte:02X}"));
    let start = offset.saturating_sub(30);
    let around = String::from_utf8_lossy(bytes.get(start..(offset + 20).min(bytes.len())).unwrap_or_default());
    let around = excerpt(around.trim_start_matches('\u{fffd}'), 60);
    let more = match lines.count() {
        0 => String::new(),
        more => format!(
            " {} not UTF-8 either.",
            if more == 1 { "1 more line is".to_owned() } else { format!("{more} more lines are") }
        ),
    };
    let message = if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        format!("Line {} of stdout is UTF-16, not UTF-8.{more}", first.number)
    } else {
        format!("Line {} of stdout is not UTF-8: it has {bad} at \"{around}\".{more}", first.number)
    };
    out.report(Site::of(Kind::Wire, "stdout"), message).fault("stdout-not-utf8");
}
