//! The contract: what servers listed when it was agreed to, and what changed since.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Run, command, finished, folder, run, scripted_server, write};

const FILE: &str = ".mcp-lint-contract.json";

/// A server's transcript with one tool, whose argument takes up to so many.
fn transcript(name: &str, most: u32) -> String {
    format!(
        r#"tools = [{{ name = "{name}", description = "Lists the events of one parcel, the newest first.", inputSchema = {{ type = "object", properties = {{ limit = {{ type = "integer", maximum = {most}, description = "Most events to return." }} }} }} }}]
"#
    )
}

/// A repository whose configuration names these servers.
fn repository(servers: &[&str]) -> tempfile::TempDir {
    let folder = folder();
    let entry =
        |name: &&str| (name.to_string(), json!({ "command": scripted_server(), "args": [format!("{name}.toml")] }));
    let servers: serde_json::Map<String, Value> = servers.iter().map(entry).collect();
    for name in servers.keys() {
        write(folder.path(), &format!("{name}.toml"), &transcript("list_events", 100));
    }
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": servers }).to_string());
    folder
}

fn snapshot(folder: &Path, words: &[&str]) -> Run {
    let run = run(folder, &[&["baseline", "create", "--snapshot", "--no-probe"], words].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn check(folder: &Path, words: &[&str]) -> Run {
    run(folder, &[&["check", "--json", "--no-probe"], words].concat())
}

fn file(folder: &Path) -> String {
    std::fs::read_to_string(folder.join(FILE)).expect("the contract")
}

/// Rule, level, entity and pointer of what is new.
fn new(run: &Run) -> Vec<String> {
    let report = run.report();
    let findings = report["findings"].as_array().expect("findings").iter().filter(|one| one["state"] == "new");
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    let told = |one: &Value| ["rule", "level", "entity", "pointer"].map(|key| text(one, key)).join(" ");
    findings.map(told).collect()
}

const NARROWED: &str = "argument-narrowed error list_events /inputSchema/properties/limit";

#[test]
fn what_changed_since_the_contract_fails_until_it_is_agreed_to() {
    let folder = repository(&["parcels"]);
    let folder = folder.path();
    let created = snapshot(folder, &[]);
    assert!(created.stdout.contains("Contract with 1 server written"), "{}", created.stdout);
    let same = check(folder, &["--strict"]);
    assert_eq!((same.code, new(&same)), (Some(0), vec![]), "{}", same.stdout);

    write(folder, "parcels.toml", &transcript("list_events", 50));
    let changed = check(folder, &[]);
    assert_eq!((changed.code, new(&changed)), (Some(1), vec![NARROWED.to_owned()]));
    assert_eq!(
        changed.message("argument-narrowed"),
        "The argument \"limit\" takes less than it took: `maximum` was 100 and is 50."
    );
    let finding = changed.report()["findings"].as_array().expect("findings").last().cloned().expect("one");
    assert_eq!(finding["location"]["path"], ".mcp.json", "{finding}");
    // Without the baseline, the contract does not count either, unless it is named.
    let without = check(folder, &["--no-baseline"]);
    assert!(!new(&without).contains(&NARROWED.to_owned()), "{}", without.stdout);
    assert!(new(&check(folder, &["--no-baseline", "--contract", FILE])).contains(&NARROWED.to_owned()));
    // Other formats have it as well.
    let sarif = run(folder, &["check", "--no-probe", "--format", "sarif"]);
    assert!(sarif.stdout.contains("\"argument-narrowed\"") && sarif.code == Some(1), "{}", sarif.stdout);

    let words = ["baseline", "accept", "--no-probe", "--rule", "argument-narrowed", "--reason", "agreed"];
    assert_eq!(run(folder, &words).code, Some(0));
    assert_eq!(check(folder, &[]).code, Some(0));
    // Once the contract is written anew, there is nothing left to accept.
    let updated = run(folder, &["baseline", "update", "--snapshot", "--no-probe"]);
    assert_eq!(updated.code, Some(0), "{}", updated.stderr);
    assert!(file(folder).contains("\"maximum\": 50"), "{}", file(folder));
    let baseline = std::fs::read_to_string(folder.join(".mcp-lint-baseline.jsonl")).expect("the baseline");
    assert!(!baseline.contains("argument-narrowed"), "{baseline}");
    let settled = check(folder, &[]);
    assert_eq!((settled.code, new(&settled)), (Some(0), vec![]));
    assert_eq!(settled.report()["gone"], json!([]));
}

#[test]
fn settings_count_for_changes_too() {
    let folder = repository(&["parcels"]);
    let folder = folder.path();
    snapshot(folder, &[]);
    write(folder, "parcels.toml", &transcript("list_events", 50));
    let level = |text: &str| {
        write(folder, "mcp-lint.toml", text);
        check(folder, &[])
    };
    assert_eq!(level("[rules]\nargument-narrowed = \"note\"\n").code, Some(0));
    assert_eq!(new(&level("[rules]\nargument-narrowed = \"off\"\n")), [""; 0]);
    assert_eq!(new(&level("[[ignore]]\nrule = \"argument-narrowed\"\nreason = \"agreed\"\n")), [""; 0]);
}

#[test]
fn a_tool_that_is_gone_is_placed_at_its_server() {
    let folder = repository(&["parcels"]);
    let folder = folder.path();
    snapshot(folder, &[]);
    write(folder, "parcels.toml", &transcript("read_events", 100));
    let changed = check(folder, &[]);
    assert!(new(&changed).contains(&"tool-removed error list_events ".to_owned()), "{:?}", new(&changed));
    assert_eq!(
        changed.message("tool-removed"),
        "The tool \"list_events\" is gone; \"read_events\" looks like its new name."
    );
    let report = changed.report();
    let findings = report["findings"].as_array().expect("findings");
    let gone = findings.iter().find(|one| one["rule"] == "tool-removed").expect("it");
    assert_eq!((&gone["location"]["path"], &gone["location"]["start_line"]), (&json!(".mcp.json"), &json!(1)));
}

#[test]
fn a_contract_is_no_declaration_and_holds_no_secret() {
    let folder = repository(&["parcels"]);
    let folder = folder.path();
    let entry = json!({ "command": scripted_server(), "args": ["parcels.toml"], "env": { "KEY": "${TOKEN}" } });
    write(folder, ".mcp.json", &json!({ "mcpServers": { "parcels": entry } }).to_string());
    write(folder, "parcels.toml", &transcript("list_events", 100).replace("the newest first", "by s3cret-value-9"));
    let checked = |words: &[&str]| {
        let mut command = command(folder);
        finished(
            command
                .env("TOKEN", "s3cret-value-9")
                .args(words)
                .args(["--no-probe", "--contract", "contract.json"])
                .output()
                .expect("it starts"),
        )
    };
    let created = checked(&["baseline", "create", "--snapshot"]);
    assert_eq!(created.code, Some(0), "{}", created.stderr);
    let contract = std::fs::read_to_string(folder.join("contract.json")).expect("the contract");
    assert!(contract.contains("by [redacted]") && !contract.contains("s3cret"), "{contract}");
    assert!(!folder.join(FILE).exists());
    write(folder, "parcels.toml", &transcript("list_events", 50).replace("the newest first", "by s3cret-value-9"));
    let changed = checked(&["check", "--json"]);
    assert_eq!(new(&changed), [NARROWED]);
    let report = changed.report();
    let findings = report["findings"].as_array().expect("findings").iter();
    let places: Vec<&Value> = findings.map(|one| &one["location"]["path"]).collect();
    assert!(places.iter().all(|path| *path == ".mcp.json"), "{places:?}");
}

#[test]
fn servers_that_are_not_looked_at_keep_their_part() {
    let folder = repository(&["depots", "parcels"]);
    let folder = folder.path();
    snapshot(folder, &[]);
    let both = file(folder);
    assert!(both.find("\"depots\"") < both.find("\"parcels\""), "{both}");
    write(folder, "depots.toml", &transcript("list_events", 50));
    write(folder, "parcels.toml", &transcript("list_events", 50));
    assert_eq!(new(&check(folder, &["--server", "parcels"])), [NARROWED]);
    snapshot(folder, &["--server", "parcels"]);
    let half = file(folder);
    assert_eq!((half.matches("\"maximum\": 100").count(), half.matches("\"maximum\": 50").count()), (1, 1), "{half}");
    // One that fails has no say.
    write(folder, "parcels.toml", "exit_code = \"none\"");
    let failed = check(folder, &[]);
    let rules = failed.rules();
    assert!(!rules.contains(&"tool-removed".to_owned()), "{rules:?}");
    snapshot(folder, &["--allow-partial"]);
    assert_eq!(file(folder).matches("\"maximum\": 50").count(), 2, "{}", file(folder));
    // One that is no longer configured goes, where all were looked at.
    let entry = json!({ "command": scripted_server(), "args": ["depots.toml"] });
    write(folder, ".mcp.json", &json!({ "mcpServers": { "depots": entry } }).to_string());
    snapshot(folder, &[]);
    assert!(!file(folder).contains("parcels"), "{}", file(folder));
}

#[test]
fn a_listing_that_is_cut_short_takes_no_tool_away() {
    let folder = repository(&["parcels"]);
    let folder = folder.path();
    let tools = |steps: &str| {
        let tool = |name: &str| {
            format!(
                r#"{{ name = "{name}", description = "Lists the parcels of one depot.", inputSchema = {{ type = "object" }} }}"#
            )
        };
        format!("tools = [{}, {}]\n{steps}", tool("first"), tool("second"))
    };
    write(folder, "parcels.toml", &tools(""));
    snapshot(folder, &[]);
    let page = "[[step]]\non = \"tools/list\"\nlist = [\"first\"]\nnext = \"2\"\n[[step]]\non = \"tools/list\"\nsilent = true\n";
    write(folder, "parcels.toml", &tools(page));
    let cut = check(folder, &["--timeout", "1"]);
    assert!(!cut.rules().contains(&"tool-removed".to_owned()), "{:?}", cut.rules());
}

#[test]
fn the_file_depends_on_no_order_and_hides_nothing() {
    let folder = folder();
    let folder = folder.path();
    let tool = |name: &str| json!({ "name": name, "title": "T", "description": "Lists\u{202e} parcels.", "inputSchema": { "type": "object", "properties": { "b": { "type": "string" }, "a": { "enum": [1, 2] } } } });
    write(folder, "tools.json", &json!([tool("b"), tool("a")]).to_string());
    let words = ["baseline", "create", "--snapshot", "--file", "tools.json"];
    assert_eq!(run(folder, &words).code, Some(0));
    let once = file(folder);
    assert_eq!(
        once.lines().take(14).collect::<Vec<_>>().join("\n"),
        r#"{
  "mcp-lint-contract": 1,
  "servers": {
    "tools": [
      {
        "name": "a",
        "description": "Lists\u202e parcels.",
        "inputSchema": {
          "properties": {
            "a": {
              "enum": [1, 2]
            },
            "b": {
              "type": "string""#
    );
    let other = json!([{ "inputSchema": { "properties": { "a": { "enum": [1, 2] }, "b": { "type": "string" } }, "type": "object" }, "description": "Lists\u{202e} parcels.", "name": "a" }, tool("b")]);
    write(folder, "tools.json", &serde_json::to_string_pretty(&json!({ "tools": other })).expect("JSON"));
    assert_eq!(run(folder, &words).code, Some(0));
    assert_eq!(file(folder), once);
}

#[test]
fn a_contract_that_cannot_be_read_ends_the_check() {
    let folder = folder();
    let folder = folder.path();
    write(folder, "tools.json", "[]");
    for (text, said) in [
        ("{", "this is not JSON"),
        ("{}", "it lacks \"mcp-lint-contract\": 1"),
        ("{ \"mcp-lint-contract\": 2, \"servers\": {} }", "version 2 of the contract is unknown"),
        ("{ \"mcp-lint-contract\": 1 }", "\"servers\" has to be an object"),
        ("{ \"mcp-lint-contract\": 1, \"servers\": { \"a\": {} } }", "`a` has to have an array"),
        ("{\n<<<<<<< ours\n}", "line 2 is a conflict marker"),
    ] {
        write(folder, FILE, text);
        for words in
            [vec!["check", "--file", "tools.json"], vec!["baseline", "create", "--snapshot", "--file", "tools.json"]]
        {
            let run = run(folder, &words);
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{text}");
            assert!(run.stderr.contains(said) && run.stderr.contains(FILE), "{said}: {}", run.stderr);
        }
        assert_eq!(file(folder), text, "nothing is written over it");
    }
    let missing = run(folder, &["check", "--file", "tools.json", "--contract", "none.json"]);
    assert_eq!(missing.code, Some(2), "{}", missing.stdout);
}

#[test]
fn two_listings_are_compared() {
    let folder = folder();
    let folder = folder.path();
    let tool = |kind: &str| json!({ "name": "a", "description": "Lists parcels.", "inputSchema": { "type": "object", "properties": { "n": { "type": kind } } } });
    write(
        folder,
        "old.json",
        &json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [tool("number")] } }).to_string(),
    );
    write(folder, "new.json", &json!([tool("integer")]).to_string());
    let narrowed = run(folder, &["diff", "old.json", "new.json", "--json"]);
    assert_eq!((narrowed.code, narrowed.rules()), (Some(1), vec!["argument-narrowed".to_owned()]));
    assert_eq!(run(folder, &["diff", "old.json", "new.json", "--fail-on", "never"]).code, Some(0));
    let widened = run(folder, &["diff", "new.json", "old.json"]);
    assert_eq!(widened.code, Some(0));
    assert!(widened.stdout.contains("0 errors, 0 warnings, 0 notes"), "{}", widened.stdout);
    write(
        folder,
        "words.json",
        &json!({ "name": "a", "description": "Shows parcels.", "inputSchema": tool("number")["inputSchema"] })
            .to_string(),
    );
    let words = |options: &[&str]| run(folder, &[&["diff", "old.json", "words.json"], options].concat());
    assert_eq!([words(&["--strict"]).code, words(&["--fail-on", "note"]).code], [Some(0), Some(1)]);
    for words in [["diff", "-", "-"], ["diff", "old.json", "none.json"]] {
        assert_eq!(run(folder, &words).code, Some(2));
    }
    write(folder, "odd.json", "{ \"a\": 1 }");
    let odd = run(folder, &["diff", "odd.json", "new.json"]);
    assert_eq!(odd.code, Some(2));
    assert!(odd.stderr.contains("odd.json: No tools here"), "{}", odd.stderr);
}
