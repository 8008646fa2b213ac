//! A tool without a name.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "name-missing",
    summary: "a tool has no name, or a name that is not a string",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("name_missing.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    if tool.name.is_some() {
        return;
    }
    let number = tool.index + 1;
    let (site, message) = match tool.get("name") {
        Some(name) => {
            (tool.site_at(&["name"]), format!("The name of tool {number} is {}; it must be a string.", shown(name)))
        }
        None if tool.value.is_object() => (tool.site(), format!("Tool {number} of the listing has no name.")),
        None => (tool.site(), format!("Entry {number} of the listing is {}, not a tool.", shown(tool.value))),
    };
    out.report(site, message).fault("name-missing");
}
