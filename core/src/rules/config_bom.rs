//! A byte order mark in front of a configuration file.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-bom",
    summary: "a configuration file starts with a byte order mark",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_bom.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    if file.has_bom {
        out.report(file.site(), "The file starts with a byte order mark (EF BB BF).");
    }
}
