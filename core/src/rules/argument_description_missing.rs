//! An argument without a description.

use super::prelude::*;
use crate::codes::is_unexplained;
use crate::text::is_blank;

pub static RULE: Rule = Rule {
    id: "argument-description-missing",
    summary: "an argument has no description",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("argument_description_missing.md"),
    check: Check::Argument(check),
};

fn check(argument: &Argument<'_, '_>, out: &mut Out<'_>) {
    let node = &argument.node;
    // A fixed value leaves nothing to guess, a boolean schema has a rule of its own, and what a broken
    // reference would have said is not known. Codes without a description are reported as such.
    if node.value.as_bool().is_some() || argument.has("const") || node.leads_nowhere() || is_unexplained(argument) {
        return;
    }
    let is_odd = node.get("description").is_some_and(|text| text.as_str().is_none());
    if is_odd || argument.description().is_some_and(|text| !is_blank(text)) {
        return;
    }
    let message = format!("The argument \"{}\" has no description.", visible(&node.path()));
    out.report(node.site(), message);
}
