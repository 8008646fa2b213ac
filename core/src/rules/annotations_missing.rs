//! Tools that leave hints to the default.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "annotations-missing",
    summary: "tools do not set all four hints (once per server)",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("annotations_missing.md"),
    check: Check::Server(check),
};

/// The hints; the definitions of model APIs have none.
const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut tools: Vec<&str> = Vec::new();
    let mut missing = [0_usize; HINTS.len()];
    for tool in server.tools.iter().filter(|tool| tool.is_mcp()) {
        let annotations = tool.get("annotations");
        // Annotations of another type are reported as such, and so is a hint of one.
        if annotations.is_some_and(|value| !value.is_object()) {
            continue;
        }
        let lacks = HINTS.map(|hint| annotations.is_none_or(|value| value.get(hint).is_none()));
        if lacks.contains(&true) {
            tools.push(&tool.label);
        }
        for (number, lacks) in missing.iter_mut().zip(lacks) {
            *number += usize::from(lacks);
        }
    }
    if tools.is_empty() {
        return;
    }
    let hints: Vec<String> = HINTS
        .iter()
        .zip(missing)
        .filter(|(_, number)| *number > 0)
        .map(|(hint, number)| format!("`{hint}` on {}", grouped(number)))
        .collect();
    let does = if tools.len() == 1 { "does" } else { "do" };
    let message = format!(
        "{} of {} {does} not set every hint ({}): {}.",
        grouped(tools.len()),
        count(server.tools.len(), "tool"),
        hints.join(", "),
        list(&tools, 6)
    );
    out.report(Site::server(), message).fault("annotations-missing");
}
