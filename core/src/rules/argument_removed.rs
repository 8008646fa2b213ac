//! An argument of the contract is gone.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "argument-removed",
    summary: "an argument that the contract has is gone",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("argument_removed.md"),
    check: Check::Change(|change, out| out.change(What::ArgumentRemoved, change)),
};
