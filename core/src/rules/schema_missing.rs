//! A tool without an input schema.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "schema-missing",
    summary: "a tool has no input schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("schema_missing.md"),
    check: Check::Tool(check),
};

/// What other formats call the input schema.
const OTHER_NAMES: &[&str] = &["parameters", "input_schema", "inputschema", "InputSchema", "schema", "input"];

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    // An entry that is no object is no tool at all.
    if !tool.value.is_object() || tool.input_schema().is_some() {
        return;
    }
    let key = tool.key("inputSchema");
    match tool.get("inputSchema") {
        Some(other) => {
            let message = format!("`{key}` is {}; it must be an object with `\"type\": \"object\"`.", shown(other));
            let draft = out.report(tool.site_at(&["inputSchema"]), message).fault("schema-missing");
            if other.is_array() && other.is_empty() {
                draft.fix("Send `{ \"type\": \"object\", \"properties\": {} }`: PHP writes an empty array as `[]` unless it is cast to an object.");
            }
        }
        // OpenAI takes a function without parameters.
        None if tool.form.provider() == Some("openai") => {}
        None => {
            let draft = out.report(tool.site(), format!("The tool has no `{key}`.")).fault("schema-missing");
            let twin = OTHER_NAMES.iter().find(|name| tool.get(name).is_some_and(Value::is_object));
            if let Some(twin) = twin {
                draft.fix(format!("Rename `{twin}` to `{key}`."));
            }
        }
    }
}
