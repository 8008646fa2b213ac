//! `--format github`: the runner reads exactly the annotations that are meant, whatever servers call things.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Run, command, finished, folder, folder_with, run, write};
use crate::runner::{Command, commands};

/// Names that would be commands, ends of properties, or escapes, if they were printed as they are.
const HOSTILE: &str = "::error::mine\r\n::stop-commands::x\n##[set-output name=a]b ##[error]c ##vso[task.complete]d %0A::add-mask::e ,line=99::f \u{1b}[31m\u{202e}\u{200b}100%";

fn tool(name: &str) -> Value {
    json!({ "name": name, "description": name, "inputSchema": { "type": "object", "required": [name] } })
}

/// Server and commands of the annotations that a JSON report of the same run asks for.
fn levels(report: &Value) -> Vec<&'static str> {
    let findings = report["findings"].as_array().expect("findings");
    let mut levels: Vec<&str> = findings.iter().map(|finding| finding["level"].as_str().unwrap_or_default()).collect();
    levels.sort_by_key(|level| ["error", "warning", "note"].iter().position(|known| known == level));
    levels
        .into_iter()
        .map(|level| match level {
            "error" => "error",
            "warning" => "warning",
            _ => "notice",
        })
        .collect()
}

fn names(commands: &[Command]) -> Vec<&str> {
    commands.iter().map(|command| command.name.as_str()).collect()
}

/// Both of a run's streams: the runner reads either.
fn read(run: &Run) -> Vec<Command> {
    assert_eq!(commands(&run.stderr), Vec::new());
    commands(&run.stdout)
}

#[test]
fn each_new_finding_is_an_annotation_at_its_place() {
    let folder = folder_with("tools.json", &json!([tool("find parcel")]).to_string());
    let words = ["check", "--file", "tools.json", "--format", "github", "--output", "json=report.json"];
    let run = run(folder.path(), &words);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("report.json")).expect("a report"))
            .expect("JSON");
    let commands = read(&run);
    assert_eq!(names(&commands), levels(&report), "{}", run.stdout);
    for command in &commands {
        assert_eq!(command.properties["file"], "tools.json");
        assert!(command.properties["title"].starts_with("mcp-lint: "), "{command:?}");
        let number = |key: &str| command.properties.get(key).map(|text| text.parse::<u32>().expect("a number"));
        assert!(number("line") >= Some(1) && number("endLine") >= number("line"), "{command:?}");
        assert!(command.data.contains("\nFix: "), "{command:?}");
    }
    let last = run.stdout.lines().last().expect("a last line");
    assert!(last.contains(" in 1 server"), "{last}");
}

#[test]
fn hostile_names_make_no_further_commands() {
    let folder = folder();
    let tools = json!([tool(HOSTILE), tool("a::b"), tool("##[error]"), tool("%0A::error::x")]);
    let path = "a,b:c%0A;line=9 ##[error]x.json";
    write(folder.path(), path, &tools.to_string());
    let script = format!("printf '%s\\n' '{HOSTILE}'; printf '%s\\n' '{HOSTILE}' >&2; exit 3");
    let config = json!({ "mcpServers": { HOSTILE: { "command": "sh", "args": ["-c", script] } } });
    write(folder.path(), ".mcp.json", &config.to_string());
    for words in [vec!["--file", path], vec!["--no-probe"], vec!["--no-probe", "--", "sh", "-c", &script]] {
        let words = [&["check", "--format", "github", "--output", "json=report.json"][..], &words].concat();
        let run = run(folder.path(), &words);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let report = std::fs::read_to_string(folder.path().join("report.json")).expect("a report");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let mut expected = levels(&report);
        for level in ["error", "warning", "notice"] {
            let of_level = expected.iter().filter(|name| **name == level).count();
            let mut kept = 0;
            expected.retain(|name| {
                *name != level || {
                    kept += 1;
                    kept <= 10.min(of_level)
                }
            });
        }
        let commands = read(&run);
        assert_eq!(names(&commands), expected, "{}", run.stdout);
        for command in &commands {
            let known = ["file", "line", "endLine", "col", "endColumn", "title"];
            assert!(command.properties.keys().all(|key| known.contains(&key.as_str())), "{command:?}");
            assert!(
                command.data.chars().all(|sign| sign == '\n' || !mcp_lint_core::text::is_hidden(sign)),
                "{command:?}"
            );
        }
        assert!(!run.stdout.contains(['\u{1b}', '\u{202e}', '\u{200b}']), "{:?}", run.stdout);
        // Lines are commands or the summary: no name may start one.
        let lines = run.stdout.lines().filter(|line| !line.starts_with("::"));
        assert!(lines.clone().count() <= 4, "{:?}", lines.collect::<Vec<_>>());
    }
}

#[test]
fn a_path_is_read_as_it_is() {
    let folder = folder();
    write(folder.path(), "sub/a,b 100%.json", &json!([tool("find parcel")]).to_string());
    let run = run(folder.path(), &["check", "--file", "sub/a,b 100%.json", "--format", "github"]);
    let commands = read(&run);
    assert!(!commands.is_empty());
    assert!(commands.iter().all(|command| command.properties["file"] == "sub/a,b 100%.json"), "{commands:?}");
}

#[test]
fn no_level_has_more_than_ten_and_the_last_counts_the_rest() {
    let tools: Vec<Value> = (0..30).map(|nth| tool(&format!("find parcel {nth}"))).collect();
    let folder = folder_with("tools.json", &json!(tools).to_string());
    let run = run(folder.path(), &["check", "--file", "tools.json", "--format", "github"]);
    let commands = read(&run);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    names(&commands).into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    assert_eq!(counts.get("error"), Some(&10), "{counts:?}");
    assert!(counts.values().all(|count| *count <= 10), "{counts:?}");
    let errors: Vec<&Command> = commands.iter().filter(|command| command.name == "error").collect();
    assert_eq!(names(&commands)[..10], ["error"; 10]);
    let last = errors[9];
    assert!(last.data.starts_with("And ") && last.data.contains(" errors more"), "{last:?}");
    assert_eq!(last.properties.keys().collect::<Vec<_>>(), ["title"]);
}

#[test]
fn what_the_baseline_knows_is_not_annotated() {
    let folder = folder_with("tools.json", &json!([tool("find parcel")]).to_string());
    assert_eq!(run(folder.path(), &["baseline", "create", "--file", "tools.json"]).code, Some(0));
    let run = run(folder.path(), &["check", "--file", "tools.json", "--format", "github"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(read(&run), Vec::new(), "{}", run.stdout);
    assert!(run.stdout.contains("known to the baseline"), "{}", run.stdout);
}

#[test]
fn a_clean_run_and_no_run_annotate_nothing() {
    let folder = folder_with("tools.json", "[]");
    let clean = run(folder.path(), &["check", "--file", "tools.json", "--format", "github"]);
    assert_eq!((clean.code, read(&clean)), (Some(0), Vec::new()));
    let nothing = run(folder.path(), &["check", "--format", "github"]);
    assert_eq!((nothing.code, read(&nothing)), (Some(0), Vec::new()));
    assert!(nothing.stderr.contains("Nothing to check"), "{}", nothing.stderr);
}

#[test]
fn under_a_runner_no_colour_and_no_variable_changes_it() {
    let folder = folder_with("tools.json", &json!([tool("find parcel")]).to_string());
    let plain = run(folder.path(), &["check", "--file", "tools.json", "--format", "github"]);
    let mut under = command(folder.path());
    under.args(["check", "--file", "tools.json", "--format", "github"]);
    under.envs([("CI", "true"), ("GITHUB_ACTIONS", "true"), ("GITHUB_TOKEN", "t"), ("CLICOLOR_FORCE", "1")]);
    under.env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md")).env("GITHUB_WORKSPACE", folder.path());
    let under = finished(under.output().expect("a run"));
    assert_eq!(commands(&under.stdout), commands(&plain.stdout));
    assert!(!Path::new(&folder.path().join("summary.md")).exists());
}
