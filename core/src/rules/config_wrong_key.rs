//! Servers under a key that nobody reads.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-wrong-key",
    summary: "the servers stand under a key that this file's client ignores",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_wrong_key.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    let Some(keys) = file.misplaced() else { return };
    let Some(expected) = file.reader.keys.first() else { return };
    let found = visible(&keys.join("."));
    let client = file.reader.client;
    let message = if file.reader.keys.len() == 1 {
        format!("The servers stand under `{found}`; {client} reads `{expected}` in this file and ignores the rest.")
    } else {
        format!("The servers stand under `{found}`, which no client reads.")
    };
    let fix = format!("Call the key `{expected}`, at the top of the file.");
    out.report(file.site_at(&keys), message).fix(fix);
}
