//! `baseline`: keep the file of known findings.

use anyhow::bail;
use mcp_lint_core::baseline::{Absent, Baseline, Entry};
use mcp_lint_core::finding::{Finding, State};
use mcp_lint_core::report::{Outcome, Report};
use mcp_lint_core::rules;
use mcp_lint_core::text::{count, list};

use super::check::carry_out;
use crate::args::{self, Check, Color};
use crate::output;
use crate::standards::{baseline_path, read_baseline};

/// Changes the baseline; gives the exit code.
///
/// # Errors
/// When the check cannot be carried out, or the file cannot be read or written.
pub(crate) fn run(action: &args::Baseline) -> anyhow::Result<u8> {
    match action {
        args::Baseline::Create { check, allow_partial } => create(check, *allow_partial),
        args::Baseline::Update { check } => update(check),
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

fn create(check: &Check, allow_partial: bool) -> anyhow::Result<()> {
    // A broken file is replaced, but what was accepted in a readable one keeps its reasons.
    let before = read_baseline(&check.verdict, &check.what.root)?.unwrap_or_default();
    let (report, _) = carry_out(check)?;
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
    save(check, &baseline, &format!("{} written", count(baseline.entries().len(), "known finding")))
}

fn update(check: &Check) -> anyhow::Result<()> {
    let Some(mut baseline) = read_baseline(&check.verdict, &check.what.root)? else {
        bail!("there is no baseline at {}", baseline_path(&check.verdict, &check.what.root).display())
    };
    let (Report { findings, gone, not_judged, .. }, _) = carry_out(check)?;
    let absent = Absent { gone, not_judged };
    let before = baseline.clone();
    baseline.update(&findings, &absent);
    if baseline == before {
        return say("Nothing to update: every entry is still there.");
    }
    save(check, &baseline, &format!("{} taken out", count(absent.gone.len(), "finding")))
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
