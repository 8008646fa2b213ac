//! An argument takes less than it took.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "argument-narrowed",
    summary: "an argument takes less than the contract says",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("argument_narrowed.md"),
    check: Check::Change(|change, out| out.change(What::ArgumentNarrowed, change)),
};
