//! A tool of the contract is gone.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "tool-removed",
    summary: "a tool that the contract has is no longer listed",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("tool_removed.md"),
    check: Check::Change(|change, out| out.change(What::ToolRemoved, change)),
};
