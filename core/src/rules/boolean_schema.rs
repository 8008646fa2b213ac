//! A property whose whole schema is true or false.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "boolean-schema",
    summary: "an argument's whole schema is `true` or `false`",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("boolean_schema.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output || !node.declares {
        return;
    }
    let members = node.get("properties").into_iter().flat_map(Value::members);
    for (name, value) in members {
        let Some(anything) = value.as_bool() else { continue };
        // A branch that forbids an argument by `false` is usual JSON Schema.
        if !anything && node.is_branch {
            continue;
        }
        let shown = visible(name);
        let message = if anything {
            format!(
                "The whole schema of \"{shown}\" is `true`: valid JSON Schema, but clients that expect an object fail on it."
            )
        } else {
            format!(
                "The whole schema of \"{shown}\" is `false`: valid JSON Schema, but clients that expect an object fail on it, and no call may use the argument."
            )
        };
        let fault = if node.is_root() { "boolean-schema" } else { "boolean-schema-nested" };
        let draft = out.report(node.site_at(&["properties", name]), message).fault(fault);
        if !anything {
            draft.fix("Leave the argument out.");
        }
    }
}
