//! An argument of a prompt without a description.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "prompt-argument-description-missing",
    summary: "an argument of a prompt has no description",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("prompt_argument_description_missing.md"),
    check: Check::Server(check),
};

/// Arguments that a message lists.
const MOST: usize = 5;

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for prompt in server.prompts() {
        let arguments = prompt.value.get("arguments").into_iter().flat_map(Value::items);
        let bare = arguments.filter(|argument| {
            let description = argument.get("description").and_then(Value::as_str).unwrap_or_default();
            description.trim().is_empty()
        });
        let names: Vec<&str> = bare.filter_map(|argument| argument.get("name")?.as_str()).collect();
        if !names.is_empty() {
            let arguments = if names.len() == 1 { "The argument" } else { "The arguments" };
            let verb = if names.len() == 1 { "has" } else { "have" };
            let message = format!("{arguments} {} {verb} no description.", list(&names, MOST));
            out.report(prompt.site(&["arguments"]), message);
        }
    }
}
