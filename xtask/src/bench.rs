//! Whole runs of the release binary, timed: a table of figures, no verdict.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{listing, root};

mod sources;

/// Runs of each measurement; the fastest counts, as the one least disturbed.
const RUNS: usize = 7;

/// Builds what is measured, measures, prints.
pub(crate) fn run() -> Result<()> {
    build()?;
    let mut table = String::from("what                                                ms\n");
    let mut row = |what: &str, time: Duration| {
        let _ = writeln!(table, "{what:46}  {:8.1}", time.as_secs_f64() * 1_000.0);
    };
    row("start-up (--version)", fastest(|| quiet(&["--version"]))?);
    let folder = tempfile::tempdir()?;
    for count in [1_000, 10_000, 100_000] {
        let file = folder.path().join(format!("{count}.json"));
        std::fs::write(&file, listing::text(count))?;
        row(&format!("plain parse of {count} tools"), fastest(|| plain_parse(&file))?);
        let path = file.to_string_lossy().into_owned();
        row(&format!("check --file of {count} tools"), fastest(|| quiet(&["check", "--file", &path]))?);
    }
    let repository = tempfile::tempdir()?;
    let tools = sources::lay(repository.path())?;
    let (folder, tools) = (repository.path().to_string_lossy(), tools.to_string_lossy());
    let words = ["check", "--no-baseline", "--root", &folder, "--file", &tools];
    row(
        "the same listing in an empty folder",
        fastest(|| quiet(&["check", "--no-baseline", "--root", &format!("{folder}/empty"), "--file", &tools]))?,
    );
    row("400 tools located in 200 files of 10,000 lines", fastest(|| quiet(&words))?);
    let server = binary("scripted-server");
    let transcript = root().join("tests/transcripts/clean.toml");
    let alone = fastest(|| converse(&server, &transcript))?;
    row("clean server, asked by a bare client", alone);
    let (server, transcript) = (server.to_string_lossy(), transcript.to_string_lossy());
    let words = ["check", "--no-probe", "--no-call", "--", &server, &transcript];
    row("the same by check --no-probe", fastest(|| quiet(&words))?);
    std::io::stdout().lock().write_all(table.as_bytes())?;
    Ok(())
}

fn build() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["build", "--release", "--quiet", "--package", "mcp-lint", "--package", "scripted-server"];
    let status = Command::new(cargo).current_dir(root()).args(words).status().context("cannot start cargo")?;
    if !status.success() {
        bail!("the build failed");
    }
    Ok(())
}

fn binary(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("release").join(name)
}

fn fastest(mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let times: Result<Vec<Duration>> = (0..RUNS).map(|_| run()).collect();
    times?.into_iter().min().context("no runs")
}

/// One run of the linter; what it prints is thrown away.
fn quiet(words: &[&str]) -> Result<Duration> {
    let start = Instant::now();
    let status = Command::new(binary("mcp-lint")).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let time = start.elapsed();
    if status.code().is_none_or(|code| code > 1) {
        bail!("mcp-lint {words:?} ended with {status}");
    }
    Ok(time)
}

/// The floor: reading the file and parsing it into a tree.
fn plain_parse(file: &Path) -> Result<Duration> {
    let start = Instant::now();
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(file)?)?;
    let time = start.elapsed();
    if value.get("tools").is_none() {
        bail!("not a listing");
    }
    Ok(time)
}

/// What the server takes by itself: spawn, handshake, two listings, end of stdin, exit.
fn converse(server: &Path, transcript: &Path) -> Result<Duration> {
    let start = Instant::now();
    let mut child = Command::new(server)
        .arg(transcript)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let mut stdout = BufReader::new(child.stdout.take().context("no stdout")?);
    let mut ask = |message: &str, answered: bool| -> Result<()> {
        stdin.write_all(format!("{message}\n").as_bytes())?;
        if answered {
            stdout.read_line(&mut String::new())?;
        }
        Ok(())
    };
    ask(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
        true,
    )?;
    ask(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, false)?;
    ask(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, true)?;
    ask(r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#, true)?;
    drop(stdin);
    child.wait()?;
    Ok(start.elapsed())
}
