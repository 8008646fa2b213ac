//! An output schema that promises nothing.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "output-schema-empty",
    summary: "an output schema declares no properties",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("output_schema_empty.md"),
    check: Check::Tool(check),
};

/// Keywords by which a schema without properties of its own still says something.
const TELLING: &[&str] = &[
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "patternProperties",
    "additionalProperties",
    "required",
    "if",
    "enum",
    "const",
];

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.output_schema() else { return };
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    let is_told = |keyword: &str| match schema.get(keyword) {
        // A closed object without properties has nothing in it.
        Some(rest) => rest.as_bool() != Some(false),
        None => false,
    };
    let is_malformed = schema.get("properties").is_some_and(|all| !all.is_object());
    let has_properties = schema.get("properties").is_some_and(|all| !all.is_empty());
    if is_object && !is_malformed && !has_properties && !TELLING.iter().any(|keyword| is_told(keyword)) {
        out.report(
            tool.site_at(&["outputSchema"]),
            "The output schema declares no properties, so it promises nothing.",
        );
    }
}
