//! An output schema whose root is not an object.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "output-schema-not-object",
    summary: "the root of the output schema is not `\"type\": \"object\"`",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("output_schema_not_object.md"),
    check: Check::Server(check),
};

/// The first revision that allows any root.
const ANY_ROOT_SINCE: &str = "2026-07-28";

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let may_be_anything = server.revision().is_some_and(|revision| revision >= ANY_ROOT_SINCE);
    for tool in &server.tools {
        let Some(schema) = tool.get("outputSchema").filter(|schema| !schema.is_null()) else { continue };
        let kind = schema.get("type");
        if kind.and_then(Value::as_str) == Some("object") {
            continue;
        }
        let (keys, what): (&[&str], String) = match kind {
            _ if !schema.is_object() => (&["outputSchema"], format!("The output schema is {}", shown(schema))),
            None => (&["outputSchema"], "The output schema says no `\"type\": \"object\"` at its root".to_owned()),
            Some(kind) => (&["outputSchema", "type"], format!("The root type of the output schema is {}", named(kind))),
        };
        let is_fine = may_be_anything && schema.is_object();
        let message = if is_fine {
            format!("{what}, which clients of 2025-11-25 and earlier do not take.")
        } else {
            format!("{what}; up to revision 2025-11-25 it must be `\"type\": \"object\"`.")
        };
        let draft = out.report(tool.site_at(keys), message).fault("output-schema-not-object");
        if is_fine {
            draft.level(Level::Note);
        }
    }
}

fn named(kind: Value<'_>) -> String {
    if kind.is_array() { "a list".to_owned() } else { shown(kind) }
}
