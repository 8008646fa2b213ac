//! A hint that the tool's own name contradicts, or another hint.

use super::prelude::*;
use crate::text::name_words;

pub static RULE: Rule = Rule {
    id: "annotation-contradicts",
    summary: "a hint contradicts the verb of the tool's name, or another hint",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("annotation_contradicts.md"),
    check: Check::Tool(check),
};

/// Verbs that take something away.
const DESTROYS: &[&str] = &[
    "cancel",
    "delete",
    "destroy",
    "discard",
    "drop",
    "erase",
    "kill",
    "overwrite",
    "purge",
    "remove",
    "revoke",
    "terminate",
    "truncate",
    "uninstall",
    "unpublish",
    "wipe",
];
/// Verbs that write something. Not `add`, `set`, `move`, `post` and `put`: they are nouns, sums and HTTP
/// methods as well.
const WRITES: &[&str] = &[
    "append", "create", "deploy", "edit", "insert", "install", "modify", "publish", "rename", "send", "update",
    "upload", "upsert", "write",
];

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let is_read_only = tool.hint("readOnlyHint") == Some(true);
    let destroys = tool.hint("destructiveHint");
    let words = tool.name.map(name_words).unwrap_or_default();
    // The first word only: get_create_fields and run_report are about something else.
    let verb = words.first().map(String::as_str).unwrap_or_default();
    if is_read_only && destroys == Some(true) {
        let message = "`readOnlyHint` and `destructiveHint` are both true: a tool that only reads destroys nothing.";
        let draft = out.report(tool.site_at(&["annotations", "destructiveHint"]), message);
        draft.fix("Set the one of the two to false that is not so.");
    } else if is_read_only && (WRITES.contains(&verb) || DESTROYS.contains(&verb)) {
        let message = format!("`readOnlyHint` is true, but the name says that the tool is there to {verb} something.");
        out.report(tool.site_at(&["annotations", "readOnlyHint"]), message);
    } else if !is_read_only && destroys == Some(false) && DESTROYS.contains(&verb) {
        let message =
            format!("`destructiveHint` is false, but the name says that the tool is there to {verb} something.");
        out.report(tool.site_at(&["annotations", "destructiveHint"]), message);
    }
}
