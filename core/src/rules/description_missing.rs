//! A tool without a description.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "description-missing",
    summary: "a tool has no description",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_missing.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    if tool.value.is_object() && tool.get("description").is_none() {
        out.report(tool.site(), "The tool has no description.").fault("description-missing");
    }
}
