//! The result of `initialize` does not have the shape that clients check.

use super::prelude::*;
use crate::text::article;

pub static RULE: Rule = Rule {
    id: "initialize-invalid",
    summary: "the result of initialize breaks the protocol's schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("initialize_invalid.md"),
    check: Check::Server(check),
};

/// The capabilities that a revision names; others are free.
const CAPABILITIES: &[&str] =
    &["experimental", "logging", "prompts", "resources", "tools", "completions", "tasks", "extensions"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(result) = server.initialize() else { return };
    if !result.is_object() {
        let message = format!("The result of `initialize` must be an object; it is {}.", article(result.kind()));
        out.report(answer_site("initialize", &[]), message);
        return;
    }
    string(result, &["protocolVersion"], None, out);
    capabilities(result, out);
    match result.get("serverInfo") {
        Some(info) if info.is_object() => {
            string(info, &["serverInfo", "name"], Some("initialize-invalid"), out);
            string(info, &["serverInfo", "version"], Some("initialize-invalid"), out);
        }
        other => {
            report(&["serverInfo"], "an object with `name` and `version`", other, Some("initialize-invalid"), out);
        }
    }
    if let Some(instructions) = result.get("instructions").filter(|value| value.as_str().is_none()) {
        report(&["instructions"], "a string", Some(instructions), None, out);
    }
}

/// A member that must be a string; the last key is the member's, the others say where the object is.
fn string(object: Value<'_>, keys: &[&str], fault: Option<&str>, out: &mut Out<'_>) {
    let value = keys.last().and_then(|key| object.get(key));
    if value.and_then(Value::as_str).is_none() {
        report(keys, "a string", value, fault, out);
    }
}

fn capabilities(result: Value<'_>, out: &mut Out<'_>) {
    let Some(all) = result.get("capabilities").filter(|all| all.is_object()) else {
        let value = result.get("capabilities");
        report(&["capabilities"], "an object", value, value.and(Some("capability-type")), out);
        return;
    };
    for name in CAPABILITIES {
        let Some(value) = all.get(name) else { continue };
        if !value.is_object() {
            let fault = (!value.is_null()).then_some("capability-type");
            report(&["capabilities", name], "an object", Some(value), fault, out);
            continue;
        }
        for flag in ["listChanged", "subscribe"] {
            if let Some(value) = value.get(flag).filter(|value| value.as_bool().is_none()) {
                report(&["capabilities", name, flag], "true or false", Some(value), None, out);
            }
        }
    }
}

fn report(keys: &[&str], expected: &str, found: Option<Value<'_>>, fault: Option<&str>, out: &mut Out<'_>) {
    let path = keys.join(".");
    let is = found.map_or("it is missing".to_owned(), |value| format!("it is {}", article(value.kind())));
    let message = format!("`{path}` in the result of `initialize` must be {expected}; {is}.");
    let draft = out.report(answer_site("initialize", keys), message);
    let draft = match fault {
        Some(fault) => draft.fault(fault),
        None => draft,
    };
    if keys.first() == Some(&"capabilities") {
        draft.fix("Declare a capability as an object, `\"tools\": {}`, and leave out what the server does not have.");
    }
}
