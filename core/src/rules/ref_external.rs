//! A reference that leads out of the schema.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "ref-external",
    summary: "a reference leads out of the schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("ref_external.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return };
    if !matches!(node.refs.resolve(reference), Resolution::External) {
        return;
    }
    let fault = if node.root == Root::Output { "output-schema-uncompilable" } else { "ref-external" };
    let message = format!(
        "The reference \"{}\" leads out of this schema, and clients must not fetch what is there.",
        excerpt(reference, 120)
    );
    out.report(node.site_at(&["$ref"]), message).fault(fault);
}
