//! A description reads otherwise.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "description-changed",
    summary: "a description reads otherwise than in the contract",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_changed.md"),
    check: Check::Change(|change, out| out.change(What::DescriptionChanged, change)),
};
