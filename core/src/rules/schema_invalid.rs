//! An input schema that is not valid JSON Schema.

use super::prelude::*;
use crate::keywords::{Dialect, faults};

pub static RULE: Rule = Rule {
    id: "schema-invalid",
    summary: "the input schema is not valid JSON Schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("schema_invalid.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output {
        return;
    }
    let Some(dialect) = Dialect::of(node.refs.root()) else { return };
    for fault in faults(node.value, dialect) {
        let keys: Vec<&str> = fault.keys.iter().map(String::as_str).collect();
        // The type of the root is a matter of its own.
        if node.is_root() && keys.first() == Some(&"type") {
            continue;
        }
        let lost = if node.is_root() { at_the_root(node.value, &keys) } else { None };
        let draft = out.report(node.site_at(&keys), fault.message).fix(fault.fix).discriminator(fault.about);
        let draft = draft.fault("schema-invalid");
        if let Some(fault) = lost {
            draft.fault(fault);
        }
    }
}

/// What the clients' own types say about the root, beyond JSON Schema.
fn at_the_root(root: Value<'_>, keys: &[&str]) -> Option<&'static str> {
    match keys {
        ["properties", _] => Some("property-not-schema"),
        [keyword @ ("properties" | "required")] => match root.get(keyword)? {
            value if value.is_null() => Some("properties-null"),
            value if value.is_array() && *keyword == "required" => None,
            _ => Some("properties-shape"),
        },
        _ => None,
    }
}
