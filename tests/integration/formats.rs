//! Every format, from every command that writes reports.

use std::path::Path;

use serde_json::Value;

use crate::harness::{folder_with, run, write};

const TOOLS: &str = r#"[
  { "name": "find parcel", "description": "Finds a parcel by its number.", "inputSchema": { "type": "object" } }
]"#;

/// Tells a report of one format.
type IsMeant = fn(&str) -> bool;

/// Formats, and how a report in each is known.
const FORMATS: &[(&str, IsMeant)] = &[
    ("text", |text| text.contains("Fix: ")),
    ("json", |text| serde_json::from_str::<Value>(text).is_ok_and(|report| report["version"] == 1)),
    ("markdown", |text| text.starts_with("# mcp-lint")),
    ("sarif", |text| text.contains("sarif-2.1.0.json")),
    ("github", |text| text.starts_with("::error ")),
    ("gitlab", |text| serde_json::from_str::<Vec<Value>>(text).is_ok_and(|entries| !entries.is_empty())),
    ("junit", |text| text.starts_with("<?xml") && text.contains("<failure ")),
    ("html", |text| text.starts_with("<!DOCTYPE html>") && text.trim_end().ends_with("</html>")),
    ("agent", |text| text.lines().last().is_some_and(|line| line.starts_with("Failed: "))),
];

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a report")
}

#[test]
fn every_command_writes_every_format() {
    let folder = folder_with("tools.json", TOOLS);
    let report = run(folder.path(), &["check", "--file", "tools.json", "--json"]).stdout;
    write(folder.path(), "report.json", &report);
    let commands: [&[&str]; 3] = [&["check", "--file", "tools.json"], &["merge", "report.json"], &["demo"]];
    for (format, is_meant) in FORMATS {
        for command in commands {
            let output = format!("{format}=written");
            let run = run(folder.path(), &[command, &["--format", format, "--output", &output]].concat());
            assert_eq!(run.code, Some(i32::from(command != ["demo"])), "{command:?} {format}: {}", run.stderr);
            assert!(is_meant(&run.stdout), "{command:?} {format}: {}", run.stdout);
            assert_eq!(read(folder.path(), "written"), run.stdout, "{command:?} {format}");
        }
        let output = format!("{format}=published");
        let run = run(folder.path(), &["report", "report.json", "--output", &output]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(is_meant(&read(folder.path(), "published")), "{format}");
    }
}

#[test]
fn formats_are_named_where_one_is_unknown() {
    let folder = folder_with("tools.json", TOOLS);
    let help = run(folder.path(), &["check", "--help"]).stdout;
    let printed = run(folder.path(), &["check", "--format", "xml"]).stderr;
    let written = run(folder.path(), &["check", "--output", "xml=a"]).stderr;
    for (format, _) in FORMATS {
        assert!([&help, &printed, &written].iter().all(|text| text.contains(format)), "{format}: {written}");
    }
}

#[test]
fn places_are_those_of_the_repository() {
    let folder = folder_with("servers/tools.json", TOOLS);
    write(folder.path(), ".git/HEAD", "ref: refs/heads/main\n");
    let words = ["check", "--file", "tools.json"];
    let gitlab = run(&folder.path().join("servers"), &[&words[..], &["--format", "gitlab"]].concat()).stdout;
    let entries: Vec<Value> = serde_json::from_str(&gitlab).expect("an array");
    assert!(entries.iter().all(|entry| entry["location"]["path"] == "servers/tools.json"), "{gitlab}");
    // An agent works in the folder it stands in.
    let agent = run(&folder.path().join("servers"), &[&words[..], &["--format", "agent"]].concat()).stdout;
    assert!(agent.starts_with("tools.json:2:13: error name-invalid tools/find parcel /name: "), "{agent}");
}

#[test]
fn a_clean_check_is_a_report_in_every_format() {
    let folder = folder_with("tools.json", "[]");
    for (format, said) in [
        ("agent", "Passed: 0 errors, 0 warnings, 0 notes in 1 server.\n"),
        ("gitlab", "[]\n"),
        ("junit", "failures=\"0\""),
        ("html", "Nothing was found."),
    ] {
        let run = run(folder.path(), &["check", "--file", "tools.json", "--format", format]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains(said), "{format}: {}", run.stdout);
    }
}
