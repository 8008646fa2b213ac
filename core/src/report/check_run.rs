//! The report as a check run on GitHub: a conclusion, a title and annotations.

use serde::Serialize;

use crate::baseline::Entry;
use crate::finding::{Finding, Level, State};
use crate::report::github::words;
use crate::report::markdown::escape;
use crate::report::repository::{Places, Region};
use crate::report::{Report, Repository};
use crate::text::{count, excerpt};

/// Most annotations of a check run; a reader has stopped long before, and each fifty cost a request.
pub const MOST: usize = 200;

/// Most entries of a baseline that are listed singly.
const MOST_ENTRIES: usize = 20;

/// An annotation as the API takes it (REST API, "Create a check run").
#[derive(Debug, Serialize)]
pub struct Annotation {
    path: String,
    start_line: u32,
    end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u32>,
    annotation_level: &'static str,
    message: String,
    title: String,
}

/// How a check run ends: a neutral one passes where it is required, and still asks for a look.
#[must_use]
pub fn conclusion(report: &Report) -> &'static str {
    match (report.exit_code, report.summary.new) {
        (0, 0) => "success",
        (0, _) => "neutral",
        _ => "failure",
    }
}

/// The line beside its name.
#[must_use]
pub fn title(report: &Report) -> String {
    match (report.summary.new, report.summary.servers_checked) {
        (0, 0) => "No server was checked".to_owned(),
        (0, servers) => format!("No new findings on {}", count(servers, "server")),
        (new, _) => count(new, "new finding"),
    }
}

/// Annotations for new findings, the worst first, and how many more there are.
#[must_use]
pub fn annotations(report: &Report, repository: &dyn Repository) -> (Vec<Annotation>, usize) {
    let mut places = Places::new(repository);
    let mut new: Vec<&Finding> = report.findings.iter().filter(|finding| finding.state == State::New).collect();
    new.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    let rest = new.len().saturating_sub(MOST);
    let annotations = new.into_iter().take(MOST).map(|finding| annotation(finding, &mut places)).collect();
    (annotations, rest)
}

/// Columns only count within one line.
fn annotation(finding: &Finding, places: &mut Places<'_>) -> Annotation {
    let place = places.of(&finding.location);
    let region = place.region.unwrap_or(Region { start_line: 1, end_line: 1, columns: None });
    let columns = region.columns.filter(|_| region.start_line == region.end_line);
    Annotation {
        path: place.path,
        start_line: region.start_line,
        end_line: region.end_line,
        start_column: columns.map(|(start, _)| start),
        end_column: columns.map(|(_, end)| end),
        annotation_level: match finding.level {
            Level::Error => "failure",
            Level::Warning => "warning",
            Level::Note => "notice",
        },
        message: words(finding),
        title: format!("mcp-lint: {}", excerpt(&finding.rule, 100)),
    }
}

/// What a pull request's baseline accepts that its base did not, in Markdown; empty where it is nothing.
#[must_use]
pub fn growth(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let more = count(entries.len(), "more finding");
    let mut text = format!("> [!NOTE]\n> The baseline of this pull request accepts {more}:\n");
    for entry in entries.iter().take(MOST_ENTRIES) {
        let thing: Vec<String> = [&entry.server, &entry.entity]
            .into_iter()
            .filter(|part| !part.is_empty())
            .map(|part| escape(part))
            .collect();
        let reason = entry.reason.as_ref().map(|reason| format!(" – {}", escape(reason))).unwrap_or_default();
        text.push_str(&format!("> - **{}** {}{reason}\n", escape(&entry.rule), thing.join(" / ")));
    }
    if entries.len() > MOST_ENTRIES {
        text.push_str(&format!("> - and {} more\n", entries.len() - MOST_ENTRIES));
    }
    text + "\n"
}
