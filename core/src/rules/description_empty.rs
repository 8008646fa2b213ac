//! A description that says nothing.

use super::prelude::*;
use crate::text::is_blank;

pub static RULE: Rule = Rule {
    id: "description-empty",
    summary: "a description is empty or blank",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_empty.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(description) = tool.description().filter(|text| is_blank(text)) else { return };
    let how = if description.is_empty() { "empty" } else { "blank" };
    out.report(tool.site_at(&["description"]), format!("The description is {how}.")).fault("description-empty");
}
