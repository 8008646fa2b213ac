//! Keywords beside a reference.

use super::prelude::*;
use crate::clients::worst;

pub static RULE: Rule = Rule {
    id: "ref-siblings",
    summary: "keywords stand beside a `$ref`",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("ref_siblings.md"),
    check: Check::Schema(check),
};

/// What may stand beside a reference without saying anything about the value.
const SILENT: &[&str] = &["$ref", "$defs", "definitions", "$schema", "$id", "$comment"];

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    let Some(reference) = node.get("$ref").filter(|_| node.root == Root::Input) else { return };
    let is_found = |text| matches!(node.refs.resolve(text), Resolution::Found { .. });
    if !reference.as_str().is_some_and(is_found) {
        return;
    }
    let beside = node.value.members().map(|(keyword, _)| keyword);
    let beside: Vec<&str> = beside.filter(|keyword| !SILENT.contains(keyword)).collect();
    if beside.is_empty() {
        return;
    }
    let strict = out.clients().strict_losses(RULE.id, node.tool.strict_client());
    let losses = worst(out.clients().losses(RULE.id).into_iter().chain(strict));
    let stand = if beside.len() == 1 { "stands" } else { "stand" };
    let message = format!(
        "{} {stand} beside a `$ref`: valid MCP, but some clients drop what stands there, or refuse it.",
        list(&beside, 4)
    );
    out.report(node.site(), message).clients(losses);
}
