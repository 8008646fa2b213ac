//! The report as Markdown: for a job summary, a pull request, or a file beside a release.
//!
//! It names rules, paths and explanations, and holds no definitions. Names and messages come from servers:
//! they are escaped, so that none can break a table, open a link or a tag, or mention anyone.

use std::fmt::Write;

use crate::clients::Effect;
use crate::finding::{Finding, Level, State};
use crate::report::text::{capitalised, losses};
use crate::report::{ClientLosses, Outcome, Report, ServerReport};
use crate::text::{count, grouped, visible};

/// Writes the report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut page = String::from("# mcp-lint\n\n");
    verdict(&mut page, report);
    servers(&mut page, report);
    for server in &report.servers {
        findings(&mut page, server, report);
    }
    configuration(&mut page, report);
    matrix(&mut page, report);
    sizes(&mut page, report);
    cut(page)
}

/// A job summary of over 1 MiB is dropped as a whole, so a longer report is cut at a line.
fn cut(mut page: String) -> String {
    const MOST: usize = 900_000;
    if page.len() > MOST {
        let end = page[..page.floor_char_boundary(MOST)].rfind('\n').unwrap_or(0);
        page.truncate(end);
        page.push_str("\n\nThe rest is left out: the report is too long. The JSON report has all of it.\n");
    }
    page
}

fn verdict(page: &mut String, report: &Report) {
    let summary = report.summary;
    let mark = if report.exit_code == 0 { "Passed" } else { "Failed" };
    let counts = [(summary.errors, "error"), (summary.warnings, "warning"), (summary.notes, "note")];
    let counts: Vec<String> = counts.iter().map(|(number, noun)| count(*number, noun)).collect();
    let known = if summary.known > 0 {
        format!("; {} known to the baseline, {} new", summary.known, summary.new)
    } else {
        String::new()
    };
    let _ = writeln!(page, "**{mark}**: {}{known}.\n", counts.join(", "));
}

fn servers(page: &mut String, report: &Report) {
    if report.servers.is_empty() {
        page.push_str("No server was checked.\n\n");
        return;
    }
    page.push_str("| server | outcome | tools | bytes | ≈ tokens |\n| --- | --- | ---: | ---: | ---: |\n");
    for server in &report.servers {
        let outcome = match (server.outcome, &server.reason) {
            (Outcome::Checked, _) => "checked".to_owned(),
            (Outcome::Failed, Some(reason)) => format!("failed: {}", escape(reason)),
            (Outcome::Failed, None) => "failed".to_owned(),
            (Outcome::Skipped, reason) => format!("skipped: {}", escape(reason.as_deref().unwrap_or("no reason"))),
        };
        let _ = writeln!(
            page,
            "| {} | {outcome} | {} | {} | {} |",
            escape(&server.name),
            server.tools,
            grouped(server.bytes),
            grouped(server.tokens.bytes_div_4),
        );
    }
    page.push('\n');
}

fn findings(page: &mut String, server: &ServerReport, report: &Report) {
    let own: Vec<&Finding> = report
        .findings
        .iter()
        .filter(|finding| finding.server.as_deref() == Some(&server.name) && finding.state == State::New)
        .collect();
    if own.is_empty() {
        return;
    }
    let _ = writeln!(page, "## {}\n", escape(&server.name));
    table(page, &own);
}

fn configuration(page: &mut String, report: &Report) {
    let own: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.server.is_none() && finding.state == State::New).collect();
    if !own.is_empty() {
        page.push_str("## Configuration\n\n");
        table(page, &own);
    }
}

/// The worst first; why and fix are said once for each rule, below the table.
fn table(page: &mut String, findings: &[&Finding]) {
    page.push_str("| level | rule | where | what |\n| --- | --- | --- | --- |\n");
    let mut sorted = findings.to_vec();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    for finding in &sorted {
        let lost = if finding.clients.is_empty() {
            String::new()
        } else {
            format!("<br>{}", escape(&losses(&finding.clients)))
        };
        let _ = writeln!(
            page,
            "| {} | {} | {} | {}{lost} |",
            level_mark(finding.level),
            escape(&finding.rule),
            place(finding),
            escape(&finding.message),
        );
    }
    page.push('\n');
    let mut explained: Vec<&str> = Vec::new();
    for finding in sorted {
        if !explained.contains(&finding.rule.as_ref()) {
            explained.push(&finding.rule);
            let _ =
                writeln!(page, "- **{}**: {} {}", escape(&finding.rule), escape(&finding.why), escape(&finding.fix));
        }
    }
    page.push('\n');
}

fn level_mark(level: Level) -> &'static str {
    match level {
        Level::Error => "🔴 error",
        Level::Warning => "🟡 warning",
        Level::Note => "🔵 note",
    }
}

fn place(finding: &Finding) -> String {
    let thing = [&finding.entity, &finding.path].into_iter().filter(|part| !part.is_empty());
    let thing = thing.map(|part| code(part)).collect::<Vec<_>>().join(" ");
    let file = code(&format!("{}:{}", finding.location.path, finding.location.start_line));
    [thing, file].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("<br>")
}

/// What each client loses: the whole of a server, else how many tools and which.
fn matrix(page: &mut String, report: &Report) {
    let rows: Vec<(&ServerReport, &ClientLosses)> =
        report.servers.iter().flat_map(|server| server.losses.iter().map(move |loss| (server, loss))).collect();
    if rows.is_empty() {
        return;
    }
    page.push_str(
        "## Who loses what\n\n| client | server | the whole of it | single tools |\n| --- | --- | --- | --- |\n",
    );
    for (server, loss) in rows {
        let whole = loss.whole.map_or(String::new(), |effect| capitalised(effect.happens()));
        let _ = writeln!(page, "| {} | {} | {whole} | {} |", escape(&loss.name), escape(&server.name), tools(loss));
    }
    page.push('\n');
}

fn tools(loss: &ClientLosses) -> String {
    const MOST: usize = 5;
    let mut effects: std::collections::BTreeMap<Effect, Vec<&str>> = std::collections::BTreeMap::new();
    for (tool, lost) in &loss.tools {
        effects.entry(lost.effect).or_default().push(tool);
    }
    let parts = effects.into_iter().map(|(effect, tools)| {
        let named: Vec<String> = tools.iter().take(MOST).map(|tool| code(tool)).collect();
        let more = tools.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}: {}{more}", effect.happens(), named.join(", "))
    });
    parts.collect::<Vec<_>>().join("<br>")
}

fn sizes(page: &mut String, report: &Report) {
    let listed: Vec<&ServerReport> = report.servers.iter().filter(|server| !server.largest.is_empty()).collect();
    if listed.is_empty() {
        return;
    }
    page.push_str("## Largest definitions\n\n| server | tool | bytes | ≈ tokens |\n| --- | --- | ---: | ---: |\n");
    for server in listed {
        for size in &server.largest {
            let tokens = grouped(size.bytes.div_ceil(4));
            let _ = writeln!(
                page,
                "| {} | {} | {} | {tokens} |",
                escape(&server.name),
                code(&size.tool),
                grouped(size.bytes)
            );
        }
    }
    page.push('\n');
}

/// Text of strangers inside Markdown: nothing in it acts.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            ':' => escaped.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!' | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// The same as code: a span of HTML, since no fence of backticks is safe from backticks inside a table.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}
