//! The report as one page of HTML: it loads nothing, and reads in full without its script, which only filters.
//!
//! Everything that comes from a server or a file passes through [`escape`]. Should that ever fail, the page's
//! policy still lets no script run but the one whose hash it names, and nothing be loaded from anywhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::clients::Effect;
use crate::finding::{Finding, Level, State};
use crate::report::text::{asides, counts, losses, message};
use crate::report::{ClientLosses, Outcome, Report, ServerReport};
use crate::site::Kind;
use crate::text::{count, excerpt, grouped};

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Characters of a name or path, and of a sentence.
const LONGEST_NAME: usize = 300;
const LONGEST_TEXT: usize = 4_000;

/// Findings up to which all groups are unfolded at first, and those of a group of errors that always are.
const FEW: usize = 100;
const FEW_ERRORS: usize = 20;

/// Rows of tools of all matrices together: more would be no overview any more.
const MOST_ROWS: usize = 2_000;

/// Servers up to which their tables are unfolded at first.
const FEW_SERVERS: usize = 5;

/// Heading of a column of bars, which need none to be seen.
const SHARE: &str = "Share";

/// Writes the page.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut page = Page { html: String::new(), report };
    page.head();
    page.header();
    page.servers();
    page.matrices();
    page.findings();
    page.sizes();
    page.end();
    page.html
}

struct Page<'r> {
    html: String,
    report: &'r Report,
}

/// Findings of one rule, and what holds for all of them.
struct Group<'r> {
    rule: &'r str,
    level: Level,
    findings: Vec<&'r Finding>,
    why: Option<&'r str>,
    fix: Option<&'r str>,
    losses: Option<String>,
}

impl Page<'_> {
    /// Adds markup on a line of its own.
    fn add(&mut self, html: &str) {
        if !html.is_empty() {
            self.html.push_str(html);
            self.html.push('\n');
        }
    }

    fn head(&mut self) {
        let policy = format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
            hash(STYLE),
            hash(SCRIPT)
        );
        let title = verdict(self.report);
        self.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">");
        self.add(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"));
        self.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        self.add("<meta name=\"referrer\" content=\"no-referrer\">");
        self.add(&format!("<title>mcp-lint: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>"));
    }

    fn header(&mut self) {
        let summary = self.report.summary;
        let tool = &self.report.tool;
        let class = if self.report.exit_code == 0 { "passed" } else { "failed" };
        self.add(&format!("<header>\n<p class=\"made\">{} {}</p>", escape(&tool.name), escape(&tool.version)));
        self.add(&format!("<h1>The check <span class=\"{class}\">{}</span></h1>", verdict(self.report)));
        self.add(&format!("<p class=\"quiet\">{}</p>", escape(&counts(self.report))));
        let mut tiles = vec![
            ("error", summary.errors, "errors"),
            ("warning", summary.warnings, "warnings"),
            ("note", summary.notes, "notes"),
        ];
        if self.report.has_baseline {
            let baseline = [(summary.new, "new"), (summary.known, "known"), (summary.gone, "gone")];
            tiles.extend(baseline.map(|(number, name)| ("state", number, name)));
        }
        self.add("<dl class=\"tiles\">");
        for (class, number, name) in tiles {
            let class = if number == 0 { "none" } else { class };
            self.add(&format!("<div class=\"{class}\"><dt>{name}</dt><dd>{}</dd></div>", grouped(number)));
        }
        self.add("</dl>");
        let asides = asides(self.report);
        if !asides.is_empty() {
            self.add("<ul class=\"asides\">");
            asides.iter().for_each(|aside| self.add(&format!("<li>{}</li>", prose(aside))));
            self.add("</ul>");
        }
        self.contents();
        self.add("</header>\n<main>");
    }

    fn contents(&mut self) {
        let has_losses = self.report.servers.iter().any(|server| !server.losses.is_empty());
        let has_sizes = self.report.servers.iter().any(|server| !server.largest.is_empty());
        let parts = [
            (true, "servers", "Servers"),
            (has_losses, "losses", "Who loses what"),
            (true, "findings", "Findings"),
            (has_sizes, "sizes", "Largest definitions"),
        ];
        self.add("<nav aria-label=\"Contents\">\n<ul>");
        for (_, id, title) in parts.iter().filter(|(is_there, ..)| *is_there) {
            self.add(&format!("<li><a href=\"#{id}\">{title}</a></li>"));
        }
        self.add("</ul>\n</nav>");
    }

    fn servers(&mut self) {
        self.add("<section aria-labelledby=\"servers\">\n<h2 id=\"servers\">Servers</h2>");
        if self.report.servers.is_empty() {
            self.add("<p>No server was checked.</p>\n</section>");
            return;
        }
        const COLUMNS: &[&str] = &["Server", "Outcome", "Revision", "#Tools", "#Bytes", "#≈ Tokens", SHARE];
        // One server alone has nothing to be compared with.
        let is_one = self.report.servers.len() == 1;
        self.open_table("Servers", &COLUMNS[..COLUMNS.len() - usize::from(is_one)]);
        let most = self.report.servers.iter().map(|server| server.bytes).max().filter(|_| !is_one);
        for server in &self.report.servers {
            self.server(server, most);
        }
        self.close_table();
        self.add("</section>");
    }

    fn server(&mut self, server: &ServerReport, most: Option<usize>) {
        let place = server.source.as_ref().map_or(String::new(), |source| {
            format!("<br><span class=\"quiet small\">{}:{}</span>", name(&source.path), source.line)
        });
        let (class, word) = match server.outcome {
            Outcome::Checked => ("good", "checked"),
            Outcome::Failed => ("error", "failed"),
            Outcome::Skipped => ("quiet", "skipped"),
        };
        let reason = server.reason.as_deref().map_or(String::new(), |reason| {
            format!("<br><span class=\"quiet small\">{}</span>", prose(&excerpt(reason, LONGEST_TEXT)))
        });
        let revision = server.protocol_version.as_deref().unwrap_or("–");
        self.add(&format!("<tr><th scope=\"row\">{}{place}</th>", name(&server.name)));
        self.add(&format!("<td class=\"outcome\"><span class=\"tag {class}\">{word}</span>{reason}</td><td class=\"revision\">{}</td>", name(revision)));
        let is_checked = server.outcome == Outcome::Checked;
        self.add(&match is_checked {
            true => numbers(&[server.tools, server.bytes, server.tokens.bytes_div_4]),
            false => "<td class=\"number\">–</td>".repeat(3),
        });
        if let Some(most) = most {
            let bar = if is_checked { bar(server.bytes, most) } else { String::new() };
            self.add(&format!("<td class=\"bar-cell\">{bar}</td>"));
        }
        self.add("</tr>");
    }

    /// Who loses what: for each server a table, tool by client.
    fn matrices(&mut self) {
        let servers: Vec<&ServerReport> =
            self.report.servers.iter().filter(|server| !server.losses.is_empty()).collect();
        if servers.is_empty() {
            return;
        }
        self.add("<section aria-labelledby=\"losses\">\n<h2 id=\"losses\">Who loses what</h2>");
        let used: BTreeSet<Effect> = servers.iter().flat_map(|server| &server.losses).flat_map(effects).collect();
        let mut room = MOST_ROWS;
        for server in &servers {
            self.open_server(&server.name, &count(server.losses.len(), "client"), servers.len());
            self.matrix(server, &mut room);
            self.add("</details>");
        }
        self.add("<dl class=\"legend\" aria-hidden=\"true\">");
        for effect in used {
            self.add(&format!("<div><dt>{}</dt><dd>{}</dd></div>", mark(effect), effect.happens()));
        }
        self.add("</dl>\n</section>");
    }

    fn matrix(&mut self, server: &ServerReport, room: &mut usize) {
        let rows = losing_tools(server);
        let listed = rows.len().min(*room);
        *room -= listed;
        self.add("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Tools by client\">");
        self.add("<table class=\"matrix\">\n<thead><tr><th scope=\"col\">Tool</th>");
        for loss in &server.losses {
            self.add(&format!("<th scope=\"col\"><span>{}</span></th>", name(&loss.name)));
        }
        self.add("</tr></thead>\n<tbody>");
        if server.losses.iter().any(|loss| loss.whole.is_some()) {
            let cells = server.losses.iter().map(|loss| cell(loss.whole)).collect::<String>();
            self.add(&format!("<tr class=\"whole\"><th scope=\"row\">the whole server</th>{cells}</tr>"));
        }
        for tool in &rows[..listed] {
            let of_tool = |loss: &ClientLosses| loss.tools.get(*tool).map(|lost| lost.effect);
            let cells = server.losses.iter().map(|loss| cell(of_tool(loss))).collect::<String>();
            self.add(&format!("<tr><th scope=\"row\"><code>{}</code></th>{cells}</tr>", name(tool)));
        }
        self.close_table();
        if listed < rows.len() {
            let more = count(rows.len() - listed, "tool");
            self.add(&format!("<p class=\"inside\">And {more} more; the JSON report has all.</p>"));
        }
    }

    fn findings(&mut self) {
        self.add("<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>");
        let groups = groups(&self.report.findings);
        if groups.is_empty() {
            self.add("<p>Nothing was found.</p>\n</section>");
            return;
        }
        self.filters(&groups);
        let is_short = self.report.findings.len() <= FEW;
        let servers = self.report.servers.iter().enumerate();
        let servers: HashMap<&str, usize> = servers.map(|(nth, server)| (server.name.as_str(), nth)).collect();
        for (nth, group) in groups.iter().enumerate() {
            let open = is_short || (group.level == Level::Error && group.findings.len() <= FEW_ERRORS);
            self.group(nth, group, open, &servers);
        }
        self.add("</section>");
    }

    /// Shown by the script, since it does nothing without.
    fn filters(&mut self, groups: &[Group<'_>]) {
        let levels = [Level::Error, Level::Warning, Level::Note].into_iter();
        let levels = levels.filter(|level| self.report.findings.iter().any(|finding| finding.level == *level));
        self.add("<form id=\"filters\" hidden>\n<fieldset><legend>Level</legend>");
        for word in levels.map(Level::word) {
            self.add(&format!(
                "<label><input type=\"checkbox\" name=\"level\" value=\"{word}\" checked> {word}s</label>"
            ));
        }
        self.add("</fieldset>");
        if self.report.servers.len() > 1 {
            self.choice("server", "Server", "all", self.report.servers.iter().map(|server| server.name.as_str()));
        }
        self.choice("rule", "Rule", "all", groups.iter().map(|group| group.rule));
        if self.report.findings.iter().any(|finding| finding.state == State::Known) {
            self.add("<div class=\"field\"><label for=\"state\">State</label><select id=\"state\" name=\"state\">");
            self.add("<option value=\"\">new and known</option><option value=\"new\">new</option>");
            self.add("<option value=\"known\">known</option></select></div>");
        }
        self.add("<div class=\"field\"><label for=\"words\">Words</label>");
        self.add("<input type=\"search\" id=\"words\" name=\"words\" autocomplete=\"off\"></div>");
        self.add("<div><button type=\"reset\">Show all</button> <button type=\"button\" id=\"open\">Unfold</button>");
        self.add("<button type=\"button\" id=\"close\">Fold</button></div>\n</form>");
        self.add("<p id=\"shown\" role=\"status\"></p>");
    }

    /// A list to choose from; what is chosen is a number, so that no stranger's text is compared.
    fn choice<'n>(&mut self, id: &str, label: &str, all: &str, names: impl Iterator<Item = &'n str>) {
        self.add(&format!(
            "<div class=\"field\"><label for=\"{id}\">{label}</label><select id=\"{id}\" name=\"{id}\">"
        ));
        self.add(&format!("<option value=\"\">{all}</option>"));
        names.enumerate().for_each(|(nth, text)| self.add(&format!("<option value=\"{nth}\">{}</option>", name(text))));
        self.add("</select></div>");
    }

    fn group(&mut self, nth: usize, group: &Group<'_>, open: bool, servers: &HashMap<&str, usize>) {
        let (rule, level) = (name(group.rule), group.level.word());
        let open = if open { " open" } else { "" };
        self.add(&format!("<details class=\"rule\" data-rule=\"{nth}\" data-name=\"{rule}\"{open}>"));
        self.add(&format!(
            "<summary><span class=\"tag {level}\">{level}</span> <h3>{rule}</h3> <span class=\"count quiet small\">{}</span></summary>",
            count(group.findings.len(), "finding")
        ));
        self.add("<div class=\"inside\">");
        let shared = [
            paragraph("quiet", group.why.unwrap_or_default()),
            paragraph("quiet", group.losses.as_deref().unwrap_or_default()),
            paragraph("fix", &with_fix(group.fix.unwrap_or_default())),
        ];
        self.add(&format!("<div class=\"explained\">{}</div>", shared.concat()));
        self.add("<ul class=\"findings\">");
        for finding in &group.findings {
            let server = finding.server.as_deref().and_then(|server| servers.get(server));
            self.finding(finding, group, server.copied());
        }
        self.add("</ul>\n</div>\n</details>");
    }

    fn finding(&mut self, finding: &Finding, group: &Group<'_>, server: Option<usize>) {
        let (level, state) = (finding.level.word(), state_word(finding.state));
        let server = server.map_or(String::new(), |nth| format!(" data-server=\"{nth}\""));
        let mut tags = String::new();
        if finding.level != group.level {
            let _ = write!(tags, "<span class=\"tag {level}\">{level}</span>");
        }
        if finding.state == State::Known {
            tags.push_str("<span class=\"tag\">known</span>");
        }
        self.add(&format!("<li data-level=\"{level}\" data-state=\"{state}\"{server}>{}<div>", thing(finding)));
        self.add(&format!("<p class=\"what\">{tags}{}</p>", sentence(&message(finding))));
        let hint = finding.hint.as_deref().unwrap_or_default();
        let why = if group.why.is_none() { &finding.why } else { "" };
        let lost = if group.losses.is_none() { lost(finding) } else { String::new() };
        let fix = if group.fix.is_none() { with_fix(&finding.fix) } else { String::new() };
        for detail in [hint, why, &lost, &fix] {
            self.add(&paragraph("detail", detail));
        }
        let location = &finding.location;
        let place =
            format!("{}:{}:{}", excerpt(&location.path, LONGEST_NAME), location.start_line, location.start_column);
        self.add(&format!("<p class=\"detail\"><code>{}</code></p></div></li>", escape(&place)));
    }

    fn sizes(&mut self) {
        let servers: Vec<&ServerReport> =
            self.report.servers.iter().filter(|server| !server.largest.is_empty()).collect();
        if servers.is_empty() {
            return;
        }
        let most = servers.iter().flat_map(|server| &server.largest).map(|size| size.bytes).max().unwrap_or_default();
        self.add("<section aria-labelledby=\"sizes\">\n<h2 id=\"sizes\">Largest definitions</h2>");
        for server in &servers {
            self.open_server(&server.name, &count(server.tools, "tool"), servers.len());
            self.open_table("Largest definitions", &["Tool", "#Bytes", "#≈ Tokens", SHARE]);
            for size in &server.largest {
                self.add(&format!("<tr><th scope=\"row\"><code>{}</code></th>", name(&size.tool)));
                self.add(&numbers(&[size.bytes, size.bytes.div_ceil(4)]));
                self.add(&format!("<td class=\"bar-cell\">{}</td></tr>", bar(size.bytes, most)));
            }
            self.close_table();
            self.add("</details>");
        }
        self.add("</section>");
    }

    /// What is said of one server among several can be folded.
    fn open_server(&mut self, server: &str, fact: &str, servers: usize) {
        let open = if servers <= FEW_SERVERS { " open" } else { "" };
        let server = name(server);
        self.add(&format!(
            "<details class=\"server\"{open}><summary><h3>{server}</h3> <span class=\"quiet small\">{fact}</span></summary>"
        ));
    }

    /// A table; columns of numbers are marked by `#`.
    fn open_table(&mut self, label: &str, columns: &[&str]) {
        self.add(&format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n<table>"));
        let heads = columns.iter().map(|column| match column.strip_prefix('#') {
            Some(number) => format!("<th scope=\"col\" class=\"number\">{number}</th>"),
            None if *column == SHARE => format!("<th scope=\"col\"><span class=\"unseen\">{SHARE}</span></th>"),
            None => format!("<th scope=\"col\">{column}</th>"),
        });
        let heads = heads.collect::<String>();
        self.add(&format!("<thead><tr>{heads}</tr></thead>\n<tbody>"));
    }

    fn close_table(&mut self) {
        self.add("</tbody>\n</table>\n</div>");
    }

    fn end(&mut self) {
        self.add("</main>");
        self.add(&format!("<script>{SCRIPT}</script>\n</body>\n</html>"));
    }
}

fn verdict(report: &Report) -> &'static str {
    if report.exit_code == 0 { "passed" } else { "failed" }
}

/// What a policy calls a text by.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// By rule, the worst first; within a rule as they come.
fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut rules: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        rules.entry(&finding.rule).or_default().push(finding);
    }
    let mut groups: Vec<Group<'_>> = rules.into_iter().map(|(rule, findings)| group(rule, findings)).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.level));
    groups
}

fn group<'r>(rule: &'r str, findings: Vec<&'r Finding>) -> Group<'r> {
    let all_like = |is_like: &dyn Fn(&Finding, &Finding) -> bool| {
        findings.first().copied().filter(|first| findings.iter().all(|finding| is_like(first, finding)))
    };
    Group {
        rule,
        level: findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Note),
        why: all_like(&|left, right| left.why == right.why).map(|first| &*first.why),
        fix: all_like(&|left, right| left.fix == right.fix).map(|first| &*first.fix),
        losses: all_like(&|left, right| left.clients == right.clients).map(lost),
        findings,
    }
}

/// Tools that some client loses, in the order of the listing, then those that it does not name.
fn losing_tools(server: &ServerReport) -> Vec<&str> {
    let mut losing: BTreeSet<&str> =
        server.losses.iter().flat_map(|loss| loss.tools.keys()).map(String::as_str).collect();
    let mut tools: Vec<&str> =
        server.tool_names.iter().map(String::as_str).filter(|tool| losing.remove(tool)).collect();
    tools.extend(losing);
    tools
}

fn effects(loss: &ClientLosses) -> impl Iterator<Item = Effect> {
    loss.whole.into_iter().chain(loss.tools.values().map(|lost| lost.effect))
}

fn cell(effect: Option<Effect>) -> String {
    let inside = effect
        .map_or(String::new(), |effect| format!("{}<span class=\"unseen\">{}</span>", mark(effect), effect.happens()));
    format!("<td>{inside}</td>")
}

/// A letter for what happens, coloured by how bad it is.
fn mark(effect: Effect) -> String {
    let (letter, class) = match effect {
        Effect::LosesServer => ('S', "error"),
        Effect::LosesList => ('L', "error"),
        Effect::RefusesRequest => ('R', "error"),
        Effect::DropsTool => ('O', "error"),
        Effect::DropsArgument => ('A', "warning"),
        Effect::Renames => ('N', "warning"),
        Effect::CutsText => ('C', "warning"),
        Effect::DropsKeyword => ('K', "note"),
        Effect::Degrades => ('D', "note"),
    };
    format!("<span class=\"loss {class}\" aria-hidden=\"true\" title=\"{}\">{letter}</span>", effect.happens())
}

/// The server and the tool, prompt or resource.
fn thing(finding: &Finding) -> String {
    let is_part = matches!(finding.kind, Kind::Tool | Kind::Prompt | Kind::Resource);
    let part = if is_part { format!("<code>{}</code><br>", name(&finding.entity)) } else { String::new() };
    let server = finding.server.as_deref().unwrap_or("configuration");
    format!("<p>{part}<span class=\"quiet small\">{}</span></p>", name(server))
}

fn state_word(state: State) -> &'static str {
    match state {
        State::New => "new",
        State::Known => "known",
    }
}

fn lost(finding: &Finding) -> String {
    if finding.clients.is_empty() { String::new() } else { losses(&finding.clients) }
}

fn with_fix(fix: &str) -> String {
    if fix.is_empty() { String::new() } else { format!("Fix: {fix}") }
}

fn numbers(numbers: &[usize]) -> String {
    numbers.iter().map(|number| format!("<td class=\"number\">{}</td>", grouped(*number))).collect()
}

/// A bar as a drawing: its length needs no style of its own, which the policy would not let in.
fn bar(value: usize, most: usize) -> String {
    let share = (value * 100).div_ceil(most.max(1));
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"1\"/><rect class=\"value\" width=\"{share}\" height=\"1\"/></svg>"
    )
}

fn name(text: &str) -> String {
    escape(&excerpt(text, LONGEST_NAME))
}

fn sentence(text: &str) -> String {
    prose(&excerpt(text, LONGEST_TEXT))
}

/// A paragraph; none of a text that is empty.
fn paragraph(class: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p class=\"{class}\">{}</p>", sentence(text)) }
}

/// A text whose pieces in backticks are shown as code.
fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // Backticks that do not pair up are shown as they are.
    if pieces.len().is_multiple_of(2) {
        return escape(text);
    }
    let shown = pieces.iter().enumerate().map(|(nth, piece)| match nth % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    shown.collect()
}

/// Text of strangers inside an element or an attribute in double quotes: nothing in it acts.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in crate::text::visible(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            plain => escaped.push(plain),
        }
    }
    escaped
}
