//! The SARIF report of real runs: which file of the repository each result is at.

use std::path::Path;

use mcp_lint_core::line_hash::LineHashes;
use serde_json::{Value, json};

use crate::harness::{command, finished, folder, folder_with, run, write};

const TOOLS: &str = r#"[
  { "name": "find parcel", "description": "x", "inputSchema": { "type": "object", "required": ["id"] } }
]"#;

/// A configuration whose only server cannot start.
fn broken() -> String {
    json!({ "mcpServers": { "parcels": { "command": "no-such-program-here" } } }).to_string()
}

/// Checks in a folder, with a SARIF file; gives the exit code and the file.
fn check(folder: &Path, words: &[&str]) -> (Option<i32>, Value) {
    let run = run(folder, &[&["check", "--output", "sarif=out.sarif"][..], words].concat());
    (run.code, read(&folder.join("out.sarif")))
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a SARIF file")).expect("JSON")
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

/// The paths of all results, each once.
fn uris(log: &Value) -> Vec<String> {
    let uri = |result: &Value| {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().map(str::to_owned)
    };
    let mut uris: Vec<String> = results(log).iter().map(|result| uri(result).expect("a path")).collect();
    uris.sort();
    uris.dedup();
    uris
}

#[test]
fn it_is_written_whatever_the_exit_code() {
    let folder = folder_with("tools.json", "[]");
    let (code, log) = check(folder.path(), &["--file", "tools.json"]);
    assert_eq!((code, results(&log).len()), (Some(0), 0));
    write(folder.path(), "tools.json", TOOLS);
    let (code, log) = check(folder.path(), &["--file", "tools.json"]);
    assert_eq!(code, Some(1));
    assert!(results(&log).len() > 1, "{log}");
}

#[test]
fn where_no_server_could_be_checked_a_result_says_so() {
    let folder = folder();
    let (code, log) = check(folder.path(), &[]);
    assert_eq!((code, results(&log)[0]["ruleId"].as_str()), (Some(0), Some("config-no-servers")));
    write(folder.path(), ".mcp.json", &broken());
    let (code, log) = check(folder.path(), &[]);
    assert_eq!((code, results(&log)[0]["ruleId"].as_str()), (Some(1), Some("server-not-started")));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn the_category_is_an_option() {
    let folder = folder_with("tools.json", "[]");
    let id = |words: &[&str]| check(folder.path(), words).1["runs"][0]["automationDetails"]["id"].clone();
    assert_eq!(id(&["--file", "tools.json"]), "mcp-lint/");
    assert_eq!(id(&["--file", "tools.json", "--category", "servers/a"]), "servers/a/");
    let refused = run(folder.path(), &["check", "--category", "a b"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
}

#[test]
fn paths_start_at_the_top_of_the_repository() {
    let folder = folder();
    write(folder.path(), ".git/HEAD", "ref: refs/heads/main\n");
    write(folder.path(), "packages/a b/.mcp.json", &broken());
    let (_, log) = check(folder.path(), &["--root", "packages/a b"]);
    assert_eq!(uris(&log), ["packages/a%20b/.mcp.json"]);
    let below = folder.path().join("packages/a b");
    for words in [&[][..], &["--root", "."], &["--root", "../a b"], &["--config", "./.mcp.json"]] {
        assert_eq!(uris(&check(&below, words).1), ["packages/a%20b/.mcp.json"], "{words:?}");
    }
    // The report's root and the current folder differ: a listing is found from the latter.
    write(folder.path(), "tools.json", TOOLS);
    write(folder.path(), "packages/tools.json", "[]");
    assert_eq!(uris(&check(folder.path(), &["--root", "packages", "--file", "tools.json"]).1), ["tools.json"]);
}

#[test]
fn without_git_they_start_at_the_workspace_or_here() {
    let folder = folder();
    write(folder.path(), "a/b/.mcp.json", &broken());
    assert_eq!(uris(&check(folder.path(), &["--root", "a/b"]).1), ["a/b/.mcp.json"]);
    let mut under = command(&folder.path().join("a"));
    under.args(["check", "--root", "b", "--output", "sarif=out.sarif"]).env("GITHUB_WORKSPACE", folder.path());
    finished(under.output().expect("a run"));
    assert_eq!(uris(&read(&folder.path().join("a/out.sarif"))), ["a/b/.mcp.json"]);
}

#[test]
fn a_file_outside_is_stood_in_for() {
    let outside = folder_with("tools.json", TOOLS);
    let outside = outside.path().join("tools.json").to_string_lossy().into_owned();
    let folder = folder();
    let (_, log) = check(folder.path(), &["--file", &outside]);
    assert_eq!(uris(&log), ["README.md"]);
    write(folder.path(), "package.json", "{}");
    let (_, log) = check(folder.path(), &["--file", &outside]);
    assert_eq!(uris(&log), ["package.json"]);
    let physical = &results(&log)[0]["locations"][0]["physicalLocation"];
    assert_eq!(physical["region"], json!({ "startLine": 1 }));
}

#[test]
fn stdin_is_stood_in_for() {
    let folder = folder_with("pyproject.toml", "");
    let mut words = command(folder.path());
    words.args(["check", "--file", "-", "--format", "sarif"]);
    words.stdin(std::fs::File::open(folder_with_tools(folder.path())).expect("a file"));
    let run = finished(words.output().expect("a run"));
    let log: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, uris(&log)), (Some(1), vec!["pyproject.toml".to_owned()]));
}

fn folder_with_tools(folder: &Path) -> std::path::PathBuf {
    write(folder, "listing.txt", TOOLS);
    folder.join("listing.txt")
}

#[test]
#[cfg(unix)]
fn links_are_followed_as_far_as_the_repository_goes() {
    let elsewhere = folder_with("mcp.json", &broken());
    let folder = folder();
    write(folder.path(), "config/servers.json", &broken());
    std::os::unix::fs::symlink("config/servers.json", folder.path().join(".mcp.json")).expect("a link");
    assert_eq!(uris(&check(folder.path(), &[]).1), ["config/servers.json"]);
    std::fs::remove_file(folder.path().join(".mcp.json")).expect("removed");
    std::os::unix::fs::symlink(elsewhere.path().join("mcp.json"), folder.path().join(".mcp.json")).expect("a link");
    assert_eq!(uris(&check(folder.path(), &[]).1), ["README.md"]);
}

#[test]
fn lines_are_hashed_as_github_does() {
    let config = "\u{feff}{\r\n\t\"mcpServers\": {\r\n\t\t\"parcels 🦀\": { \"command\": \"no-such-program-here\" }\r\n\t}\r\n}\r\n";
    let folder = folder_with(".mcp.json", config);
    let (_, log) = check(folder.path(), &[]);
    let hashes = LineHashes::of(config);
    for result in results(&log) {
        let line = result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line");
        let line = u32::try_from(line).expect("a small number");
        let written = result["partialFingerprints"]["primaryLocationLineHash"].as_str();
        assert_eq!(written, hashes.line(line).as_deref(), "{result}");
    }
    let own: Vec<&Value> = results(&log).iter().map(|result| &result["partialFingerprints"]["mcpLint/v1"]).collect();
    assert!(own.iter().all(|print| print.as_str().is_some_and(|text| text.len() == 32)), "{own:?}");
}

#[test]
fn a_baseline_is_told_from_none() {
    let folder = folder_with("tools.json", TOOLS);
    let states =
        |log: &Value| -> Vec<Value> { results(log).iter().map(|result| result["baselineState"].clone()).collect() };
    let (_, log) = check(folder.path(), &["--file", "tools.json"]);
    assert!(states(&log).iter().all(Value::is_null), "{log}");
    assert_eq!(run(folder.path(), &["baseline", "create", "--file", "tools.json"]).code, Some(0));
    let (code, log) = check(folder.path(), &["--file", "tools.json"]);
    assert_eq!(code, Some(0));
    assert!(!results(&log).is_empty() && states(&log).iter().all(|state| state == "unchanged"), "{log}");
}

#[test]
fn rules_are_explained_in_full() {
    let folder = folder_with("tools.json", TOOLS);
    let (_, log) = check(folder.path(), &["--file", "tools.json"]);
    for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules") {
        let markdown = rule["help"]["markdown"].as_str().expect("help");
        for part in ["## What", "## Why", "## Fix", "/docs/rules/"] {
            assert!(markdown.contains(part), "{part}: {markdown}");
        }
        assert!(rule["help"]["text"].as_str().is_some_and(|text| text.contains("Fix: ")), "{rule}");
    }
}
