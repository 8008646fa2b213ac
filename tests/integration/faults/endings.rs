//! We are told to end, or are killed, in each phase of a conversation.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

use super::{many_tools, names, until, until_nobody_is_left};
use crate::harness::{command, finished, folder, folder_with, processes_with, scripted_server, write};

/// A phase, and when a server has come to it.
const PHASES: &[(&str, &str)] = &[
    ("starting", "[[step]]\non = \"initialize\"\n"),
    ("listing", "[[step]]\non = \"tools/list\"\n"),
    ("calling", "[[step]]\non = \"tools/call\"\n"),
    ("stopping", ""),
    ("probing", "[[step]]\non = \"server/discover\"\n"),
];

/// A server that leaves the file `here` once it has come so far, and from then on reads nothing, and does not mind
/// SIGTERM: by itself it ends never.
fn stays(come: &str) -> String {
    let step = if come.is_empty() { "at_eof" } else { "step" };
    let tools = r#"tools = ["forecast_for_town", "pollen_report"]"#;
    format!("ignore_sigterm = true\n{tools}\n{come}[[{step}]]\nmark = \"here\"\n[[{step}]]\nhang = true\n")
}

/// Starts a check that comes to a phase and stays there, in a folder with a report of an earlier one.
fn start(come: &str) -> (TempDir, Child) {
    let folder = folder_with("report.json", "an earlier report");
    write(folder.path(), "play.toml", &stays(come));
    let mut command = command(folder.path());
    command.args(["check", "--timeout", "600", "--output", "json=report.json", "--"]).arg(scripted_server());
    command.arg(folder.path().join("play.toml")).stdout(Stdio::piped()).stderr(Stdio::piped());
    (folder, command.spawn().expect("a run"))
}

fn until_here(folder: &Path, phase: &str) {
    until(phase, || folder.join("here").exists());
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

fn nothing_is_half_written(folder: &Path, when: &str) {
    assert_eq!(names(folder), ["here", "play.toml", "report.json"], "{when}");
    let report = std::fs::read_to_string(folder.join("report.json")).expect("the earlier report");
    assert_eq!(report, "an earlier report", "{when}");
}

#[test]
fn a_signal_in_any_phase_ends_everything() {
    let signals = [("INT", 130), ("TERM", 143)];
    let cases = PHASES.iter().flat_map(|phase| signals.map(|signal| (phase, signal)));
    let running: Vec<_> = cases.map(|((phase, come), signal)| (*phase, signal, start(come))).collect();
    for (phase, (signal, _), (folder, child)) in &running {
        until_here(folder.path(), phase);
        send(signal, child);
    }
    for (phase, (signal, code), (folder, child)) in running {
        let run = finished(child.wait_with_output().expect("an end"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{phase}, {signal}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("stopped by SIG{signal}")), "{phase}: {}", run.stderr);
        let own = folder.path().to_string_lossy().into_owned();
        assert_eq!(processes_with(&own), Vec::<String>::new(), "{phase}, {signal}");
        nothing_is_half_written(folder.path(), phase);
    }
}

#[test]
fn servers_die_with_us_in_any_phase() {
    let running: Vec<_> = PHASES.iter().map(|(phase, come)| (*phase, start(come))).collect();
    for (phase, (folder, mut child)) in running {
        until_here(folder.path(), phase);
        child.kill().expect("SIGKILL");
        child.wait().expect("an end");
        until_nobody_is_left(folder.path());
        nothing_is_half_written(folder.path(), phase);
    }
}

#[test]
fn what_a_server_started_itself_sees_its_stdin_close() {
    let folder = folder_with("play.toml", "[[step]]\non = \"initialize\"\n[[step]]\nmark = \"here\"\n");
    let mut command = command(folder.path());
    command.args(["check", "--timeout", "600", "--", "sh", "-c", r#""$0" "$1"; true"#]).arg(scripted_server());
    let mut child = command.arg(folder.path().join("play.toml")).stdout(Stdio::null()).spawn().expect("a run");
    until_here(folder.path(), "the server behind the shell");
    child.kill().expect("SIGKILL");
    child.wait().expect("an end");
    until_nobody_is_left(folder.path());
}

#[test]
fn an_interrupted_check_starts_no_further_server() {
    let folder = folder();
    write(folder.path(), "play.toml", &stays(PHASES[0].1));
    let first = json!({ "command": scripted_server(), "args": [folder.path().join("play.toml")] });
    let later = json!({ "command": "sh", "args": ["-c", "echo >> started"] });
    let servers: serde_json::Map<String, serde_json::Value> =
        std::iter::once(("a".to_owned(), first)).chain((0..5).map(|nth| (format!("b{nth}"), later.clone()))).collect();
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": servers }).to_string());
    let mut command = command(folder.path());
    command.args(["check", "--jobs", "1", "--timeout", "600"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("a run");
    until("the first server", || folder.path().join("here").exists());
    send("INT", &child);
    let run = finished(child.wait_with_output().expect("an end"));
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    assert!(!folder.path().join("started").exists(), "servers were started after SIGINT");
}

#[test]
fn a_signal_ends_us_while_nobody_reads_the_report() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let folder = folder_with("tools.json", &many_tools());
        let mut command = command(folder.path());
        command.args(["check", "--json", "--max-per-rule", "100000", "--file", "tools.json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
        let mut stdout = child.stdout.take().expect("its stdout");
        // With the first byte the servers are done, and the pipe is too small for the rest.
        stdout.read_exact(&mut [0]).expect("a byte");
        send(signal, &child);
        until("an end", || child_ended(&child));
        let run = finished(child.wait_with_output().expect("an end"));
        assert_eq!(run.code, Some(code), "{}", run.stderr);
    }
}

/// Whether a child has ended, without taking notice of it.
fn child_ended(child: &Child) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
}
