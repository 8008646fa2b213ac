//! Configuration files: found, read in their own dialect, variables filled, entries run or skipped.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Run, command, finished, folder, folder_with, run, scripted_server, write};

fn transcript(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/transcripts/{name}.toml")).to_string_lossy().into_owned()
}

fn server(name: &str) -> Value {
    json!({ "command": scripted_server(), "args": [transcript(name)] })
}

/// Name, transport and outcome of each server.
fn servers(run: &Run) -> Vec<(String, String, String)> {
    let report = run.report();
    let rows = report["servers"].as_array().expect("servers").iter();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    rows.map(|row| (text(row, "name"), text(row, "transport"), text(row, "outcome"))).collect()
}

fn row(name: &str, transport: &str, outcome: &str) -> (String, String, String) {
    (name.to_owned(), transport.to_owned(), outcome.to_owned())
}

#[test]
fn every_file_at_the_root_is_read() {
    let folder = folder();
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": { "one": server("clean") } }).to_string());
    write(folder.path(), "mcp.json", &json!({ "mcpServers": { "three": server("clean") } }).to_string());
    let vscode = format!("// for the team\n{{ \"servers\": {{ \"two\": {}, }}, }}", server("clean"));
    write(folder.path(), ".vscode/mcp.json", &vscode);
    let run = run(folder.path(), &["check", "--json", "--no-probe"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert_eq!(servers(&run), ["one", "two", "three"].map(|name| row(name, "stdio", "checked")));
    assert_eq!(run.report()["servers"][1]["source"], json!({ "path": ".vscode/mcp.json", "line": 2 }));
}

#[test]
fn other_files_are_read_when_named() {
    let folder = folder();
    let gemini = format!("{{ /* mine */ \"theme\": \"dark\", \"mcpServers\": {{ \"a\": {} }} }}", server("clean"));
    write(folder.path(), ".gemini/settings.json", &gemini);
    write(folder.path(), ".cursor/mcp.json", &json!({ "mcpServers": { "b": server("clean") } }).to_string());
    write(folder.path(), "claude_desktop_config.json", &json!({ "mcpServers": { "c": server("clean") } }).to_string());
    let nothing = run(folder.path(), &["check"]);
    assert!(nothing.stdout.contains("Nothing to check"), "{}", nothing.stdout);
    let words = ["check", "--json", "--no-probe", "--config", ".gemini/settings.json", "--config", ".cursor/mcp.json"];
    let run = run(folder.path(), &[&words[..], &["--config", "claude_desktop_config.json"]].concat());
    assert_eq!(servers(&run), ["a", "b", "c"].map(|name| row(name, "stdio", "checked")));
}

#[test]
fn http_and_disabled_entries_are_named_and_skipped() {
    let mut off = server("clean");
    off["disabled"] = true.into();
    let config = json!({ "mcpServers": {
        "remote": { "type": "http", "url": "https://example.com/mcp" },
        "old": { "type": "sse", "url": "https://example.com/sse" },
        "off": off,
    }});
    let folder = folder_with(".mcp.json", &config.to_string());
    let run = run(folder.path(), &["check", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = [row("remote", "http", "skipped"), row("old", "http", "skipped"), row("off", "stdio", "skipped")];
    assert_eq!(servers(&run), expected);
    assert_eq!(run.rules(), ["config-transport-deprecated", "server-skipped"]);
}

#[test]
fn variables_come_from_the_environment_and_are_never_printed() {
    let mut keyed = server("needs-variable");
    keyed["env"] = json!({ "PARCEL_KEY": "${SECRET_OF_MINE}" });
    let folder = folder_with(".mcp.json", &json!({ "mcpServers": { "keyed": keyed } }).to_string());
    let words = ["check", "--json", "--no-probe"];
    let with = finished(command(folder.path()).args(words).env("SECRET_OF_MINE", "hush-7c1").output().expect("a run"));
    assert_eq!(with.code, Some(0), "{}{}", with.stdout, with.stderr);
    assert!(!with.stdout.contains("hush-7c1") && !with.stderr.contains("hush-7c1"));
    let without = run(folder.path(), &words);
    assert_eq!(without.code, Some(1));
    assert_eq!(without.rules(), ["config-variable-unset", "server-exited"]);
    assert!(without.message("config-variable-unset").contains("SECRET_OF_MINE"));
}

#[test]
fn an_input_of_vscode_comes_from_its_own_variable() {
    let mut keyed = server("needs-variable");
    keyed["env"] = json!({ "PARCEL_KEY": "${input:parcel-key}" });
    let config = json!({ "inputs": [{ "id": "parcel-key", "type": "promptString", "password": true }], "servers": { "keyed": keyed } });
    let folder = folder_with(".vscode/mcp.json", &config.to_string());
    let words = ["check", "--json", "--no-probe"];
    let run =
        finished(command(folder.path()).args(words).env("MCP_LINT_INPUT_PARCEL_KEY", "x").output().expect("a run"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_variable_file_a_folder_and_the_workspace() {
    let config = json!({ "servers": { "keyed": {
        "type": "stdio",
        "command": scripted_server(),
        "args": ["plays/needs-variable.toml"],
        "cwd": "${workspaceFolder}/sub",
        "envFile": "${workspaceFolder}/dev.env",
    }}});
    let folder = folder_with(".vscode/mcp.json", &config.to_string());
    write(folder.path(), "dev.env", "# for tests\nPARCEL_KEY='k'\n");
    let play = std::fs::read_to_string(transcript("needs-variable")).expect("the transcript");
    write(folder.path(), "sub/plays/needs-variable.toml", &play);
    let found = run(folder.path(), &["check", "--json", "--no-probe"]);
    assert_eq!(found.code, Some(0), "{}{}", found.stdout, found.stderr);
    std::fs::remove_file(folder.path().join("dev.env")).expect("removed");
    let missing = run(folder.path(), &["check", "--json"]);
    assert_eq!((missing.code, missing.rules()), (Some(1), vec!["server-not-started".to_owned()]));
}

#[test]
fn one_server_can_be_picked() {
    let config = json!({ "mcpServers": { "a": server("clean"), "b": server("exit-at-once") } });
    let folder = folder_with(".mcp.json", &config.to_string());
    let run_one = run(folder.path(), &["check", "--json", "--no-probe", "--server", "a"]);
    assert_eq!(servers(&run_one), [row("a", "stdio", "checked")]);
    let none = run(folder.path(), &["check", "--server", "c"]);
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("`c`"), "{}", none.stderr);
}

#[test]
fn two_files_that_name_a_server_alike_are_told_apart() {
    let folder = folder();
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": { "parcels": server("clean") } }).to_string());
    write(folder.path(), ".vscode/mcp.json", &json!({ "servers": { "parcels": server("clean") } }).to_string());
    let run = run(folder.path(), &["check", "--json", "--no-probe"]);
    let names: Vec<String> = servers(&run).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["parcels (.mcp.json)", "parcels (.vscode/mcp.json)"]);
}

#[test]
fn one_broken_server_or_file_does_not_hide_the_others() {
    let config = json!({ "mcpServers": {
        "gone": { "command": "no-such-program-here" },
        "odd": { "command": 7 },
        "fine": server("clean"),
    }});
    let folder = folder_with(".mcp.json", &config.to_string());
    write(folder.path(), "mcp.json", "{ \"mcpServers\": ");
    let run = run(folder.path(), &["check", "--json", "--no-probe"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(servers(&run), [row("gone", "stdio", "failed"), row("fine", "stdio", "checked")]);
    assert_eq!(run.rules(), ["config-invalid", "server-not-started"]);
    let places: Vec<String> = run.report()["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|f| f["location"]["path"].to_string())
        .collect();
    assert_eq!(places, ["\".mcp.json\"", "\"mcp.json\"", "\".mcp.json\""]);
    assert_eq!(run.report()["findings"][1]["location"]["start_column"], 17);
}

#[test]
fn the_root_can_be_elsewhere() {
    let folder = folder();
    write(folder.path(), "repo/.mcp.json", &json!({ "mcpServers": { "one": server("clean") } }).to_string());
    let run = run(folder.path(), &["check", "--json", "--no-probe", "--root", "repo"]);
    assert_eq!(servers(&run), [row("one", "stdio", "checked")]);
    assert_eq!(run.report()["servers"][0]["source"]["path"], ".mcp.json");
}

#[test]
fn a_windows_warning_never_fails() {
    let folder = folder_with(
        ".mcp.json",
        &json!({ "mcpServers": { "one": { "command": "a.cmd", "disabled": true } } }).to_string(),
    );
    let run = run(folder.path(), &["check", "--json", "--strict"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(run.rules().contains(&"config-windows-command".to_owned()), "{:?}", run.rules());
}

#[test]
fn a_credential_is_found_and_no_part_of_it_is_shown() {
    // Made of two halves, so that nobody's scanner takes the test for a leak.
    let secret = ["ghp_", "Zk3Qv8Rt1Lm5Xw9Bn2Yc6Hd4Js7Pf0GaUeIo"].concat();
    let mut keyed = server("clean");
    keyed["env"] = json!({ "GITHUB_PERSONAL_ACCESS_TOKEN": secret });
    let folder = folder_with(".mcp.json", &json!({ "mcpServers": { "keyed": keyed } }).to_string());
    for format in ["text", "json", "markdown", "sarif", "github"] {
        let run = run(folder.path(), &["check", "--no-probe", "--format", format]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(all.contains("config") && all.contains("secret"), "{all}");
        for part in [secret.as_str(), &secret[4..16], &secret[24..]] {
            assert!(!all.contains(part), "{format} shows {part}");
        }
    }
}

#[test]
fn values_of_variables_stay_out_of_every_message() {
    let secret = "hunter2-of-mine";
    let echo = "echo Using key $K; echo bad key $K >&2; exit 3";
    let error =
        "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"bad key '$K'\"}}'; cat > /dev/null";
    let info = "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"'$K'\",\"capabilities\":{},\"serverInfo\":{\"name\":\"a\",\"version\":\"'$K'\"}}}'; sleep 0.2";
    let config = json!({ "mcpServers": {
        "program": { "command": "${SECRET}" },
        "path": { "command": "./${SECRET}/x" },
        "file": { "command": "true", "envFile": "${SECRET}/.env" },
        "echo": { "command": "sh", "args": ["-c", echo], "env": { "K": "${SECRET}" } },
        "error": { "command": "sh", "args": ["-c", error], "env": { "K": "${SECRET}" } },
        "info": { "command": "sh", "args": ["-c", info], "env": { "K": "${SECRET}" } },
    }});
    let folder = folder_with(".mcp.json", &config.to_string());
    for format in ["text", "json", "markdown", "sarif", "github"] {
        let mut command = command(folder.path());
        command.args(["check", "--format", format]).env("SECRET", secret);
        let run = finished(command.output().expect("a run"));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(!all.contains(secret) && all.contains("redacted"), "{format}: {all}");
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_is_none_is_not_waited_for() {
    let config = json!({ "mcpServers": { "a": { "command": "true", "envFile": "/dev/zero" } } });
    let folder = folder_with(".mcp.json", &config.to_string());
    let zero = run(folder.path(), &["check", "--json"]);
    assert_eq!((zero.code, zero.rules()), (Some(1), vec!["server-not-started".to_owned()]));
    std::fs::remove_file(folder.path().join(".mcp.json")).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join(".mcp.json")).expect("a link");
    let linked = run(folder.path(), &["check"]);
    assert_eq!(linked.code, Some(2));
    assert!(linked.stderr.contains("not a regular file"), "{}", linked.stderr);
}
