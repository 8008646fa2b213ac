//! Regular expressions that only some engines read.

use super::prelude::*;
use crate::clients::worst;
use crate::pattern::traits;

pub static RULE: Rule = Rule {
    id: "pattern-not-portable",
    summary: "a regular expression uses what some engines do not read",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("pattern_not_portable.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    let Some(pattern) = node.get("pattern").and_then(Value::as_str).filter(|_| node.root == Root::Input) else {
        return;
    };
    let traits = traits(pattern);
    if traits.look_around.is_some() || !crate::schema::is_pattern(pattern) {
        return;
    }
    let traits = [
        (!traits.anchored).then(|| ("pattern-unanchored", "lacks `^` at its start or `$` at its end".to_owned())),
        traits.open_bracket.then(|| ("pattern-open-bracket", "has an unescaped `[` inside of `[…]`".to_owned())),
        traits.shorthand.map(|word| ("pattern-shorthand", format!("uses the shorthand `{}`", visible(word)))),
        traits
            .back_reference
            .map(|word| ("pattern-back-reference", format!("refers back to a group with `{}`", visible(word)))),
    ];
    let asked = node.tool.strict_client();
    let (mut said, mut losses) = (Vec::new(), Vec::new());
    for (fault, what) in traits.into_iter().flatten() {
        let found: Vec<_> =
            out.clients().losses(fault).into_iter().chain(out.clients().strict_losses(fault, asked)).collect();
        if !found.is_empty() {
            said.push(what);
            losses.extend(found);
        }
    }
    if said.is_empty() {
        return;
    }
    let message = format!(
        "The pattern \"{}\" {}: valid MCP, but some engines refuse it.",
        excerpt(pattern, 80),
        said.join(" and ")
    );
    out.report(node.site_at(&["pattern"]), message).clients(worst(losses));
}
