//! Formats outside a strict mode's list.

use super::prelude::*;
use crate::clients::FactKind;

pub static RULE: Rule = Rule {
    id: "strict-format-unsupported",
    summary: "a `format` is not among those that a strict mode takes",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("strict_format_unsupported.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    let Some(format) = node.get("format").and_then(Value::as_str).filter(|_| node.root == Root::Input) else { return };
    let facts = out.clients().strict_facts(FactKind::StrictFormats, node.tool.strict_client());
    let refusing: Vec<_> = facts.filter(|(_, fact)| !fact.names(format)).collect();
    let Some((_, first)) = refusing.first() else { return };
    let taken: Vec<&str> = first.texts().collect();
    let message = format!(
        "The format \"{}\" is not among those that strict mode takes: {}.",
        excerpt(format, 40),
        list(&taken, taken.len())
    );
    let losses: Vec<_> = refusing.iter().map(|(client, fact)| client.loss(fact)).collect();
    out.report(node.site_at(&["format"]), message).clients(losses);
}
