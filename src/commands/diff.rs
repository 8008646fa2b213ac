//! `diff`: what changed between two saved listings.

use anyhow::bail;
use mcp_lint_core::judge::judge_changes;
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::Report;

use crate::args::{Diff, FailLevel};
use crate::output;
use crate::standards::failing;
use crate::targets::read_json;

/// Compares two listings; gives the exit code.
///
/// # Errors
/// When one cannot be read or holds no tools, or the report cannot be written.
pub(crate) fn run(diff: &Diff) -> anyhow::Result<u8> {
    if diff.old == diff.new && diff.old.as_os_str() == "-" {
        bail!("only one of the two listings can come from stdin");
    }
    let ((old, former), (new, present)) = (read_json(&diff.old)?, read_json(&diff.new)?);
    let policy = Policy::default();
    let verdict = judge_changes((&old, &former), (&new, &present), &policy).map_err(anyhow::Error::msg)?;
    let fail_on = failing(if diff.strict { FailLevel::Warning } else { diff.fail_on });
    let mut report = Report::new(".".to_owned(), vec![verdict.server], verdict.findings, fail_on);
    report.cap(policy.limits.max_per_rule);
    output::publish(&report, &diff.output)?;
    Ok(report.exit_code)
}
