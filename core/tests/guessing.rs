//! Rules that read names and texts: what they take for a moment, a code, a verb, and what they leave alone.

use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::policy::{Policy, Preset};
use serde_json::{Value, json};

fn findings(listing: &Value, policy: &Policy) -> Vec<Finding> {
    let document = Document::parse(listing.to_string(), Dialect::STRICT).expect("the listing is JSON");
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    judge("sample", None, &subject, policy).expect("a listing").findings
}

fn of_rule(listing: &Value, rule: &str) -> Vec<Finding> {
    findings(listing, &Policy::default()).into_iter().filter(|finding| finding.rule == rule).collect()
}

fn tool(name: &str, properties: &Value) -> Value {
    json!({
        "name": name,
        "description": "Shows where a parcel is now.",
        "inputSchema": { "type": "object", "properties": properties },
    })
}

fn fires_on_argument(rule: &str, name: &str, schema: &Value) -> bool {
    !of_rule(&tool("track", &json!({ name: schema })), rule).is_empty()
}

#[test]
fn names_of_moments() {
    let is_found = |name: &str| {
        let schema = json!({ "type": "string", "description": "Which parcels to leave out." });
        fires_on_argument("date-format-missing", name, &schema)
    };
    for name in [
        "date",
        "time",
        "timestamp",
        "start_date",
        "startDate",
        "createdAt",
        "created_at",
        "createdAfter",
        "updated_before",
        "endBefore",
        "since",
        "until",
        "modifiedSince",
        "dateFrom",
        "date_of_birth",
        "timeMax",
        "datetime",
        "expiresAt",
    ] {
        assert!(is_found(name), "{name} is a moment");
    }
    for name in [
        "timeoutMs",
        "timezone",
        "time_zone",
        "timeZone",
        "update",
        "candidate",
        "after",
        "before",
        "at",
        "runtime",
        "response_time",
        "time_range",
        "date_format",
        "dateField",
        "validate",
        "mandate",
        "timeUnit",
        "since_id",
        "format",
        "lookAt",
        "real_time",
    ] {
        assert!(!is_found(name), "{name} is no moment");
    }
}

#[test]
fn forms_of_moments() {
    let is_found = |schema: Value| fires_on_argument("date-format-missing", "date", &schema);
    for schema in [
        json!({ "type": "string" }),
        json!({ "type": ["string", "null"] }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }),
        json!({ "type": "string", "description": "Earliest day to look at." }),
    ] {
        assert!(is_found(schema.clone()), "{schema}");
    }
    for schema in [
        json!({ "type": "integer" }),
        json!({ "type": "string", "format": "date" }),
        json!({ "type": "string", "pattern": "^[0-9]{8}$" }),
        json!({ "type": "string", "enum": ["today", "tomorrow"] }),
        json!({ "anyOf": [{ "type": "string", "format": "date" }, { "type": "null" }] }),
        json!({ "type": "string", "description": "The day, as YYYY-MM-DD." }),
        json!({ "type": "string", "description": "The hour (HH:MM)." }),
        json!({ "type": "string", "description": "An ISO 8601 date." }),
        json!({ "type": "string", "description": "Such as 2026-03-01." }),
        json!({ "$ref": "#/$defs/nowhere" }),
    ] {
        assert!(!is_found(schema.clone()), "{schema}");
    }
}

#[test]
fn codes_and_words() {
    let rules = |schema: Value| {
        let mut rules: Vec<String> = findings(&tool("track", &json!({ "state": schema })), &Policy::default())
            .into_iter()
            .filter(|finding| finding.level > Level::Note && finding.rule != "enum-not-portable")
            .map(|finding| finding.rule.into_owned())
            .collect();
        rules.sort();
        rules
    };
    for codes in [
        json!(["P", "S", "X"]),
        json!([1, 2, 3]),
        json!(["A1", "B2"]),
        json!(["XKCD", "PQRST"]),
        json!(["1h", "1d", null]),
    ] {
        assert_eq!(rules(json!({ "enum": codes })), ["enum-unexplained"], "{codes}");
        let list = json!({ "type": "array", "items": { "enum": codes } });
        assert_eq!(rules(list), ["enum-unexplained"], "a list of {codes}");
        assert!(rules(json!({ "enum": codes, "description": "How far the parcel is." })).is_empty(), "{codes}");
    }
    for words in
        [json!(["open", "closed"]), json!(["asc", "desc"]), json!(["us-east-1", "eu-west-2"]), json!(["csv", "xml"])]
    {
        assert_eq!(rules(json!({ "enum": words })), ["argument-description-missing"], "{words}");
    }
}

#[test]
fn verbs_and_hints() {
    let sites = |name: &str, hints: Value| -> Vec<String> {
        let mut tool = tool(name, &json!({}));
        tool["annotations"] = hints;
        of_rule(&tool, "annotation-contradicts").into_iter().map(|finding| finding.path).collect()
    };
    let harmless = || json!({ "destructiveHint": false });
    let reading = || json!({ "readOnlyHint": true });
    for name in ["delete_file", "removeFile", "cancel-order", "drop_table", "purge", "revoke_key"] {
        assert_eq!(sites(name, harmless()), ["annotations.destructiveHint"], "{name}");
        assert_eq!(sites(name, reading()), ["annotations.readOnlyHint"], "{name}");
    }
    for name in ["create_issue", "updateIssue", "send_mail"] {
        assert_eq!(sites(name, reading()), ["annotations.readOnlyHint"], "{name}");
        assert!(sites(name, harmless()).is_empty(), "{name}");
    }
    for name in [
        "run_report",
        "get_dag_run",
        "get_create_fields",
        "swipe",
        "mobile_swipe_on_screen",
        "sWIPE",
        "list_skills",
        "drag_drop",
        "deleted_items",
        "dropdown_values",
        "add_numbers",
        "created_issues",
        "sender",
    ] {
        assert!(sites(name, harmless()).is_empty() && sites(name, reading()).is_empty(), "{name}");
    }
    assert_eq!(
        sites("list_files", json!({ "readOnlyHint": true, "destructiveHint": true })),
        ["annotations.destructiveHint"]
    );
}

#[test]
fn headers() {
    let messages = |properties: Value| -> Vec<String> {
        of_rule(&tool("track", &properties), "x-mcp-header-invalid")
            .into_iter()
            .map(|finding| finding.message)
            .collect()
    };
    let on = |schema: Value| messages(json!({ "a": schema }));
    let header = "x-mcp-header";
    let cases = [
        (on(json!({ "type": "string", header: "Order Id" })), "a space"),
        (on(json!({ "type": "string", header: "Order:Id" })), "`:`"),
        (on(json!({ "type": "string", header: "Order\u{7}" })), "control character `\\u{7}`"),
        (on(json!({ "type": "string", header: "Größe" })), "`ö`"),
        (on(json!({ "type": "string", header: "" })), "is empty"),
        (on(json!({ "type": "string", header: 5 })), "must be a string"),
        (on(json!({ "type": "number", header: "A" })), "type `number`"),
        (on(json!({ "type": ["string", "null"], header: "A" })), "exactly `string`"),
        (on(json!({ header: "A" })), "no type"),
        (on(json!({ "type": "array", "items": { "type": "string", header: "A" } })), "`properties` alone"),
        (on(json!({ "anyOf": [{ "type": "string", header: "A" }] })), "`properties` alone"),
        (
            messages(json!({ "a": { "type": "string", header: "A-B" }, "b": { "type": "string", header: "a-b" } })),
            "case does not count",
        ),
    ];
    for (found, words) in cases {
        assert_eq!(found.len(), 1, "{words}: {found:?}");
        assert!(found[0].contains(words), "{words}: {found:?}");
    }
    let inner = json!({ "type": "boolean", header: "X-Urgent" });
    let nested = json!({ "a": { "type": "object", "properties": { "properties": inner } } });
    assert_eq!(messages(nested), Vec::<String>::new());
    assert_eq!(on(json!({ "type": "integer", header: "!#$%&'*+-.^_`|~09aZ" })), Vec::<String>::new());
}

fn described(number: usize) -> Value {
    let text = |at: usize| {
        format!(
            "Returns the next trains of the station with line, platform and delay, sorted by time of day, for the region {at} only."
        )
    };
    let tools: Vec<Value> = (0..number)
        .map(|at| {
            let mut tool = tool(&format!("trains_{at}"), &json!({}));
            tool["description"] = text(at).into();
            tool
        })
        .collect();
    tools.into()
}

#[test]
fn alike_descriptions_are_one_finding_in_any_order() {
    let mut listing = described(7);
    let first = of_rule(&listing, "descriptions-alike");
    listing.as_array_mut().expect("an array").reverse();
    let second = of_rule(&listing, "descriptions-alike");
    assert_eq!(first.len(), 1, "{first:#?}");
    assert_eq!(
        (&first[0].message, &first[0].entity, &first[0].fingerprint),
        (&second[0].message, &second[0].entity, &second[0].fingerprint)
    );
    assert_eq!(first[0].entity, "trains_0");
}

/// Every pair of ten thousand would be fifty million comparisons: this ends in seconds or never.
#[test]
fn ten_thousand_alike_descriptions_are_one_finding() {
    assert_eq!(of_rule(&described(10_000), "descriptions-alike").len(), 1);
}

#[test]
fn missing_hints_are_summed_up_and_fail_where_every_agent_counts() {
    let listing = json!([tool("first", &json!({})), tool("second", &json!({}))]);
    let levels = |policy: &Policy| -> Vec<Level> {
        let found = findings(&listing, policy).into_iter().filter(|finding| finding.rule == "annotations-missing");
        found.map(|finding| finding.level).collect()
    };
    assert_eq!(levels(&Policy::default()), [Level::Note]);
    assert_eq!(levels(&Policy::preset(Preset::EveryAgent)), [Level::Error]);
}

#[test]
fn argument_names_fail_at_the_top_level_only() {
    let text = json!({ "type": "string", "description": "Which parcel." });
    let nested = json!({ "type": "object", "description": "Where.", "properties": { "at[]": text } });
    let levels = |properties: Value| -> Vec<Level> {
        of_rule(&tool("track", &properties), "argument-name-invalid").into_iter().map(|finding| finding.level).collect()
    };
    assert_eq!(levels(json!({ "at[]": text })), [Level::Error]);
    assert_eq!(levels(json!({ "a".repeat(65): text })), [Level::Error]);
    assert_eq!(levels(json!({ "where": nested })), [Level::Note]);
    assert_eq!(levels(json!({ "where.at": text })), [Level::Note]);
    assert!(levels(json!({ "where_at": text })).is_empty());
}
