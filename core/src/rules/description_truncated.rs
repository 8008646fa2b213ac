//! A description that a client cuts.

use super::prelude::*;
use crate::clients::FactKind;

pub static RULE: Rule = Rule {
    id: "description-truncated",
    summary: "a description is longer than some client shows",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("description_truncated.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let length = tool.description().map_or(0, |text| text.chars().count());
    let cutting = out.clients().exceeded(FactKind::DescriptionCut, length);
    if let Some(least) = cutting.iter().map(|(_, most)| *most).min() {
        let message = format!(
            "The description is {} long; some clients show the first {}.",
            count(length, "character"),
            grouped(least)
        );
        out.report(tool.site_at(&["description"]), message).clients(cutting.into_iter().map(|(loss, _)| loss));
    }
}
