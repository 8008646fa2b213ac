//! `_meta` keys that belong to the protocol.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "meta-key-reserved",
    summary: "a `_meta` key of a tool uses a prefix that the protocol keeps for itself",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("meta_key_reserved.md"),
    check: Check::Tool(check),
};

/// Keys under a reserved prefix that the protocol or an official extension defines.
const DEFINED: &[&str] = &["io.modelcontextprotocol/"];

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(meta) = tool.get("_meta").filter(|meta| meta.is_object()) else { return };
    for (key, _) in meta.members() {
        if is_reserved(key) && !DEFINED.iter().any(|prefix| key.starts_with(prefix)) {
            let message =
                format!("The `_meta` key \"{}\" has a prefix that only the protocol may use.", excerpt(key, 80));
            out.report(tool.site_at(&["_meta", key]), message);
        }
    }
}

/// The second label of the prefix is `modelcontextprotocol` or `mcp` (revision 2025-11-25 on).
fn is_reserved(key: &str) -> bool {
    let Some((prefix, _)) = key.split_once('/') else { return false };
    prefix.split('.').nth(1).is_some_and(|label| matches!(label, "modelcontextprotocol" | "mcp"))
}
