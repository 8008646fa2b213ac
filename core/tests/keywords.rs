//! The verdict on a schema agrees with the official meta-schemas, keyword by keyword and dialect by dialect.

use mcp_lint_core::document::{Dialect as Json, Document};
use mcp_lint_core::judge::{Subject, judge};
use mcp_lint_core::keywords::Dialect;
use mcp_lint_core::policy::Policy;
use proptest::prelude::*;
use serde_json::{Value, json};

const DIALECTS: &[(Dialect, &str)] = &[
    (Dialect::Draft4, "http://json-schema.org/draft-04/schema#"),
    (Dialect::Draft6, "http://json-schema.org/draft-06/schema#"),
    (Dialect::Draft7, "http://json-schema.org/draft-07/schema#"),
    (Dialect::Draft2019, "https://json-schema.org/draft/2019-09/schema"),
    (Dialect::Draft2020, "https://json-schema.org/draft/2020-12/schema"),
];

/// Keywords of all dialects; `$schema` and the references are left to tests of their own.
const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "description",
    "title",
    "enum",
    "const",
    "default",
    "items",
    "additionalItems",
    "additionalProperties",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "$defs",
    "definitions",
    "patternProperties",
    "propertyNames",
    "contains",
    "prefixItems",
    "unevaluatedItems",
    "unevaluatedProperties",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "examples",
    "readOnly",
    "writeOnly",
    "deprecated",
    "contentMediaType",
    "contentEncoding",
    "contentSchema",
    "$comment",
    "x-unknown",
];

/// Keywords with sub-schemas that a dialect does not have: our walk looks into them all the same.
fn is_strange(keyword: &str, dialect: Dialect) -> bool {
    match keyword {
        "if" | "then" | "else" => dialect < Dialect::Draft7,
        "propertyNames" | "contains" => dialect < Dialect::Draft6,
        "$defs" | "unevaluatedItems" | "unevaluatedProperties" | "dependentSchemas" | "contentSchema" => {
            dialect < Dialect::Draft2019
        }
        "prefixItems" => dialect < Dialect::Draft2020,
        "additionalItems" => dialect > Dialect::Draft2019,
        _ => false,
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(false)),
        Just(json!(true)),
        Just(json!(0)),
        Just(json!(-1)),
        Just(json!(2)),
        Just(json!(1.0)),
        Just(json!(1.5)),
        Just(json!("string")),
        Just(json!("integer")),
        Just(json!("float")),
        Just(json!("^a+$")),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["string", "null"])),
        Just(json!(["a", "a"])),
        Just(json!(["object", "object"])),
        Just(json!([1])),
        Just(json!([null])),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        let keyword = proptest::sample::select(KEYWORDS);
        let schema = proptest::collection::vec((keyword, inner.clone()), 0..4).prop_map(|members| {
            Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        });
        let map = proptest::collection::vec((proptest::sample::select(&["a", "b"][..]), inner.clone()), 0..3).prop_map(
            |members| Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        );
        let list = proptest::collection::vec(inner, 0..3).prop_map(Value::Array);
        prop_oneof![3 => schema, 1 => map, 1 => list]
    })
}

/// Takes out what makes the comparison unfair: words of other dialects, and boolean properties, which are
/// a matter of their own.
fn fair(value: &mut Value, dialect: Dialect) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| fair(item, dialect)),
        Value::Object(members) => {
            members.retain(|keyword, _| !is_strange(keyword, dialect));
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                properties.retain(|_, schema| !schema.is_boolean());
            }
            members.values_mut().for_each(|inner| fair(inner, dialect));
        }
        _ => {}
    }
}

fn is_reported(schema: &Value) -> Option<String> {
    let listing = json!([{ "name": "a", "description": "Only for this test.", "inputSchema": schema }]);
    let document = Document::parse(listing.to_string(), Json::STRICT).expect("serde_json writes JSON");
    let subject = Subject::File { path: "tools.json".to_owned(), document };
    let verdict = judge("test", None, &subject, &Policy::default()).expect("an array of tools");
    let found = verdict.findings.into_iter().find(|finding| finding.rule == "schema-invalid");
    found.map(|finding| format!("{} {}", finding.pointer, finding.message))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_meta_schemas_agree(
        keywords in proptest::collection::vec((proptest::sample::select(KEYWORDS), value()), 0..4),
        (dialect, uri) in proptest::sample::select(DIALECTS),
    ) {
        let mut schema = json!({});
        for (keyword, value) in keywords {
            schema[keyword] = value;
        }
        fair(&mut schema, dialect);
        schema["$schema"] = json!(uri);
        schema["type"] = json!("object");
        let official = jsonschema::meta::is_valid(&schema);
        let ours = is_reported(&schema);
        prop_assert_eq!(ours.is_none(), official, "{}: {:?}", schema, ours);
    }
}
