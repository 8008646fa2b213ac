//! Real servers, installed from pinned lock files by `tests/servers/install`.
//!
//! Each has a file `expected.txt` beside its lock file: every finding, one a line. A server whose runtime or
//! packages are missing counts as ignored, and says so; with `CI` set that is a failure. Run with
//! `UPDATE_EXPECTED=1` to write the files anew, and read the difference before it is committed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

struct Server {
    /// Folder in tests/servers.
    name: &'static str,
    /// Program that has to be on the PATH.
    runtime: &'static str,
    /// The command, relative to the server's folder.
    command: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
    exit: i32,
}

const SERVERS: &[Server] = &[
    Server {
        name: "everything",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-everything", "stdio"],
        env: &[],
        exit: 0,
    },
    Server {
        name: "filesystem",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-filesystem", "."],
        env: &[],
        exit: 0,
    },
    Server {
        name: "github",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-github"],
        env: &[("GITHUB_PERSONAL_ACCESS_TOKEN", "dummy")],
        exit: 0,
    },
    Server {
        name: "gitlab",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-gitlab"],
        env: &[("GITLAB_PERSONAL_ACCESS_TOKEN", "dummy")],
        exit: 1,
    },
    Server { name: "time-mcp", runtime: "node", command: &["node_modules/.bin/time-mcp"], env: &[], exit: 1 },
    Server {
        name: "airbnb",
        runtime: "node",
        command: &["node", "--require", "./offline.cjs", "node_modules/.bin/mcp-server-airbnb"],
        env: &[],
        exit: 0,
    },
    Server {
        name: "consult-llm",
        runtime: "node",
        command: &["node_modules/.bin/consult-llm-mcp"],
        env: &[("OPENAI_API_KEY", "dummy")],
        exit: 0,
    },
    Server { name: "mcp-server-time", runtime: "python3", command: &[".venv/bin/mcp-server-time"], env: &[], exit: 0 },
    Server {
        name: "office-word",
        runtime: "python3",
        command: &[".venv/bin/word_mcp_server"],
        env: &[("FASTMCP_CHECK_FOR_UPDATES", "off")],
        exit: 1,
    },
];

fn main() {
    let arguments = Arguments::from_args();
    let trials = SERVERS.iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// A trial, ignored where the server cannot be there.
fn trial(server: &'static Server) -> Trial {
    match missing(server) {
        None => Trial::test(server.name, move || check(server)),
        Some(what) if std::env::var_os("CI").is_some() => Trial::test(server.name, move || Err(what.into())),
        Some(what) => Trial::test(format!("{} ({what})", server.name), || Ok(())).with_ignored_flag(true),
    }
}

fn missing(server: &Server) -> Option<String> {
    let found = Command::new(server.runtime).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        return Some(format!("{} is missing", server.runtime));
    }
    let packages = if server.runtime == "node" { "node_modules" } else { ".venv" };
    (!folder(server).join(packages).is_dir()).then(|| "not installed: run tests/servers/install".to_owned())
}

fn folder(server: &Server) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers").join(server.name)
}

/// Runs the check in the server's folder, with nothing of the caller's environment but PATH.
fn check(server: &Server) -> Result<(), Failed> {
    let home = tempfile::tempdir()?;
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-lint"))
        .current_dir(folder(server))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home.path())
        .envs(server.env.iter().copied())
        .args(["check", "--format", "json", "--timeout", "60", "--"])
        .args(server.command)
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {said}"))?;
    let found = listed(&report);
    compare(&folder(server).join("expected.txt"), &found)?;
    match output.status.code() {
        Some(code) if code == server.exit => Ok(()),
        code => Err(format!("exit {code:?}, expected {}: {said}", server.exit).into()),
    }
}

/// Every finding: level, rule, kind, entity, pointer.
fn listed(report: &Value) -> String {
    let mut text = String::new();
    for finding in report["findings"].as_array().into_iter().flatten() {
        let words = ["level", "rule", "kind", "entity", "pointer"].map(|key| finding[key].as_str().unwrap_or_default());
        text.push_str(words.join(" ").trim_end());
        text.push('\n');
    }
    text
}

fn compare(path: &Path, found: &str) -> Result<(), Failed> {
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, found)?;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    let missing =
        expected.lines().filter(|line| !found.lines().any(|other| other == *line)).map(|line| format!("- {line}\n"));
    let added =
        found.lines().filter(|line| !expected.lines().any(|other| other == *line)).map(|line| format!("+ {line}\n"));
    Err(missing.chain(added).collect::<String>().into())
}
