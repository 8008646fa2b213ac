//! Whole runs of the release binary, measured: a table of figures, no verdict.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::{Value, json};

use crate::{listing, root};

mod sources;

/// Runs of each measurement; the fastest counts, as the one least disturbed.
const RUNS: usize = 5;

/// What one run took.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    /// Of the program and everything it started.
    cpu: Duration,
    /// Peak memory of the largest process, in bytes.
    memory: u64,
}

/// Builds what is measured, measures, prints a table in Markdown.
pub(crate) fn run() -> Result<()> {
    build()?;
    let folder = tempfile::tempdir()?;
    let mut table = Table::default();
    table.row("start-up (`--version`)", lint(&["--version"])?, "");
    table.row("`demo`, with its server", lint(&["demo"])?, "");
    saved_listings(folder.path(), &mut table)?;
    results(folder.path(), &mut table)?;
    locate(&mut table)?;
    live(folder.path(), &mut table)?;
    many_servers(folder.path(), &mut table)?;
    std::io::stdout().lock().write_all(table.text().as_bytes())?;
    Ok(())
}

/// Listings in files, beside a plain parse of the same file.
fn saved_listings(folder: &Path, table: &mut Table) -> Result<()> {
    for count in [1_000, 10_000, 100_000] {
        let file = folder.join(format!("{count}.json"));
        std::fs::write(&file, listing::text(count))?;
        let size = std::fs::metadata(&file)?.len();
        let path = file.to_string_lossy().into_owned();
        let floor = fastest(|| measure(&binary("xtask"), &["parse", &path]))?;
        table.row(&format!("plain parse of {count} tools, {:.1} MB", megabytes(size)), floor, "");
        let cost = lint(&["check", "--no-baseline", "--file", &path])?;
        let note = format!(
            "{:.1} × the parse in CPU, {:.1} × the file in memory",
            cost.cpu.as_secs_f64() / floor.cpu.as_secs_f64(),
            cost.memory as f64 / size as f64
        );
        table.row(&format!("check of {count} tools"), cost, &note);
    }
    Ok(())
}

/// A finding for each of very many tools, written as SARIF.
fn results(folder: &Path, table: &mut Table) -> Result<()> {
    let tools: Vec<Value> = (0..25_000)
        .map(|number| json!({ "name": format!("tool_{number}"), "inputSchema": { "type": "object" } }))
        .collect();
    let file = folder.join("bare.json");
    std::fs::write(&file, json!({ "tools": tools }).to_string())?;
    let path = file.to_string_lossy();
    let words = ["check", "--no-baseline", "--max-per-rule", "25000", "--format", "sarif", "--file", &path];
    table.row("25,000 findings as SARIF", lint(&words)?, "");
    Ok(())
}

fn locate(table: &mut Table) -> Result<()> {
    let repository = tempfile::tempdir()?;
    let tools = sources::lay(repository.path())?;
    let (folder, tools) = (repository.path().to_string_lossy(), tools.to_string_lossy());
    let words = ["check", "--no-baseline", "--root", &folder, "--file", &tools];
    table.row("400 tools located in 200 files of 10,000 lines", lint(&words)?, "");
    Ok(())
}

/// One server over stdio, beside a client that does nothing but ask.
fn live(folder: &Path, table: &mut Table) -> Result<()> {
    let server = binary("scripted-server");
    let clean = root().join("tests/transcripts/clean.toml");
    let large = folder.join("large.toml");
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"result":{}}}"#, listing::text(1_250));
    let step = format!("\n[[step]]\non = \"tools/list\"\nline = '{answer}'\n");
    std::fs::write(&large, format!("tools = []\n{step}{step}"))?;
    for (what, transcript) in [("three tools", &clean), ("1 MB in one line", &large)] {
        let transcript = transcript.to_string_lossy();
        let path = server.to_string_lossy();
        let alone = fastest(|| measure(&binary("xtask"), &["converse", &path, &transcript]))?;
        table.row(&format!("a server of {what}, asked by a bare client"), alone, "");
        let cost = lint(&["check", "--no-baseline", "--no-probe", "--no-call", "--", &path, &transcript])?;
        let beyond = cost.cpu.saturating_sub(alone.cpu).as_secs_f64() * 1_000.0;
        table.row("the same by `check --no-probe`", cost, &format!("{beyond:.1} ms of CPU beyond the client's"));
    }
    Ok(())
}

/// Fifty servers that take 0.3 s to start, beside one of them.
fn many_servers(folder: &Path, table: &mut Table) -> Result<()> {
    let server = binary("scripted-server");
    let transcript = root().join("tests/transcripts/late-start.toml");
    let entry = json!({ "command": server, "args": [transcript] });
    let mut costs = Vec::new();
    for count in [1_usize, 50] {
        let servers: serde_json::Map<String, Value> =
            (0..count).map(|nth| (format!("parcels-{nth}"), entry.clone())).collect();
        let place = folder.join(format!("of-{count}"));
        std::fs::create_dir_all(&place)?;
        std::fs::write(place.join(".mcp.json"), json!({ "mcpServers": servers }).to_string())?;
        let path = place.to_string_lossy();
        costs.push(lint(&["check", "--no-baseline", "--jobs", "50", "--root", &path])?);
    }
    if let [one, many] = costs[..] {
        table.row("one server that takes 0.3 s to start, twice", one, "");
        let ratio = many.wall.as_secs_f64() / one.wall.as_secs_f64();
        let beyond = many.wall.as_secs_f64() - 1.3 * one.wall.as_secs_f64();
        table.row("50 of them at once", many, &format!("{ratio:.2} × one; {beyond:+.2} s to 1.3 × one"));
    }
    Ok(())
}

/// Reads a file and parses it into a tree: the floor for a check of it.
pub(crate) fn parse(file: &Path) -> Result<()> {
    let value: Value = serde_json::from_slice(&std::fs::read(file)?)?;
    if value.get("tools").is_none() {
        bail!("not a listing");
    }
    Ok(())
}

/// What a server takes by itself: spawn, handshake, two listings, end of stdin, exit.
pub(crate) fn converse(server: &Path, transcript: &Path) -> Result<()> {
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
    Ok(())
}

fn build() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = [
        "build",
        "--release",
        "--quiet",
        "--package",
        "mcp-lint",
        "--package",
        "scripted-server",
        "--package",
        "xtask",
    ];
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

/// The fastest run of the linter; what it prints is thrown away.
fn lint(words: &[&str]) -> Result<Cost> {
    fastest(|| measure(&binary("mcp-lint"), words))
}

fn fastest(mut run: impl FnMut() -> Result<Cost>) -> Result<Cost> {
    let costs: Result<Vec<Cost>> = (0..RUNS).map(|_| run()).collect();
    costs?.into_iter().min_by_key(|cost| cost.wall).context("no runs")
}

/// Runs a program under a process of its own, which tells what its children took.
fn measure(program: &Path, words: &[&str]) -> Result<Cost> {
    let output = Command::new(binary("xtask")).arg("measured").arg(program).args(words).output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<u64> = told.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [wall, cpu, memory] = numbers[..] else {
        bail!("{} {words:?} failed: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    };
    Ok(Cost { wall: Duration::from_micros(wall), cpu: Duration::from_micros(cpu), memory })
}

/// Runs a program and prints its time, the CPU time of it and its children in microseconds, and its peak memory
/// in bytes.
pub(crate) fn measured(words: &[&str]) -> Result<()> {
    let [program, words @ ..] = words else { bail!("no program") };
    let start = Instant::now();
    let status =
        Command::new(program).args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let wall = start.elapsed();
    if status.code().is_none_or(|code| code > 1) {
        bail!("{program} ended with {status}");
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    // Linux counts in KiB, and so do we: the figures are of one machine.
    writeln!(std::io::stdout(), "{} {cpu} {}", wall.as_micros(), usage.max_rss() * 1024)?;
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The table, a row a measurement.
#[derive(Default)]
struct Table {
    rows: String,
}

impl Table {
    fn row(&mut self, what: &str, cost: Cost, note: &str) {
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let _ = writeln!(
            self.rows,
            "| {what} | {:.1} | {:.1} | {:.1} | {note} |",
            ms(cost.wall),
            ms(cost.cpu),
            megabytes(cost.memory)
        );
    }

    fn text(&self) -> String {
        let head = "| what | time, ms | CPU, ms | peak memory, MB | |\n| --- | ---: | ---: | ---: | --- |\n";
        format!("{head}{}", self.rows)
    }
}
