//! The report as Markdown: for a job summary, a pull request, or a file beside a release.
//!
//! It names rules, paths and explanations, and holds no definitions. Names and messages come from servers:
//! they are escaped, so that none can break a table, open a link or a tag, or mention anyone.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use crate::clients::Effect;
use crate::finding::{Finding, Level, State};
use crate::report::text::{capitalised, losses};
use crate::report::{ClientLosses, Outcome, Report, ServerReport};
use crate::text::{count, grouped, visible};

/// Bytes that fit into a job summary with room to spare: one of over 1 MiB is dropped as a whole.
const MOST: usize = 900_000;

/// Writes the report, for a job summary.
#[must_use]
pub fn render(report: &Report) -> String {
    within(report, MOST)
}

/// Writes the report in at most so many bytes. Where not all findings fit, the worst are listed and the rest
/// counted.
#[must_use]
pub fn within(report: &Report, most: usize) -> String {
    let mut findings: Vec<&Finding> = report.findings.iter().filter(|finding| finding.state == State::New).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    let whole = page(report, &findings, findings.len());
    if whole.len() <= most {
        return whole;
    }
    // Each finding makes the page longer. Doubling first keeps the pages that are tried near the one that fits.
    let is_short = |listed: usize| page(report, &findings, listed).len() <= most;
    let (mut fits, mut too_many) = (0, 1);
    while too_many < findings.len() && is_short(too_many) {
        (fits, too_many) = (too_many, too_many * 2);
    }
    too_many = too_many.min(findings.len());
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        if is_short(middle) { fits = middle } else { too_many = middle }
    }
    cut(page(report, &findings, fits), most)
}

/// The page with the first few findings.
fn page(report: &Report, findings: &[&Finding], listed: usize) -> String {
    let mut page = String::from("# mcp-lint\n\n");
    verdict(&mut page, report);
    servers(&mut page, report);
    let mut own: BTreeMap<Option<&str>, Vec<&Finding>> = BTreeMap::new();
    for finding in &findings[..listed] {
        own.entry(finding.server.as_deref()).or_default().push(finding);
    }
    for server in &report.servers {
        section(&mut page, &server.name, own.remove(&Some(server.name.as_str())));
    }
    section(&mut page, "Configuration", own.remove(&None));
    for (name, findings) in own {
        section(&mut page, name.unwrap_or_default(), Some(findings));
    }
    if listed < findings.len() {
        let rest = count(findings.len() - listed, "finding");
        let _ = writeln!(page, "And {rest} more, none worse than these; the JSON report has all of them.\n");
    }
    matrix(&mut page, report);
    sizes(&mut page, report);
    page
}

/// A page that is too long even without findings ends at a line.
fn cut(mut page: String, most: usize) -> String {
    const END: &str = "\n\nThe rest is left out: the report is too long. The JSON report has all of it.\n";
    if page.len() > most {
        let end = page.floor_char_boundary(most.saturating_sub(END.len()));
        page.truncate(page[..end].rfind('\n').unwrap_or(0));
        page.push_str(END);
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
    other_lists(page, report);
}

/// What servers list beside tools.
fn other_lists(page: &mut String, report: &Report) {
    let lists = |server: &ServerReport| {
        [
            ("prompts", server.prompts),
            ("resources", server.resources),
            ("resource templates", server.resource_templates),
        ]
        .map(|(what, size)| (size.count > 0).then(|| format!("{} {what}, {} bytes", size.count, grouped(size.bytes))))
    };
    let rows: Vec<String> = report
        .servers
        .iter()
        .filter_map(|server| {
            let lists: Vec<String> = lists(server).into_iter().flatten().collect();
            (!lists.is_empty()).then(|| format!("{}: {}", escape(&server.name), lists.join("; ")))
        })
        .collect();
    if !rows.is_empty() {
        let _ = writeln!(page, "Beside tools: {}.\n", rows.join(". "));
    }
}

fn section(page: &mut String, title: &str, findings: Option<Vec<&Finding>>) {
    if let Some(findings) = findings {
        let _ = writeln!(page, "## {}\n", escape(title));
        table(page, &findings);
    }
}

/// The worst first, as they come; why and fix are said once for each rule, below the table.
fn table(page: &mut String, findings: &[&Finding]) {
    page.push_str("| level | rule | where | what |\n| --- | --- | --- | --- |\n");
    for finding in findings {
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
    let mut explained: HashSet<&str> = HashSet::new();
    for finding in findings {
        if explained.insert(&finding.rule) {
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
    let mut effects: BTreeMap<Effect, Vec<&str>> = BTreeMap::new();
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
///
/// Escapes keep it from being Markdown or HTML. GitHub then looks through the finished page for mentions,
/// references to issues, emoji names and addresses to make links of; an invisible `<wbr>` in the middle
/// keeps each from being recognised.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = visible(text);
    rest.push(' ');
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(next) = letters.peek() else { break };
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("&#64;"),
            ':' => escaped.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!' | '|' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            plain => escaped.push(plain),
        }
        let starts_link = matches!(letter, '@' | '#' | ':') || (letter == '.' && ends_with_www(&escaped));
        if starts_link && !next.is_whitespace() {
            escaped.push_str("<wbr>");
        }
    }
    escaped
}

fn ends_with_www(text: &str) -> bool {
    let end = text.as_bytes().last_chunk::<4>();
    end.is_some_and(|end| end.eq_ignore_ascii_case(b"www."))
}

/// The same as code: a span of HTML, since no fence of backticks is safe from backticks inside a table.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}
