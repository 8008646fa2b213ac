//! A result may be what it could not be.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "output-widened",
    summary: "a result may be what the contract says it cannot be",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("output_widened.md"),
    check: Check::Change(|change, out| out.change(What::OutputWidened, change)),
};
