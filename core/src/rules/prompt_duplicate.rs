//! Two prompts of one name.

use super::prelude::*;
use crate::view::seconds_of_a_label;

pub static RULE: Rule = Rule {
    id: "prompt-duplicate",
    summary: "two prompts of one server have the same name",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("prompt_duplicate.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for item in seconds_of_a_label(server.prompts()).iter().filter(|item| item.value.get("name").is_some()) {
        let message = format!("Two prompts are named \"{}\".", excerpt(&item.label, 80));
        out.report(item.site(&["name"]), message);
    }
}
