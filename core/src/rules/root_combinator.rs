//! A combinator at the root of an input schema.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "root-combinator",
    summary: "the root of the input schema has `anyOf`, `oneOf` or `allOf`",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("root_combinator.md"),
    check: Check::Tool(check),
};

/// Refused at the root by several clients.
const COMBINATORS: &[&str] = &["anyOf", "oneOf", "allOf"];
/// Refused at the root by fewer.
const KEYWORDS: &[&str] = &["enum", "const", "not"];

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.input_schema() else { return };
    // Malformed values are the business of another rule.
    let is_there = |keyword: &&&str| match **keyword {
        "const" => schema.get("const").is_some(),
        "not" => schema.get("not").is_some_and(|inner| inner.is_object() || inner.as_bool().is_some()),
        list => schema.get(list).is_some_and(|values| values.is_array() && !values.is_empty()),
    };
    for (keywords, fault) in [(COMBINATORS, "root-combinator"), (KEYWORDS, "root-keyword")] {
        let found: Vec<&str> = keywords.iter().filter(is_there).copied().collect();
        let Some(first) = found.first() else { continue };
        let has = if found.len() == 1 { "stands" } else { "stand" };
        let message = format!(
            "{} {has} at the root of the input schema: valid MCP, but some model APIs refuse it.",
            list(&found, found.len())
        );
        out.report(tool.site_at(&["inputSchema", first]), message).fault(fault);
    }
}
