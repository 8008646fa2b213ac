//! The report as GitLab's Code Quality: a JSON array that a job hands over as `artifacts:reports:codequality`.
//!
//! GitLab holds the array against the one of the target branch and shows what came and what went. So it holds
//! what the baseline knows as well: left out, it would be shown as mended, and as new once it leaves the
//! baseline. Of two entries with one fingerprint GitLab shows the first only.

use std::collections::HashMap;

use serde::Serialize;

use crate::finding::{Finding, Level};
use crate::report::github::thing;
use crate::report::repository::{Place, Places};
use crate::report::text::message;
use crate::report::{Report, Repository};
use crate::text::excerpt;

/// Characters of a description; it is shown as one line of a list.
const LONGEST: usize = 2_000;

/// An entry, with the fields that GitLab reads.
#[derive(Serialize)]
struct Entry {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Spot,
}

#[derive(Serialize)]
struct Spot {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// Writes the report. Paths start at the top of the repository, as GitLab asks for.
#[must_use]
pub fn render(report: &Report, repository: &dyn Repository) -> String {
    let mut places = Places::new(repository);
    let mut taken = HashMap::new();
    let entries = report.findings.iter().map(|finding| entry(finding, places.of(&finding.location), &mut taken));
    let entries: Vec<Entry> = entries.collect();
    // Text and numbers always become JSON.
    serde_json::to_string_pretty(&entries).unwrap_or_else(|_| "[]".to_owned()) + "\n"
}

fn entry(finding: &Finding, place: Place, taken: &mut HashMap<String, usize>) -> Entry {
    Entry {
        description: description(finding),
        check_name: excerpt(&finding.rule, 100),
        fingerprint: unused(&excerpt(&finding.fingerprint, 100), taken),
        severity: severity(finding.level),
        location: Spot { lines: Lines { begin: place.region.map_or(1, |region| region.start_line) }, path: place.path },
    }
}

/// What is wrong with what, and what to do.
fn description(finding: &Finding) -> String {
    let fix = if finding.fix.is_empty() { String::new() } else { format!(" Fix: {}", finding.fix) };
    excerpt(&(thing(finding) + &message(finding) + &fix), LONGEST)
}

/// The scale of most linters: `critical` and `blocker` are left to what endangers a system.
fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "major",
        Level::Warning => "minor",
        Level::Note => "info",
    }
}

/// The fingerprint, with a number behind it where it is taken.
fn unused(fingerprint: &str, taken: &mut HashMap<String, usize>) -> String {
    let mut candidate = fingerprint.to_owned();
    while taken.contains_key(&candidate) {
        let used = taken.entry(fingerprint.to_owned()).or_default();
        *used += 1;
        candidate = format!("{fingerprint}-{used}");
    }
    taken.insert(candidate.clone(), 1);
    candidate
}
