//! What a server can see of our environment, and what is left of it afterwards.

use std::path::Path;

use serde_json::json;

use crate::harness::{command, finished, folder, folder_with, scripted_server};

/// A server that writes down its environment and that of its parent before it starts to serve.
fn spy() -> String {
    let transcript = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/clean.toml");
    let (server, transcript) = (scripted_server(), transcript.to_string_lossy().into_owned());
    format!("env > own.txt; cat /proc/$PPID/environ > parent.txt 2>/dev/null; exec {} {transcript}", server.display())
}

const RUNNER: &[(&str, &str)] = &[
    ("GITHUB_TOKEN", "t0ken-a"),
    ("ACTIONS_RUNTIME_TOKEN", "t0ken-b"),
    ("INPUT_TOKEN", "t0ken-c"),
    ("GITHUB_ENV", "/runner/t0ken-d"),
];

#[test]
fn a_configured_server_gets_a_cleared_environment() {
    let config =
        json!({ "mcpServers": { "spy": { "command": "sh", "args": ["-c", spy()], "env": { "NAMED": "yes" } } } });
    let folder = folder_with(".mcp.json", &config.to_string());
    let mut command = command(folder.path());
    command.args(["check", "--no-probe", "--json"]).env("CALLERS_OWN", "private").envs(RUNNER.iter().copied());
    let run = finished(command.output().expect("a run"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let own = std::fs::read_to_string(folder.path().join("own.txt")).expect("written");
    let parent = std::fs::read_to_string(folder.path().join("parent.txt")).expect("written");
    assert!(own.contains("NAMED=yes") && own.contains("PATH=") && own.contains("HOME="), "{own}");
    assert!(!own.contains("CALLERS_OWN") && !own.contains("t0ken"), "{own}");
    assert!(!parent.contains("t0ken"), "the parent's tokens can be read in /proc: {parent}");
}

#[test]
fn a_command_gets_the_callers_environment_without_the_runners() {
    let folder = folder();
    let spy = spy();
    let mut command = command(folder.path());
    command.args(["check", "--no-probe", "--env", "ADDED=too", "--", "sh", "-c", &spy]);
    command.env("CALLERS_OWN", "private").envs(RUNNER.iter().copied());
    let run = finished(command.output().expect("a run"));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let own = std::fs::read_to_string(folder.path().join("own.txt")).expect("written");
    assert!(own.contains("CALLERS_OWN=private") && own.contains("ADDED=too") && !own.contains("t0ken"), "{own}");
}

#[test]
fn a_runners_token_does_not_fill_a_variable() {
    let config = json!({ "mcpServers": { "spy": { "command": "sh", "args": ["-c", spy()], "env": { "KEY": "${GITHUB_TOKEN}" } } } });
    let folder = folder_with(".mcp.json", &config.to_string());
    let mut command = command(folder.path());
    command.args(["check", "--no-probe", "--json"]).envs(RUNNER.iter().copied());
    let run = finished(command.output().expect("a run"));
    assert!(run.rules().contains(&"config-variable-unset".to_owned()), "{:?}", run.rules());
    let own = std::fs::read_to_string(folder.path().join("own.txt")).expect("written");
    assert!(!own.contains("t0ken") && !own.contains("KEY="), "{own}");
}

#[test]
fn a_fresh_home_is_empty_and_gone_afterwards() {
    let folder = folder();
    let script = format!("echo $HOME > home.txt; ls -A \"$HOME\" > content.txt; {}", spy());
    let mut command = command(folder.path());
    command.args(["check", "--no-probe", "--fresh-home", "--", "sh", "-c", &script]);
    assert_eq!(finished(command.output().expect("a run")).code, Some(0));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
    let home = read("home.txt");
    assert_ne!(Path::new(home.trim()), folder.path());
    assert_eq!(read("content.txt"), "");
    assert!(!Path::new(home.trim()).exists(), "{home}");
}

#[test]
fn a_token_in_the_environment_does_not_keep_the_check_from_running_again_and_again() {
    let folder = folder_with("tools.json", "[]");
    let mut command = command(folder.path());
    command.args(["check", "--file", "tools.json"]).envs(RUNNER.iter().copied());
    assert_eq!(finished(command.output().expect("a run")).code, Some(0));
}

#[test]
fn processes_that_were_there_before_are_left_alone() {
    let folder = folder();
    let transcript = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/clean.toml");
    let words = [env!("CARGO_BIN_EXE_mcp-lint"), "check", "--no-probe", "--"].map(str::to_owned);
    let (server, transcript) = (scripted_server().display().to_string(), transcript.display().to_string());
    // The check takes over the shell's process, and with it the shell's child.
    let script = format!("sleep 600 & echo $! > pid.txt; exec {} {server} {transcript}", words.join(" "));
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).stdin(std::process::Stdio::null());
    let run = finished(
        shell.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).output().expect("a run"),
    );
    assert_eq!(run.code, Some(0));
    let pid = std::fs::read_to_string(folder.path().join("pid.txt")).expect("the sleeper's number");
    let killed = std::process::Command::new("kill").arg(pid.trim()).status().expect("kill");
    assert!(killed.success(), "the sleeper is gone");
}

#[test]
fn a_privileged_event_starts_no_server() {
    let folder = folder_with("tools.json", "[]");
    let run = |event: &str, words: &[&str]| {
        let mut command = command(folder.path());
        command.args(["check", "--no-probe"]).args(words).env("GITHUB_EVENT_NAME", event);
        finished(command.output().expect("a run"))
    };
    let server = ["--", "sh", "-c", "touch started"];
    for event in ["issue_comment", "pull_request_target", "workflow_run"] {
        let refused = run(event, &server);
        assert_eq!(refused.code, Some(2), "{event}");
        assert!(refused.stderr.contains(event) && refused.stderr.contains("--allow-privileged-event"), "{event}");
        assert!(!folder.path().join("started").exists(), "{event}");
        assert_eq!(run(event, &["--file", "tools.json"]).code, Some(0), "{event}");
    }
    assert_eq!(run("workflow_run", &[&["--allow-privileged-event"], &server[..]].concat()).code, Some(1));
    assert!(folder.path().join("started").exists());
    assert_eq!(run("pull_request", &server).code, Some(1));
}

#[test]
fn advice_fits_the_container() {
    let folder = folder_with(
        ".mcp.json",
        r#"{ "mcpServers": {
            "a": { "command": "no-such-program" },
            "b": { "command": ".venv/bin/python" },
            "c": { "command": "sh", "args": ["-c", "echo \"version GLIBC_2.43 not found\" >&2; exit 1"] },
            "d": { "command": "sh", "args": ["-c", "echo \"NODE_MODULE_VERSION 137\" >&2; exit 1"] } } }"#,
    );
    let bin = folder.path().join(".venv/bin");
    std::fs::create_dir_all(&bin).expect("folders");
    std::os::unix::fs::symlink("/opt/no-such/bin/python3", bin.join("python")).expect("a link");
    let fixes = |container: &str| {
        let mut command = command(folder.path());
        command.args(["check", "--json", "--no-probe"]).env("MCP_LINT_CONTAINER", container);
        let report = finished(command.output().expect("a run")).report();
        let findings = report["findings"].as_array().expect("findings").clone();
        let loud = findings.into_iter().filter(|finding| finding["level"] == "error");
        loud.map(|finding| format!("{} {}", finding["message"], finding["fix"])).collect::<Vec<String>>()
    };
    let outside = fixes("");
    assert_eq!(outside.len(), 4, "{outside:?}");
    assert!(outside.iter().all(|fix| !fix.contains("runtime: host")), "{outside:?}");
    assert!(outside[1].contains("a link to `/opt/no-such/bin/python3`"), "{outside:?}");
    let inside = fixes("1");
    assert!(inside.iter().all(|fix| fix.contains("runtime: host")), "{inside:?}");
}
