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
