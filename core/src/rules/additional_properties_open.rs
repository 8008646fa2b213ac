//! Input schemas that let invented arguments pass.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "additional-properties-open",
    summary: "input schemas are not closed by `additionalProperties: false` (once per server)",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("additional_properties_open.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let open: Vec<&str> = server.tools.iter().filter(|tool| is_open(tool)).map(|tool| tool.label.as_ref()).collect();
    if open.is_empty() {
        return;
    }
    let take = if open.len() == 1 { "takes" } else { "take" };
    let message = format!(
        "{} of {} {take} arguments that the schema does not name: {}.",
        grouped(open.len()),
        count(server.tools.len(), "tool"),
        list(&open, 6)
    );
    out.report(Site::server(), message);
}

/// Whether any other argument passes. What a reference or a combinator adds cannot be told from here, and
/// a schema for further arguments is meant to let them through.
fn is_open(tool: &Tool<'_>) -> bool {
    let Some(schema) = tool.input_schema() else { return false };
    let is_composed = ["$ref", "allOf", "anyOf", "oneOf"].into_iter().any(|keyword| schema.get(keyword).is_some());
    let is_closed = |keyword| schema.get(keyword).is_some_and(|value| value.as_bool() != Some(true));
    !is_composed && !is_closed("additionalProperties") && !is_closed("unevaluatedProperties")
}
