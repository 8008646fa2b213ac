//! The report as JUnit XML: a suite for each server, a case for each tool, and one for the server as a whole.
//!
//! What fails the check is a failure; what else was found is the output of its case. A server that could not
//! be checked is an error, also where the baseline knows of it.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite};

use crate::finding::Finding;
use crate::report::agent::line;
use crate::report::{Outcome, Report, ServerReport};
use crate::site::Kind;
use crate::text::{count, excerpt};

/// Characters of a name, and of a sentence.
const LONGEST_NAME: usize = 1_000;
const LONGEST_TEXT: usize = 2_000;

/// Name of the case for a server as a whole: no tool has a space in its name.
const WHOLE: &str = "the server";

/// Name of the suite for what belongs to no server.
const CONFIGURATION: &str = "configuration";

/// Writes the report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut own: HashMap<&str, Vec<&Finding>> = HashMap::new();
    let mut rest: Vec<&Finding> = Vec::new();
    let servers: HashSet<&str> = report.servers.iter().map(|server| server.name.as_str()).collect();
    for finding in &report.findings {
        match finding.server.as_deref().filter(|name| servers.contains(name)) {
            Some(server) => own.entry(server).or_default().push(finding),
            None => rest.push(finding),
        }
    }
    let mut suites = Suites::new("mcp-lint");
    for server in &report.servers {
        suites.add_test_suite(suite(report, server, &own.remove(server.name.as_str()).unwrap_or_default()));
    }
    if !rest.is_empty() {
        let mut suite = TestSuite::new(CONFIGURATION);
        suite.add_test_case(case(report, CONFIGURATION, "configuration files", &rest, None));
        suites.add_test_suite(suite);
    }
    // Writing to memory cannot fail.
    suites.to_string().unwrap_or_default()
}

fn suite(report: &Report, server: &ServerReport, findings: &[&Finding]) -> TestSuite {
    let name = excerpt(&server.name, LONGEST_NAME);
    let mut tools: HashMap<&str, Vec<&Finding>> =
        server.tool_names.iter().map(|tool| (tool.as_str(), Vec::new())).collect();
    let mut whole: Vec<&Finding> = Vec::new();
    for finding in findings {
        match tools.get_mut(finding.entity.as_str()).filter(|_| finding.kind == Kind::Tool) {
            Some(tool) => tool.push(finding),
            None => whole.push(finding),
        }
    }
    let mut suite = TestSuite::new(name.as_str());
    let mut first = case(report, &name, WHOLE, &whole, unchecked(server));
    if let Some(timings) = server.timings_ms {
        first.set_time(Duration::from_millis(timings.total));
        suite.set_time(Duration::from_millis(timings.total));
    }
    suite.add_test_case(first);
    for tool in &server.tool_names {
        // A name that is listed twice has one case.
        if let Some(findings) = tools.remove(tool.as_str()) {
            suite.add_test_case(case(report, &name, tool, &findings, None));
        }
    }
    suite
}

/// What a server that was not checked comes to.
fn unchecked(server: &ServerReport) -> Option<TestCaseStatus> {
    let (mut status, reason) = match server.outcome {
        Outcome::Checked => return None,
        Outcome::Failed => (TestCaseStatus::non_success(NonSuccessKind::Error), "its tools could not be read"),
        Outcome::Skipped => (TestCaseStatus::skipped(), "skipped"),
    };
    status.set_message(excerpt(server.reason.as_deref().unwrap_or(reason), LONGEST_TEXT));
    Some(status)
}

/// A case with what was found. What fails the check goes before any other status.
fn case(report: &Report, suite: &str, name: &str, findings: &[&Finding], status: Option<TestCaseStatus>) -> TestCase {
    let (failing, others): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|finding| report.is_failing(finding));
    let is_error = matches!(&status, Some(TestCaseStatus::NonSuccess { .. }));
    let status = match (status, failing.first()) {
        (Some(mut status), Some(_)) if is_error => {
            status.set_description(lines(&failing));
            status
        }
        (_, Some(first)) => failure(first, &failing),
        (Some(status), None) => status,
        (None, None) => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(excerpt(name, LONGEST_NAME), status);
    case.set_classname(suite);
    if !others.is_empty() {
        case.set_system_out(lines(&others));
    }
    case
}

fn failure(first: &Finding, failing: &[&Finding]) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let more = match failing.len() - 1 {
        0 => String::new(),
        more => format!(" (and {} more)", count(more, "finding")),
    };
    status.set_type(excerpt(&first.rule, LONGEST_NAME));
    status.set_message(excerpt(&first.message, LONGEST_TEXT) + &more);
    status.set_description(lines(failing));
    status
}

fn lines(findings: &[&Finding]) -> String {
    findings.iter().map(|finding| line(finding)).collect::<Vec<_>>().join("\n")
}
