//! An array that does not say what it holds.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "array-items-missing",
    summary: "an array has no `items`",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("array_items_missing.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output || !is_array(node.value) || node.leads_nowhere() {
        return;
    }
    let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|keyword| node.get(keyword)).flat_map(Value::items);
    let describes = |schema: Value<'_>| schema.get("items").is_some() || schema.get("prefixItems").is_some();
    if describes(node.value) || describes(node.resolved()) || branches.map(|one| node.refs.follow(one)).any(describes) {
        return;
    }
    let path = node.path();
    let what = if path.is_empty() { "The schema".to_owned() } else { format!("\"{}\"", visible(&path)) };
    let message = format!("{what} is an array without `items`: valid MCP, but refused by some clients.");
    out.report(node.site(), message).fault("array-items-missing");
}

fn is_array(schema: Value<'_>) -> bool {
    let Some(kind) = schema.get("type") else { return false };
    kind.as_str() == Some("array") || kind.items().any(|name| name.as_str() == Some("array"))
}
