//! The baseline: only new findings fail, and nothing is added in silence.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Run, folder, run, scripted_server, write};

const FILE: &str = ".mcp-lint-baseline.jsonl";

fn tool(name: &str) -> Value {
    let description = format!("Does what {name} says for one parcel, and returns its state.");
    json!({ "name": name, "description": description, "inputSchema": { "type": "object", "properties": {} } })
}

fn check(folder: &Path, options: &[&str]) -> Run {
    run(folder, &[&["check", "--file", "tools.json", "--json"], options].concat())
}

fn save(folder: &Path, tools: &Value) {
    write(folder, "tools.json", &tools.to_string());
}

fn baseline(folder: &Path, words: &[&str]) -> Run {
    run(folder, &[&["baseline"], words, &["--file", "tools.json"]].concat())
}

fn file(folder: &Path) -> String {
    std::fs::read_to_string(folder.join(FILE)).expect("the baseline")
}

fn counts(run: &Run) -> [u64; 3] {
    let summary = &run.report()["summary"];
    ["new", "known", "gone"].map(|key| summary[key].as_u64().expect("a count"))
}

#[test]
fn what_is_known_does_not_fail_and_what_is_new_does() {
    let folder = folder();
    let folder = folder.path();
    save(folder, &json!([tool("track parcel"), tool("list_depots")]));
    assert_eq!(check(folder, &[]).code, Some(1));
    let created = baseline(folder, &["create"]);
    assert_eq!(created.code, Some(0), "{}", created.stderr);
    let known = check(folder, &["--strict"]);
    assert_eq!((known.code, counts(&known)[0]), (Some(0), 0), "{}", known.stdout);
    assert_eq!(check(folder, &["--no-baseline"]).code, Some(1));
    // Order, indentation and wording do not matter.
    let mut moved = json!([tool("list_depots"), tool("track parcel")]);
    moved[1]["title"] = "Track".into();
    write(folder, "tools.json", &serde_json::to_string_pretty(&moved).expect("JSON"));
    assert_eq!(counts(&check(folder, &[]))[0], 0);
    // Two findings of one rule swapped: one is new, one is gone.
    save(folder, &json!([tool("list_depots"), tool("find parcel")]));
    let swapped = check(folder, &[]);
    assert_eq!((swapped.code, counts(&swapped)[0], counts(&swapped)[2]), (Some(1), 1, 1), "{}", swapped.stdout);
    let report = swapped.report();
    let new = report["findings"].as_array().expect("findings").iter().find(|one| one["state"] == "new").expect("one");
    assert!(new["hint"].as_str().is_some_and(|hint| hint.contains("`track parcel`")), "{new}");
}

#[test]
fn update_only_takes_out_and_lowers() {
    let folder = folder();
    let folder = folder.path();
    let many: Vec<Value> = (0..45).map(|nth| tool(&format!("tool_{nth}"))).collect();
    save(folder, &json!(many));
    baseline(folder, &["create"]);
    assert!(file(folder).contains("\"max\":45"), "{}", file(folder));
    save(folder, &json!([many[..41].to_vec(), vec![tool("one more")]].concat()));
    assert_eq!(check(folder, &[]).code, Some(1), "the bad name is new");
    assert_eq!(baseline(folder, &["update"]).code, Some(0));
    assert!(file(folder).contains("\"max\":42") && !file(folder).contains("one more"), "{}", file(folder));
    let once = file(folder);
    assert!(baseline(folder, &["update"]).stdout.contains("Nothing to update"));
    assert_eq!(file(folder), once);
    // Worse than accepted is new again.
    save(folder, &json!(many));
    let worse = check(folder, &["--strict"]);
    assert_eq!(worse.code, Some(1));
    assert!(worse.stdout.contains("Worse than accepted: 45 > 42."), "{}", worse.stdout);
}

#[test]
fn accepting_is_explicit() {
    let folder = folder();
    let folder = folder.path();
    save(folder, &json!([tool("track parcel")]));
    assert_eq!(baseline(folder, &["accept", "--reason", "x"]).code, Some(2), "which ones?");
    assert_eq!(baseline(folder, &["accept", "--rule", "name-invalid"]).code, Some(2), "why?");
    let words = ["accept", "--rule", "name-invalid", "--reason", "renamed in 2.0", "--until", "2020-01-31"];
    assert_eq!(baseline(folder, &words).code, Some(0));
    let expired = check(folder, &[]);
    assert_eq!(expired.code, Some(1));
    assert!(expired.stdout.contains("It was accepted until 2020-01-31."), "{}", expired.stdout);
    assert_eq!(baseline(folder, &["accept", "--rule", "name-invalid", "--reason", "renamed in 2.0"]).code, Some(0));
    assert_eq!(check(folder, &[]).code, Some(0));
    assert!(file(folder).contains("\"reason\":\"renamed in 2.0\""));
    baseline(folder, &["create"]);
    assert!(file(folder).contains("\"reason\":\"renamed in 2.0\""), "create keeps reasons: {}", file(folder));
}

#[test]
fn a_server_that_does_not_start_leaves_its_entries_alone() {
    let folder = folder();
    let transcript = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/crlf.toml");
    let config = |command: &Path| {
        json!({ "mcpServers": { "parcels": { "command": command, "args": [transcript] } } }).to_string()
    };
    write(folder.path(), ".mcp.json", &config(&scripted_server()));
    let create = run(folder.path(), &["baseline", "create", "--no-probe"]);
    assert_eq!(create.code, Some(0), "{}", create.stderr);
    let before = file(folder.path());
    write(folder.path(), ".mcp.json", &config(Path::new("no-such-program-here")));
    let failed = run(folder.path(), &["check", "--json"]);
    assert_eq!((failed.code, counts(&failed)), (Some(1), [1, 0, 0]));
    assert!(!failed.report()["not_judged"].as_array().expect("a list").is_empty());
    assert_eq!(run(folder.path(), &["baseline", "update"]).code, Some(0));
    assert_eq!(file(folder.path()), before);
    let create = run(folder.path(), &["baseline", "create"]);
    assert_eq!(create.code, Some(2));
    assert!(create.stderr.contains("--allow-partial"), "{}", create.stderr);
}

#[test]
fn merged_files_load_and_broken_ones_name_the_line() {
    let folder = folder();
    let folder = folder.path();
    save(folder, &json!([tool("track parcel")]));
    baseline(folder, &["create"]);
    let text = file(folder);
    let lines: Vec<&str> = text.lines().collect();
    let merged: Vec<&str> = lines.iter().rev().chain(&lines).copied().collect();
    write(folder, FILE, &merged.join("\r\n"));
    assert_eq!(counts(&check(folder, &[]))[0], 0);
    for (text, said) in [
        ("{\"mcp-lint-baseline\":1}\n<<<<<<< ours\n", "line 2 is a conflict marker"),
        ("{\"mcp-lint-baseline\":7}\n", "version 7"),
        ("{\"mcp-lint-baseline\":1}\n{\"rule\":\n", "line 2 is not JSON"),
        ("{\"mcp-lint-baseline\":1}\n{\"rule\":\"a\"}\n", "line 2 is no entry"),
        ("", "is missing"),
    ] {
        write(folder, FILE, text);
        let run = check(folder, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{text}");
        assert!(run.stderr.contains(said) && run.stderr.contains(FILE), "{said}: {}", run.stderr);
    }
}

#[test]
fn what_servers_have_in_common_is_not_gone_while_one_is_away() {
    let folder = folder();
    let clean = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/clean.toml");
    let entry = json!({ "command": scripted_server(), "args": [clean] });
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": { "a": entry, "b": entry } }).to_string());
    assert_eq!(run(folder.path(), &["baseline", "create"]).code, Some(0));
    let before = file(folder.path());
    assert!(before.contains("name-shared-across-servers"), "{before}");
    let gone = |words: &[&str]| run(folder.path(), &[&["check", "--json"], words].concat()).report()["gone"].clone();
    assert_eq!((gone(&[]), gone(&["--server", "a"]), gone(&["--shard", "1/2"])), (json!([]), json!([]), json!([])));
    let broken = json!({ "command": "sh", "args": ["-c", "exit 3"] });
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": { "a": entry, "b": broken } }).to_string());
    assert_eq!(run(folder.path(), &["baseline", "update"]).code, Some(0));
    assert_eq!(file(folder.path()), before);
}

#[test]
fn a_new_baseline_keeps_what_the_run_did_not_look_at() {
    let folder = folder();
    let tool = r#"{ name = "tool 1", description = "Does a thing.", inputSchema = { type = "object" } }"#;
    write(folder.path(), "odd.toml", &format!("tools = [{tool}]\n"));
    let entry = json!({ "command": scripted_server(), "args": ["odd.toml"] });
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": { "a": entry, "b": entry } }).to_string());
    run(folder.path(), &["baseline", "create"]);
    let before = file(folder.path());
    assert!(before.contains(r#""server":"b""#), "{before}");
    assert_eq!(run(folder.path(), &["baseline", "create", "--server", "a"]).code, Some(0));
    assert_eq!(file(folder.path()), before);
}
