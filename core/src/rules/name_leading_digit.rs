//! A name that does not start with a letter.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "name-leading-digit",
    summary: "a name does not start with a letter or `_`",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("name_leading_digit.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    // A name of other characters has to change anyway.
    let Some(name) = tool.name.filter(|name| crate::text::is_name(name)) else { return };
    let Some(first) = name.chars().next().filter(|first| !first.is_ascii_alphabetic() && *first != '_') else { return };
    let kind = if first.is_ascii_digit() { "the digit" } else { "the character" };
    let message =
        format!("\"{name}\" starts with {kind} `{first}`: valid MCP, but some clients ask for a letter or `_`.");
    out.report(tool.site_at(&["name"]), message).fault("name-leading-digit");
}
