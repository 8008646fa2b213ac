//! An input schema that nests too deep.

use super::prelude::*;
use crate::clients::FactKind;
use crate::walk::children;

pub static RULE: Rule = Rule {
    id: "schema-too-deep",
    summary: "the input schema nests deeper than some clients take",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("schema_too_deep.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.input_schema() else { return };
    let levels = levels(schema);
    let exceeded = out.clients().exceeded(FactKind::Depth, levels);
    let Some(least) = exceeded.iter().map(|(_, most)| *most).min() else { return };
    let message = format!(
        "The input schema nests schemas {}: valid MCP, but some clients take {} only.",
        count(levels, "level"),
        grouped(least)
    );
    out.report(tool.site_at(&["inputSchema"]), message).clients(exceeded.into_iter().map(|(loss, _)| loss));
}

/// How many schemas are nested in each other below this one; definitions count for themselves.
fn levels(schema: Value<'_>) -> usize {
    let mut deepest = 0;
    children(schema, &mut |inner, is_definition| {
        deepest = deepest.max(levels(inner) + usize::from(!is_definition));
    });
    deepest
}
