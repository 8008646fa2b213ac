//! `baseline`: keep the file of known findings.

use anyhow::bail;
use mcp_lint_core::baseline::{Absent, Baseline, Entry};
use mcp_lint_core::contract;
use mcp_lint_core::finding::{Finding, State};
use mcp_lint_core::report::{Outcome, Report};
use mcp_lint_core::rules;
use mcp_lint_core::text::{count, list};

use super::check::{Listings, carry_out, carry_out_under};
use crate::args::{self, Check, Color};
use crate::output;
use crate::standards::{Terms, baseline_path, contract_path, read_baseline, read_contract};

/// Changes the baseline; gives the exit code.
///
/// # Errors
/// When the check cannot be carried out, or the file cannot be read or written.
pub(crate) fn run(action: &args::Baseline) -> anyhow::Result<u8> {
    match action {
        args::Baseline::Create { check, allow_partial, snapshot } => create(check, *allow_partial, *snapshot),
        args::Baseline::Update { check, snapshot } => update(check, *snapshot),
        args::Baseline::Accept { check, rule, all, reason, until } => {
            if rule.is_empty() && !all {
                bail!("say which findings to accept: --rule RULE, or --all");
            }
            if let Some(unknown) = rule.iter().find(|rule| rules::find(rule).is_none()) {
                bail!("there is no rule {unknown:?}; `mcp-lint rules` lists them");
            }
            accept(
                check,
                |finding| *all || rule.iter().any(|rule| *rule == finding.rule),
                reason.as_ref(),
                until.as_ref(),
            )
        }
    }
    .map(|()| 0)
}

fn create(check: &Check, allow_partial: bool, snapshot: bool) -> anyhow::Result<()> {
    // A broken file is replaced, but what was accepted in a readable one keeps its reasons.
    let before = read_baseline(&check.verdict, &check.what.root)?.unwrap_or_default();
    let run = Run::of(check, snapshot)?;
    let report = &run.report;
    let failed: Vec<&String> =
        report.servers.iter().filter(|server| server.outcome == Outcome::Failed).map(|server| &server.name).collect();
    if !failed.is_empty() && !allow_partial {
        bail!(
            "{} could not be checked, so the baseline would be incomplete; --allow-partial writes it all the same",
            list(&failed, 5)
        );
    }
    // That a server does not start is never known: it stays an error until it does.
    let is_failed = |finding: &&Finding| finding.server.as_ref().is_some_and(|name| failed.contains(&name));
    let mut baseline = Baseline::of(report.findings.iter().filter(|finding| !is_failed(finding)));
    for entry in before.entries().into_iter().filter(|entry| entry.reason.is_some() || entry.until.is_some()) {
        if report
            .findings
            .iter()
            .any(|finding| Entry::of(finding) == Entry { reason: None, until: None, ..entry.clone() })
        {
            baseline.insert(entry.clone());
        }
    }
    // What this run did not look at is known as before.
    report.not_judged.iter().for_each(|entry| baseline.insert(entry.clone()));
    let written = run.save_contract(check)?;
    save(check, &baseline, &format!("{written}{} written", count(baseline.entries().len(), "known finding")))
}

fn update(check: &Check, snapshot: bool) -> anyhow::Result<()> {
    let Some(mut baseline) = read_baseline(&check.verdict, &check.what.root)? else {
        bail!("there is no baseline at {}", baseline_path(&check.verdict, &check.what.root).display())
    };
    let run = Run::of(check, snapshot)?;
    let written = run.save_contract(check)?;
    let Report { findings, gone, not_judged, .. } = run.report;
    let absent = Absent { gone, not_judged };
    let before = baseline.clone();
    baseline.update(&findings, &absent);
    if baseline == before {
        return say(&format!("{written}Nothing to update: every entry is still there."));
    }
    save(check, &baseline, &format!("{written}{} taken out", count(absent.gone.len(), "finding")))
}

/// A check, and the contract where that is to be written anew.
struct Run {
    report: Report,
    contract: Option<Listings>,
}

impl Run {
    fn of(check: &Check, snapshot: bool) -> anyhow::Result<Self> {
        if !snapshot {
            return Ok(Self { report: carry_out(check)?.0, contract: None });
        }
        // Read first: a contract of a later version is not written over.
        let path = contract_path(&check.verdict, &check.what.root);
        let before = path.is_file().then(|| read_contract(&path)).transpose()?;
        let (report, listings, _) = carry_out_under(check, Terms::Anew)?;
        let is_here = |name: &String| report.servers.iter().any(|server| server.name == *name);
        let is_complete = report.configured.as_ref().is_some_and(|all| all.iter().all(is_here));
        // What this run did not look at, or could not read, holds as before; a server that is no more does not.
        let mut contract = before.map(|contract| contract.listings()).unwrap_or_default();
        contract.retain(|name, _| !is_complete || is_here(name));
        contract.extend(listings);
        Ok(Self { report, contract: Some(contract) })
    }

    /// Gives the line to say, where there was something to save.
    fn save_contract(&self, check: &Check) -> anyhow::Result<String> {
        let Some(listings) = &self.contract else { return Ok(String::new()) };
        let path = contract_path(&check.verdict, &check.what.root);
        output::write_file(&path, &contract::render(listings))?;
        Ok(format!("Contract with {} written: {}\n", count(listings.len(), "server"), path.display()))
    }
}

fn accept(
    check: &Check,
    is_meant: impl Fn(&Finding) -> bool,
    reason: Option<&String>,
    until: Option<&String>,
) -> anyhow::Result<()> {
    let mut baseline = read_baseline(&check.verdict, &check.what.root)?.unwrap_or_default();
    let (report, _) = carry_out(check)?;
    let accepted: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.state == State::New && is_meant(finding)).collect();
    if accepted.is_empty() {
        return say("Nothing to accept: there is no such new finding.");
    }
    for finding in &accepted {
        let entry = Entry { reason: reason.cloned(), until: until.cloned(), ..Entry::of(finding) };
        baseline.replace(entry);
    }
    save(check, &baseline, &format!("{} accepted", count(accepted.len(), "finding")))
}

fn save(check: &Check, baseline: &Baseline, what: &str) -> anyhow::Result<()> {
    let path = baseline_path(&check.verdict, &check.what.root);
    output::write_file(&path, &baseline.render())?;
    say(&format!("{what}: {}", path.display()))
}

fn say(what: &str) -> anyhow::Result<()> {
    output::print(&format!("{what}\n"), Color::Auto)
}
