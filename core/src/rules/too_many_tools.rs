//! A listing of more tools than a model can choose from.

use super::prelude::*;
use crate::clients::{Effect, FactKind};

pub static RULE: Rule = Rule {
    id: "too-many-tools",
    summary: "a server lists too many tools",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("too_many_tools.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let (tools, most) = (server.tools.len(), out.limits().max_tools);
    if tools < most {
        return;
    }
    let passed = out.clients().exceeded(FactKind::ToolCap, tools);
    let cap = passed.iter().filter(|(loss, _)| loss.effect != Effect::Degrades).map(|(_, cap)| *cap).min();
    let message = match cap {
        Some(cap) => format!("{} are listed; some clients take no more than {cap}.", count(tools, "tool")),
        None => format!("{} are listed; {most} or more are too many.", count(tools, "tool")),
    };
    let draft = out.report(Site::server(), message).measure(tools).clients(passed.into_iter().map(|(loss, _)| loss));
    if cap.is_some() {
        draft.level(Level::Error);
    }
}
