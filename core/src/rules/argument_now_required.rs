//! An argument has to be given that could be left out.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "argument-now-required",
    summary: "an argument has to be given that the contract lets callers leave out",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("argument_now_required.md"),
    check: Check::Change(|change, out| out.change(What::ArgumentNowRequired, change)),
};
