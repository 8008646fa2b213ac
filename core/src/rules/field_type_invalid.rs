//! A known field of a tool with a value of the wrong type.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "field-type-invalid",
    summary: "a known field of a tool has a value of the wrong type",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("field_type_invalid.md"),
    check: Check::Server(check),
};

const HINTS: &[&str] = &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const TASK_SUPPORT: &[&str] = &["forbidden", "optional", "required"];

/// What is wrong with a value; null is another rule's.
type Fits = fn(Value<'_>) -> bool;

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    server.tools.iter().for_each(|tool| look_at(tool, out));
    let wrong = |cursor: &Value<'_>| !cursor.is_null() && cursor.as_str().is_none();
    if let Some(cursor) = server.cursors().into_iter().find(wrong) {
        let message = format!("`nextCursor` is {}; it must be a string.", shown(cursor));
        out.report(answer_site("tools/list", &["nextCursor"]), message).fault("cursor-type");
    }
}

fn look_at(tool: &Tool<'_>, out: &mut Out<'_>) {
    let is_text: Fits = |value| value.as_str().is_some();
    let mut desk = Desk { tool, out };
    desk.look(&["title"], is_text, "a string", None);
    desk.look(&["description"], is_text, "a string", Some("description-type"));
    desk.look(&["_meta"], |value| value.is_object(), "an object", Some("meta-type"));
    desk.look(&["annotations"], |value| value.is_object(), "an object", None);
    desk.look(&["annotations", "title"], is_text, "a string", None);
    for hint in HINTS {
        desk.look(&["annotations", hint], |value| value.as_bool().is_some(), "true or false", Some("hint-type"));
    }
    desk.look(&["execution"], |value| value.is_object(), "an object", None);
    let is_support: Fits = |value| value.as_str().is_some_and(|word| TASK_SUPPORT.contains(&word));
    desk.look(
        &["execution", "taskSupport"],
        is_support,
        "\"forbidden\", \"optional\" or \"required\"",
        Some("task-support"),
    );
    desk.look(&["icons"], |value| value.is_array(), "an array", Some("icon-invalid"));
    let icons = tool.get("icons").into_iter().flat_map(Value::items).enumerate();
    for (nth, icon) in icons {
        let nth = nth.to_string();
        let way = ["icons", nth.as_str()];
        if icon.get("src").and_then(Value::as_str).is_none() {
            let message = format!("Icon {nth} has no `src` that is a string.");
            desk.out.report(tool.site_at(&way), message).fault("icon-invalid");
        }
    }
}

struct Desk<'t, 'o, 'a> {
    tool: &'t Tool<'t>,
    out: &'o mut Out<'a>,
}

impl Desk<'_, '_, '_> {
    fn look(&mut self, keys: &[&str], fits: Fits, must: &str, fault: Option<&str>) {
        let found = keys.iter().try_fold(self.tool.value, |value, key| value.get(key));
        let Some(value) = found.filter(|value| !value.is_null() && !fits(*value)) else { return };
        let message = format!("`{}` is {}; it must be {must}.", keys.join("."), shown(value));
        let mut draft = self.out.report(self.tool.site_at(keys), message);
        if let Some(fault) = fault {
            draft = draft.fault(fault);
        }
        if value.as_str().is_some_and(|text| matches!(text, "true" | "false")) {
            draft.fix("Send the boolean without quotes.");
        }
    }
}
