//! Bad usage and unreadable input: exit 2, one clear sentence, no panic.

use crate::harness::{command, finished, folder, folder_with, run, write};

/// Asserts exit 2, an empty stdout and one line on stderr that holds every given text.
fn refused(folder: &std::path::Path, words: &[&str], said: &[&str]) {
    let run = run(folder, words);
    assert_eq!(run.code, Some(2), "{words:?}: {}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "", "{words:?}");
    for text in said {
        assert!(run.stderr.contains(text), "{words:?} should say {text:?}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

fn refused_file(text: &str, said: &str) {
    let folder = folder_with("tools.json", text);
    refused(folder.path(), &["check", "--file", "tools.json"], &["tools.json", said]);
}

#[test]
fn bad_usage() {
    let folder = folder();
    for (words, said) in [
        (&["chek"][..], "check"),
        (&["check", "--fail-on", "fatal"], "never"),
        (&["check", "--timeout", "0"], "seconds"),
        (&["check", "--timeout", "soon"], "seconds"),
        (&["check", "--jobs", "0"], "--jobs"),
        (&["check", "--env", "NAME"], "NAME=VALUE"),
        (&["check", "--output", "xml=a"], "unknown format"),
        (&["check", "--output", "json"], "FORMAT=FILE"),
        (&["check", "--strict", "--fail-on", "note"], "cannot be used with"),
        (&["check", "--file", "a", "--command", "b"], "cannot be used with"),
        (&["check", "--file", "a", "--", "b"], "cannot be used with"),
        (&["check", "--command", "say 'unclosed"], "quote"),
        (&["check", "--command", ""], "empty"),
        (&["rules", "no-such-rule"], "no-such-rule"),
    ] {
        refused(folder.path(), words, &[said]);
    }
}

#[test]
fn a_missing_file_or_folder() {
    let folder = folder();
    refused(folder.path(), &["check", "--file", "none.json"], &["none.json", "No such file"]);
    refused(folder.path(), &["check", "--config", "none.json"], &["none.json", "No such file"]);
    refused(folder.path(), &["check", "--root", "none"], &["none", "not a folder"]);
}

#[test]
fn a_directory_as_a_file() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("tools.json")).expect("a folder");
    refused(folder.path(), &["check", "--file", "tools.json"], &["tools.json", "directory"]);
    refused(folder.path(), &["check", "--config", "tools.json"], &["tools.json", "directory"]);
}

#[test]
#[cfg(unix)]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt;

    let folder = folder_with("tools.json", "[]");
    let file = folder.path().join("tools.json");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).expect("permissions");
    if std::fs::read(&file).is_ok() {
        // Root reads everything: a file of the kernel's that nobody may read stands in.
        refused(folder.path(), &["check", "--file", "/proc/self/mem"], &["/proc/self/mem"]);
    } else {
        refused(folder.path(), &["check", "--file", "tools.json"], &["tools.json", "ermission denied"]);
    }
}

#[test]
fn files_that_are_not_a_listing() {
    refused_file("", "empty");
    refused_file(" \n\t", "empty");
    refused_file("tools: []", "line 1, column 1");
    refused_file("{\"tools\": [{\"name\": \"a\"", "ends inside an object");
    refused_file("{\"tools\": {}}", "must be an array");
    refused_file("{\"result\": {}}", "`result.tools`");
    refused_file("{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": -32601, \"message\": \"nope\"}}", "nope");
    refused_file("{\"servers\": {}}", "No tools here");
    refused_file("42", "a number");
    refused_file(&format!("{}{}", "[".repeat(2_000), "]".repeat(2_000)), "deeper than 512 levels");
    refused_file(&"[".repeat(100_000), "deeper than 512 levels");
}

#[test]
fn a_file_that_is_not_utf8() {
    let folder = folder();
    std::fs::write(folder.path().join("tools.json"), b"[\"\xff\"]").expect("a file");
    refused(folder.path(), &["check", "--file", "tools.json"], &["tools.json", "byte 2 is not UTF-8"]);
}

#[test]
fn a_command_that_does_not_exist() {
    let folder = folder();
    refused(folder.path(), &["check", "--", "no-such-program-here"], &["cannot start", "no-such-program-here"]);
    refused(folder.path(), &["check", "--command", "./missing.sh --stdio"], &["cannot start", "./missing.sh"]);
}

#[test]
fn addresses() {
    let folder = folder();
    refused(folder.path(), &["check", "ftp://example.com/mcp"], &["unknown scheme", "ftp"]);
    refused(folder.path(), &["check", "server.js"], &["mcp-lint check -- server.js"]);
}

#[test]
fn an_error_message_shows_no_control_characters() {
    let folder = folder();
    let run = run(folder.path(), &["check", "--file", "\u{1b}]0;x\u{7}\n::error::owned"]);
    assert_eq!(run.code, Some(2));
    assert!(!run.stderr.contains('\u{1b}') && run.stderr.trim_end().lines().count() == 1, "{:?}", run.stderr);
}

#[test]
fn a_listing_from_stdin() {
    let folder = folder();
    let mut command = command(folder.path());
    let tool =
        r#"{"name": "book flight", "description": "Books one seat on one flight.", "inputSchema": {"type": "object"}}"#;
    write(folder.path(), "tool.json", tool);
    let stdin = std::fs::File::open(folder.path().join("tool.json")).expect("the file");
    let run = finished(command.args(["check", "--file", "-", "--json"]).stdin(stdin).output().expect("a run"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.report()["servers"][0]["name"], "stdin");
    assert_eq!(run.fired().into_iter().map(|(rule, ..)| rule).collect::<Vec<_>>(), ["name-invalid"]);
}

#[test]
fn no_configuration_is_no_failure() {
    let folder = folder();
    let run = run(folder.path(), &["check"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("no MCP configuration") && run.stdout.contains(".vscode/mcp.json"), "{}", run.stdout);
}

#[test]
fn no_configuration_is_a_report_too() {
    let folder = folder();
    let run = run(folder.path(), &["check", "--json"]);
    assert_eq!((run.code, run.report()["servers"].clone()), (Some(0), serde_json::json!([])));
    assert!(run.stderr.contains("no MCP configuration"), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn a_file_without_end() {
    let folder = folder();
    refused(folder.path(), &["check", "--file", "/dev/zero"], &["/dev/zero", "larger than 256 MiB"]);
}

#[test]
fn help_and_version() {
    let folder = folder();
    for words in [&["--help"][..], &["-h"], &["check", "--help"], &["demo", "--help"], &["--version"]] {
        let run = run(folder.path(), words);
        assert_eq!(run.code, Some(0), "{words:?}");
        assert!(run.stdout.contains("mcp-lint") && run.stderr.is_empty(), "{words:?}: {}", run.stdout);
    }
}

#[test]
fn an_output_that_cannot_be_written() {
    let folder = folder_with("tools.json", "[]");
    let words = ["check", "--file", "tools.json", "--output", "json=none/report.json"];
    let run = run(folder.path(), &words);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot write none/report.json"), "{}", run.stderr);
}

#[test]
fn reports_go_to_files_whole() {
    let folder = folder_with("tools.json", "[]");
    let words = ["check", "--file", "tools.json", "--output", "json=report.json", "--output", "text=report.txt"];
    let printed = run(folder.path(), &words);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("the report");
    let report: serde_json::Value = serde_json::from_str(&read("report.json")).expect("JSON");
    assert_eq!(report["version"], 1);
    assert_eq!(read("report.txt"), printed.stdout);
}
