//! What counts as a change between two listings, and what does not.

#![allow(clippy::disallowed_methods, reason = "the tests read the folder of cases")]

mod fixtures;

use mcp_lint_core::contract::{Contract, listing_of, render};
use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::judge::{Subject, judge_changes};
use mcp_lint_core::policy::Policy;
use proptest::prelude::*;
use serde_json::{Value, json};

fn parsed(listing: &Value) -> Document {
    Document::parse(listing.to_string(), Dialect::STRICT).expect("a value is JSON")
}

fn changes(before: &Value, now: &Value) -> Vec<Finding> {
    judge_changes(("before.json", &parsed(before)), ("now.json", &parsed(now)), &Policy::default())
        .expect("both are listings")
        .findings
}

/// Rule, level, pointer and message of every change.
fn told(before: &Value, now: &Value) -> Vec<String> {
    let told = |one: &Finding| format!("{} {} {} {}", one.rule, one.level.word(), one.pointer, one.message);
    changes(before, now).iter().map(told).collect()
}

/// Rule, level and pointer.
fn brief(before: &Value, now: &Value) -> Vec<String> {
    changes(before, now).iter().map(|one| format!("{} {} {}", one.rule, one.level.word(), one.pointer)).collect()
}

/// A tool with this input schema.
fn taking(schema: Value) -> Value {
    json!([{ "name": "track", "description": "Shows where a parcel is.", "inputSchema": schema }])
}

fn giving(schema: Value) -> Value {
    json!([{ "name": "track", "inputSchema": { "type": "object" }, "outputSchema": schema }])
}

/// An object with these properties, of which these are required.
fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn between(before: Value, now: Value) -> Vec<String> {
    brief(&taking(before), &taking(now))
}

#[test]
fn what_only_adds_is_no_change() {
    let limit = |schema: Value| object(json!({ "limit": schema }), &[]);
    let base = object(json!({ "number": { "type": "string" } }), &["number"]);
    let leg = |properties: Value| json!({ "type": "array", "items": object(properties, &[]) });
    let model = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let compatible = [
        (
            "an optional argument",
            base.clone(),
            object(json!({ "number": { "type": "string" }, "x": { "type": "integer" } }), &["number"]),
        ),
        ("the first one", json!({ "type": "object" }), object(json!({ "x": { "type": "integer" } }), &[])),
        ("the first one of none", object(json!({}), &[]), object(json!({ "x": { "type": "integer" } }), &[])),
        (
            "one inside a list",
            limit(leg(json!({ "a": { "type": "string" } }))),
            limit(leg(json!({ "a": { "type": "string" }, "b": { "type": "string" } }))),
        ),
        (
            "a wider range",
            limit(json!({ "type": "integer", "maximum": 5 })),
            limit(json!({ "type": "integer", "maximum": 50 })),
        ),
        ("null as well", limit(json!({ "type": "integer" })), limit(json!({ "type": ["integer", "null"] }))),
        (
            "null as a branch",
            limit(json!({ "type": "integer" })),
            limit(json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] })),
        ),
        ("no longer required", base.clone(), object(json!({ "number": { "type": "string" } }), &[])),
        (
            "words",
            limit(json!({ "type": "integer", "title": "Limit", "default": 5 })),
            limit(json!({ "type": "integer", "default": 6, "format": "int32" })),
        ),
        (
            "a definition",
            limit(model.clone()),
            json!({ "type": "object", "properties": { "limit": { "$ref": "#/$defs/M" } }, "$defs": { "M": model.clone() } }),
        ),
        (
            "an allOf of one",
            json!({ "type": "object", "properties": { "limit": { "$ref": "#/$defs/M" } }, "$defs": { "M": model.clone() } }),
            json!({ "type": "object", "properties": { "limit": { "allOf": [{ "$ref": "#/$defs/M" }], "default": {} } }, "$defs": { "M": model } }),
        ),
        (
            "more values",
            limit(json!({ "enum": ["a", "b"] })),
            limit(json!({ "type": "string", "enum": ["c", "b", "a"] })),
        ),
        (
            "values in another order",
            limit(json!({ "type": "string", "enum": ["a", "b"] })),
            limit(json!({ "type": "string", "enum": ["b", "a"] })),
        ),
        (
            "closed by the letter",
            base.clone(),
            json!({ "type": "object", "properties": { "number": { "type": "string" } }, "required": ["number"], "additionalProperties": false }),
        ),
        (
            "another dialect",
            base.clone(),
            json!({ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": { "number": { "type": "string" } }, "required": ["number"] }),
        ),
        ("a float for an integer", limit(json!({ "type": "integer" })), limit(json!({ "type": "number" }))),
        (
            "required as a branch",
            json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } }, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
            object(json!({ "a": { "type": "string" }, "b": { "type": "string" } }), &[]),
        ),
    ];
    for (what, before, now) in compatible {
        let found = told(&taking(before.clone()), &taking(now));
        assert!(found.iter().all(|one| one.starts_with("description-changed")), "{what}: {found:#?}\n{before:#}");
    }
}

#[test]
fn what_breaks_callers_is_named_with_its_place() {
    let limit = |schema: Value| object(json!({ "limit": schema }), &[]);
    let number = |required: &[&str]| object(json!({ "number": { "type": "string" } }), required);
    let inner =
        |required: &[&str]| object(json!({ "leg": object(json!({ "a": { "type": "string" } }), required) }), &[]);
    let defined = |properties: Value| json!({ "type": "object", "properties": { "from": { "$ref": "#/$defs/P" }, "to": { "$ref": "#/$defs/P" } }, "$defs": { "P": object(properties, &[]) } });
    let optional = |schema: Value| limit(json!({ "anyOf": [schema, { "type": "null" }] }));
    let breaking = [
        (number(&[]), number(&["number"]), "argument-now-required error /inputSchema/properties/number"),
        (inner(&[]), inner(&["a"]), "argument-now-required error /inputSchema/properties/leg/properties/a"),
        (
            limit(json!({ "type": "integer" })),
            object(json!({}), &[]),
            "argument-removed error /inputSchema/properties/limit",
        ),
        (
            defined(json!({ "a": { "type": "string" }, "b": { "type": "string" } })),
            defined(json!({ "a": { "type": "string" } })),
            "argument-removed error /inputSchema/$defs/P/properties/b",
        ),
        (
            limit(json!({ "type": "object" })),
            limit(object(json!({ "a": { "type": "string" } }), &[])),
            "argument-narrowed warning /inputSchema/properties/limit",
        ),
        (
            limit(json!({ "type": "number" })),
            limit(json!({ "type": "integer" })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            limit(json!({ "type": "integer" })),
            limit(json!({ "type": "string" })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            limit(json!({ "type": "integer" })),
            limit(json!({ "type": "integer", "minimum": 1 })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            limit(json!({ "type": "string" })),
            limit(json!({ "type": "string", "enum": ["a"] })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            limit(json!({ "type": "string" })),
            limit(json!({ "type": "string", "pattern": "^a+$" })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (limit(json!({})), limit(json!({ "type": "string" })), "argument-narrowed error /inputSchema/properties/limit"),
        (
            optional(json!({ "type": "integer", "maximum": 9 })),
            optional(json!({ "type": "integer", "maximum": 5 })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            optional(json!({ "type": "integer" })),
            limit(json!({ "type": "integer" })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            limit(json!({ "type": "array", "items": { "type": "string" } })),
            limit(json!({ "type": "array", "items": { "type": "integer" } })),
            "argument-narrowed error /inputSchema/properties/limit/items",
        ),
        (
            limit(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
            limit(json!({ "type": "object", "additionalProperties": { "type": "integer" } })),
            "argument-narrowed error /inputSchema/properties/limit/additionalProperties",
        ),
        (
            limit(json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] })),
            limit(json!({ "oneOf": [{ "type": "string" }, { "type": "boolean" }] })),
            "argument-narrowed error /inputSchema/properties/limit",
        ),
        (
            json!({ "type": "object", "properties": {}, "additionalProperties": true }),
            json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            "argument-narrowed error /inputSchema",
        ),
        (
            object(json!({ "a": { "type": "string" }, "b": { "type": "string" } }), &[]),
            json!({ "type": "object", "properties": { "b": { "type": "string" } }, "additionalProperties": true }),
            "argument-removed warning /inputSchema/properties/a",
        ),
        (
            limit(json!({ "not": { "const": 1 } })),
            limit(json!({ "not": { "const": 2 } })),
            "argument-narrowed warning /inputSchema/properties/limit",
        ),
    ];
    for (before, now, expected) in breaking {
        assert_eq!(
            between(before.clone(), now.clone()),
            [expected],
            "{before:#}\n{now:#}\n{:#?}",
            told(&taking(before.clone()), &taking(now.clone()))
        );
    }
}

#[test]
fn outputs_are_read_the_other_way_round() {
    let of = |schema: Value, required: &[&str]| giving(object(json!({ "state": schema }), required));
    let text = json!({ "type": "string" });
    let closed = |properties: Value| {
        giving(json!({ "type": "object", "properties": properties, "additionalProperties": false }))
    };
    let cases = [
        (of(text.clone(), &[]), of(text.clone(), &["state"]), vec![]),
        (
            of(text.clone(), &["state"]),
            of(text.clone(), &[]),
            vec!["output-widened warning /outputSchema/properties/state"],
        ),
        (
            of(text.clone(), &["state"]),
            of(json!({}), &[]),
            vec!["output-widened warning /outputSchema/properties/state"; 2],
        ),
        (of(text.clone(), &[]), of(json!({ "type": "string", "maxLength": 5 }), &[]), vec![]),
        (
            of(text.clone(), &[]),
            of(json!({ "type": ["string", "null"] }), &[]),
            vec!["output-widened warning /outputSchema/properties/state"],
        ),
        (
            of(text.clone(), &[]),
            giving(object(json!({}), &[])),
            vec!["output-widened warning /outputSchema/properties/state"],
        ),
        (closed(json!({ "a": text })), closed(json!({ "a": text, "b": text })), vec![]),
        (
            of(text.clone(), &[]),
            json!([{ "name": "track", "inputSchema": { "type": "object" } }]),
            vec!["output-widened warning /outputSchema"],
        ),
        (json!([{ "name": "track", "inputSchema": { "type": "object" } }]), of(text, &[]), vec![]),
    ];
    for (before, now, expected) in cases {
        assert_eq!(brief(&before, &now), expected, "{before:#}\n{now:#}\n{:#?}", told(&before, &now));
    }
}

#[test]
fn new_names_are_guessed_and_said_to_be_guesses() {
    let tool = |name: &str, text: &str, properties: Value| json!({ "name": name, "description": text, "inputSchema": object(properties, &["q"]) });
    let plain = json!({ "q": { "type": "string" } });
    let search = json!([tool("search", "Finds parcels by the words on their label.", plain.clone())]);
    let renamed = |name: &str| json!([tool(name, "Looks for what was sent.", plain.clone())]);
    assert_eq!(
        told(&search, &renamed("find"))[0],
        "tool-removed error  The tool \"search\" is gone; \"find\" looks like its new name."
    );
    assert_eq!(told(&search, &json!([]))[0], "tool-removed error  The tool \"search\" is gone.");
    let mut other =
        json!([tool("search", "Finds parcels by the words on their label.", json!({ "query": { "type": "string" } }))]);
    other[0]["inputSchema"]["required"] = json!(["query"]);
    let found = told(&search, &other);
    assert_eq!(
        found,
        [
            "argument-removed error /inputSchema/properties/q The argument \"q\" is gone; \"query\" looks like its new name."
        ]
    );
}

#[test]
fn texts_that_change_from_run_to_run_are_notes() {
    let at = |time: &str| json!([{ "name": "now", "description": format!("Tells the time; it is {time} in /srv/{time}."), "inputSchema": object(json!({ "zone": { "type": "string", "default": time, "description": format!("Zone, such as {time}.") } }), &[]) }]);
    let found = changes(&at("10:41"), &at("10:42"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].level, found[0].pointer.as_str()), (Level::Note, "/description"));
    assert!(found[0].message.contains("only in a number, a time or a path"), "{}", found[0].message);
}

#[test]
fn any_text_stands_for_a_value_that_was_taken_out() {
    let tool = |text: &str| json!([{ "name": "a", "description": text, "inputSchema": {} }]);
    for (was, is, changed) in [
        ("Asks [redacted].", "Asks example.org.", 0),
        ("[redacted] and [redacted]", "one and two", 0),
        ("a [redacted] b [redacted] c", "a 1 b 2 b 3 c", 0),
        ("Asks [redacted].", "Asks example.org!", 1),
        ("Asks [redacted]. Asks [redacted].", "Asks a.", 1),
        ("Asks example.org.", "Asks [redacted].", 1),
    ] {
        assert_eq!(changes(&tool(was), &tool(is)).len(), changed, "{was} {is}");
    }
}

#[test]
fn odd_listings_are_compared_without_complaint() {
    let odd = [
        json!([]),
        json!([1, null, "a", {}, { "name": 5 }, { "name": "a", "inputSchema": 5 }]),
        json!([{ "name": "a", "inputSchema": { "properties": [1], "required": "a", "items": 5, "anyOf": {}, "$ref": 5 } }]),
        json!([{ "name": "a", "inputSchema": { "properties": { "b": 5, "c": true, "d": { "$ref": "#" }, "e": { "$ref": "#/nowhere" } }, "required": [1, "b"] } }]),
        json!([{ "name": "a", "inputSchema": { "$ref": "#/$defs/A", "$defs": { "A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" } } } }]),
        json!([{ "name": "a", "inputSchema": { "properties": { "d": { "$ref": "#" }, "x": { "type": "string" } } }, "outputSchema": { "allOf": [{ "$ref": "#" }] }, "annotations": [] }]),
        json!([{ "name": "a", "inputSchema": { "type": "object" } }, { "name": "a", "inputSchema": { "type": "string" } }]),
    ];
    for before in &odd {
        for now in &odd {
            let found = changes(before, now);
            assert!(before != now || found.is_empty(), "{before}\n{found:#?}");
            assert!(found.iter().all(|one| one.rule != "internal-error"), "{before}\n{now}");
        }
    }
}

/// Deep, long and looping schemas take no more than their size.
#[test]
fn hard_schemas_end() {
    let deep = |leaf: Value| (0..200).fold(leaf, |inner, _| object(json!({ "a": inner }), &[]));
    let chain = |last: &str| {
        let defs: serde_json::Map<String, Value> = (0..2_000)
            .map(|nth| (format!("D{nth}"), object(json!({ "next": { "$ref": format!("#/$defs/D{}", nth + 1) } }), &[])))
            .chain([("D2000".to_owned(), json!({ "type": last }))])
            .collect();
        json!({ "type": "object", "properties": { "first": { "$ref": "#/$defs/D0" } }, "$defs": defs })
    };
    let tree = |kind: &str| {
        let defs: serde_json::Map<String, Value> = (0..40)
            .map(|nth| {
                let both = json!({ "$ref": format!("#/$defs/D{}", nth + 1) });
                (format!("D{nth}"), json!({ "anyOf": [both.clone(), { "type": "array", "items": both }] }))
            })
            .chain([("D40".to_owned(), json!({ "type": kind }))])
            .collect();
        json!({ "type": "object", "properties": { "first": { "$ref": "#/$defs/D0" } }, "$defs": defs })
    };
    let bush = |kind: &str| {
        let defs: serde_json::Map<String, Value> = (0..20)
            .map(|nth| {
                let next = json!({ "$ref": format!("#/$defs/D{}", nth + 1) });
                (format!("D{nth}"), json!({ "anyOf": vec![next; 20] }))
            })
            .chain([("D20".to_owned(), json!({ "type": kind }))])
            .collect();
        json!({ "type": "object", "properties": { "first": { "$ref": "#/$defs/D0" } }, "$defs": defs })
    };
    let wide = |kind: &str| {
        let members: serde_json::Map<String, Value> =
            (0..5_000).map(|nth| (format!("a{nth}"), json!({ "type": kind }))).collect();
        object(Value::Object(members), &[])
    };
    for (before, now) in [
        (deep(json!({ "type": "string" })), deep(json!({ "type": "integer" }))),
        (chain("string"), chain("integer")),
        (tree("string"), tree("integer")),
        (bush("object"), bush("string")),
        (wide("string"), wide("integer")),
    ] {
        let found = changes(&taking(before), &taking(now));
        assert!(found.iter().all(|one| one.rule != "internal-error"), "{found:#?}");
    }
}

/// The saved listings of the tests, and those in the folder that a variable names.
fn listings() -> Vec<(String, String)> {
    let own = fixtures::all().into_iter().filter(fixtures::Fixture::is_listing);
    let mut all: Vec<(String, String)> = own.map(|fixture| (fixture.name, fixture.text)).collect();
    if let Some(folder) = std::env::var_os("MCP_LINT_LISTINGS") {
        for file in std::fs::read_dir(folder).expect("a folder") {
            let path = file.expect("a file").path();
            all.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a text")));
        }
    }
    all
}

fn subject(text: &str) -> Subject {
    let document = Document::parse(text, Dialect::STRICT).expect("JSON");
    Subject::File { path: "tools.json".to_owned(), document }
}

#[test]
fn a_listing_against_itself_has_no_change() {
    for (name, text) in listings() {
        let same = |left: &str, right: &str| {
            let (left, right) = (
                Document::parse(left, Dialect::STRICT).expect("JSON"),
                Document::parse(right, Dialect::STRICT).expect("JSON"),
            );
            let found = judge_changes(("a", &left), ("b", &right), &Policy::default()).expect("listings").findings;
            assert!(found.is_empty(), "{name}: {found:#?}");
        };
        same(&text, &text);
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let mut other = value.clone();
        for pointer in ["", "/tools", "/result/tools", "/functions"] {
            if let Some(Value::Array(tools)) = other.pointer_mut(pointer) {
                tools.reverse();
            }
        }
        let text_of = |value: &Value| shuffled_members(value).to_string();
        same(&value.to_string(), &text_of(&other));
        // Written down and read again, it is still the same.
        let Some(listing) = listing_of(&subject(&text), &[]) else { panic!("{name}: a listing is whole") };
        let file = render(&[("s".to_owned(), listing)].into());
        let contract = Contract::parse(&file).unwrap_or_else(|error| panic!("{name}: {error}\n{file}"));
        assert_eq!(render(&contract.listings()), file, "{name}");
        let tools = contract.tools("s").expect("the server").to_json();
        if !value.to_string().contains("\"parameters\"") && !value.to_string().contains("\"input_schema\"") {
            same(&tools.to_string(), &value.to_string());
        }
    }
}

/// The tools of a listing, where they can be told apart by their names.
fn tools_of(text: &str) -> Vec<Value> {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let listed = ["", "/tools", "/result/tools"]
        .iter()
        .find_map(|place| value.pointer(place).and_then(Value::as_array).cloned());
    let mut tools = listed.unwrap_or_default();
    tools.retain(|tool| tool["name"].is_string() && tool["inputSchema"]["properties"].is_object());
    let names: Vec<Value> = tools.iter().map(|tool| tool["name"].clone()).collect();
    tools.retain(|tool| names.iter().filter(|name| **name == tool["name"]).count() == 1);
    tools
}

/// Every listing, changed by an edit: before and after.
fn edited(edit: impl Fn(&mut Value)) -> Vec<(String, Value, Value)> {
    let edited = |(name, text): (String, String)| {
        let before = tools_of(&text);
        let mut now = before.clone();
        now.iter_mut().for_each(&edit);
        (name, before.into(), now.into())
    };
    listings().into_iter().map(edited).collect()
}

#[test]
fn an_optional_argument_can_be_added_to_every_tool() {
    for (name, before, now) in edited(|tool| {
        tool["inputSchema"]["properties"]["zz_new"] = json!({ "type": "integer", "description": "It is new." });
    }) {
        let found = told(&before, &now);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

#[test]
fn other_words_are_notes_for_every_tool() {
    fn reword(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (key, inner) in members {
                    match inner {
                        Value::String(text) if key == "description" => text.push_str(" Really."),
                        _ => reword(inner),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(reword),
            _ => {}
        }
    }
    for (name, before, now) in edited(reword) {
        let found = changes(&before, &now);
        let is_note = |one: &Finding| one.rule == "description-changed" && one.level == Level::Note;
        assert!(found.iter().all(is_note), "{name}: {found:#?}");
        assert!(found.len() <= now.as_array().map_or(0, Vec::len), "{name}: one for each tool: {found:#?}");
    }
}

#[test]
fn a_narrowed_argument_of_every_tool_is_found() {
    for (name, before, now) in edited(|tool| {
        if let Some((_, schema)) =
            tool["inputSchema"]["properties"].as_object_mut().and_then(|all| all.iter_mut().next())
        {
            *schema = json!({ "type": "string", "enum": ["¤"] });
        }
    }) {
        let found = changes(&before, &now);
        for (was, tool) in before.as_array().into_iter().flatten().zip(now.as_array().into_iter().flatten()) {
            let changed = was["inputSchema"]["properties"] != tool["inputSchema"]["properties"];
            let is_own = |one: &&Finding| tool["name"] == one.entity.as_str() && one.rule != "description-changed";
            assert!(!changed || found.iter().any(|one| is_own(&one)), "{name}: {tool}\n{found:#?}");
        }
    }
}

/// Members in the opposite order; lists as they are.
fn shuffled_members(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.iter().rev().map(|(key, inner)| (key.clone(), shuffled_members(inner))).collect())
        }
        Value::Array(items) => items.iter().map(shuffled_members).collect(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever one listing becomes, comparing it neither panics nor reports one place twice.
    #[test]
    fn any_two_listings_can_be_compared(left in 0_usize..10_000, right in 0_usize..10_000) {
        let all = listings();
        let read = |nth: usize| -> Value {
            let text = &all[nth % all.len()].1;
            let mut value: Value = serde_json::from_str(text).expect("JSON");
            let tools = ["", "/tools", "/result/tools", "/functions"].iter().find_map(|place| {
                value.pointer(place).filter(|tools| tools.is_array()).cloned()
            });
            // All go by one name, so that their schemas meet.
            let mut tools = tools.unwrap_or_else(|| json!([value.take()]));
            for (nth, tool) in tools.as_array_mut().into_iter().flatten().enumerate() {
                if let Some(members) = tool.as_object_mut() {
                    members.insert("name".to_owned(), format!("tool_{nth}").into());
                }
            }
            tools
        };
        let found = changes(&read(left), &read(right));
        let mut prints: Vec<&str> = found.iter().map(|one| one.fingerprint.as_str()).collect();
        prints.sort_unstable();
        let count = prints.len();
        prints.dedup();
        prop_assert_eq!(count, prints.len(), "{:#?}", found);
        prop_assert!(found.iter().all(|one| one.rule != "internal-error"));
    }
}
