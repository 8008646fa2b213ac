//! The report for a coding agent: one line a finding, plain, the worst first, and a last line with the counts.
//!
//! What the baseline knows is counted and not listed: it is nobody's task.

use crate::finding::{Finding, State};
use crate::report::Report;
use crate::report::text::{counts, losses};
use crate::site::Kind;
use crate::text::excerpt;

/// Characters of a name or a path, and of a sentence.
const LONGEST_NAME: usize = 300;
const LONGEST_TEXT: usize = 2_000;

/// Writes the report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut findings: Vec<&Finding> = report.findings.iter().filter(|finding| finding.state == State::New).collect();
    findings.sort_by(|left, right| right.level.cmp(&left.level).then_with(|| place(left).cmp(&place(right))));
    let lines = findings.iter().map(|finding| line(finding) + "\n");
    lines.chain([last_line(report)]).collect()
}

fn place(finding: &Finding) -> (&str, u32, u32) {
    let location = &finding.location;
    (&location.path, location.start_line, location.start_column)
}

/// `path:line:column: level rule server/tool pointer: message Fix: ... (who loses what)`
pub(super) fn line(finding: &Finding) -> String {
    let (path, line, column) = place(finding);
    let (path, level, rule) = (excerpt(path, LONGEST_NAME), finding.level.word(), excerpt(&finding.rule, LONGEST_NAME));
    let mut text = format!("{path}:{line}:{column}: {level} {rule}");
    for part in [thing(finding), excerpt(&finding.pointer, LONGEST_NAME)] {
        if !part.is_empty() {
            text = text + " " + &part;
        }
    }
    text = text + ": " + &excerpt(&finding.message, LONGEST_TEXT);
    if !finding.fix.is_empty() {
        text = text + " Fix: " + &excerpt(&finding.fix, LONGEST_TEXT);
    }
    if !finding.clients.is_empty() {
        text = text + " (" + losses(&finding.clients).trim_end_matches('.') + ")";
    }
    text
}

/// The server, and what of it: `server/tool`.
fn thing(finding: &Finding) -> String {
    let is_part = matches!(finding.kind, Kind::Tool | Kind::Prompt | Kind::Resource);
    let names = [finding.server.as_deref().unwrap_or_default(), if is_part { &finding.entity } else { "" }];
    let names = names.into_iter().filter(|name| !name.is_empty()).map(|name| excerpt(name, LONGEST_NAME));
    names.collect::<Vec<_>>().join("/")
}

fn last_line(report: &Report) -> String {
    let verdict = if report.exit_code == 0 { "Passed" } else { "Failed" };
    let known = match report.summary.known {
        0 => String::new(),
        known => format!("; {known} known to the baseline and not listed"),
    };
    format!("{verdict}: {}{known}.\n", counts(report))
}
