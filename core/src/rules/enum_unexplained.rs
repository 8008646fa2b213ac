//! An enum of short codes that nothing explains.

use super::prelude::*;
use crate::codes::{codes, is_unexplained};

pub static RULE: Rule = Rule {
    id: "enum-unexplained",
    summary: "an enum of short codes has no description",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("enum_unexplained.md"),
    check: Check::Argument(check),
};

fn check(argument: &Argument<'_, '_>, out: &mut Out<'_>) {
    if !is_unexplained(argument) {
        return;
    }
    let node = &argument.node;
    let values: Vec<String> = codes(argument).into_iter().flat_map(Value::items).map(word).collect();
    let message = format!("Nothing says what the values of \"{}\" mean: {}.", visible(&node.path()), list(&values, 6));
    let keys: &[&str] = if node.get("enum").is_some() { &["enum"] } else { &[] };
    out.report(node.site_at(keys), message);
}

fn word(value: Value<'_>) -> String {
    excerpt(value.as_str().unwrap_or(value.raw()), 20)
}
