//! A local reference that points nowhere.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "ref-dangling",
    summary: "a reference inside the input schema points nowhere",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("ref_dangling.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    // In an output schema this keeps validators from compiling, which has its own rule.
    if node.root == Root::Output {
        return;
    }
    let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return };
    if !matches!(node.refs.resolve(reference), Resolution::Dangling) {
        return;
    }
    let message = format!("The reference \"{}\" points nowhere in this schema.", excerpt(reference, 120));
    let better = if out.is_full() { None } else { better(reference, node.refs) };
    let draft = out.report(node.site_at(&["$ref"]), message);
    if let Some(better) = better {
        draft.fix(format!("Write \"{}\".", visible(&better)));
    }
}

/// The place that was probably meant: a definition of that name, or nearly that name.
fn better(reference: &str, refs: &Resolver<'_>) -> Option<String> {
    let wanted = reference.rsplit('/').next()?;
    ["$defs", "definitions"].iter().find_map(|keyword| {
        let names = refs.root().get(keyword)?;
        let name =
            if names.get(wanted).is_some() { wanted } else { closest(wanted, names.members().map(|(name, _)| name))? };
        Some(format!("#/{keyword}/{name}"))
    })
}
