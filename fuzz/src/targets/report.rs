use mcp_lint_core::judge::judge_run;
use mcp_lint_core::merge::merge;
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::{
    Report, Repository, agent, check_run, github, gitlab, html, junit, markdown, sarif, text as plain,
};
use mcp_lint_core::text::is_hidden;
use serde_json::Value;

use super::text;
use crate::growth::is_linear;

/// Reports of other jobs: they come back as they were, are put together, and are written in every format.
pub fn report(data: &[u8]) {
    let Some(report) = read(&text(data)) else { return };
    let written = serde_json::to_string(&report).unwrap_or_else(|error| panic!("{error}"));
    let again = read(&written).unwrap_or_else(|| panic!("what was written is not read: {written}"));
    assert_eq!(without_floats(&again), without_floats(&report));
    renders(&report);
    merges(&report);
    let mut capped = report.clone();
    capped.cap(2);
    let weight = |report: &Report| report.findings.iter().map(|finding| finding.weight()).sum::<usize>();
    assert_eq!(weight(&capped), weight(&report), "nothing is lost");
    renders(&capped);
    is_linear(data, |data| {
        let Some(report) = read(&super::text(data)) else { return };
        let _ = merge(vec![("a".to_owned(), report.clone()), ("b".to_owned(), report.clone())]);
        let _ = judge_run(&report.servers, &Policy::default());
        all_formats(&report);
    });
}

fn read(text: &str) -> Option<Report> {
    let value: Value = serde_json::from_str(text).ok()?;
    serde_json::from_value(value).ok()
}

/// What a server says of itself may hold numbers that a parser rounds.
fn without_floats(report: &Report) -> String {
    let mut report = report.clone();
    report.servers.iter_mut().for_each(|server| server.server_info = None);
    format!("{report:?}")
}

/// A report beside itself is itself.
fn merges(report: &Report) {
    let named = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), report.clone())).collect();
    let (Ok(one), Ok(two)) = (merge(named(&["a"])), merge(named(&["a", "b"]))) else { return };
    assert_eq!(format!("{:?}", one.servers), format!("{:?}", two.servers));
    assert_eq!(format!("{:?}", one.accepted), format!("{:?}", two.accepted));
    // A finding of no server is told by its fingerprint, one of a server by the report.
    assert_eq!(one.findings.len(), two.findings.len(), "a finding is told twice, or lost");
    let _ = judge_run(&one.servers, &Policy::default());
}

fn all_formats(report: &Report) -> [String; 6] {
    let _ = plain::render(report);
    let _ = check_run::annotations(report, &Everything);
    let _ = check_run::growth(&report.gone);
    let around = sarif::Surroundings { category: "mcp-lint", repository: &Everything, rule: &|_| None };
    [
        agent::render(report),
        github::render(report, &Everything),
        gitlab::render(report, &Everything),
        html::render(report),
        junit::render(report),
        sarif::render(report, &around),
    ]
}

/// Every format is what it says it is, whatever is in the report.
pub(super) fn renders(report: &Report) {
    let [agent, github, gitlab, html, junit, sarif] = all_formats(report);
    // The last lines of a log are coloured, by us.
    let github = without_colours(&github);
    for (name, text) in [("agent", &agent), ("github", &github), ("html", &html), ("junit", &junit), ("sarif", &sarif)]
    {
        let hidden = text.chars().find(|letter| is_hidden(*letter) && *letter != '\n');
        assert_eq!(hidden, None, "{name}: {text}");
    }
    let page = markdown::render(report);
    assert!(!page.contains(|letter| is_hidden(letter) && letter != '\n'), "{page}");
    assert!(page.len() <= 900_000);
    are_annotations(&github);
    let list: Vec<Value> = serde_json::from_str(&gitlab).unwrap_or_else(|error| panic!("{error}: {gitlab}"));
    assert_eq!(list.len(), report.findings.len());
    let read = quick_junit::Report::deserialize_from_str(&junit);
    assert!(read.is_ok(), "{read:?}: {junit}");
    are_uris(&serde_json::from_str(&sarif).unwrap_or_else(|error| panic!("{error}: {sarif}")));
    is_closed(&html);
}

fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |plain, piece| plain + piece.split_once('m').map_or(piece, |(_, rest)| rest))
}

/// A command is a line, and what a stranger wrote starts none.
fn are_annotations(log: &str) {
    for line in log.lines() {
        let is_ours = ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start));
        assert!(is_ours || !line.trim_start().starts_with("::"), "{line}");
        if is_ours {
            let (properties, _) = line[2..].split_once("::").unwrap_or_else(|| panic!("no message: {line}"));
            let known = ["file", "line", "endLine", "col", "endColumn", "title"];
            let keys = properties.split_once(' ').map_or("", |(_, rest)| rest).split(',');
            let mut names = keys.map(|pair| pair.split_once('=').map_or(pair, |(key, _)| key));
            assert!(names.all(|name| known.contains(&name)), "{line}");
        }
    }
}

/// Every place is a relative path that is a URI as it stands.
fn are_uris(value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(are_uris),
        Value::Object(members) => {
            if let Some(uri) = members.get("artifactLocation").and_then(|place| place["uri"].as_str()) {
                let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~/%".contains(letter);
                assert!(uri.chars().all(is_plain), "{uri}");
            }
            if let Some(region) = members.get("region") {
                assert!(region["startLine"].as_i64().is_some_and(|line| line >= 1), "{region}");
            }
            members.values().for_each(are_uris);
        }
        _ => {}
    }
}

/// Every element of a page is closed where it is opened.
fn is_closed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap_or(page);
    while let Some((_, markup)) = rest.split_once('<') {
        let (tag, behind) = markup.split_once('>').unwrap_or_else(|| panic!("no end: {markup}"));
        rest = behind;
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if ["meta", "br", "input", "rect"].contains(&name) || tag.ends_with('/') => {}
            None if name == "script" => {
                rest = rest.split_once("</script>").map_or("", |(_, rest)| rest);
            }
            None => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

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
