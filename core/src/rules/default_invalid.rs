//! A default or an example that its own schema refuses.

use super::prelude::*;
use crate::instance::{Verdict, verdict};
use crate::refs::refers;
use crate::schema::Validator;
use crate::view::compact_size;

pub static RULE: Rule = Rule {
    id: "default-invalid",
    summary: "a `default` or an example does not fit its own schema",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("default_invalid.md"),
    check: Check::Schema(check),
};

/// How many examples of one schema are looked at.
const MOST_EXAMPLES: usize = 20;

/// Schemas up to this size are compiled where a quick verdict is not possible, in bytes.
const LARGEST: usize = 20_000;

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output || !node.declares {
        return;
    }
    let default = node.get("default").and_then(|value| Some((value, refused(node, value)?)));
    if let Some((value, why)) = default {
        report(node, &["default"], "default", value, &why, out);
    }
    let examples = node.get("examples").filter(|examples| examples.is_array());
    let refused = examples
        .into_iter()
        .flat_map(Value::items)
        .take(MOST_EXAMPLES)
        .find_map(|value| Some((value, refused(node, value)?)));
    if let Some((value, why)) = refused {
        report(node, &["examples"], "example", value, &why, out);
    }
}

fn report(node: &SchemaNode<'_, '_>, keys: &[&str], what: &str, value: Value<'_>, why: &str, out: &mut Out<'_>) {
    let path = node.path();
    let of = if path.is_empty() { String::new() } else { format!(" of \"{}\"", visible(&path)) };
    let draft = out.report(node.site_at(keys), format!("The {what}{of} {why}."));
    if what == "default" && value.is_null() {
        draft.fix("Leave the default out: an argument that is not in `required` is optional as it is. In Python, `x: str = None` writes this; `x: str | None = None` writes a schema that allows null.");
    }
}

/// Why a value does not fit, as the end of a sentence; nothing where it does, or where that is not known.
fn refused(node: &SchemaNode<'_, '_>, value: Value<'_>) -> Option<String> {
    match verdict(node.value, value, node.refs) {
        Verdict::Fits => None,
        Verdict::Refused(why) => Some(why),
        Verdict::Unknown => compiled(node.value, value),
    }
}

fn compiled(schema: Value<'_>, value: Value<'_>) -> Option<String> {
    // A part of a schema cannot follow references into the rest of it.
    if compact_size(schema) > LARGEST || refers(schema) {
        return None;
    }
    let mismatch = Validator::compile(schema).ok()?.mismatches(&value.to_json()).into_iter().next()?;
    let place = if mismatch.pointer.is_empty() {
        String::new()
    } else {
        format!("does not fit at {}: the value ", excerpt(&mismatch.pointer, 80))
    };
    Some(format!("{place}{}", mismatch.message))
}
