//! A description over the limit.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "description-long",
    summary: "a description is over the limit of length",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_long.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let most = out.limits().description_long;
    let length = tool.description().map_or(0, |text| text.chars().count());
    if length > most {
        let message =
            format!("The description is {} long; the limit is {}.", count(length, "character"), grouped(most));
        out.report(tool.site_at(&["description"]), message);
    }
}
