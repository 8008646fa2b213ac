//! Outputs that cannot be written, and readers that went away.

use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

use super::{many_tools, names};
use crate::harness::{Run, command, finished, folder_with, run, scripted_server, write};

/// A folder with a listing that has findings, and a report of an earlier check.
fn workspace() -> TempDir {
    let folder = folder_with("tools.json", &many_tools());
    write(folder.path(), "report.json", "an earlier report");
    folder
}

const CHECK: [&str; 4] = ["check", "--file", "tools.json", "--output"];

/// Runs the binary from a shell that lays something in its way first.
fn run_behind(folder: &Path, script: &str, words: &[&str]) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_mcp-lint")]).args(words).current_dir(folder).stdin(Stdio::null());
    finished(shell.output().expect("a shell"))
}

/// Nothing but a clear error came of a file, and the report was printed all the same.
fn is_said_and_printed(run: &Run, file: &str, why: &str) {
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("error: cannot write {file}: ")), "{}", run.stderr);
    assert!(run.stderr.contains(why) && !run.stderr.contains(".tmp"), "{why}: {}", run.stderr);
    assert!(run.stdout.contains("name-invalid"), "{}", run.stdout);
}

fn earlier_report_stays(folder: &Path) {
    assert_eq!(names(folder), ["report.json", "tools.json"]);
    assert_eq!(std::fs::read_to_string(folder.join("report.json")).expect("a file"), "an earlier report");
}

/// A shell that lets no file grow: what is beyond the limit fails, as on a full disk.
const NO_GROWTH: &str = r#"ulimit -f 2; exec "$0" "$@""#;

#[test]
fn a_file_that_cannot_grow() {
    let folder = workspace();
    let run = run_behind(folder.path(), NO_GROWTH, &[&CHECK[..], &["json=report.json"]].concat());
    is_said_and_printed(&run, "report.json", "File too large");
    earlier_report_stays(folder.path());
}

#[test]
fn a_full_disk() {
    let may_mount = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("left out: this system lets nobody mount a small disk");
        return;
    }
    let folder = workspace();
    let mount = "mkdir disk; mount -t tmpfs -o size=16k tmpfs disk; echo earlier > disk/report.json";
    let look = r#""$0" "$@"; code=$?; ls -A disk > names; cat disk/report.json > kept; exit $code"#;
    let script = format!("exec unshare -rm sh -c '{mount}; {look}' \"$0\" \"$@\"");
    let run = run_behind(folder.path(), &script, &[&CHECK[..], &["json=disk/report.json"]].concat());
    is_said_and_printed(&run, "disk/report.json", "No space left");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!((read("names").as_str(), read("kept").as_str()), ("report.json\n", "earlier\n"));
}

#[test]
fn a_device_that_is_full_stays_a_device() {
    let folder = workspace();
    let run = run(folder.path(), &[&CHECK[..], &["json=/dev/full"]].concat());
    is_said_and_printed(&run, "/dev/full", "No space left");
    assert!(std::fs::metadata("/dev/full").expect("a device").file_type().is_char_device());
}

#[test]
fn a_pipe_is_written_to_and_stays_a_pipe() {
    let folder = workspace();
    let script = r#"mkfifo pipe; cat pipe > got & "$0" "$@"; code=$?; wait; exit $code"#;
    let run = run_behind(folder.path(), script, &[&CHECK[..], &["json=pipe"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let report = std::fs::read_to_string(folder.path().join("got")).expect("what came");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&report).expect("JSON")["version"], 1);
    assert!(std::fs::metadata(folder.path().join("pipe")).expect("a pipe").file_type().is_fifo());
}

#[test]
fn a_folder_that_cannot_be_written_to() {
    let folder = workspace();
    std::fs::create_dir(folder.path().join("locked")).expect("a folder");
    std::fs::set_permissions(folder.path().join("locked"), Permissions::from_mode(0o555)).expect("permissions");
    // Root writes everywhere but into the kernel's own folders.
    let is_root = File::create(folder.path().join("locked/try")).is_ok();
    let file = if is_root { "/proc/self/report.json" } else { "locked/report.json" };
    let run = run(folder.path(), &[&CHECK[..], &[&format!("json={file}")]].concat());
    is_said_and_printed(&run, file, "(os error ");
}

#[test]
fn a_file_where_a_folder_should_be_and_the_other_way_round() {
    let folder = workspace();
    let in_a_file = run(folder.path(), &[&CHECK[..], &["json=report.json/report.json"]].concat());
    is_said_and_printed(&in_a_file, "report.json/report.json", "Not a directory");
    earlier_report_stays(folder.path());
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    let a_folder = run(folder.path(), &[&CHECK[..], &["json=sub"]].concat());
    is_said_and_printed(&a_folder, "sub", "directory");
    assert_eq!(names(folder.path()), ["report.json", "sub", "tools.json"]);
    assert_eq!(names(&folder.path().join("sub")), Vec::<String>::new());
}

#[test]
fn a_folder_that_vanishes_meanwhile() {
    let folder = folder_with("out/report.json", "an earlier report");
    let transcript = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/crlf.toml");
    let script = format!("rm -r out; exec {} {}", scripted_server().display(), transcript.display());
    let words = ["check", "--no-probe", "--output", "json=out/report.json", "--", "sh", "-c", &script];
    let run = run(folder.path(), &words);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(
        run.stderr.contains("cannot write out/report.json") && run.stderr.contains("No such file"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("stdout-crlf"), "{}", run.stdout);
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn a_file_that_cannot_be_written_costs_no_other_one() {
    let folder = workspace();
    let words = ["json=none/a.json", "--output", "sarif=none/b.sarif", "--output", "json=report.json"];
    let run = run(folder.path(), &[&CHECK[..], &words].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("none/a.json") && run.stderr.contains("none/b.sarif"), "{}", run.stderr);
    let report = std::fs::read_to_string(folder.path().join("report.json")).expect("a file");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&report).expect("JSON")["version"], 1);
}

#[test]
fn a_report_has_the_permissions_of_any_file() {
    let folder = workspace();
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).expect("a file").permissions().mode() & 0o777;
    let write = |name: &str| run(folder.path(), &[&CHECK[..], &[&format!("json={name}")]].concat());
    assert_eq!(write("new.json").code, Some(1));
    assert_eq!(mode("new.json"), mode("tools.json"));
    std::fs::set_permissions(folder.path().join("new.json"), Permissions::from_mode(0o640)).expect("permissions");
    assert_eq!((write("new.json").code, mode("new.json")), (Some(1), 0o640));
}

#[test]
fn a_link_in_the_place_of_a_report_is_not_followed() {
    let folder = workspace();
    symlink("report.json", folder.path().join("link.json")).expect("a link");
    assert_eq!(run(folder.path(), &[&CHECK[..], &["json=link.json"]].concat()).code, Some(1));
    assert!(std::fs::symlink_metadata(folder.path().join("link.json")).expect("a file").is_file());
    assert_eq!(std::fs::read_to_string(folder.path().join("report.json")).expect("a file"), "an earlier report");
}

/// A folder whose configuration names one good server.
fn configured() -> TempDir {
    let transcript = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/clean.toml");
    let server = json!({ "command": scripted_server(), "args": [transcript] });
    folder_with(".mcp.json", &json!({ "mcpServers": { "parcels": server } }).to_string())
}

#[test]
fn a_baseline_and_a_contract_that_cannot_grow() {
    for (snapshot, file) in [(&[][..], ".mcp-lint-baseline.jsonl"), (&["--snapshot"], ".mcp-lint-contract.json")] {
        let folder = configured();
        let create = ["baseline", "create", "--no-probe"];
        let words = [&create[..], snapshot].concat();
        assert_eq!(run(folder.path(), &words).code, Some(0));
        let before = std::fs::read(folder.path().join(file)).expect("a file");
        let all = names(folder.path());
        let full = r#"ulimit -f 0; exec "$0" "$@""#;
        let run = run_behind(folder.path(), full, &words);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains("cannot write") && run.stderr.contains(file), "{}", run.stderr);
        assert_eq!(std::fs::read(folder.path().join(file)).expect("a file"), before);
        assert_eq!(names(folder.path()), all);
    }
}

#[test]
fn a_baseline_is_written_though_nobody_reads_what_is_said() {
    let folder = configured();
    let mut command = command(folder.path());
    command.args(["baseline", "create", "--snapshot", "--no-probe"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a run");
    drop(child.stdout.take());
    let run = finished(child.wait_with_output().expect("an end"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(names(folder.path()), [".mcp-lint-baseline.jsonl", ".mcp-lint-contract.json", ".mcp.json"]);
}

#[test]
fn a_reader_that_has_seen_enough_does_not_change_the_verdict() {
    for format in ["json", "text", "sarif", "html"] {
        let folder = workspace();
        let mut command = command(folder.path());
        command.args(["check", "--format", format, "--file", "tools.json", "--max-per-rule", "100000"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
        let mut stdout = child.stdout.take().expect("its stdout");
        stdout.read_exact(&mut [0]).expect("a byte");
        drop(stdout);
        let run = finished(child.wait_with_output().expect("an end"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{format}");
    }
}

#[test]
fn a_stdout_that_takes_nothing_is_said() {
    let folder = workspace();
    let mut command = command(folder.path());
    command.args([&CHECK[..], &["json=report.json"]].concat()).stdout(File::create("/dev/full").expect("a device"));
    let run = finished(command.stderr(Stdio::piped()).output().expect("a run"));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: cannot write to stdout: No space left"), "{}", run.stderr);
    let report = std::fs::read_to_string(folder.path().join("report.json")).expect("a file");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&report).expect("JSON")["version"], 1);
}

#[test]
fn closed_streams_change_nothing_else() {
    let folder = configured();
    let words = ["check", "--json", "--no-probe", "--timings"];
    let open = run(folder.path(), &words);
    assert_eq!(open.code, Some(0), "{}", open.stderr);
    for way in ["<&-", "2>&-", "2>/dev/full", "<&- 2>&-"] {
        let run = run_behind(folder.path(), &format!(r#"export MCP_LINT_LOG=trace; exec "$0" "$@" {way}"#), &words);
        assert_eq!(run.code, Some(0), "{way}: {}", run.stderr);
        assert_eq!(run.report()["servers"][0]["outcome"], "checked", "{way}");
    }
    let said = ["check", "--no-probe", "--output", "json=none/a", "--output", "json=none/b"];
    let unheard = run_behind(folder.path(), r#"exec "$0" "$@" 2>/dev/full"#, &said);
    assert!(unheard.code == Some(2) && unheard.stdout.contains("parcels"), "{:?}", unheard.code);
    let usage = run_behind(folder.path(), r#"exec "$0" "$@" 2>/dev/full"#, &["chek"]);
    assert_eq!(usage.code, Some(2));
    let all = run_behind(folder.path(), r#"exec "$0" "$@" <&- >&- 2>&-"#, &["check", "--file", "none.json"]);
    assert_eq!(all.code, Some(2));
}
