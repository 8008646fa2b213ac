//! The baseline: findings that are known, so that only new ones fail a check.
//!
//! One finding a line, sorted, keyed by what it is about and never by a line number, a text or a count, so
//! that the file changes only when findings come or go, and merges line by line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::document::{Dialect, Document, Value};
use crate::finding::{Finding, State};
use crate::fingerprint::Identity;
use crate::report::{Outcome, ServerReport};
use crate::site::Kind;

/// Version of the file's shape.
const VERSION: u64 = 1;

/// The member of the first line that names the version.
const HEADER: &str = "mcp-lint-baseline";

/// Entries that are gone and may have been renamed, tried for one finding.
const MOST_CANDIDATES: usize = 100;

/// Known findings, by fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<String, Entry>,
}

/// One known finding. The order of the fields is the order in the file, and that of sorting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// The server's name; empty for findings about files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub server: String,
    /// The sort of thing.
    pub kind: Kind,
    /// The thing's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub entity: String,
    /// The rule.
    pub rule: String,
    /// JSON pointer inside the thing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// What tells two faults at one place apart.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// How far a measured finding may go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// Why it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Until when it is accepted, as `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// Which entries a run has a verdict on.
pub struct Judged<'a> {
    /// The servers of the run.
    pub servers: &'a [ServerReport],
    /// Whether all configured servers and files were looked at: only then is what is missing gone.
    pub is_complete: bool,
    /// Rules that did not run.
    pub off: &'a dyn Fn(&str) -> bool,
    /// Rules that look at all servers together.
    pub of_run: &'a dyn Fn(&str) -> bool,
    /// The day of the run, as `YYYY-MM-DD`.
    pub today: &'a str,
}

/// What became of the entries without a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// Looked for and no longer there.
    pub gone: Vec<Entry>,
    /// Not looked for.
    pub not_judged: Vec<Entry>,
}

impl Entry {
    /// The entry for a finding.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Self {
            server: finding.server.clone().unwrap_or_default(),
            kind: finding.kind,
            entity: finding.entity.clone(),
            rule: finding.rule.clone().into_owned(),
            at: finding.pointer.clone(),
            what: finding.discriminator.clone().into_owned(),
            max: finding.measure,
            reason: None,
            until: None,
        }
    }

    fn identity(&self) -> Identity<'_> {
        Identity {
            rule: &self.rule,
            server: &self.server,
            kind: self.kind,
            entity: &self.entity,
            pointer: &self.at,
            discriminator: &self.what,
        }
    }

    /// Whether it is the same fault of a thing that is called otherwise.
    fn is_renamed(&self, finding: &Finding) -> bool {
        let other = finding.identity();
        let mine = Identity { entity: other.entity, ..self.identity() };
        mine == other && self.entity != finding.entity && !self.entity.is_empty()
    }
}

impl Baseline {
    /// Reads a file. Any order, repeated entries and unknown members are taken, as a merge leaves them.
    ///
    /// # Errors
    /// When a line is no entry, has a conflict marker, or the version is unknown; names the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut baseline = Self::default();
        let mut has_header = false;
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|marker| line.starts_with(marker)) {
                return Err(format!(
                    "line {number} is a conflict marker: keep the entries of both sides, and remove it"
                ));
            }
            let document = Document::parse(line, Dialect::STRICT)
                .map_err(|error| format!("line {number} is not JSON: {}", error.what))?;
            if let Some(version) = document.root().get(HEADER) {
                check_version(version)?;
                has_header = true;
                continue;
            }
            let entry: Entry =
                serde_json::from_str(line).map_err(|error| format!("line {number} is no entry: {error}"))?;
            baseline.insert(entry);
        }
        if has_header { Ok(baseline) } else { Err(format!("the line {{\"{HEADER}\":{VERSION}}} is missing")) }
    }

    /// Writes the file.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = format!("{{\"{HEADER}\":{VERSION}}}\n");
        for entry in self.entries() {
            text.push_str(&serde_json::to_string(entry).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// The entries, sorted as in the file.
    #[must_use]
    pub fn entries(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.values().collect();
        entries.sort();
        entries
    }

    /// A baseline of findings.
    #[must_use]
    pub fn of<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut baseline = Self::default();
        findings.into_iter().map(Entry::of).for_each(|entry| baseline.insert(entry));
        baseline
    }

    /// Adds an entry; what is known twice is kept once, with the wider bound.
    pub fn insert(&mut self, mut entry: Entry) {
        let id = entry.identity().fingerprint();
        if let Some(known) = self.entries.remove(&id) {
            entry.max = entry.max.max(known.max);
            entry.reason = entry.reason.or(known.reason);
            entry.until = entry.until.or(known.until);
        }
        self.entries.insert(id, entry);
    }

    /// Adds an entry in place of what was known of the same finding.
    pub fn replace(&mut self, entry: Entry) {
        self.entries.insert(entry.identity().fingerprint(), entry);
    }

    /// Marks known findings, and tells what became of the entries that have none.
    pub fn compare(&self, findings: &mut [Finding], judged: &Judged<'_>) -> Absent {
        let mut open: BTreeMap<&str, &Entry> = self.entries.iter().map(|(id, entry)| (id.as_str(), entry)).collect();
        for finding in findings.iter_mut() {
            open.remove(finding.fingerprint.as_str());
            for covered in &finding.covers {
                open.remove(covered.as_str());
            }
            if let Some(entry) = self.entries.get(&finding.fingerprint) {
                mark(finding, entry, judged.today);
            }
        }
        let mut absent = Absent::default();
        for entry in open.into_values() {
            let list = if judged.covers(entry) { &mut absent.gone } else { &mut absent.not_judged };
            list.push(entry.clone());
        }
        absent.gone.sort();
        absent.not_judged.sort();
        let mut gone_by_rule: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for entry in &absent.gone {
            gone_by_rule.entry(&entry.rule).or_default().push(entry);
        }
        for finding in findings.iter_mut().filter(|finding| finding.state == State::New && finding.hint.is_none()) {
            let candidates = gone_by_rule.get(finding.rule.as_ref()).into_iter().flatten().take(MOST_CANDIDATES);
            if let Some(entry) = candidates.copied().find(|entry| entry.is_renamed(finding)) {
                finding.hint = Some(format!("It was known on `{}`, which is gone: renamed?", entry.entity));
            }
        }
        absent
    }

    /// Takes out what is gone and lowers what got better; adds nothing.
    pub fn update(&mut self, findings: &[Finding], absent: &Absent) {
        for gone in &absent.gone {
            self.entries.remove(&gone.identity().fingerprint());
        }
        for finding in findings {
            if let (Some(now), Some(entry)) = (finding.measure, self.entries.get_mut(&finding.fingerprint)) {
                entry.max = entry.max.map(|max| max.min(now));
            }
        }
    }
}

fn check_version(version: Value<'_>) -> Result<(), String> {
    if version.as_u64() == Some(VERSION) {
        return Ok(());
    }
    Err(format!("version {} of the baseline is unknown; this program reads version {VERSION}", version.raw()))
}

fn mark(finding: &mut Finding, entry: &Entry, today: &str) {
    let is_over = entry.until.as_deref().filter(|until| *until < today);
    let is_worse = finding.measure.zip(entry.max).filter(|(now, max)| now > max);
    if let Some(until) = is_over {
        finding.hint = Some(format!("It was accepted until {until}."));
    } else if let Some((now, max)) = is_worse {
        finding.hint = Some(format!("Worse than accepted: {now} > {max}."));
    } else {
        finding.state = State::Known;
    }
}

impl Judged<'_> {
    fn covers(&self, entry: &Entry) -> bool {
        if (self.off)(&entry.rule) {
            return false;
        }
        // What servers have in common is only known where all of them were read.
        if (self.of_run)(&entry.rule) {
            return self.is_complete && self.servers.iter().all(|server| server.outcome != Outcome::Failed);
        }
        match self.servers.iter().find(|server| server.name == entry.server) {
            Some(server) => server.outcome == Outcome::Checked,
            None => self.is_complete,
        }
    }
}
