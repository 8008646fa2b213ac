//! `result`: a result against its outputSchema, and a schema inferred where there is none.

use serde_json::{Value, json};

use crate::harness::{Run, folder, run, write};

fn tools() -> Value {
    json!([
        {
            "name": "get_parcel",
            "description": "Returns one parcel with its weight and state.",
            "inputSchema": { "type": "object" },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "number": { "type": "string" },
                    "weight": { "type": "number" },
                    "state": { "type": "string", "enum": ["waiting", "travelling", "delivered"] },
                },
                "required": ["number", "weight", "state"],
            },
        },
        { "name": "list_depots", "description": "Lists the depots of a town.", "inputSchema": { "type": "object" } },
    ])
}

fn check(tool: &str, result: &Value, options: &[&str]) -> Run {
    let folder = folder();
    write(folder.path(), "tools.json", &tools().to_string());
    write(folder.path(), "result.json", &result.to_string());
    let words = [&["result", "--tools", "tools.json", "--tool", tool, "result.json"], options].concat();
    run(folder.path(), &words)
}

#[test]
fn each_mismatch_is_named_by_its_path() {
    let content = json!({ "number": "p-77", "weight": "4.20", "state": "Delivered" });
    let result = json!({ "structuredContent": content, "content": [{ "type": "text", "text": content.to_string() }] });
    let run = check("get_parcel", &result, &[]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for said in [
        "structuredContent.weight` is string, expected number",
        "\"Delivered\" is not one of \"waiting\", \"travelling\", \"delivered\"",
    ] {
        let printed: Vec<&str> = run.stdout.split_whitespace().collect();
        assert!(printed.join(" ").contains(said), "{said}: {}", run.stdout);
    }
    let rules: Value = serde_json::from_str(&check("get_parcel", &result, &["--json"]).stdout).expect("JSON");
    let pointers: Vec<&str> =
        rules.as_array().expect("findings").iter().filter_map(|one| one["pointer"].as_str()).collect();
    assert_eq!(pointers, ["/structuredContent/state", "/structuredContent/weight"]);
}

#[test]
fn text_and_structure_have_to_agree() {
    let content = json!({ "number": "p-77", "weight": 4.2, "state": "delivered" });
    let other = json!({ "number": "p-77", "weight": 4.2, "state": "waiting" });
    let result = json!({ "structuredContent": content, "content": [{ "type": "text", "text": other.to_string() }] });
    let run = check("get_parcel", &json!({ "jsonrpc": "2.0", "id": 4, "result": result }), &[]);
    assert_eq!(run.code, Some(0), "a warning does not fail: {}", run.stderr);
    assert!(run.stdout.contains("result-text-mismatch"), "{}", run.stdout);
}

#[test]
fn a_matching_result_is_said_to_match() {
    let content = json!({ "number": "p-77", "weight": 4.2, "state": "delivered" });
    let run = check("get_parcel", &content, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "The result matches the outputSchema of get_parcel.\n"));
}

#[test]
fn an_array_is_judged_by_the_revision() {
    let result = json!({ "structuredContent": [1, 2], "content": [{ "type": "text", "text": "[1,2]" }] });
    let legacy = check("get_parcel", &result, &[]);
    assert!(legacy.stdout.contains("before 2026-07-28"), "{}", legacy.stdout);
    let modern = check("get_parcel", &result, &["--protocol", "2026-07-28"]);
    assert!(modern.stdout.contains("is array, expected object"), "{}", modern.stdout);
}

#[test]
fn a_schema_is_inferred_where_there_is_none() {
    let result = json!({ "content": [{ "type": "text", "text": "[{\"id\": 7, \"opened\": \"2026-01-02\"}]" }] });
    let run = check("list_depots", &result, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let schema: Value = serde_json::from_str(&run.stdout).expect("a schema alone on stdout");
    assert_eq!(schema["items"]["properties"]["opened"], json!({ "type": "string", "format": "date" }));
    assert!(schema["$comment"].as_str().is_some_and(|comment| comment.contains("review")));
    assert!(run.stderr.contains("review"), "{}", run.stderr);
}

#[test]
fn structured_content_may_have_members_called_like_those_of_a_result() {
    for content in [json!({ "result": { "total": 3 }, "id": "abc" }), json!({ "content": "hello", "id": "x" })] {
        let run = check("list_depots", &content, &[]);
        let schema: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
        assert_eq!(schema["type"], "object");
    }
}

#[test]
fn what_cannot_be_used_is_refused() {
    for (tool, result, said) in [
        ("get_parcle", json!(1), "did you mean \"get_parcel\""),
        (
            "get_parcel",
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -1, "message": "no" } }),
            "an error, not a result",
        ),
        (
            "list_depots",
            json!({ "content": [{ "type": "text", "text": "none" }] }),
            "neither structuredContent nor JSON",
        ),
    ] {
        let run = check(tool, &result, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{result}");
        assert!(run.stderr.contains(said), "{said}: {}", run.stderr);
    }
}
