//! The reports of several jobs, put together: what one job would have found that checked everything.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

use crate::finding::{Finding, Level, State};
use crate::judge::sort_by_place;
use crate::report::{Accepted, Report, ServerReport, rest_key};
use crate::rules;
use crate::text::visible;

/// What the reports say together, before it is held against a baseline.
#[derive(Debug)]
pub struct Merged {
    /// Folder the paths start from.
    pub root: String,
    /// Client capabilities we declared.
    pub client_capabilities: Vec<String>,
    /// All servers, in the order they were configured.
    pub servers: Vec<ServerReport>,
    /// All findings but those about the run as a whole, in the order of the servers; all of them new.
    pub findings: Vec<Finding>,
    /// Findings that stand for others, which come last.
    pub rests: Vec<Finding>,
    /// What the settings accept.
    pub accepted: Vec<Accepted>,
    /// All servers that are configured.
    pub configured: Option<Vec<String>>,
    /// Whether the findings were held against a baseline.
    pub has_baseline: bool,
}

/// Puts reports together; each comes with the name to call it by.
///
/// # Errors
/// When they are not of one run: other versions of the program, roots or baselines, or two of them disagree
/// about a server. Says which, as a sentence.
pub fn merge(reports: Vec<(String, Report)>) -> Result<Merged, String> {
    let Some((first_name, first)) = reports.first() else { return Err("there is no report to merge".to_owned()) };
    for (name, report) in &reports {
        let differs = [
            ("versions of mcp-lint", report.tool.version != first.tool.version),
            ("root folders", report.root != first.root),
            ("configured servers", report.configured != first.configured),
            ("baselines: only one of them has one", report.has_baseline != first.has_baseline),
        ];
        if let Some((what, _)) = differs.iter().find(|(_, differs)| *differs) {
            return Err(format!(
                "{} and {} are not of one run: they have different {what}",
                visible(first_name),
                visible(name)
            ));
        }
    }
    let mut merged = Merged {
        root: first.root.clone(),
        client_capabilities: first.client_capabilities.clone(),
        servers: Vec::new(),
        findings: Vec::new(),
        rests: Vec::new(),
        accepted: Vec::new(),
        configured: first.configured.clone(),
        has_baseline: first.has_baseline,
    };
    merged.take_servers(&reports)?;
    merged.take_findings(reports);
    Ok(merged)
}

impl Merged {
    fn take_servers(&mut self, reports: &[(String, Report)]) -> Result<(), String> {
        let mut known: HashMap<&str, (&str, Value)> = HashMap::new();
        for (file, report) in reports {
            let mut found: HashMap<&str, Vec<(&str, Level)>> = HashMap::new();
            for finding in report.findings.iter().filter(|finding| !is_of_run(finding)) {
                let name = finding.server.as_deref().unwrap_or_default();
                found.entry(name).or_default().push((&finding.fingerprint, finding.level));
            }
            for server in &report.servers {
                let said = said(server, found.get(server.name.as_str()).map_or(&[], Vec::as_slice));
                match known.get(server.name.as_str()) {
                    Some((_, earlier)) if *earlier == said => {}
                    Some((earlier, _)) => {
                        let name = visible(&server.name);
                        return Err(format!(
                            "{} and {} disagree about the server {name}",
                            visible(earlier),
                            visible(file)
                        ));
                    }
                    None => {
                        known.insert(&server.name, (file, said));
                        self.servers.push(server.clone());
                    }
                }
            }
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, name) in self.configured.iter().flatten().enumerate() {
            places.entry(name).or_insert(place);
        }
        let mut servers = std::mem::take(&mut self.servers);
        servers.sort_by_cached_key(|server| places.get(server.name.as_str()).copied().unwrap_or(usize::MAX));
        self.servers = servers;
        Ok(())
    }

    fn take_findings(&mut self, reports: Vec<(String, Report)>) {
        let order: HashMap<String, usize> =
            (0..).zip(&self.servers).map(|(nth, server)| (server.name.clone(), nth)).collect();
        let mut of_servers: Vec<Vec<Finding>> = vec![Vec::new(); self.servers.len()];
        let mut teller: Vec<Option<usize>> = vec![None; self.servers.len()];
        let (mut of_files, mut seen, mut accepted) = (Vec::new(), HashSet::new(), BTreeSet::new());
        for (number, (_, report)) in reports.into_iter().enumerate() {
            accepted.extend(report.accepted);
            // Two reports that know a server say the same of it: the first one tells.
            for server in &report.servers {
                order.get(&server.name).map(|nth| teller[*nth].get_or_insert(number));
            }
            for finding in report.findings.into_iter().filter(|finding| !is_of_run(finding)) {
                let nth = finding.server.as_ref().and_then(|name| order.get(name)).copied();
                let is_told = match nth {
                    Some(nth) => teller[nth] != Some(number),
                    None => !seen.insert(finding.fingerprint.clone()),
                };
                match nth {
                    _ if is_told => {}
                    _ if !finding.covers.is_empty() => self.rests.push(finding),
                    Some(nth) => of_servers[nth].push(as_found(finding)),
                    None => of_files.push(as_found(finding)),
                }
            }
        }
        sort_by_place(&mut of_files);
        self.findings = of_files;
        self.findings.extend(of_servers.into_iter().flatten());
        self.rests.sort_by_cached_key(rest_key);
        self.accepted = accepted.into_iter().collect();
    }
}

/// What a report says of a server that does not change from run to run.
fn said(server: &ServerReport, findings: &[(&str, Level)]) -> Value {
    let mut row = json!(server);
    row["timings_ms"] = Value::Null;
    json!([row, findings])
}

/// Whether a finding came of looking at all servers together, which has to be done anew.
fn is_of_run(finding: &Finding) -> bool {
    rules::is_of_run(&finding.rule)
}

/// Without what a baseline said of it.
fn as_found(finding: Finding) -> Finding {
    Finding { state: State::New, hint: None, ..finding }
}
