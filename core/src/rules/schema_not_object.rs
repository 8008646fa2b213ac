//! An input schema whose root is not an object.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "schema-not-object",
    summary: "the root of the input schema is not `\"type\": \"object\"`",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("schema_not_object.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.input_schema() else { return };
    let kind = schema.get("type");
    if kind.and_then(Value::as_str) == Some("object") {
        return;
    }
    let Some(kind) = kind else {
        let draft = out
            .report(tool.site_at(&["inputSchema"]), "The input schema says no `\"type\": \"object\"` at its root.")
            .fault("schema-not-object");
        if says_nothing(schema) {
            draft.fix("Send `{ \"type\": \"object\" }` for a tool without arguments. If the tool has arguments, they were lost: zod-to-json-schema writes a bare `$schema` for a zod version that it does not know, so convert with zod's own `toJSONSchema`.");
        }
        return;
    };
    let message = match kind.as_str() {
        Some(name) => format!("The root type of the input schema is \"{}\"; it must be \"object\".", excerpt(name, 60)),
        None if kind.is_array() => {
            "The root type of the input schema is a list; it must be the one word \"object\".".to_owned()
        }
        None => format!("The root type of the input schema is {}; it must be \"object\".", shown(kind)),
    };
    out.report(tool.site_at(&["inputSchema", "type"]), message).fault("schema-not-object");
}

fn says_nothing(schema: Value<'_>) -> bool {
    schema.get("$schema").is_some()
        && schema.members().all(|(key, _)| matches!(key, "$schema" | "additionalProperties"))
}
