//! A configuration file without servers.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-no-servers",
    summary: "a configuration file names no server",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_no_servers.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    let has_fault = file.faults.iter().any(|fault| fault.server.is_empty());
    let Ok(document) = &file.document else { return };
    if has_fault || !file.entries.is_empty() || file.misplaced().is_some() {
        return;
    }
    let key = file.reader.keys.first().copied().unwrap_or("mcpServers");
    let looks_like_server = |value: Value<'_>| value.get("command").is_some() || value.get("url").is_some();
    let flat: Vec<&str> =
        document.root().members().filter(|(_, value)| looks_like_server(*value)).map(|(name, _)| name).collect();
    if flat.is_empty() {
        out.report(file.site(), "This file names no server, so nothing of it was checked.");
        return;
    }
    let message = format!("This file names no server under `{key}`; {} at its top look like servers.", list(&flat, 3));
    out.report(file.site(), message).fix(format!("Put the servers into an object called `{key}`."));
}
