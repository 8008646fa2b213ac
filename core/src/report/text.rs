//! The report for people: by server and tool, aligned, the worst first.
//!
//! Colours are written as ANSI sequences; whoever prints the text strips them where they do not belong.
//! Everything that comes from a server or a file passes through [`visible`].

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::clients::{ClientLoss, Effect};
use crate::finding::{Finding, Level, State};
use crate::location::FoundBy;
use crate::report::{ClientLosses, Outcome, Report, ServerReport, Transport};
use crate::site::Kind;
use crate::text::{count, excerpt, grouped, list, visible};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Lines are broken at this width, in characters.
const WIDTH: usize = 110;

/// Writes the report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut page = Page { text: String::new(), explained: HashSet::new() };
    page.configs(report);
    for server in &report.servers {
        page.server(server, report);
    }
    if !report.servers.is_empty() || !report.findings.is_empty() {
        page.summary(report);
    }
    page.text
}

/// Writes the findings alone.
#[must_use]
pub fn findings(findings: &[Finding]) -> String {
    let mut page = Page { text: String::new(), explained: HashSet::new() };
    page.findings(&findings.iter().collect::<Vec<_>>());
    page.text
}

struct Page<'r> {
    text: String,
    /// Rules whose why and fix have been printed: they are said once.
    explained: HashSet<(&'r str, &'r str)>,
}

/// How wide the column of rule ids is for a group of findings.
fn id_width(findings: &[&Finding]) -> usize {
    findings.iter().map(|finding| finding.rule.len()).max().unwrap_or_default().min(WIDTH)
}

impl<'r> Page<'r> {
    /// Findings about files rather than servers.
    fn configs(&mut self, report: &'r Report) {
        let mut files: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for finding in report
            .findings
            .iter()
            .filter(|finding| finding.kind == Kind::Config && finding.server.is_none() && finding.state == State::New)
        {
            let path = finding.location.path.as_str();
            files.entry(path).or_default().push(finding);
        }
        for (path, findings) in files {
            let _ = writeln!(self.text, "{BOLD}{}{BOLD:#}", visible(path));
            self.findings(&findings);
            self.text.push('\n');
        }
    }

    fn server(&mut self, server: &'r ServerReport, report: &'r Report) {
        self.heading(server);
        let own = report.findings.iter().filter(|finding| finding.server.as_deref() == Some(&server.name));
        let own = own.filter(|finding| finding.state == State::New);
        // Notes about the whole server can wait: what is wrong with a tool matters more.
        let (notes, findings): (Vec<&Finding>, Vec<&Finding>) = own.partition(|finding| {
            let is_general = group_title(finding).is_empty();
            is_general && (finding.level == Level::Note || finding.discriminator == "rest")
        });
        for (title, findings) in &grouped_by_title(findings) {
            self.group(title, findings);
        }
        if !notes.is_empty() {
            self.group("Worth knowing", &notes);
        }
        self.matrix(server);
        self.text.push('\n');
    }

    fn group(&mut self, title: &str, findings: &[&'r Finding]) {
        self.text.push('\n');
        if !title.is_empty() {
            let _ = writeln!(self.text, "{BOLD}{}{BOLD:#}", excerpt(title, 120));
        }
        self.findings(findings);
    }

    fn heading(&mut self, server: &ServerReport) {
        let version =
            server.server_info.as_ref().and_then(|info| info.get("version")).and_then(serde_json::Value::as_str);
        let own_name =
            server.server_info.as_ref().and_then(|info| info.get("name")).and_then(serde_json::Value::as_str);
        let mut title = visible(&server.name);
        match (own_name.filter(|name| *name != server.name), version) {
            (Some(name), Some(version)) => {
                let _ = write!(title, " ({} {})", visible(name), visible(version));
            }
            (None, Some(version)) => {
                let _ = write!(title, " {}", visible(version));
            }
            (Some(name), None) => {
                let _ = write!(title, " ({})", visible(name));
            }
            (None, None) => {}
        }
        let _ = write!(self.text, "{BOLD}{title}{BOLD:#}");
        if let Some(source) = &server.source {
            let _ = write!(self.text, "{DIM}  {}:{}{DIM:#}", visible(&source.path), source.line);
        }
        self.text.push('\n');
        self.wrapped(2, 2, Style::new(), &facts(server));
    }

    fn findings(&mut self, findings: &[&'r Finding]) {
        let width = id_width(findings);
        for finding in findings {
            self.finding(finding, width);
        }
    }

    fn finding(&mut self, finding: &'r Finding, width: usize) {
        const LEVEL_WIDTH: usize = 7;
        /// Details stand under the rule's id: the message's column is too narrow for them.
        const DETAIL: usize = 2 + LEVEL_WIDTH + 2;
        let style = level_style(finding.level);
        let (level, rule) = (finding.level.word(), visible(&finding.rule));
        let _ = write!(self.text, "  {style}{level:LEVEL_WIDTH$}{style:#}  {rule:width$}  ");
        let column = DETAIL + width + 2;
        self.wrap_on(column, column, Style::new(), &visible(&message(finding)));
        if let Some(place) = place(finding) {
            self.wrapped(DETAIL, DETAIL + 4, DIM, &format!("at {place}"));
        }
        if !finding.clients.is_empty() {
            self.wrapped(DETAIL, DETAIL, DIM, &losses(&finding.clients));
        }
        if let Some(hint) = &finding.hint {
            self.wrapped(DETAIL, DETAIL, Style::new(), &visible(hint));
        }
        if self.is_news(&finding.rule, &finding.why) {
            self.wrapped(DETAIL, DETAIL, DIM, &visible(&finding.why));
        }
        if self.is_news(&finding.rule, &finding.fix) {
            self.wrapped(DETAIL, DETAIL + 5, DIM, &format!("Fix: {}", visible(&finding.fix)));
        }
    }

    /// What holds for every finding of a rule is said at the first one.
    fn is_news(&mut self, rule: &'r str, text: &'r str) -> bool {
        !text.is_empty() && self.explained.insert((rule, text))
    }

    /// Who loses what of a server, a client a line.
    fn matrix(&mut self, server: &ServerReport) {
        if server.losses.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "\n{BOLD}Who loses what{BOLD:#}");
        let width = server.losses.iter().map(|loss| loss.name.chars().count()).max().unwrap_or_default().min(WIDTH);
        for loss in &server.losses {
            let _ = write!(self.text, "  {:width$}  ", visible(&loss.name));
            self.wrap_on(width + 4, width + 4, Style::new(), &visible(&lost(loss)));
        }
    }

    fn summary(&mut self, report: &Report) {
        let line = counts(report);
        let style = match report.exit_code {
            0 => AnsiColor::Green.on_default().bold(),
            _ => AnsiColor::Red.on_default().bold(),
        };
        let _ = writeln!(self.text, "{style}{line}{style:#}");
        for remark in remarks(report) {
            self.wrapped(0, 0, DIM, &remark);
        }
    }

    /// A line of its own, broken at words.
    fn wrapped(&mut self, first: usize, rest: usize, style: Style, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', first));
        self.wrap_on(first, rest, style, text);
    }

    /// The rest of a line that is filled up to `column`, broken at words.
    fn wrap_on(&mut self, column: usize, indent: usize, style: Style, text: &str) {
        let mut column = column;
        let mut is_first = true;
        let _ = write!(self.text, "{style}");
        for word in text.split(' ') {
            let length = word.chars().count();
            if !is_first && column + 1 + length > WIDTH {
                let _ = write!(self.text, "{style:#}\n{:indent$}{style}", "");
                column = indent;
            } else if !is_first {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(word);
            column += length;
            is_first = false;
        }
        let _ = writeln!(self.text, "{style:#}");
    }
}

/// How much was found and where: "3 errors, 1 warning, 0 notes in 2 servers, 1 failed".
pub(super) fn counts(report: &Report) -> String {
    let summary = report.summary;
    let parts = [count(summary.errors, "error"), count(summary.warnings, "warning"), count(summary.notes, "note")];
    let servers = summary.servers_checked + summary.servers_failed + summary.servers_skipped;
    let mut line = format!("{} in {}", parts.join(", "), count(servers, "server"));
    for (number, word) in [(summary.servers_failed, "failed"), (summary.servers_skipped, "skipped")] {
        if number > 0 {
            let _ = write!(line, ", {number} {word}");
        }
    }
    line
}

/// What else there is to say of the run as a whole, a sentence each.
fn remarks(report: &Report) -> Vec<String> {
    let summary = report.summary;
    let mut remarks = Vec::new();
    if summary.known > 0 {
        remarks.push(format!("{} of them known to the baseline and not shown; {} new.", summary.known, summary.new));
    }
    remarks.extend(asides(report));
    remarks
}

/// The same, without what holds only where known findings are not shown.
pub(super) fn asides(report: &Report) -> Vec<String> {
    let mut asides = Vec::new();
    if report.summary.gone > 0 {
        let gone = count(report.summary.gone, "finding");
        asides.push(format!("{gone} of the baseline gone: `mcp-lint baseline update` takes them out."));
    }
    if !report.not_judged.is_empty() {
        asides.push(format!("{} of the baseline not judged this time.", count(report.not_judged.len(), "finding")));
    }
    if report.ignored > 0 {
        asides.push(format!("{} ignored by the settings.", count(report.ignored, "finding")));
    }
    for unused in &report.unused_ignores {
        asides.push(visible(&format!("The settings ignore {unused}, but there is no such finding any more.")));
    }
    let live =
        report.servers.iter().any(|server| server.transport == Transport::Stdio && server.outcome != Outcome::Skipped);
    if live {
        let declared = match report.client_capabilities.as_slice() {
            [] => "no capability (no sampling, elicitation or roots)".to_owned(),
            some => visible(&some.join(", ")),
        };
        asides.push(format!("Servers were asked as by a client that declares {declared}."));
    }
    asides
}

/// The counts and what else there is to say of the run as a whole.
#[must_use]
pub fn summary(report: &Report) -> String {
    let mut page = Page { text: String::new(), explained: HashSet::new() };
    page.summary(report);
    page.text
}

/// The message, behind its path where it does not name that itself.
pub(super) fn message(finding: &Finding) -> String {
    if finding.path.is_empty() || finding.message.contains(&finding.path) {
        return finding.message.clone();
    }
    format!("{}: {}", excerpt(&finding.path, 120), finding.message)
}

fn level_style(level: Level) -> Style {
    match level {
        Level::Error => AnsiColor::Red.on_default().bold(),
        Level::Warning => AnsiColor::Yellow.on_default().bold(),
        Level::Note => AnsiColor::Cyan.on_default(),
    }
}

/// The heading a finding stands under: its tool; what is said of the whole server has none.
fn group_title(finding: &Finding) -> String {
    match finding.kind {
        Kind::Tool | Kind::Prompt | Kind::Resource => finding.entity.clone(),
        Kind::Config | Kind::Wire | Kind::Server => String::new(),
    }
}

/// Neighbours with one title.
fn grouped_by_title(findings: Vec<&Finding>) -> Vec<(String, Vec<&Finding>)> {
    let mut groups: Vec<(String, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        let title = group_title(finding);
        match groups.last_mut() {
            Some((last, group)) if *last == title => group.push(finding),
            _ => groups.push((title, vec![finding])),
        }
    }
    groups
}

fn facts(server: &ServerReport) -> String {
    match server.outcome {
        // A note says why.
        Outcome::Skipped => "Skipped.".to_owned(),
        Outcome::Failed => "Not checked: its tools could not be read.".to_owned(),
        Outcome::Checked => checked_facts(server),
    }
}

fn checked_facts(server: &ServerReport) -> String {
    let mut text = count(server.tools, "tool");
    if let Some(form) = &server.form {
        let _ = write!(text, " ({})", visible(form));
    }
    if server.tools > 0 {
        let _ = write!(text, ", {} of definitions", count(server.bytes, "byte"));
        let tokens = server.tokens.o200k.map(|tokens| format!(", {} in o200k", grouped(tokens)));
        let _ = write!(
            text,
            ", about {} in every session{}",
            count(server.tokens.bytes_div_4, "token"),
            tokens.unwrap_or_default(),
        );
    }
    if let Some(longest) = &server.longest_description {
        let _ = write!(
            text,
            "; longest description {} ({})",
            count(longest.chars, "character"),
            excerpt(&longest.tool, 80)
        );
    }
    if server.calls.eligible > 0 {
        let calls = if server.calls.eligible == 1 { "safe call" } else { "safe calls" };
        let _ = write!(text, "; {} of {} {calls} made", server.calls.tried, server.calls.eligible);
    }
    text.push_str(&other_lists(server));
    if let Some(revision) = &server.protocol_version {
        let revisions: Vec<String> = [revision].into_iter().chain(&server.also_speaks).map(|it| visible(it)).collect();
        let _ = write!(text, "; protocol {}", revisions.join(" and "));
    }
    text + "."
}

/// What it lists beside tools.
fn other_lists(server: &ServerReport) -> String {
    let lists =
        [(server.prompts, "prompt"), (server.resources, "resource"), (server.resource_templates, "resource template")];
    let lists = lists.iter().filter(|(size, _)| size.count > 0);
    lists.fold(String::new(), |text, (size, what)| {
        format!("{text}; {} of {}", count(size.count, what), count(size.bytes, "byte"))
    })
}

/// The place in a file, where that says more than the heading.
fn place(finding: &Finding) -> Option<String> {
    let location = &finding.location;
    let is_news = location.found_by != FoundBy::Entry && (location.start_line, location.start_column) != (1, 1);
    is_news.then(|| format!("{}:{}:{}", visible(&location.path), location.start_line, location.start_column))
}

/// Who loses what: "Whole tool list lost in TypeScript SDK 1.x and Python SDK 2.x".
#[must_use]
pub fn losses(clients: &[ClientLoss]) -> String {
    let mut effects: BTreeMap<Effect, Vec<&str>> = BTreeMap::new();
    for client in clients {
        effects.entry(client.effect).or_default().push(&client.name);
    }
    let parts: Vec<String> =
        effects.into_iter().map(|(effect, names)| format!("{} {}", effect.words(), enumerated(&names))).collect();
    // A report that is read from a file may call a client anything.
    visible(&capitalised(&parts.join("; "))) + "."
}

/// A phrase that starts a sentence.
#[must_use]
pub fn capitalised(phrase: &str) -> String {
    let mut letters = phrase.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What one client loses of a server: the whole, then tools by what happens to them.
fn lost(loss: &ClientLosses) -> String {
    const MOST: usize = 4;
    let mut effects: BTreeMap<Effect, Vec<&str>> = BTreeMap::new();
    for (tool, lost) in &loss.tools {
        effects.entry(lost.effect).or_default().push(tool);
    }
    let whole = loss.whole.map(|effect| effect.happens().to_owned());
    let tools = effects.into_iter().map(|(effect, tools)| format!("{}: {}", effect.happens(), list(&tools, MOST)));
    whole.into_iter().chain(tools).collect::<Vec<_>>().join("; ")
}

fn enumerated(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
