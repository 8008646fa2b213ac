//! Whole listings with several faults each: exactly these findings, at exactly these places.

use mcp_lint_core::clients::Selection;
use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::policy::{Policy, Preset};

fn findings(listing: &str) -> Vec<Finding> {
    findings_by(listing, &Policy::default())
}

fn findings_by(listing: &str, policy: &Policy) -> Vec<Finding> {
    let document = Document::parse(listing, Dialect::STRICT).expect("the sample is JSON");
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    judge("sample", None, &subject, policy).expect("the sample is a listing").findings
}

/// Level, rule, tool and place of everything above a note.
fn loud(findings: &[Finding]) -> Vec<(&str, &str, &str, &str)> {
    let loud = findings.iter().filter(|finding| finding.level > Level::Note);
    loud.map(|finding| (finding.level.word(), finding.rule.as_ref(), finding.entity.as_str(), finding.path.as_str()))
        .collect()
}

#[test]
fn a_fault_is_found_once_and_a_name_is_told_from_its_text() {
    let findings = findings(
        r#"{"tools":[{"name":"a","title\u200b":"x\u200by","title\u200b":"x\u200bz","inputSchema":{"type":"object",
        "properties":{"a":{"format":"x","type":"array"},"a":{"format":"x","type":"array"}}}}]}"#,
    );
    let hidden = findings.iter().filter(|finding| finding.rule == "hidden-characters").count();
    assert_eq!(hidden, 2);
    let once: std::collections::BTreeSet<&str> = findings.iter().map(|finding| finding.fingerprint.as_str()).collect();
    assert_eq!(once.len(), findings.len());
}

const FLIGHTS: &str = r#"{
  "tools": [
    {
      "name": "search_flights",
      "description": "Searches for flights between two airports on one day.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "from": { "type": "string", "description": "Airport of departure, three letters." },
          "to": { "type": "string" }
        },
        "required": ["from", "to", "date"]
      }
    },
    {
      "name": "book flight",
      "description": "Books a seat on a flight that a search has found.",
      "inputSchema": { "type": "object", "properties": {} }
    },
    {
      "name": "getBooking",
      "description": "Get booking.",
      "inputSchema": { "type": "object", "properties": {} }
    },
    {
      "name": "get_booking",
      "description": "Returns a booking with its flights, seats and price.",
      "inputSchema": { "type": "object", "properties": {} }
    }
  ]
}"#;

#[test]
fn flights() {
    let found = findings(FLIGHTS);
    let mut places = loud(&found);
    places.sort_unstable();
    assert_eq!(
        places,
        [
            ("error", "name-invalid", "book flight", "name"),
            ("error", "required-unknown", "search_flights", ""),
            ("warning", "argument-description-missing", "search_flights", "to"),
            ("warning", "description-short", "getBooking", "description"),
            ("warning", "names-alike", "getBooking", "name"),
        ]
    );
}

#[test]
fn the_order_of_a_listing_moves_no_finding() {
    let identities = |listing: &str| {
        let mut all: Vec<String> = findings(listing).into_iter().map(|finding| finding.fingerprint).collect();
        all.sort();
        all
    };
    let mut listing: serde_json::Value = serde_json::from_str(FLIGHTS).expect("the sample is JSON");
    listing["tools"].as_array_mut().expect("an array of tools").reverse();
    assert_eq!(identities(FLIGHTS), identities(&listing.to_string()));
}

const ORDERS: &str = r#"[
  {
    "name": "orders.search",
    "description": "Searches the orders of one customer by their state.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "customerId": { "type": "string", "description": "Id of the customer, such as cus_31x." },
        "state": { "type": "string", "enum": ["P", "S", "X"] },
        "createdAfter": { "type": "string", "description": "Leaves out orders that are older." }
      },
      "required": ["customer_id", "state"]
    }
  },
  {
    "name": "get_order",
    "description": "Returns one order with its lines and its state.",
    "inputSchema": {
      "type": "object",
      "properties": { "orderId": { "type": "string", "description": "Id of the order.", "x-mcp-header": "Order Id" } }
    }
  },
  {
    "name": "cancel_order",
    "description": "Cancel an order.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "refund": { "type": "float", "description": "How much is paid back." },
        "reason": { "type": "string", "nullable": true, "description": "Why it is cancelled." }
      }
    },
    "annotations": { "destructiveHint": false }
  }
]"#;

#[test]
fn orders() {
    let found = findings_by(ORDERS, &Policy::preset(Preset::Spec));
    let errors: Vec<&Finding> = found.iter().filter(|finding| finding.level == Level::Error).collect();
    let mut places: Vec<(&str, &str, &str, &str)> = found
        .iter()
        .filter(|finding| finding.level > Level::Note)
        .map(|finding| (finding.level.word(), finding.rule.as_ref(), finding.entity.as_str(), finding.pointer.as_str()))
        .collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            ("error", "required-unknown", "orders.search", "/inputSchema/required"),
            ("error", "schema-invalid", "cancel_order", "/inputSchema/properties/refund/type"),
            ("error", "x-mcp-header-invalid", "get_order", "/inputSchema/properties/orderId/x-mcp-header"),
            ("warning", "annotation-contradicts", "cancel_order", "/annotations/destructiveHint"),
            ("warning", "date-format-missing", "orders.search", "/inputSchema/properties/createdAfter"),
            ("warning", "description-short", "cancel_order", "/description"),
            ("warning", "enum-unexplained", "orders.search", "/inputSchema/properties/state/enum"),
            ("warning", "nullable-keyword", "cancel_order", "/inputSchema/properties/reason/nullable"),
        ]
    );
    for (finding, [said, fixed]) in
        errors.iter().zip([["customer_id", "customerId"], ["Order Id", "Order-Id"], ["float", "number"]])
    {
        assert!(finding.message.contains(said) && finding.fix.contains(fixed), "{finding:#?}");
    }
    let warned = findings(ORDERS);
    let dotted = ("warning", "name-not-portable", "orders.search", "name");
    assert!(loud(&warned).contains(&dotted), "a client's trouble is there where clients count: {warned:#?}");
}

/// A broken thing is reported by one rule: for each definition, every finding there is.
#[test]
fn one_fault_one_finding() {
    let cases: &[(&str, &[&str])] = &[
        (r#""inputSchema": null"#, &["schema-missing"]),
        (r#""inputSchema": true"#, &["schema-missing"]),
        (r#""inputSchema": []"#, &["schema-missing"]),
        (r#""inputSchema": {}"#, &["schema-not-object"]),
        (r#""inputSchema": { "type": "objekt" }"#, &["schema-not-object"]),
        (r#""inputSchema": { "type": ["object", "null"] }"#, &["schema-not-object"]),
        (r#""inputSchema": { "type": "object", "properties": { "a": true } }"#, &["boolean-schema"]),
        (r#""inputSchema": { "type": "object", "properties": { "a": "string" } }"#, &["schema-invalid"]),
        (r#""inputSchema": { "type": "object", "properties": { "a": null } }"#, &["schema-invalid"]),
        (r#""inputSchema": { "type": "object", "properties": null }"#, &["schema-invalid"]),
        (r#""inputSchema": { "type": "object", "required": "a" }"#, &["schema-invalid"]),
        (r#""inputSchema": { "type": "object", "items": { "type": "dict" } }"#, &["schema-invalid"]),
        (r##""inputSchema": { "type": "object", "properties": { "a": { "$ref": "#/$defs/A" } } }"##, &["ref-dangling"]),
        (
            r#""inputSchema": { "type": "object", "properties": {}, "required": ["a"], "additionalProperties": false }"#,
            &["required-unknown"],
        ),
        (r#""inputSchema": { "type": "object" }, "title": null"#, &["field-null"]),
        (r#""inputSchema": { "type": "object" }, "outputSchema": null"#, &["field-null"]),
        (r#""inputSchema": { "type": "object" }, "title": 5"#, &["field-type-invalid"]),
        (r#""inputSchema": { "type": "object" }, "annotations": []"#, &["field-type-invalid"]),
        (r#""inputSchema": { "type": "object" }, "outputSchema": true"#, &["output-schema-not-object"]),
        (r#""inputSchema": { "type": "object" }, "outputSchema": { "type": "array" }"#, &["output-schema-not-object"]),
        (r#""inputSchema": { "type": "object" }, "outputSchema": { "type": "object" }"#, &["output-schema-empty"]),
        (
            r##""inputSchema": { "type": "object" }, "outputSchema": { "type": "object", "properties": { "a": { "$ref": "#/$defs/A" } } }"##,
            &["output-schema-uncompilable"],
        ),
        (
            r#""inputSchema": { "type": "object", "properties": { "a": { "description": "One of two.", "type": "integer", "enum": ["1"], "default": "1" } } }"#,
            &["default-invalid", "schema-unsatisfiable"],
        ),
    ];
    for (members, expected) in cases {
        let listing = format!(r#"[{{ "name": "track", "description": "Shows where a parcel is now.", {members} }}]"#);
        let found = findings(&listing);
        let mut rules: Vec<&str> = loud(&found).into_iter().map(|(_, rule, ..)| rule).collect();
        rules.sort_unstable();
        assert_eq!(&rules, expected, "{members}");
    }
}

/// Strict modes apply where they are asked for: by naming them, or by a tool in its provider's own form.
#[test]
fn strict_modes_are_asked_for() {
    // One of the three is closed and takes no optional argument.
    let mut listing: serde_json::Value = serde_json::from_str(ORDERS).expect("the sample is JSON");
    let schema = &mut listing[1]["inputSchema"];
    (schema["required"], schema["additionalProperties"]) = (serde_json::json!(["orderId"]), false.into());
    let listing = listing.to_string();
    let strict = |listing: &str, policy: &Policy| {
        let document = Document::parse(listing, Dialect::STRICT).expect("the sample is JSON");
        let subject = Subject::File { path: "tools.json".to_owned(), document };
        let found = judge("sample", None, &subject, policy).expect("the sample is a listing").findings;
        let found = found.into_iter().filter(|finding| finding.rule.starts_with("strict-"));
        found.collect::<Vec<Finding>>()
    };
    assert!(strict(&listing, &Policy::default()).is_empty());

    let names = ["mcp-typescript-2", "openai-strict", "claude-strict"].map(str::to_owned);
    let named = Policy { clients: Selection::named(&names).expect("known clients"), ..Policy::default() };
    let found = strict(&listing, &named);
    let mut places: Vec<(&str, &str, Vec<&str>)> = found
        .iter()
        .map(|one| (one.rule.as_ref(), one.entity.as_str(), one.clients.iter().map(|loss| &*loss.id).collect()))
        .collect();
    places.sort();
    assert_eq!(
        places,
        [
            ("strict-additional-properties", "cancel_order", vec!["claude-strict", "openai-strict"]),
            ("strict-additional-properties", "orders.search", vec!["claude-strict", "openai-strict"]),
            ("strict-required-incomplete", "cancel_order", vec!["openai-strict"]),
            ("strict-required-incomplete", "orders.search", vec!["openai-strict"]),
        ]
    );
    assert!(found.iter().all(|one| one.level == Level::Error), "{found:#?}");

    let every = strict(&listing, &Policy::preset(Preset::EveryAgent));
    assert_eq!(every.len(), 1, "one finding for the server: {every:#?}");
    assert_eq!((every[0].rule.as_ref(), every[0].entity.as_str()), ("strict-required-incomplete", ""));

    let form = |strict: bool| {
        format!(
            r#"{{ "tools": [{{ "type": "function", "function": {{ "name": "track", "strict": {strict},
            "description": "Shows where a parcel is now.", "parameters": {{ "type": "object", "properties": {{
            "number": {{ "type": "string", "description": "Parcel number.", "maxLength": 9 }} }} }} }} }}] }}"#
        )
    };
    assert!(strict(&form(false), &Policy::default()).is_empty());
    let own: Vec<String> =
        strict(&form(true), &Policy::default()).into_iter().map(|one| one.rule.into_owned()).collect();
    assert_eq!(own, ["strict-additional-properties", "strict-keyword-unsupported", "strict-required-incomplete"]);
}

#[test]
fn a_message_quotes_no_more_of_a_server_than_fits() {
    let key = "k".repeat(100_000);
    let capabilities = format!(r#"{{"tools":{{}},"experimental":{{"{key}":7}}}}"#);
    let text = format!(
        "> initialize\n< {{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{capabilities},\"serverInfo\":{{\"name\":\"a\",\"version\":\"1\"}}}}}}\n> tools/list\n< tools\n"
    );
    let subject = Subject::Live(Box::new(mcp_lint_core::fixture::snapshot(&text).expect("a conversation")));
    let found = judge("parcels", None, &subject, &Policy::default()).expect("a verdict").findings;
    let invalid = found.iter().find(|finding| finding.rule == "message-invalid").expect("the number is refused");
    assert!(invalid.message.len() < 1_000, "{} bytes", invalid.message.len());
}
