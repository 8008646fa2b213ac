//! `merge`: the reports of a matrix as one.

use std::path::Path;

use anyhow::bail;
use mcp_lint_core::judge::judge_run;
use mcp_lint_core::merge::merge;

use super::report::load;
use crate::args;
use crate::output;
use crate::standards::{Frame, Standards, Terms};

/// Merges reports; gives the exit code that they stand for together.
///
/// # Errors
/// When one cannot be read, or they are not of one run.
pub(crate) fn run(args: &args::Merge) -> anyhow::Result<u8> {
    let reports: anyhow::Result<Vec<_>> =
        args.reports.iter().map(|path| Ok((path.display().to_string(), load(path)?))).collect();
    let merged = merge(reports?).map_err(anyhow::Error::msg)?;
    let mut standards = Standards::read(&args.verdict, Path::new(&merged.root))?;
    standards.terms = Terms::read(&args.verdict, Path::new(&merged.root))?;
    if standards.baseline.is_some() != merged.has_baseline {
        let (theirs, ours) = if merged.has_baseline { ("a", "none") } else { ("no", "one") };
        bail!("the reports were made with {theirs} baseline, and here is {ours}: give the same one with --baseline");
    }
    let most = standards.policy.limits.max_per_rule;
    let mut findings = merged.findings;
    findings.extend(judge_run(&merged.servers, &standards.policy));
    findings.extend(merged.rests);
    let frame = Frame {
        root: merged.root,
        client_capabilities: merged.client_capabilities,
        configured: merged.configured,
        accepted: merged.accepted,
        standards,
    };
    let mut report = frame.report(merged.servers, findings);
    report.cap(most);
    output::publish(&report, &args.output)?;
    Ok(report.exit_code)
}
