//! The reports for coding agents, GitLab, JUnit and browsers: what they hold, and that nothing in them acts.

#![allow(clippy::disallowed_methods, reason = "the tests read the expected reports")]

mod fixtures;
mod hostile;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use hostile::HOSTILE;
use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::{Finding, Level, State};
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::{FailOn, Report, Repository, agent, gitlab, html, junit};
use mcp_lint_core::snapshot::Launch;
use mcp_lint_core::text::{is_hidden, visible};
use serde_json::Value;
use sha2::Digest;

/// A repository that holds every file.
struct Everything;

impl Repository for Everything {
    fn path(&self, reported: &str) -> Option<String> {
        Some(format!("sub/{reported}"))
    }

    fn stand_in(&self) -> String {
        "README.md".to_owned()
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

const TOOLS: &str = r#"[
  { "name": "find parcel", "description": "Finds a parcel by the number on its label.",
    "inputSchema": { "type": "object", "properties": { "sentAt": { "type": "string" } }, "required": ["id"] } },
  { "name": "track_parcel", "description": "Tells where a parcel was seen, and <when>.",
    "inputSchema": { "type": "object", "properties": {}, "required": [] } }
]"#;

/// Three servers: one with findings, of which the baseline knows the first, one that failed, one that was skipped.
fn sample() -> Report {
    let document = Document::parse(TOOLS, Dialect::STRICT).expect("JSON");
    let gone = Launch::not_reached("the address is no URL".to_owned());
    let subjects = [
        ("parcels", Subject::File { path: "tools.json".to_owned(), document }),
        ("gone", Subject::Live(Box::new(gone.into()))),
        ("asleep", Subject::Skipped("its entry is disabled".to_owned())),
    ];
    let (mut servers, mut findings) = (Vec::new(), Vec::new());
    for (name, subject) in subjects {
        let verdict = judge(name, None, &subject, &Policy::default()).expect("a verdict");
        servers.push(verdict.server);
        findings.extend(verdict.findings);
    }
    findings[0].state = State::Known;
    let mut report = report(findings);
    report.summary.servers_checked = 1;
    report.summary.servers_failed = 1;
    report.summary.servers_skipped = 1;
    report.servers = servers;
    report.has_baseline = true;
    report
}

fn report(findings: Vec<Finding>) -> Report {
    Report::new(".".to_owned(), Vec::new(), findings, FailOn::Level(Level::Error))
}

/// Whatever the rules find in all that the tests judge.
fn everything() -> Report {
    report(fixtures::all().iter().flat_map(|fixture| fixture.findings()).collect())
}

fn holds(name: &str, text: &str) {
    let path = fixtures::beside("formats").join(name);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, text).expect("a written report");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "UPDATE_EXPECTED=1 writes this down: {name}");
}

#[test]
fn a_line_a_finding_for_agents() {
    holds("agent.txt", &agent::render(&sample()));
    for report in [everything(), hostile::report(HOSTILE)] {
        let text = agent::render(&report);
        assert_eq!(text.lines().count(), report.findings.len() + 1);
        assert!(!text.contains(|character| is_hidden(character) && character != '\n'), "{text}");
        let levels = text.lines().filter_map(|line| line.split(": ").nth(1)?.split(' ').next()?.chars().next());
        let levels: Vec<usize> = levels.filter_map(|first| "ewn".find(first)).collect();
        assert!(levels.is_sorted(), "the worst first");
    }
}

#[test]
fn names_in_a_report_of_another_program_may_be_of_any_length() {
    let mut report = sample();
    report.findings[0].rule = "x".repeat(70_000).into();
    assert!(!report.servers[0].losses.is_empty());
    report.servers[0].losses[0].name = "x".repeat(70_000).into();
    assert!(mcp_lint_core::report::text::render(&report).contains("parcels"));
}

#[test]
fn agents_are_not_told_of_what_is_known() {
    let mut report = sample();
    report.findings.iter_mut().for_each(|finding| finding.state = State::Known);
    report.summary.known = report.findings.len();
    assert_eq!(agent::render(&report).lines().count(), 1);
}

#[test]
fn gitlab_gets_everything_once() {
    holds("gitlab.json", &gitlab::render(&sample(), &Everything));
    for mut report in [everything(), hostile::report(HOSTILE)] {
        // Reports that were put together may hold a finding twice, and one that is called like the second.
        let again = report.findings.clone();
        report.findings.extend(again.clone());
        report.findings[0].fingerprint = format!("{}-2", again[0].fingerprint);
        report.findings[1].state = State::Known;
        let list: Vec<Value> = serde_json::from_str(&gitlab::render(&report, &Everything)).expect("a JSON array");
        assert_eq!(list.len(), report.findings.len());
        for entry in &list {
            for key in ["description", "check_name", "fingerprint"] {
                assert!(entry[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {entry}");
            }
            assert!(["info", "minor", "major"].contains(&entry["severity"].as_str().unwrap_or_default()), "{entry}");
            assert!(entry["location"]["path"].as_str().is_some_and(|path| path.starts_with("sub/")), "{entry}");
            assert!(entry["location"]["lines"]["begin"].as_u64().is_some_and(|line| line >= 1), "{entry}");
        }
        let fingerprints: BTreeSet<&str> = list.iter().filter_map(|entry| entry["fingerprint"].as_str()).collect();
        assert_eq!(fingerprints.len(), list.len());
    }
    assert_eq!(gitlab::render(&report(Vec::new()), &Everything), "[]\n");
}

#[test]
fn junit_has_a_suite_a_server_and_a_case_a_tool() {
    let text = junit::render(&sample());
    holds("junit.xml", &text);
    let read = quick_junit::Report::deserialize_from_str(&text).expect("JUnit");
    let names = |suite: &quick_junit::TestSuite| -> Vec<String> {
        suite.test_cases.iter().map(|case| case.name.to_string()).collect()
    };
    let suites: Vec<_> = read.test_suites.iter().map(|suite| (suite.name.to_string(), names(suite))).collect();
    let whole = || "the server".to_owned();
    let tools = vec![whole(), "find parcel".to_owned(), "track_parcel".to_owned()];
    assert_eq!(
        suites,
        [("parcels".to_owned(), tools), ("gone".to_owned(), vec![whole()]), ("asleep".to_owned(), vec![whole()])]
    );
}

#[test]
fn junit_fails_with_the_check() {
    for (fail_on, failures) in [(FailOn::Level(Level::Error), 1), (FailOn::Level(Level::Note), 2), (FailOn::Never, 0)] {
        let mut report = hostile::report(&["find parcel"]);
        report.judge(fail_on);
        let read = quick_junit::Report::deserialize_from_str(&junit::render(&report)).expect("JUnit");
        assert_eq!((report.exit_code == 1, read.failures), (failures > 0, failures), "{fail_on:?}");
        report.findings.iter_mut().for_each(|finding| finding.state = State::Known);
        let read = quick_junit::Report::deserialize_from_str(&junit::render(&report)).expect("JUnit");
        assert_eq!(read.failures, 0, "{fail_on:?}");
    }
}

#[test]
fn junit_is_xml_whatever_things_are_called() {
    for name in HOSTILE {
        let report = hostile::report(&[name]);
        let text = junit::render(&report);
        let read = quick_junit::Report::deserialize_from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.tests, 2, "{text}");
        assert!(!text.contains(|character| is_hidden(character) && character != '\n'), "{text}");
        assert_eq!(read.test_suites[0].test_cases[1].name.as_str(), visible(name.trim()));
    }
    let whole = everything();
    let read = quick_junit::Report::deserialize_from_str(&junit::render(&whole)).expect("JUnit");
    assert_eq!((read.tests, read.failures), (1, 1));
}

/// A page taken apart.
struct Page {
    /// Names of elements with their attributes, in order.
    tags: Vec<(String, BTreeMap<String, String>)>,
    /// What a reader sees, decoded.
    text: String,
    style: String,
    script: String,
}

impl Page {
    /// Reads a page as strictly as ours is written: it panics at what a browser would have to guess.
    fn parse(html: &str) -> Self {
        let mut page = Self { tags: Vec::new(), text: String::new(), style: String::new(), script: String::new() };
        let mut open: Vec<String> = Vec::new();
        let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a document type");
        while let Some((text, markup)) = rest.split_once('<') {
            match open.last().map(String::as_str) {
                Some("style") => page.style.push_str(text),
                Some("script") => page.script.push_str(text),
                _ => page.text.push_str(&decoded(text)),
            }
            let (tag, after) = markup.split_once('>').expect("a whole tag");
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name));
                continue;
            }
            let (name, attributes) = attributes(tag);
            if !["meta", "br", "input", "rect"].contains(&name.as_str()) {
                open.push(name.clone());
            }
            if ["p", "li", "td", "th", "br", "summary"].contains(&name.as_str()) {
                page.text.push('\n');
            }
            page.tags.push((name, attributes));
            // A script may hold what looks like a tag.
            if open.last().is_some_and(|name| name == "script") {
                let (script, after) = rest.split_once("</script>").expect("the end of the script");
                page.script.push_str(script);
                open.pop();
                rest = after;
            }
        }
        assert_eq!((open, rest.trim()), (Vec::new(), ""));
        page
    }

    fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p BTreeMap<String, String>> {
        self.tags.iter().filter(move |(tag, _)| tag == name).map(|(_, attributes)| attributes)
    }

    fn values(&self, attribute: &str) -> BTreeSet<&str> {
        self.tags.iter().filter_map(|(_, all)| all.get(attribute)).map(String::as_str).collect()
    }
}

/// `name key="value" flag`
fn attributes(tag: &str) -> (String, BTreeMap<String, String>) {
    let tag = tag.trim_end_matches('/');
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut found = BTreeMap::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        let value = match rest[end..].strip_prefix("=\"") {
            Some(quoted) => {
                let (value, after) = quoted.split_once('"').expect("a closed value");
                rest = after;
                decoded(value)
            }
            None => {
                rest = &rest[end..];
                String::new()
            }
        };
        assert!(key.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '-'), "{key:?} in {tag:?}");
        assert!(found.insert(key, value).is_none(), "an attribute twice: {tag:?}");
    }
    (name.to_owned(), found)
}

fn decoded(text: &str) -> String {
    let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    let bare = known.iter().fold(text.to_owned(), |text, (code, _)| text.replace(code, ""));
    assert!(!bare.contains(['&', '<', '>', '"']), "{text:?}");
    known.iter().fold(text.to_owned(), |text, (code, letter)| text.replace(code, letter))
}

/// Elements and attributes that we write ourselves; every other is a stranger's.
const ELEMENTS: &[&str] = &[
    "a", "body", "br", "button", "code", "dd", "details", "div", "dl", "dt", "fieldset", "form", "h1", "h2", "h3",
    "head", "header", "html", "input", "label", "legend", "li", "main", "meta", "nav", "option", "p", "rect", "script",
    "section", "select", "span", "style", "summary", "svg", "table", "tbody", "td", "th", "thead", "title", "tr", "ul",
];
const ATTRIBUTES: &[&str] = &[
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "autocomplete",
    "charset",
    "checked",
    "class",
    "content",
    "data-level",
    "data-name",
    "data-rule",
    "data-server",
    "data-state",
    "for",
    "height",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "open",
    "preserveAspectRatio",
    "role",
    "scope",
    "tabindex",
    "title",
    "type",
    "value",
    "viewBox",
    "width",
];

/// The page, taken apart and held to what every page of ours keeps to.
fn page(report: &Report) -> Page {
    let html = html::render(report);
    let page = Page::parse(&html);
    for (name, attributes) in &page.tags {
        assert!(ELEMENTS.contains(&name.as_str()), "{name}");
        for key in attributes.keys() {
            assert!(ATTRIBUTES.contains(&key.as_str()), "{key} of {name}");
        }
    }
    assert!(page.values("href").iter().all(|target| target.starts_with('#')), "links stay on the page");
    assert_eq!((page.all("script").count(), page.all("style").count()), (1, 1));
    assert!(!page.text.contains(|character| is_hidden(character) && character != '\n'), "{}", page.text);
    let policy = page.all("meta").find_map(|meta| meta.get("http-equiv").and(meta.get("content"))).expect("a policy");
    let hash = |text: &str| base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text));
    let expected = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(&page.style),
        hash(&page.script)
    );
    assert_eq!(*policy, expected);
    for loads in ["url(", "@import", "://"] {
        assert!(!page.style.contains(loads) && !page.script.contains(loads), "{loads}");
    }
    page
}

#[test]
fn the_page_is_as_expected() {
    let report = sample();
    let (text, page) = (html::render(&report), page(&report));
    let text = text.replace(&page.style, "STYLE").replace(&page.script, "SCRIPT");
    let policy = page.all("meta").find_map(|meta| meta.get("http-equiv").and(meta.get("content"))).expect("a policy");
    holds("page.html", &text.replace(policy, "POLICY"));
}

#[test]
fn the_page_says_everything_that_was_found() {
    for report in [sample(), everything(), hostile::report(HOSTILE)] {
        let page = page(&report);
        // Code is set apart without its backticks.
        let bare = |text: &str| visible(text.trim()).replace('`', "");
        let text = page.text.replace('`', "");
        for finding in &report.findings {
            let place = format!("{}:{}", finding.location.start_line, finding.location.start_column);
            for part in [&bare(&finding.message), &bare(&finding.why), &bare(&finding.fix), &place] {
                let start: String = part.chars().take(200).collect();
                assert!(text.contains(&start), "{}: {start:?}", finding.rule);
            }
        }
        let listed = page.all("li").filter(|item| item.contains_key("data-level")).count();
        assert_eq!(listed, report.findings.len());
    }
}

#[test]
fn nothing_on_the_page_acts_whatever_things_are_called() {
    for name in HOSTILE {
        let report = hostile::report(&[name]);
        let page = page(&report);
        assert!(page.text.contains(&visible(name.trim())), "{name:?}: {}", page.text);
    }
}

#[test]
fn the_page_can_be_used_without_seeing_it_or_a_mouse() {
    for report in [sample(), everything()] {
        let page = page(&report);
        assert_eq!((page.all("h1").count(), page.all("title").count()), (1, 1));
        assert!(page.all("html").all(|html| html.get("lang").is_some_and(|lang| lang == "en")));
        assert!(page.all("th").all(|head| head.contains_key("scope")));
        let labels: BTreeSet<&str> =
            page.all("label").filter_map(|label| label.get("for")).map(String::as_str).collect();
        let is_labelled = |field: &BTreeMap<String, String>| {
            let is_box = field.get("type").is_some_and(|kind| kind == "checkbox");
            is_box || field.get("id").is_some_and(|id| labels.contains(id.as_str()))
        };
        assert!(page.all("select").chain(page.all("input")).all(is_labelled));
        let ids: Vec<&String> = page.tags.iter().filter_map(|(_, all)| all.get("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an id once");
        assert!(page.values("aria-labelledby").iter().all(|id| ids.iter().any(|known| known == id)));
        assert!(
            page.values("href")
                .iter()
                .all(|link| ids.iter().any(|known| Some(known.as_str()) == link.strip_prefix('#')))
        );
    }
}

#[test]
fn a_long_page_is_folded_and_stays_in_proportion() {
    let few = everything();
    let mut many = few.clone();
    many.findings = few.findings.iter().cycle().take(25_000).cloned().collect();
    let text = html::render(&many);
    assert!(text.len() < 25_000 * 1_500, "{}", text.len());
    let page = Page::parse(&text);
    let groups = page.all("details").filter(|details| details.contains_key("data-rule"));
    assert!(groups.into_iter().all(|group| !group.contains_key("open")));
}
