//! The SARIF report: valid by the official schema, and by what GitHub asks for beyond it.

#![allow(clippy::disallowed_methods, reason = "the tests read a schema and the cases")]

mod fixtures;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::{Finding, Level, State};
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::line_hash::LineHashes;
use mcp_lint_core::location::{FoundBy, Location};
use mcp_lint_core::page::Page;
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::sarif::{MOST_RESULTS, RuleText, Surroundings, render};
use mcp_lint_core::report::{FailOn, Report, Repository, ServerReport};
use mcp_lint_core::rules;
use serde_json::{Value, json};

/// Files in memory below a folder of the repository; counts how often each is read.
#[derive(Default)]
struct Files {
    prefix: &'static str,
    texts: BTreeMap<String, String>,
    reads: RefCell<BTreeMap<String, usize>>,
}

impl Files {
    fn with(path: &str, text: &str) -> Self {
        Self { texts: BTreeMap::from([(path.to_owned(), text.to_owned())]), ..Self::default() }
    }
}

impl Repository for Files {
    fn path(&self, reported: &str) -> Option<String> {
        self.texts.contains_key(reported).then(|| format!("{}{reported}", self.prefix))
    }

    fn stand_in(&self) -> String {
        "README.md".to_owned()
    }

    fn text(&self, path: &str) -> Option<String> {
        *self.reads.borrow_mut().entry(path.to_owned()).or_default() += 1;
        self.texts.get(path.strip_prefix(self.prefix)?).cloned()
    }
}

fn rule_text(id: &str) -> Option<RuleText> {
    let rule = rules::find(id)?;
    let page = Page::parse(rule.page);
    Some(RuleText {
        summary: rule.summary.into(),
        what: page.section("What").split("\n\n").next().unwrap_or_default().into(),
        help: format!("{} {}", page.why(), page.fix()).into(),
        markdown: rule.page.into(),
        level: rule.level,
        tags: vec!["tool".into()],
    })
}

fn sarif(report: &Report, repository: &Files) -> Value {
    let text = render(report, &Surroundings { category: "mcp-lint", repository, rule: &rule_text });
    serde_json::from_str(&text).expect("SARIF is JSON")
}

/// What GitHub asks for and the schema does not, or not in this way; each breach in words.
fn breaches(log: &Value) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            breaches.push(what.to_owned());
        }
    };
    let text_of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let has_text = |value: &Value, most: usize| (1..=most).contains(&text_of(value).chars().count());
    must(text_of(&log["$schema"]).starts_with("https://"), "no $schema");
    must(log["version"] == "2.1.0", "another version");
    let no_items = Vec::new();
    let runs = log["runs"].as_array().unwrap_or(&no_items);
    must(runs.len() == 1, "not one run");
    for run in runs {
        let driver = &run["tool"]["driver"];
        must(has_text(&driver["name"], 255), "no name of the tool");
        must(text_of(&run["automationDetails"]["id"]).ends_with('/'), "the category does not end with a slash");
        must(run["results"].is_array() && driver["rules"].is_array(), "no results or rules");
        must(
            run["invocations"].as_array().is_none_or(|all| all.iter().all(|one| one["executionSuccessful"] == true)),
            "an execution without success",
        );
        must(!run.to_string().contains("\"suppressions\""), "suppressions");
        let rules = driver["rules"].as_array().unwrap_or(&no_items);
        let results = run["results"].as_array().unwrap_or(&no_items);
        must(results.len() <= 25_000 && rules.len() <= 25_000, "too many results or rules");
        let ids: BTreeSet<String> = rules.iter().map(|rule| text_of(&rule["id"])).collect();
        must(ids.len() == rules.len(), "a rule twice");
        for rule in rules {
            let id = text_of(&rule["id"]);
            must(has_text(&rule["id"], 255) && has_text(&rule["name"], 255), "id or name of a rule");
            must(has_text(&rule["shortDescription"]["text"], 1_024), &format!("{id}: short description"));
            must(has_text(&rule["fullDescription"]["text"], 1_024), &format!("{id}: full description"));
            must(has_text(&rule["help"]["text"], usize::MAX), &format!("{id}: help"));
            must(
                text_of(&rule["help"]["markdown"]).contains(&text_of(&rule["helpUri"])),
                &format!("{id}: no link in its help"),
            );
            let properties = &rule["properties"];
            let tags: Vec<String> = properties["tags"].as_array().unwrap_or(&no_items).iter().map(text_of).collect();
            must(tags.len() <= 10 && tags.iter().collect::<BTreeSet<_>>().len() == tags.len(), &format!("{id}: tags"));
            let severity = properties.get("security-severity");
            let is_number = |value: &Value| {
                value
                    .as_str()
                    .and_then(|text| text.parse::<f64>().ok())
                    .is_some_and(|number| number > 0.0 && number <= 10.0)
            };
            must(severity.is_none_or(is_number), &format!("{id}: security-severity is no number in a string"));
            must(severity.is_some() == (id == "config-secret"), &format!("{id}: security-severity"));
            must(
                ["error", "warning", "recommendation"]
                    .contains(&properties["problem.severity"].as_str().unwrap_or_default()),
                &format!("{id}: severity"),
            );
        }
        let stated = results.iter().filter(|result| result.get("baselineState").is_some()).count();
        must(stated == 0 || stated == results.len(), "baselineState on some results");
        for result in results {
            let id = text_of(&result["ruleId"]);
            must(result["baselineState"] != "absent", "an absent result");
            must(["error", "warning", "note"].contains(&result["level"].as_str().unwrap_or_default()), "level");
            must(has_text(&result["message"]["text"], 10_000), "message");
            let index = result["ruleIndex"].as_u64().and_then(|index| usize::try_from(index).ok());
            must(
                index.and_then(|index| rules.get(index)).is_some_and(|rule| rule["id"] == result["ruleId"]),
                &format!("{id}: index of its rule"),
            );
            must(has_text(&result["partialFingerprints"]["mcpLint/v1"], 100), &format!("{id}: no fingerprint"));
            let locations = result["locations"].as_array().unwrap_or(&no_items);
            must(locations.len() == 1, &format!("{id}: not one location"));
            let related = result["relatedLocations"].as_array().unwrap_or(&no_items);
            for location in locations.iter().chain(related) {
                let uri = text_of(&location["physicalLocation"]["artifactLocation"]["uri"]);
                must(is_relative(&uri), &format!("{id}: {uri:?} is no path from the top"));
                let region = &location["physicalLocation"]["region"];
                must(region["startLine"].as_u64().is_some_and(|line| line >= 1), &format!("{id}: no line"));
            }
        }
    }
    breaches
}

/// A relative reference of plain segments, percent-encoded.
fn is_relative(uri: &str) -> bool {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || "-._~/%".contains(letter);
    let escapes_are_whole = uri
        .split('%')
        .skip(1)
        .all(|rest| rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    !uri.is_empty()
        && uri.chars().all(is_legal)
        && escapes_are_whole
        && uri.split('/').all(|segment| !["", ".", ".."].contains(&segment))
}

/// Asserts that a file satisfies the schema and GitHub.
fn holds(log: &Value) {
    thread_local! {
        static SCHEMA: jsonschema::Validator = {
            let path = fixtures::beside("sarif/sarif-schema-2.1.0.json");
            let text = std::fs::read_to_string(path).expect("the schema");
            // The published schema closes a bracket here that it never opened.
            let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
            let schema: Value = serde_json::from_str(&text).expect("JSON");
            jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
        };
    }
    let errors: Vec<String> = SCHEMA
        .with(|schema| schema.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect());
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(breaches(log), Vec::<String>::new());
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

fn report(servers: Vec<ServerReport>, findings: Vec<Finding>) -> Report {
    Report::new(".".to_owned(), servers, findings, FailOn::Level(Level::Error))
}

/// A report of one listing.
fn listing(text: &str) -> Report {
    let document = Document::parse(text, Dialect::STRICT).expect("JSON");
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    let verdict = judge("parcels", None, &subject, &Policy::default()).expect("a listing");
    report(vec![verdict.server], verdict.findings)
}

fn skipped() -> Report {
    let verdict = judge("parcels", None, &Subject::Skipped("it is asleep".to_owned()), &Policy::default());
    let verdict = verdict.expect("a verdict");
    report(vec![verdict.server], verdict.findings)
}

/// A finding at a file.
fn finding() -> Finding {
    listing(TOOLS).findings.into_iter().next().expect("a finding")
}

const TOOLS: &str = r#"[
  { "name": "find parcel", "description": "x", "inputSchema": { "type": "object", "required": ["id"] } }
]"#;

#[test]
fn whatever_is_found_is_valid() {
    let findings: Vec<Finding> = fixtures::all().iter().flat_map(|fixture| fixture.findings()).collect();
    let rules: BTreeSet<&str> = findings.iter().map(|finding| finding.rule.as_ref()).collect();
    assert!(rules.len() > 90, "{} rules", rules.len());
    let log = sarif(&report(Vec::new(), findings.clone()), &Files::with("tools.json", TOOLS));
    holds(&log);
    assert_eq!(results(&log).len(), findings.len());
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(rules.len()));
}

#[test]
fn a_flaw_that_github_refuses_is_seen() {
    let log = sarif(&listing(TOOLS), &Files::with("tools.json", TOOLS));
    holds(&log);
    let plant = |pointer: &str, value: Value| {
        let mut log = log.clone();
        *log.pointer_mut(pointer).expect("a place") = value;
        breaches(&log)
    };
    for (pointer, value) in [
        ("/$schema", json!(null)),
        ("/runs", json!([])),
        ("/runs/0/automationDetails/id", json!("mcp-lint")),
        ("/runs/0/results", json!(null)),
        ("/runs/0/invocations/0/executionSuccessful", json!(false)),
        ("/runs/0/results/0/locations", json!([])),
        ("/runs/0/results/0/locations/0/physicalLocation", json!({})),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("./tools.json")),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("/tools.json")),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("a b.json")),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", json!("c:/a.json")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
        ("/runs/0/results/0/ruleIndex", json!(99)),
        ("/runs/0/results/0/message/text", json!("")),
        ("/runs/0/results/0/partialFingerprints", json!({})),
        ("/runs/0/tool/driver/rules/0/id", log["runs"][0]["tool"]["driver"]["rules"][1]["id"].clone()),
        ("/runs/0/tool/driver/rules/0/shortDescription/text", json!("x".repeat(1_025))),
        ("/runs/0/tool/driver/rules/0/properties/tags", json!(["a", "a"])),
        ("/runs/0/tool/driver/rules/0/properties/security-severity", json!("high")),
        ("/runs/0/results/0/baselineState", json!("new")),
    ] {
        let mut with_room = log.clone();
        for (key, parent) in
            [("security-severity", "/runs/0/tool/driver/rules/0/properties"), ("baselineState", "/runs/0/results/0")]
        {
            if pointer.ends_with(key) {
                with_room.pointer_mut(parent).expect("a place")[key] = value.clone();
            }
        }
        let seen = if with_room == log { plant(pointer, value.clone()) } else { breaches(&with_room) };
        assert!(!seen.is_empty(), "{pointer} = {value}");
    }
}

#[test]
fn nothing_found_is_an_empty_list() {
    let clean = r#"[{ "name": "find_parcel", "description": "Finds a parcel by the number on its label.",
        "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
        "annotations": { "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false } }]"#;
    let log = sarif(&listing(clean), &Files::default());
    holds(&log);
    assert_eq!(results(&log), &Vec::<Value>::new());
}

#[test]
fn nothing_checked_is_said_by_a_result() {
    let hushed = Report { findings: Vec::new(), ..skipped() };
    for (report, rule) in [
        (report(Vec::new(), Vec::new()), "config-no-servers"),
        (skipped(), "server-skipped"),
        (hushed, "server-skipped"),
    ] {
        let log = sarif(&report, &Files::default());
        holds(&log);
        let [only] = results(&log).as_slice() else { panic!("{log}") };
        assert_eq!((only["ruleId"].as_str(), only["level"].as_str()), (Some(rule), Some("note")));
    }
}

#[test]
fn a_baseline_marks_every_result() {
    let mut report = listing(TOOLS);
    report.findings[0].state = State::Known;
    let states = |report: &Report| -> BTreeSet<String> {
        let log = sarif(report, &Files::default());
        holds(&log);
        results(&log).iter().map(|result| result["baselineState"].to_string()).collect()
    };
    assert_eq!(states(&report), BTreeSet::from(["null".to_owned()]));
    report.has_baseline = true;
    assert_eq!(states(&report), BTreeSet::from(["\"new\"".to_owned(), "\"unchanged\"".to_owned()]));
}

#[test]
fn paths_start_at_the_top_and_are_escaped() {
    let path = "a b/50%#1?ü:[x].json";
    let finding = Finding { location: Location::file(path), ..finding() };
    let files = Files { prefix: "sub/", ..Files::with(path, "{}") };
    let log = sarif(&report(Vec::new(), vec![finding]), &files);
    holds(&log);
    let uri = &results(&log)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "sub/a%20b/50%25%231%3F%C3%BC%3A%5Bx%5D.json");
}

#[test]
fn a_file_that_is_not_in_the_repository_is_stood_in_for() {
    for path in ["/etc/tools.json", "../tools.json", "stdin", ""] {
        let location = Location { start_line: 7, end_line: 7, ..Location::file(path) };
        let log = sarif(&report(Vec::new(), vec![Finding { location, ..finding() }]), &Files::default());
        holds(&log);
        let physical = &results(&log)[0]["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "README.md");
        assert_eq!(physical["region"], json!({ "startLine": 1 }));
    }
}

#[test]
fn lines_are_hashed_where_the_file_can_be_read_and_once() {
    let text = "{\r\n\t\"a\": 1,\r\n  \"🦀\": 2\r\n}\r\n";
    let at = |line| Finding {
        location: Location { start_line: line, end_line: line, ..Location::file("a.json") },
        ..finding()
    };
    let files = Files { prefix: "sub/", ..Files::with("a.json", text) };
    let elsewhere = Finding { location: Location::file("gone.json"), ..finding() };
    let log = sarif(&report(Vec::new(), vec![at(1), at(2), at(3), at(9), elsewhere]), &files);
    holds(&log);
    let hashes = LineHashes::of(text);
    let written: Vec<Option<&str>> =
        results(&log).iter().map(|result| result["partialFingerprints"]["primaryLocationLineHash"].as_str()).collect();
    assert_eq!(written, [hashes.line(1).as_deref(), hashes.line(2).as_deref(), hashes.line(3).as_deref(), None, None]);
    assert_eq!(files.reads.borrow().get("sub/a.json"), Some(&1));
}

#[test]
fn a_region_is_the_range_that_was_found() {
    let location = |start: (u32, u32), end: (u32, u32)| Location {
        path: "a.json".to_owned(),
        start_line: start.0,
        start_column: start.1,
        end_line: end.0,
        end_column: end.1,
        found_by: FoundBy::Definition,
    };
    let region = |location| {
        let log = sarif(&report(Vec::new(), vec![Finding { location, ..finding() }]), &Files::with("a.json", "\n"));
        holds(&log);
        results(&log)[0]["locations"][0]["physicalLocation"]["region"].clone()
    };
    let full = json!({ "startLine": 3, "startColumn": 5, "endLine": 4, "endColumn": 2 });
    assert_eq!(region(location((3, 5), (4, 2))), full);
    assert_eq!(region(location((3, 5), (3, 5))), json!({ "startLine": 3, "endLine": 3 }));
    assert_eq!(region(location((0, 0), (0, 0))), json!({ "startLine": 1, "endLine": 1 }));
    assert_eq!(region(location((5, 1), (2, 9)))["endLine"], 5);
}

#[test]
fn related_places_are_linked_from_the_message() {
    let entry = Location { found_by: FoundBy::Entry, ..Location::file(".mcp.json") };
    let outside = Location::file("/somewhere/else");
    let finding = Finding { related: vec![outside, entry], ..finding() };
    let log = sarif(&report(Vec::new(), vec![finding]), &Files::with(".mcp.json", "{}"));
    holds(&log);
    let result = &results(&log)[0];
    let related = result["relatedLocations"].as_array().expect("related places");
    assert_eq!((related.len(), &related[0]["id"]), (1, &json!(1)));
    let text = result["message"]["text"].as_str().expect("a text");
    assert!(text.ends_with("See also [the server's entry](1)."), "{text}");
}

#[test]
fn hostile_names_stay_text() {
    let name = "x](https://evil.example) ##[error]a\n::error::b \u{202e}\u{200b}\u{1b}[31m <b>";
    let tools = json!([{ "name": name, "description": name, "inputSchema": { "type": "object", "required": [name] } }]);
    let mut report = listing(&tools.to_string());
    report.servers[0].name = name.to_owned();
    report.findings.iter_mut().for_each(|finding| finding.server = Some(name.to_owned()));
    let log = sarif(&report, &Files::default());
    holds(&log);
    for result in results(&log) {
        let message = result["message"]["text"].as_str().expect("a text");
        assert!(!message.contains("]("), "{message}");
        let text = result.to_string();
        assert!(!text.contains("##["), "{text}");
        assert!(!text.contains(['\u{202e}', '\u{200b}', '\u{1b}']) && !text.contains("\\u001b"), "{text}");
    }
}

#[test]
fn the_first_sentence_of_a_count_holds_no_number() {
    let tools: Vec<Value> = (0..60)
        .map(|nth| json!({ "name": format!("tool_{nth}"), "description": "Does a thing of its own kind.", "inputSchema": { "type": "object" } }))
        .collect();
    let log = sarif(&listing(&json!(tools).to_string()), &Files::default());
    let count = results(&log).iter().find(|result| result["ruleId"] == "too-many-tools").expect("a finding");
    let text = count["message"]["text"].as_str().expect("a text");
    let (title, rest) = text.split_once(". ").expect("two sentences");
    assert_eq!(title, "parcels: A server lists too many tools");
    assert!(rest.contains("60"), "{text}");
}

#[test]
fn the_worst_results_are_kept_and_go_first() {
    let of = |level, count: usize| (0..count).map(move |_| Finding { level, ..finding() });
    let findings: Vec<Finding> = of(Level::Note, 3).chain(of(Level::Error, 2)).chain(of(Level::Warning, 2)).collect();
    let levels: Vec<String> = {
        let log = sarif(&report(Vec::new(), findings), &Files::default());
        results(&log).iter().map(|result| result["level"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(levels, ["error", "error", "warning", "warning", "note", "note", "note"]);

    let one = finding();
    let mut many: Vec<Finding> =
        std::iter::repeat_n(Finding { level: Level::Note, ..one.clone() }, MOST_RESULTS).collect();
    many.extend(std::iter::repeat_n(Finding { level: Level::Error, ..one }, 10));
    let files = Files::with("tools.json", TOOLS);
    let log = sarif(&report(Vec::new(), many), &files);
    assert_eq!(breaches(&log), Vec::<String>::new());
    assert_eq!(results(&log).len(), MOST_RESULTS);
    assert_eq!(results(&log).iter().filter(|result| result["level"] == "error").count(), 10);
    let said = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(said.as_str().is_some_and(|text| text.starts_with("10 results left out")), "{said}");
    assert_eq!(files.reads.borrow().values().copied().collect::<Vec<_>>(), [1]);
}

#[test]
fn a_rule_of_another_version_is_told_by_its_finding() {
    let finding = Finding { rule: "from <the> future".into(), ..finding() };
    let log = sarif(&report(Vec::new(), vec![finding]), &Files::default());
    holds(&log);
}

#[test]
fn the_category_ends_with_one_slash() {
    for category in ["mcp", "mcp/"] {
        let text = render(&listing(TOOLS), &Surroundings { category, repository: &Files::default(), rule: &rule_text });
        assert!(text.contains(r#""automationDetails":{"id":"mcp/"}"#), "{text}");
    }
}
