//! Runs the binary with an environment that holds nothing of the caller's, and reads what it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A finished run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A finding in the few words that tests compare: rule, level, kind, entity.
pub(crate) type Fired = (String, String, String, String);

impl Run {
    /// The JSON report on stdout.
    pub(crate) fn report(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!("no report ({error}), exit {:?}:\n{}\n{}", self.code, self.stdout, self.stderr)
        })
    }

    /// Findings at warning or error level, in report order.
    pub(crate) fn fired(&self) -> Vec<Fired> {
        let report = self.report();
        let findings = report["findings"].as_array().expect("a list of findings").iter();
        let loud = findings.filter(|finding| finding["level"] != "note");
        loud.map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            (text("rule"), text("level"), text("kind"), text("entity"))
        })
        .collect()
    }

    /// Rule ids of all findings, notes included, each once, sorted.
    pub(crate) fn rules(&self) -> Vec<String> {
        let report = self.report();
        let findings = report["findings"].as_array().expect("a list of findings").iter();
        let mut rules: Vec<String> =
            findings.map(|finding| finding["rule"].as_str().unwrap_or_default().to_owned()).collect();
        rules.sort();
        rules.dedup();
        rules
    }

    /// The message of the first finding of a rule.
    pub(crate) fn message(&self, rule: &str) -> String {
        let report = self.report();
        let findings = report["findings"].as_array().expect("a list of findings").iter();
        let mut own = findings.filter(|finding| finding["rule"] == rule);
        own.next().and_then(|finding| finding["message"].as_str()).unwrap_or_default().to_owned()
    }
}

/// The binary, in a folder, with PATH and an empty HOME and nothing else.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-lint"));
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command.env("PATH", std::env::var_os("PATH").expect("a PATH")).env("HOME", folder);
    command
}

/// Runs the binary in a folder.
pub(crate) fn run(folder: &Path, words: &[&str]) -> Run {
    finished(command(folder).args(words).output().expect("the binary starts"))
}

/// Reads a finished run.
pub(crate) fn finished(output: Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("our own output is UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A new, empty folder.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A folder with one file.
pub(crate) fn folder_with(path: &str, text: &str) -> tempfile::TempDir {
    let folder = folder();
    write(folder.path(), path, text);
    folder
}

/// Writes a file of a folder, with the folders above it.
pub(crate) fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    std::fs::write(path, text).expect("a file");
}

/// The scripted server, which the workspace's tests build.
pub(crate) fn scripted_server() -> PathBuf {
    let beside = Path::new(env!("CARGO_BIN_EXE_mcp-lint")).parent().expect("a folder").join("scripted-server");
    assert!(
        beside.exists(),
        "scripted-server is not built: run `cargo build -p scripted-server`, or test the workspace"
    );
    beside
}

/// Processes whose command line holds a text.
pub(crate) fn processes_with(text: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(text)).collect()
}
