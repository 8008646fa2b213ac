//! Tools without arguments that say so by leaving `properties` out.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "properties-missing",
    summary: "tools without arguments have no `properties`",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("properties_missing.md"),
    check: Check::Server(check),
};

/// Keywords that declare arguments in another way.
const DECLARING: &[&str] = &["properties", "$ref", "anyOf", "oneOf", "allOf", "patternProperties"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let is_bare = |tool: &&Tool<'_>| {
        tool.input_schema().is_some_and(|schema| {
            let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
            is_object && DECLARING.iter().all(|keyword| schema.get(keyword).is_none())
        })
    };
    let names: Vec<&str> = server.tools.iter().filter(is_bare).map(|tool| tool.label.as_ref()).collect();
    if names.is_empty() {
        return;
    }
    let (has, schema) = if names.len() == 1 { ("has", "an input schema") } else { ("have", "input schemas") };
    let message = format!(
        "{} {has} {schema} without `properties`: {}. It is valid MCP, but some clients ask for it.",
        count(names.len(), "tool"),
        list(&names, 5)
    );
    out.report(Site::server(), message).fault(RULE.id);
}
