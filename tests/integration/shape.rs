//! The JSON report has the shape that is documented.

use serde_json::Value;

use crate::harness::{folder_with, run, write};

fn schema() -> jsonschema::Validator {
    let text = include_str!("../../docs/report.schema.json");
    let schema: Value = serde_json::from_str(text).expect("the committed schema is JSON");
    jsonschema::validator_for(&schema).expect("the committed schema compiles")
}

#[test]
fn reports_have_the_documented_shape() {
    let schema = schema();
    let config = r#"{ "mcpServers": {
        "gone": { "command": "no-such-program-here" },
        "far": { "type": "sse", "url": "https://example.com/sse" },
        "odd": 7
    } }"#;
    let folder = folder_with(".mcp.json", config);
    write(folder.path(), "tools.json", r#"[{ "name": "a b", "inputSchema": { "type": "object", "anyOf": [] } }]"#);
    for words in [&["check", "--json"][..], &["check", "--json", "--file", "tools.json"], &["demo", "--json"]] {
        let report = run(folder.path(), words).report();
        let faults: Vec<String> =
            schema.iter_errors(&report).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert_eq!(faults, Vec::<String>::new(), "{words:?}");
        assert!(!report["findings"].as_array().expect("findings").is_empty());
    }
}

#[test]
fn every_finding_has_a_place() {
    let config = r#"{ "mcpServers": { "gone": { "command": "no-such-program-here" } } }"#;
    let folder = folder_with(".mcp.json", config);
    write(folder.path(), "tools.json", r#"[{ "name": "a b", "inputSchema": { "type": "object" } }]"#);
    write(folder.path(), "silent.sh", "exit 3");
    let by_hand = ["check", "--json", "--", "sh", "./silent.sh"];
    let commands = [
        (&["check", "--json"][..], ".mcp.json"),
        (&["check", "--json", "--file", "tools.json"], "tools.json"),
        (&by_hand, "silent.sh"),
    ];
    for (words, path) in commands {
        let report = run(folder.path(), words).report();
        let findings = report["findings"].as_array().expect("findings");
        assert!(!findings.is_empty());
        for finding in findings {
            assert_eq!(finding["location"]["path"], path, "{finding}");
            assert!(finding["location"]["start_line"].as_u64().is_some_and(|line| line >= 1), "{finding}");
        }
    }
}
