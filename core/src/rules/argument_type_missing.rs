//! An argument that may be anything.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "argument-type-missing",
    summary: "an argument has no type, enum, const, combinator or reference",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("argument_type_missing.md"),
    check: Check::Argument(check),
};

/// Keywords that say what an argument is.
const TELLING: &[&str] = &["type", "enum", "const", "anyOf", "oneOf", "allOf", "$dynamicRef", "$recursiveRef"];

fn check(argument: &Argument<'_, '_>, out: &mut Out<'_>) {
    let node = &argument.node;
    if node.value.as_bool().is_some() || node.leads_nowhere() {
        return;
    }
    if !TELLING.iter().any(|keyword| argument.has(keyword)) {
        let message = format!("The argument \"{}\" has no type, so it may be anything.", visible(&node.path()));
        out.report(node.site(), message).fault("argument-type-missing");
        return;
    }
    // The items of a list, and of lists in it.
    let (mut schema, mut keys) = (node.value, Vec::new());
    while let Some(items) = schema.get("items").filter(|items| items.is_object()) {
        keys.push("items");
        schema = items;
    }
    if keys.is_empty() || schema.get("$ref").is_some() || TELLING.iter().any(|keyword| schema.get(keyword).is_some()) {
        return;
    }
    let mut site = node.site_at(&keys);
    site.path.push_str(&"[]".repeat(keys.len()));
    let message = format!("The items \"{}\" have no type, so they may be anything.", visible(&site.path));
    out.report(site, message).fault("argument-type-missing");
}
