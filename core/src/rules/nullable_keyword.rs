//! Words of OpenAPI 3.0 that JSON Schema does not know.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "nullable-keyword",
    summary: "a schema has `nullable` or `example`, which JSON Schema ignores",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("nullable_keyword.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    let path = node.path();
    let of = if path.is_empty() { String::new() } else { format!(" of \"{}\"", visible(&path)) };
    let is_told = node.get("nullable").is_some_and(|value| value.as_bool() != Some(false));
    if is_told && !allows_null(node.value) {
        let message = format!("`nullable`{of} is a word of OpenAPI 3.0: JSON Schema ignores it, and null is refused.");
        let kind = node.get("type").and_then(Value::as_str).unwrap_or("string");
        out.report(node.site_at(&["nullable"]), message)
            .fix(format!("Write `\"type\": [\"{}\", \"null\"]`, or leave it out of `required`.", excerpt(kind, 20)));
    }
    if node.get("example").is_some() {
        let message = format!("`example`{of} is a word of OpenAPI 3.0: JSON Schema ignores it.");
        out.report(node.site_at(&["example"]), message)
            .why("What reads the schema as JSON Schema passes over it, and the model may never see the example.")
            .fix("Write `\"examples\": [ … ]`, or give the example in the description.");
    }
}

/// Whether the schema lets null through as it is.
fn allows_null(schema: Value<'_>) -> bool {
    let is_null = |kind: Value<'_>| kind.as_str() == Some("null");
    let listed = schema.get("type").is_some_and(|kind| is_null(kind) || kind.items().any(is_null));
    let unions = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)).flat_map(Value::items);
    let mut kinds = unions.filter_map(|branch| branch.get("type"));
    listed || kinds.any(is_null)
}
