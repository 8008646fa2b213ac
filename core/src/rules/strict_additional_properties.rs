//! Objects that strict modes want closed.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "strict-additional-properties",
    summary: "an object lacks `additionalProperties: false`, which strict modes ask for",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("strict_additional_properties.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output || !is_open_object(node.value) {
        return;
    }
    let losses = out.clients().strict_losses(RULE.id, node.tool.strict_client());
    if losses.is_empty() {
        return;
    }
    let path = node.path();
    let what = if path.is_empty() { "The input schema".to_owned() } else { format!("\"{}\"", visible(&path)) };
    let (message, keys): (_, &[&str]) = if node.get("additionalProperties").is_some() {
        (
            format!("{what} allows other properties, but strict mode asks for `\"additionalProperties\": false`."),
            &["additionalProperties"],
        )
    } else {
        (format!("{what} lacks `\"additionalProperties\": false`, which strict mode asks for."), &[])
    };
    out.report(node.site_at(keys), message).clients(losses);
}

fn is_open_object(schema: Value<'_>) -> bool {
    let kind = schema.get("type");
    let is_object = kind.and_then(Value::as_str) == Some("object")
        || kind.is_some_and(|kinds| kinds.items().any(|name| name.as_str() == Some("object")))
        || (kind.is_none() && schema.get("properties").is_some_and(Value::is_object));
    is_object && schema.get("additionalProperties").and_then(Value::as_bool) != Some(false)
}
