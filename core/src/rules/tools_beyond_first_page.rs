//! Tools on later pages.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "tools-beyond-first-page",
    summary: "some tools are listed on a later page",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("tools_beyond_first_page.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    if server.endless_cursor().is_some() {
        return;
    }
    let pages = server.pages();
    let Some(on_first) = pages.first().map(|page| page.get("tools").map_or(0, Value::len)) else { return };
    let Some(hidden) = server.tools.get(on_first..).filter(|hidden| !hidden.is_empty()) else { return };
    let names: Vec<&str> = hidden.iter().map(|tool| tool.label.as_ref()).collect();
    let all = server.tools.len();
    let message = format!(
        "{} of {} stand behind the first page of `tools/list`: {}.",
        grouped(hidden.len()),
        count(all, "tool"),
        list(&names, 5)
    );
    out.report(answer_site("tools/list", &[]), message).fault("tools-beyond-first-page");
}
