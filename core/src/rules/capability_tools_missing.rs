//! Tools are listed, but the capability is not declared.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "capability-tools-missing",
    summary: "tools are listed, but the tools capability is not declared",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("capability_tools_missing.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    if server.tools.is_empty() || !server.leaves_tools_undeclared() {
        return;
    }
    let listed = count(server.tools.len(), "tool");
    let are = if server.tools.len() == 1 { "is" } else { "are" };
    let message = format!("{listed} {are} listed, but `capabilities` in the result of `initialize` has no `tools`.");
    out.report(answer_site("initialize", &["capabilities", "tools"]), message).fault("capability-tools-missing");
}
