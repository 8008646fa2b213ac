//! `merge`: what several jobs found, as one job would have found it.

use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Run, folder, run, scripted_server, write};

/// A repository with seven scripted servers in two files, a baseline and settings.
fn repository() -> tempfile::TempDir {
    let folder = folder();
    let server = scripted_server();
    let entry = |transcript: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(transcript);
        json!({ "command": server, "args": [path] })
    };
    let first = json!({ "mcpServers": {
        "zeta": entry("clean.toml"),
        "many": { "command": server, "args": ["many.toml"] },
        "alpha": entry("clean.toml"),
        "gone": { "command": "no-such-program-here", "env": { "KEY": "${NO_SUCH_VARIABLE}" } },
        "off": { "command": "x", "disabled": true },
    } });
    let second = json!({ "servers": { "alpha": entry("clean.toml"), "far": { "type": "http", "url": "https://example.com/mcp" } } });
    write(folder.path(), ".mcp.json", &first.to_string());
    write(folder.path(), ".vscode/mcp.json", &second.to_string());
    // More findings of one rule than are listed singly.
    let tool = |nth: usize| {
        format!(r#"{{ name = "tool {nth}", description = "Does a thing.", inputSchema = {{ type = "object" }} }}"#)
    };
    let tools: Vec<String> = (0..70).map(tool).collect();
    write(folder.path(), "many.toml", &format!("tools = [{}]\n", tools.join(", ")));
    write(folder.path(), "mcp-lint.toml", "[[ignore]]\nrule = \"annotations-missing\"\nreason = \"later\"\n");
    folder
}

fn check(folder: &Path, words: &[&str]) -> Run {
    run(folder, &[&["check", "--json", "--no-probe"], words].concat())
}

/// Runs the parts and merges them.
fn in_parts(folder: &Path, parts: usize) -> Run {
    let mut words = vec!["merge".to_owned(), "--json".to_owned()];
    for part in 1..=parts {
        let one = check(folder, &["--shard", &format!("{part}/{parts}")]);
        let name = format!("part-{part}.json");
        write(folder, &name, &one.stdout);
        words.push(name);
    }
    run(folder, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A report without what differs from run to run.
fn timeless(run: &Run) -> String {
    let mut report = run.report();
    for server in report["servers"].as_array_mut().expect("servers") {
        server["timings_ms"] = Value::Null;
    }
    format!("{:?} {report:#}", run.code)
}

#[test]
fn parts_give_what_the_whole_gives() {
    let folder = repository();
    for with_baseline in [false, true] {
        if with_baseline {
            let entries = r#"{"mcp-lint-baseline":1}
{"server":"many","kind":"tool","entity":"tool 69","rule":"name-invalid","at":"/name"}
{"server":"many","kind":"tool","entity":"tool 1","rule":"name-invalid","at":"/name"}
{"server":"many","kind":"tool","entity":"no more","rule":"name-invalid","at":"/name"}
{"server":"left","kind":"tool","entity":"a b","rule":"name-invalid","at":"/name"}
{"server":"gone","kind":"tool","entity":"a b","rule":"name-invalid","at":"/name"}
"#;
            write(folder.path(), ".mcp-lint-baseline.jsonl", entries);
        }
        let whole = check(folder.path(), &[]);
        assert!(whole.report()["findings"].as_array().is_some_and(|findings| findings.len() > 50), "{}", whole.stderr);
        for parts in [1, 2, 3, 9] {
            assert_eq!(timeless(&in_parts(folder.path(), parts)), timeless(&whole), "{parts} parts, {with_baseline}");
        }
    }
    assert_eq!(check(folder.path(), &[]).report()["gone"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_part_alone_takes_nothing_for_gone() {
    let folder = repository();
    let entry = r#"{"server":"left","kind":"tool","entity":"a b","rule":"name-invalid","at":"/name"}"#;
    write(folder.path(), ".mcp-lint-baseline.jsonl", &format!("{{\"mcp-lint-baseline\":1}}\n{entry}\n"));
    let part = check(folder.path(), &["--shard", "1/2"]).report();
    assert_eq!(
        (part["gone"].as_array().map(Vec::len), part["not_judged"].as_array().map(Vec::len)),
        (Some(0), Some(1))
    );
}

#[test]
fn reports_that_disagree_are_refused() {
    let folder = repository();
    let one = check(folder.path(), &["--server", "many"]);
    write(folder.path(), "one.json", &one.stdout);
    let alter = |change: &dyn Fn(&mut Value)| {
        let mut report = one.report();
        change(&mut report);
        write(folder.path(), "other.json", &report.to_string());
        run(folder.path(), &["merge", "one.json", "other.json"])
    };
    assert_eq!(alter(&|report| report["servers"][0]["timings_ms"]["total"] = json!(9)).code, Some(1));
    for (part, change) in [
        (
            "disagree about the server many",
            &(|report: &mut Value| report["servers"][0]["tools"] = json!(3)) as &dyn Fn(&mut Value),
        ),
        ("disagree about the server many", &|report| report["findings"][0]["level"] = json!("note")),
        ("different versions", &|report| report["tool"]["version"] = json!("9.9.9")),
        ("different root folders", &|report| report["root"] = json!("elsewhere")),
        ("different configured servers", &|report| report["configured"] = json!(["many"])),
        ("baselines", &|report| report["has_baseline"] = json!(true)),
    ] {
        let refused = alter(change);
        assert_eq!(refused.code, Some(2), "{part}");
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    write(folder.path(), ".mcp-lint-baseline.jsonl", "{\"mcp-lint-baseline\":1}\n");
    let refused = run(folder.path(), &["merge", "one.json"]);
    assert!(refused.stderr.contains("--baseline") && refused.code == Some(2), "{}", refused.stderr);
}

#[test]
fn a_merged_report_is_one_sarif_run() {
    let folder = repository();
    in_parts(folder.path(), 2);
    let merged = run(folder.path(), &["merge", "part-1.json", "part-2.json", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&merged.stdout).expect("SARIF");
    assert_eq!(sarif["runs"].as_array().map(Vec::len), Some(1));
    assert!(sarif["runs"][0]["results"].as_array().is_some_and(|results| results.len() > 50));
}

#[test]
fn a_part_is_named_by_two_numbers() {
    let folder = folder();
    for wrong in ["0/2", "3/2", "1", "a/b", "1/0"] {
        assert_eq!(check(folder.path(), &["--shard", wrong]).code, Some(2), "{wrong}");
    }
}

#[test]
fn nothing_in_a_report_of_strangers_acts_in_the_log() {
    let folder = repository();
    let mut report = check(folder.path(), &["--server", "many"]).report();
    let evil = "y\n::error::owned ##[error]owned \u{202e}\u{1b}[8m";
    report["servers"][0]["form"] = json!(evil);
    report["servers"][0]["matrix"][0]["name"] = json!(evil);
    report["client_capabilities"] = json!([evil]);
    for finding in report["findings"].as_array_mut().expect("findings") {
        for client in finding["clients"].as_array_mut().expect("clients") {
            client["name"] = json!(evil);
        }
    }
    write(folder.path(), "evil.json", &report.to_string());
    for format in ["text", "markdown", "json", "sarif"] {
        let merged = run(folder.path(), &["merge", "evil.json", "--format", format, "--color", "always"]);
        assert_eq!(crate::runner::commands(&merged.stdout), Vec::new(), "{format}");
        assert!(!merged.stdout.contains("\u{202e}") && !merged.stdout.contains("\u{1b}[8m"), "{format}");
    }
}
