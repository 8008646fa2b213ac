//! The report as SARIF 2.1.0, for code scanning.
//!
//! GitHub reads a part of the format and refuses a file as a whole for one flaw. What it asks for and what
//! this file keeps to: one run; every result at a file of the repository, with a path from its top; texts,
//! tags and results within their limits; the worst results first, since only the first few thousand are
//! shown; `baselineState` on all results or on none; a result even where nothing was checked, since an
//! empty file would close every alert.
//!
//! Rules are listed when they have a result: GitHub shows no others, and the index of a rule says nothing
//! to it, so a list of all would only make every file larger.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location as SarifLocation, LogicalLocation, Message, MultiformatMessageString,
    Notification, PhysicalLocation, PropertyBag, Region as SarifRegion, ReportingConfiguration, ReportingDescriptor,
    Result as SarifResult, ResultLevel, Run, RunAutomationDetails, Sarif, Tool, ToolComponent,
};

use crate::finding::{Finding, Level, State};
use crate::fingerprint::Identity;
use crate::location::{FoundBy, Location};
use crate::report::github::thing;
use crate::report::repository::{Place, Places, Region};
use crate::report::text::{capitalised, losses, message};
use crate::report::{Outcome, Report, Repository};
use crate::site::Kind;
use crate::text::{count, excerpt, visible};

/// Results that GitHub takes in one run.
pub const MOST_RESULTS: usize = 25_000;
/// Characters of the texts of a rule.
const LONGEST_TEXT: usize = 1_024;
/// Characters of one part of a message.
const LONGEST_PART: usize = 2_000;
/// Tags that GitHub shows of a rule.
const MOST_TAGS: usize = 10;
/// Related places of one result; GitHub shows a hundred.
const MOST_RELATED: usize = 20;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Where the project is at home.
const HOME: &str = "https://github.com/org/mcp-lint-action";

/// What may stand in a path of a URI as it is: unreserved characters and the separator. A colon is legal in
/// all but the first segment, and is escaped in each.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// What the file says of a rule.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// One line on what makes it fire.
    pub summary: Cow<'static, str>,
    /// The first paragraph of what it is about.
    pub what: Cow<'static, str>,
    /// Who is hurt, and what to do.
    pub help: Cow<'static, str>,
    /// All of its page, in Markdown.
    pub markdown: Cow<'static, str>,
    /// Its level where nothing else is set.
    pub level: Level,
    /// What it looks at, in single words.
    pub tags: Vec<Cow<'static, str>>,
}

/// What a report does not hold and the file needs.
pub struct Surroundings<'a> {
    /// What tells several uploads for one commit apart.
    pub category: &'a str,
    /// The files.
    pub repository: &'a dyn Repository,
    /// Texts of a rule by its id; nothing for one that is not known.
    pub rule: &'a dyn Fn(&str) -> Option<RuleText>,
}

/// Writes the report.
#[must_use]
pub fn render(report: &Report, around: &Surroundings<'_>) -> String {
    let mut text = serde_json::to_string(&log(report, around)).unwrap_or_default();
    text.push('\n');
    text
}

fn log(report: &Report, around: &Surroundings<'_>) -> Sarif {
    let nothing = nothing_checked(report);
    let mut findings: Vec<&Finding> = report.findings.iter().chain(&nothing).collect();
    // Within a level what is new goes first; otherwise the order is the report's own.
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.level), finding.state == State::Known));
    let left_out = findings.len().saturating_sub(MOST_RESULTS);
    findings.truncate(MOST_RESULTS);

    let rules = rules(&findings, around);
    let mut writer = Writer { places: Places::new(around.repository), rules: &rules, report };
    let results: Vec<SarifResult> = findings.into_iter().map(|finding| writer.result(finding)).collect();
    let descriptors: Vec<ReportingDescriptor> = rules.iter().map(|(id, (_, text))| descriptor(id, text)).collect();
    let category = format!("{}/", around.category.trim_end_matches('/'));
    let run = Run::builder()
        .tool(Tool::from(driver(report, descriptors)))
        .automation_details(RunAutomationDetails::builder().id(category).build())
        .invocations(vec![invocation(left_out)])
        .column_kind("utf16CodeUnits")
        .results(results)
        .build();
    Sarif::builder().schema(SCHEMA).version("2.1.0").runs(vec![run]).build()
}

/// Says by a result that nothing was checked, where no other result does.
fn nothing_checked(report: &Report) -> Option<Finding> {
    let is_checked = report.servers.iter().any(|server| server.outcome == Outcome::Checked);
    if is_checked || !report.findings.is_empty() {
        return None;
    }
    let (rule, message, fix) = match report.servers.len() {
        0 => (
            "config-no-servers",
            "No MCP server was checked: none is configured.".to_owned(),
            "Add a configuration file with a server, or leave this check out.",
        ),
        servers => (
            "server-skipped",
            format!(
                "No MCP server was checked: {} configured, and each failed or was skipped.",
                count(servers, "server")
            ),
            "Look at the report of the run, and at what the settings skip and ignore.",
        ),
    };
    let identity =
        Identity { rule, server: "", kind: Kind::Config, entity: "", pointer: "", discriminator: "nothing-checked" };
    Some(Finding {
        fingerprint: identity.fingerprint(),
        rule: rule.into(),
        level: Level::Note,
        counts: false,
        server: None,
        kind: Kind::Config,
        entity: String::new(),
        pointer: String::new(),
        path: String::new(),
        message,
        why: "A clean result says nothing about servers that nobody looked at.".into(),
        fix: fix.into(),
        clients: Vec::new(),
        location: Location::file(""),
        related: Vec::new(),
        discriminator: "nothing-checked".into(),
        measure: None,
        state: State::New,
        covers: Vec::new(),
        hint: None,
    })
}

/// The rules that have results, by id, each with its index.
type Rules<'f> = BTreeMap<&'f str, (i64, RuleText)>;

fn rules<'f>(findings: &[&'f Finding], around: &Surroundings<'_>) -> Rules<'f> {
    let mut rules: Rules<'f> = BTreeMap::new();
    for finding in findings {
        rules
            .entry(&finding.rule)
            .or_insert_with(|| (0, (around.rule)(&finding.rule).unwrap_or_else(|| told_by(finding))));
    }
    for (index, (at, _)) in (0..).zip(rules.values_mut()) {
        *at = index;
    }
    rules
}

/// A rule that is not ours to explain, such as one of another version: what its finding says.
fn told_by(finding: &Finding) -> RuleText {
    let summary = visible(&finding.rule);
    RuleText {
        what: Cow::Owned(summary.clone()),
        help: Cow::Owned(visible(&format!("{} {}", finding.why, finding.fix))),
        markdown: Cow::Owned(crate::report::markdown::escape(&format!("{} {}", finding.why, finding.fix))),
        summary: Cow::Owned(summary),
        level: finding.level,
        tags: Vec::new(),
    }
}

fn driver(report: &Report, rules: Vec<ReportingDescriptor>) -> ToolComponent {
    ToolComponent::builder()
        .name("mcp-lint")
        .version(excerpt(&report.tool.version, 100))
        .semantic_version(excerpt(&report.tool.version, 100))
        .information_uri(HOME)
        .rules(rules)
        .build()
}

/// Always successful: GitHub refuses the results of an execution that was not, and a server that could not
/// be checked is a result.
fn invocation(left_out: usize) -> Invocation {
    let mut invocation = Invocation::builder().execution_successful(true).build();
    if left_out > 0 {
        let text =
            format!("{} left out: a run may hold {MOST_RESULTS}, the worst are kept.", count(left_out, "result"));
        let notification = Notification::builder().message(Message::from(&text)).level("warning").build();
        invocation.tool_execution_notifications = Some(vec![notification]);
    }
    invocation
}

fn descriptor(id: &str, text: &RuleText) -> ReportingDescriptor {
    let page = format!("{HOME}/blob/main/docs/rules/{}.md", utf8_percent_encode(id, PATH));
    let plain = |text: &str| MultiformatMessageString::builder().text(text.to_owned()).build();
    let markdown = format!("{}\n\n[{id} in the documentation]({page})\n", text.markdown.trim());
    ReportingDescriptor::builder()
        .id(excerpt(id, 255))
        .name(pascal(id))
        .short_description(plain(&excerpt(&sentence(&text.summary), LONGEST_TEXT - 1)))
        .full_description(plain(&excerpt(&sentence(&text.what), LONGEST_TEXT - 1)))
        .help(MultiformatMessageString::builder().text(text.help.clone()).markdown(markdown).build())
        .help_uri(page)
        .default_configuration(ReportingConfiguration::builder().level(text.level.word()).build())
        .properties(properties(id, text))
        .build()
}

/// Tags, each once, and what GitHub sorts alerts by. Only a rule about secrets is one of security: with a
/// `security-severity` its alerts count as vulnerabilities.
fn properties(id: &str, text: &RuleText) -> PropertyBag {
    let mut tags: Vec<String> = vec!["mcp".to_owned()];
    let mut more: BTreeMap<String, Value> = BTreeMap::new();
    if let Some(severity) = security_severity(id) {
        tags.push("security".to_owned());
        more.insert("security-severity".to_owned(), json!(severity));
    }
    for tag in &text.tags {
        if !tags.iter().any(|known| known == tag) && tags.len() < MOST_TAGS {
            tags.push(tag.clone().into_owned());
        }
    }
    let severity = if text.level == Level::Note { "recommendation" } else { text.level.word() };
    more.insert("problem.severity".to_owned(), json!(severity));
    more.insert("precision".to_owned(), json!("high"));
    PropertyBag::builder().tags(tags).additional_properties(more).build()
}

fn security_severity(rule: &str) -> Option<&'static str> {
    (rule == "config-secret").then_some("7.5")
}

/// `array-items-missing` as `ArrayItemsMissing`.
fn pascal(id: &str) -> String {
    id.split(|letter: char| !letter.is_alphanumeric()).map(capitalised).collect::<String>().chars().take(255).collect()
}

/// A phrase as a sentence.
fn sentence(phrase: &str) -> String {
    let phrase = capitalised(phrase.trim());
    if phrase.ends_with(['.', '!', '?']) { phrase } else { phrase + "." }
}

/// Turns findings into results.
struct Writer<'w> {
    places: Places<'w>,
    rules: &'w Rules<'w>,
    report: &'w Report,
}

impl Writer<'_> {
    fn result(&mut self, finding: &Finding) -> SarifResult {
        let place = self.places.of(&finding.location);
        let related = self.related(finding);
        let (index, rule) = self.rules.get(&*finding.rule).map_or((-1, None), |(index, rule)| (*index, Some(rule)));
        let mut result = SarifResult::builder()
            .rule_id(excerpt(&finding.rule, 255))
            .rule_index(index)
            .level(level(finding.level))
            .message(Message::from(&words(finding, rule, &related)))
            .locations(vec![location(&place, Some(finding))])
            .partial_fingerprints(self.fingerprints(finding, &place))
            .properties(facts(finding))
            .build();
        if !related.is_empty() {
            result.related_locations = Some(related);
        }
        if self.report.has_baseline {
            result.baseline_state = Some(json!(if finding.state == State::Known { "unchanged" } else { "new" }));
        }
        result
    }

    /// Our own identity of the finding, and GitHub's of its line where the file can be read: any other value
    /// under that key earns a warning for each result.
    fn fingerprints(&mut self, finding: &Finding, place: &Place) -> BTreeMap<String, String> {
        let own = ("mcpLint/v1".to_owned(), excerpt(&finding.fingerprint, 100));
        let line = self.places.line_hash(place).map(|hash| ("primaryLocationLineHash".to_owned(), hash));
        [own].into_iter().chain(line).collect()
    }

    fn related(&mut self, finding: &Finding) -> Vec<SarifLocation> {
        let known: Vec<(Place, FoundBy)> = finding
            .related
            .iter()
            .filter_map(|other| Some((self.places.known(other)?, other.found_by)))
            .take(MOST_RELATED)
            .collect();
        let numbered = (1..).zip(known);
        numbered
            .map(|(id, (place, found_by))| SarifLocation {
                id: Some(id),
                message: Some(Message::from(called(found_by))),
                ..location(&place, None)
            })
            .collect()
    }
}

/// What a related place is.
fn called(found_by: FoundBy) -> &'static str {
    match found_by {
        FoundBy::Definition => "a declaration",
        FoundBy::Entry => "the server's entry",
        FoundBy::File => "another place",
    }
}

fn level(level: Level) -> ResultLevel {
    match level {
        Level::Error => ResultLevel::Error,
        Level::Warning => ResultLevel::Warning,
        Level::Note => ResultLevel::Note,
    }
}

/// What is wrong, who is hurt, who loses what, what to do, and where else to look: a paragraph each.
fn words(finding: &Finding, rule: Option<&RuleText>, related: &[SarifLocation]) -> String {
    let lost = if finding.clients.is_empty() { String::new() } else { losses(&finding.clients) };
    let fix = if finding.fix.is_empty() { String::new() } else { format!("Fix: {}", finding.fix) };
    let hint = finding.hint.clone().unwrap_or_default();
    let own = [title(finding, rule), finding.why.to_string(), lost, fix, hint];
    let mut parts: Vec<String> = own.iter().filter(|part| !part.is_empty()).map(|part| plain(part)).collect();
    let links =
        related.iter().filter_map(|place| Some(format!("[{}]({})", place.message.as_ref()?.text.as_ref()?, place.id?)));
    let links: Vec<String> = links.collect();
    if !links.is_empty() {
        parts.push(format!("See also {}.", links.join(", ")));
    }
    parts.join("\n")
}

/// The first sentence is the title of the alert, which should be the same in every run: where the message
/// counts something, as those about a whole server do, the rule's summary goes before it.
fn title(finding: &Finding, rule: Option<&RuleText>) -> String {
    let what = message(finding);
    let is_digit = |letter: char| letter.is_ascii_digit();
    let counts = finding.measure.is_some()
        || what.starts_with(is_digit)
        || (finding.kind == Kind::Server && what.contains(is_digit));
    let what = match rule {
        Some(rule) if counts => format!("{} {what}", sentence(rule.summary.trim_end_matches(" (once per server)"))),
        _ => what,
    };
    thing(finding) + &what
}

/// Text of strangers in a message: no control acts, and no brackets make a link.
fn plain(text: &str) -> String {
    excerpt(text, LONGEST_PART).replace("](", "] (")
}

fn location(place: &Place, finding: Option<&Finding>) -> SarifLocation {
    let uri = utf8_percent_encode(&place.path, PATH).to_string();
    let physical = PhysicalLocation::builder()
        .artifact_location(ArtifactLocation::builder().uri(uri).build())
        .region(region(place.region))
        .build();
    let mut location = SarifLocation::builder().physical_location(physical).build();
    location.logical_locations = finding.and_then(logical).map(|logical| vec![logical]);
    location
}

/// A file as such is its first line.
fn region(region: Option<Region>) -> SarifRegion {
    let Some(region) = region else { return SarifRegion::builder().start_line(1).build() };
    let mut written = SarifRegion::builder().start_line(region.start_line).end_line(region.end_line).build();
    if let Some((start, end)) = region.columns {
        written.start_column = Some(i64::from(start));
        written.end_column = Some(i64::from(end));
    }
    written
}

/// The server and the tool by name, for viewers that show more than files.
fn logical(finding: &Finding) -> Option<LogicalLocation> {
    let parts = [finding.server.as_deref().unwrap_or_default(), &finding.entity];
    let names: Vec<String> = parts.iter().filter(|part| !part.is_empty()).map(|part| excerpt(part, 255)).collect();
    let name = names.last()?.clone();
    Some(LogicalLocation::builder().name(name).fully_qualified_name(names.join("/")).build())
}

/// What programs may want to read of a finding, and the place it was reported at: another file may stand in.
fn facts(finding: &Finding) -> PropertyBag {
    let Location { path, start_line, start_column, .. } = &finding.location;
    let mut facts: BTreeMap<String, Value> = BTreeMap::new();
    let mut add = |key: &str, text: &str| {
        if !text.is_empty() {
            facts.insert(key.to_owned(), json!(excerpt(text, LONGEST_TEXT)));
        }
    };
    add("server", finding.server.as_deref().unwrap_or_default());
    add("entity", &finding.entity);
    add("pointer", &finding.pointer);
    if !path.is_empty() {
        add("reportedAt", &format!("{path}:{start_line}:{start_column}"));
    }
    PropertyBag::builder().additional_properties(facts).build()
}
