//! Entries of the older transport.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-transport-deprecated",
    summary: "an entry uses the deprecated transport over server-sent events",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_transport_deprecated.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    for entry in &file.entries {
        if matches!(entry.transport, Transport::Sse(_)) {
            let message = "The entry is of type `sse`, the transport that Streamable HTTP replaced in 2025-03-26.";
            out.report(entry.site(file, &["type"]), message);
        }
    }
}
