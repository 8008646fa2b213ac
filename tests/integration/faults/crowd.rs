//! Many servers at once, some of them hostile, and few descriptors for them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::harness::{Run, command, finished, folder, processes_with, scripted_server, write};

/// Transcripts of hostile servers, and the rule that names each at warning or error level.
const PLAYED: &[(&str, &str, &str)] = &[
    ("floods-stdout", "[[step]]\nfill = 1_000_000_000\nwith = 'DEBUG polling depot 7\\n'\n", "stdout-not-jsonrpc"),
    (
        "floods-stderr",
        "[[step]]\nfill = 1_000_000_000\nwith = 'DEBUG polling depot 7\\n'\nstderr = true\n[[step]]\nexit = 3\n",
        "server-exited",
    ),
    (
        "endless-line",
        "[[step]]\non = \"tools/list\"\n[[step]]\nrepeat = \"forever\"\nfill = 1_000_000\n",
        "server-no-answer",
    ),
    ("ignores-sigterm", "[[at_eof]]\nhang = true\n", "shutdown-ignored"),
    ("closes-stdout", "[[step]]\non = \"initialize\"\n[[step]]\nclose = \"stdout\"\n", "server-exited"),
    ("prints-after-close", "[[at_eof]]\nline = 'Parcel service ready'\n", "stdout-not-jsonrpc"),
    ("floods-after-close", "[[at_eof]]\nrepeat = \"forever\"\nline = 'x'\n", "stdout-not-jsonrpc"),
    ("leaves-daemon", "[[step]]\nspawn = \"daemon\"\n[[step]]\nexit = 3\n", "server-exited"),
];

/// The same as shell scripts; `$0` is a file that lives as long as the test.
const SCRIPTS: &[(&str, &str, &str)] = &[
    ("forks", r#"n=0; while [ $n -lt 100 ]; do tail -f "$0" > /dev/null & n=$((n+1)); done; exit 3"#, "server-exited"),
    ("stops-itself", "kill -STOP $$", "server-no-answer"),
];

const GOOD: &str = "tools = [\"track_parcel\", \"list_depots\", \"book_pickup\"]\n[initialize]\nname = \"parcels\"\n";

fn played(folder: &Path, name: &str) -> Value {
    json!({ "command": scripted_server(), "args": [folder.join(format!("{name}.toml"))] })
}

/// The hostile servers of a folder, each with its rule.
fn hostile(folder: &Path) -> Vec<(String, Value, &'static str)> {
    let mut all = Vec::new();
    for (name, steps, rule) in PLAYED {
        let is_deaf = ["ignores-sigterm", "floods-after-close"].contains(name);
        write(folder, &format!("{name}.toml"), &format!("ignore_sigterm = {is_deaf}\n{GOOD}{steps}"));
        all.push(((*name).to_owned(), played(folder, name), *rule));
    }
    for (name, script, rule) in SCRIPTS {
        let server = json!({ "command": "sh", "args": ["-c", script, folder.join("good.toml")] });
        all.push(((*name).to_owned(), server, *rule));
    }
    all
}

/// Runs a check to its end; gives the most memory that it had, in KiB, as far as looking often can tell.
fn watched(child: Child) -> (Run, u64) {
    let status = format!("/proc/{}/status", child.id());
    let (tell, ended) = channel();
    let waiter = std::thread::spawn(move || {
        let output = child.wait_with_output();
        let _ = tell.send(());
        output
    });
    let mut most = 0;
    while ended.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0));
    }
    (finished(waiter.join().expect("no panic").expect("an end")), most)
}

fn nobody_is_left(folder: &Path) {
    assert_eq!(processes_with(&folder.to_string_lossy()), Vec::<String>::new());
}

/// Every tenth of 200 servers is hostile.
#[test]
fn a_crowd_with_hostile_servers() {
    let folder = folder();
    write(folder.path(), "good.toml", GOOD);
    let kinds = hostile(folder.path());
    let mut servers = Map::new();
    let mut expected: Vec<(String, &str)> = Vec::new();
    for nth in 0..200 {
        if nth % 10 == 0 {
            let (name, server, rule) = &kinds[nth / 10 % kinds.len()];
            servers.insert(format!("{name}-{nth}"), server.clone());
            expected.push((format!("{name}-{nth}"), rule));
        } else {
            servers.insert(format!("good-{nth}"), played(folder.path(), "good"));
        }
    }
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": servers }).to_string());
    let mut command = command(folder.path());
    // Long enough for good servers on a busy machine; only those that stop themselves are waited for to the end.
    command.args(["check", "--json", "--no-probe", "--jobs", "24", "--timeout", "20", "--output", "json=report.json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
    let (run, kibibytes) = watched(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    nobody_is_left(folder.path());
    let report = run.report();
    let checked = report["servers"].as_array().expect("servers").iter();
    let good = checked.filter(|server| server["name"].as_str().is_some_and(|name| name.starts_with("good-")));
    assert_eq!(good.filter(|server| server["outcome"] == "checked" && server["tools"] == 3).count(), 180);
    let loud: Vec<&Value> =
        report["findings"].as_array().expect("findings").iter().filter(|f| f["level"] != "note").collect();
    let strangers: Vec<_> = loud.iter().filter(|f| expected.iter().all(|(name, _)| f["server"] != **name)).collect();
    assert!(strangers.is_empty(), "{strangers:?}");
    for (name, rule) in &expected {
        let own: Vec<_> = loud.iter().filter(|f| f["server"] == **name).map(|f| &f["rule"]).collect();
        assert!(own.iter().any(|fired| *fired == rule), "{name}: {own:?}");
    }
    assert!(kibibytes > 0 && kibibytes < 400 << 10, "{kibibytes} KiB at most");
    println!("at most {} MiB", kibibytes >> 10);
}

#[test]
fn fifty_servers_with_few_descriptors() {
    let folder = folder();
    write(folder.path(), "good.toml", GOOD);
    let servers: Map<String, Value> =
        (0..50).map(|nth| (format!("good-{nth}"), played(folder.path(), "good"))).collect();
    write(folder.path(), ".mcp.json", &json!({ "mcpServers": servers }).to_string());
    for (limit, jobs) in [("64", "50"), ("64", "4"), ("24", "50")] {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"ulimit -n "$0"; exec "$@""#, limit, env!("CARGO_BIN_EXE_mcp-lint")]);
        shell.args(["check", "--json", "--no-probe", "--jobs", jobs]).current_dir(folder.path());
        let run = finished(shell.stdin(Stdio::null()).output().expect("a run"));
        assert_eq!((run.code, run.fired()), (Some(0), Vec::new()), "{limit}, {jobs}: {}", run.stderr);
        nobody_is_left(folder.path());
        assert_eq!(run.stderr.contains("servers run at once"), jobs == "50", "{}", run.stderr);
    }
}
