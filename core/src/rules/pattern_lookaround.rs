//! Look-around in a regular expression.

use super::prelude::*;
use crate::clients::worst;
use crate::pattern::traits;

pub static RULE: Rule = Rule {
    id: "pattern-lookaround",
    summary: "a regular expression uses look-around",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("pattern_lookaround.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output {
        return;
    }
    if let Some(pattern) = node.get("pattern").and_then(Value::as_str) {
        look(node, pattern, &["pattern"], out);
    }
    for (pattern, _) in node.get("patternProperties").into_iter().flat_map(Value::members) {
        look(node, pattern, &["patternProperties", pattern], out);
    }
}

fn look(node: &SchemaNode<'_, '_>, pattern: &str, keys: &[&str], out: &mut Out<'_>) {
    let Some(look_around) = traits(pattern).look_around else { return };
    let strict = out.clients().strict_losses(RULE.id, node.tool.strict_client());
    let losses = worst(out.clients().losses(RULE.id).into_iter().chain(strict));
    let message = format!(
        "The pattern \"{}\" uses the look-around `{look_around}…)`: valid MCP, but refused by engines that cannot look ahead or back.",
        excerpt(pattern, 80)
    );
    out.report(node.site_at(keys), message).clients(losses);
}
