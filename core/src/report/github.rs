//! The report as workflow commands: annotations that need no permission and work on a fork's pull request.
//!
//! A runner shows ten annotations of a level per step and drops the rest without a word, so the last one
//! counts what is left. Only new findings are annotated; what is known stands in the other reports.

use std::fmt::Write;

use crate::finding::{Finding, Level, State};
use crate::report::repository::{Place, Places, Region};
use crate::report::text::{losses, message, summary};
use crate::report::{Report, Repository};
use crate::site::Kind;
use crate::text::{count, excerpt};

/// Annotations of one level, without the one that counts the rest.
pub const MOST: usize = 9;
/// Characters of a message; a runner cuts at 4,096.
const LONGEST: usize = 4_000;

/// Writes the report: annotations, the worst first, and the counts as a last line for the log.
#[must_use]
pub fn render(report: &Report, repository: &dyn Repository) -> String {
    let mut places = Places::new(repository);
    let mut log = String::new();
    for level in [Level::Error, Level::Warning, Level::Note] {
        let new = |finding: &&Finding| finding.level == level && finding.state == State::New;
        let findings: Vec<&Finding> = report.findings.iter().filter(new).collect();
        for finding in findings.iter().take(MOST) {
            let place = places.of(&finding.location);
            command(&mut log, level, &properties(finding, &place), &words(finding));
        }
        let more = findings.len().saturating_sub(MOST);
        if more > 0 {
            let title = vec![("title", "mcp-lint".to_owned())];
            let rest = count(more, level.word());
            command(&mut log, level, &title, &format!("And {rest} more; the report of this run lists all."));
        }
    }
    log.push_str(&summary(report));
    log
}

/// The name of the command for a level.
fn name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    }
}

/// The only place that writes a command.
fn command(log: &mut String, level: Level, properties: &[(&str, String)], message: &str) {
    let properties: Vec<String> =
        properties.iter().map(|(key, value)| format!("{key}={}", escaped_property(value))).collect();
    let _ = writeln!(log, "::{} {}::{}", name(level), properties.join(","), escaped_data(message));
}

/// Columns only count within one line.
fn properties(finding: &Finding, place: &Place) -> Vec<(&'static str, String)> {
    let mut properties = vec![("file", excerpt(&place.path, LONGEST))];
    let Region { start_line, end_line, columns } =
        place.region.unwrap_or(Region { start_line: 1, end_line: 1, columns: None });
    properties.push(("line", start_line.to_string()));
    properties.push(("endLine", end_line.to_string()));
    if let (Some((start, end)), true) = (columns, start_line == end_line) {
        properties.push(("col", start.to_string()));
        properties.push(("endColumn", end.to_string()));
    }
    properties.push(("title", format!("mcp-lint: {}", excerpt(&finding.rule, 100))));
    properties
}

/// What is wrong and with what, who is hurt, who loses what, what to do: a line each.
pub(super) fn words(finding: &Finding) -> String {
    let lost = if finding.clients.is_empty() { String::new() } else { losses(&finding.clients) };
    let fix = if finding.fix.is_empty() { String::new() } else { format!("Fix: {}", finding.fix) };
    let hint = finding.hint.clone().unwrap_or_default();
    let parts = [thing(finding) + &message(finding), hint, finding.why.to_string(), lost, fix];
    let parts: Vec<String> =
        parts.iter().filter(|part| !part.is_empty()).map(|part| excerpt(part, LONGEST / 5 - 1)).collect();
    parts.join("\n")
}

/// The server and the tool before a message, which the place alone may not tell.
pub(super) fn thing(finding: &Finding) -> String {
    let is_thing = matches!(finding.kind, Kind::Tool | Kind::Prompt | Kind::Resource);
    let names = [finding.server.as_deref().unwrap_or_default(), if is_thing { &finding.entity } else { "" }];
    let names: Vec<String> = names.iter().filter(|name| !name.is_empty()).map(|name| excerpt(name, 120)).collect();
    if names.is_empty() { String::new() } else { names.join(", ") + ": " }
}

/// The percent sign goes first, or it would escape the other escapes.
fn escaped_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::Location;

    #[test]
    fn what_ends_a_command_is_escaped_in_its_text() {
        assert_eq!(escaped_data("100%\r\nof a:b,c %0A"), "100%25%0D%0Aof a:b,c %250A");
    }

    #[test]
    fn what_ends_a_property_is_escaped_too() {
        assert_eq!(escaped_property("C:\\a,b=50%\n::error::x"), "C%3A\\a%2Cb=50%25%0A%3A%3Aerror%3A%3Ax");
    }

    #[test]
    fn a_command_is_one_line() {
        let mut log = String::new();
        command(&mut log, Level::Note, &[("file", "a,b:c".to_owned()), ("line", "1".to_owned())], "x\ny::z");
        assert_eq!(log, "::notice file=a%2Cb%3Ac,line=1::x%0Ay::z\n");
    }

    #[test]
    fn columns_are_left_out_where_lines_differ() {
        let at = |end_line| Place {
            path: "a.json".to_owned(),
            region: Some(Region { start_line: 3, end_line, columns: Some((5, 7)) }),
        };
        let finding = finding();
        let keys = |place: &Place| -> Vec<&str> { properties(&finding, place).iter().map(|(key, _)| *key).collect() };
        assert_eq!(keys(&at(3)), ["file", "line", "endLine", "col", "endColumn", "title"]);
        assert_eq!(keys(&at(4)), ["file", "line", "endLine", "title"]);
    }

    fn finding() -> Finding {
        Finding {
            rule: "name-invalid".into(),
            level: Level::Error,
            counts: true,
            server: Some("parcels".to_owned()),
            kind: Kind::Tool,
            entity: "find".to_owned(),
            pointer: String::new(),
            path: String::new(),
            message: "It is wrong.".to_owned(),
            why: "Someone is hurt.".into(),
            fix: "Put it right.".into(),
            clients: Vec::new(),
            location: Location::file("a.json"),
            related: Vec::new(),
            discriminator: "".into(),
            measure: None,
            fingerprint: String::new(),
            state: State::New,
            covers: Vec::new(),
            hint: None,
        }
    }

    #[test]
    fn the_words_name_server_and_tool() {
        assert_eq!(words(&finding()), "parcels, find: It is wrong.\nSomeone is hurt.\nFix: Put it right.");
    }
}
