//! An optional field that is sent as null.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "field-null",
    summary: "an optional field is sent as null instead of being left out",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("field_null.md"),
    check: Check::Server(check),
};

/// Optional members of a tool.
const OF_TOOL: &[&str] = &["title", "description", "annotations", "outputSchema", "icons", "execution", "_meta"];
/// Optional members of a tool's annotations.
const OF_ANNOTATIONS: &[&str] = &["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
/// Optional members of an icon.
const OF_ICON: &[&str] = &["mimeType", "sizes", "theme"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for tool in &server.tools {
        for key in OF_TOOL {
            let fault = match *key {
                "outputSchema" => Some("output-schema-null"),
                "icons" | "execution" => None,
                _ => Some("field-null"),
            };
            look(tool, tool.value, &[], key, fault, out);
        }
        let inside = |key| tool.get(key).unwrap_or(tool.value);
        for key in OF_ANNOTATIONS.iter().filter(|_| tool.get("annotations").is_some()) {
            look(tool, inside("annotations"), &["annotations"], key, Some("field-null"), out);
        }
        if tool.get("execution").is_some() {
            look(tool, inside("execution"), &["execution"], "taskSupport", None, out);
        }
        for (nth, icon) in tool.get("icons").into_iter().flat_map(Value::items).enumerate() {
            for key in OF_ICON {
                look(tool, icon, &["icons", &nth.to_string()], key, None, out);
            }
        }
    }
    if server.cursors().into_iter().any(Value::is_null) {
        let site = Site { pointer: "/nextCursor".to_owned(), path: "nextCursor".to_owned(), ..Site::server() };
        out.report(site, "The listing's `nextCursor` is null; after the last page it must be left out.")
            .fault("cursor-null");
    }
}

fn look(tool: &Tool<'_>, owner: Value<'_>, way: &[&str], key: &str, fault: Option<&str>, out: &mut Out<'_>) {
    if !owner.get(key).is_some_and(Value::is_null) {
        return;
    }
    let keys: Vec<&str> = way.iter().copied().chain([key]).collect();
    let message = format!("`{}` is null; a field that is not set must be left out.", keys.join("."));
    let draft = out.report(tool.site_at(&keys), message);
    if let Some(fault) = fault {
        draft.fault(fault);
    }
}
