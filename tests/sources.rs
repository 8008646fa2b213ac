//! Declarations found in sources that nobody here wrote: published packages, unpacked by
//! `tests/sources/install` and `tests/servers/install`.
//!
//! Each file of `tests/sources/answers` names a language and a package's folder, then a line for every tool
//! the server lists: where a reader of the source finds it declared. What is found elsewhere is wrong, in
//! another file above all.

#![allow(clippy::print_stdout, reason = "the table is what the run is for")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// Of a hundred tools, how many have to be found.
const LEAST_PERCENT: usize = 90;

fn main() {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, answers().into_iter().map(trial).collect()).exit();
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn answers() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(tests().join("sources/answers")).into_iter().flatten();
    let mut files: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// A trial, ignored where the package is not there.
fn trial(file: PathBuf) -> Trial {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_there = std::fs::read_to_string(&file).is_ok_and(|text| Answers::read(&text).folder.is_dir());
    let can_wait = !is_there && std::env::var_os("CI").is_none();
    Trial::test(name, move || check(&file)).with_ignored_flag(can_wait)
}

struct Answers {
    language: String,
    folder: PathBuf,
    /// Tool and place, as path and line.
    tools: Vec<(String, String)>,
}

impl Answers {
    fn read(text: &str) -> Self {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let (language, folder) = lines.next().unwrap_or_default();
        let tools = lines.map(|(tool, place)| (tool.to_owned(), place.to_owned())).collect();
        Self { language: language.to_owned(), folder: tests().join(folder), tools }
    }
}

fn check(file: &Path) -> Result<(), Failed> {
    let answers = Answers::read(&std::fs::read_to_string(file)?);
    let found = located(&answers)?;
    let (mut hits, mut wrong) = (0, Vec::new());
    for (tool, answer) in &answers.tools {
        match found.iter().find(|(name, _)| name == tool) {
            Some((_, place)) if place == answer => hits += 1,
            Some((_, place)) => wrong.push(format!("{tool}: {place}, not {answer}")),
            None => {}
        }
    }
    let all = answers.tools.len();
    println!("{:24} {:8} {hits:4} of {all:4}", file.file_stem().unwrap_or_default().display(), answers.language);
    if !wrong.is_empty() {
        return Err(format!("wrong places:\n{}", wrong.join("\n")).into());
    }
    if all == 0 || hits * 100 < all * LEAST_PERCENT {
        return Err(format!("{hits} of {all} tools found").into());
    }
    Ok(())
}

/// The place of every tool whose declaration is found. The tools have nothing but a name, so that each has a
/// finding.
fn located(answers: &Answers) -> Result<Vec<(String, String)>, Failed> {
    let folder = tempfile::tempdir()?;
    let listing = folder.path().join("listing.json");
    let tools: Vec<Value> = answers.tools.iter().map(|(tool, _)| json!({ "name": tool })).collect();
    std::fs::write(&listing, json!({ "tools": tools }).to_string())?;
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-lint"))
        .args(["check", "--format", "json", "--no-baseline", "--max-per-rule", "100000", "--root"])
        .arg(&answers.folder)
        .arg("--file")
        .arg(&listing)
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {said}"))?;
    let findings = report["findings"].as_array().into_iter().flatten();
    let defined = findings.filter(|finding| {
        finding["kind"] == "tool" && finding["pointer"] == "" && finding["location"]["found_by"] == "definition"
    });
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(defined
        .map(|finding| {
            let location = &finding["location"];
            (text(&finding["entity"]), format!("{}:{}", text(&location["path"]), location["start_line"]))
        })
        .collect())
}
