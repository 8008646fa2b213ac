//! An object argument that could hold anything.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "argument-open-object",
    summary: "an object argument declares no properties",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("argument_open_object.md"),
    check: Check::Argument(check),
};

/// Keywords that say what an object holds.
const TELLING: &[&str] = &["$ref", "allOf", "anyOf", "oneOf", "enum", "const", "patternProperties", "required"];

/// Keywords that say what the values of a map are.
const DESCRIBING: &[&str] = &[
    "type",
    "enum",
    "const",
    "$ref",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "properties",
    "items",
    "pattern",
    "description",
];

fn check(argument: &Argument<'_, '_>, out: &mut Out<'_>) {
    let schema = argument.node.resolved();
    if is_object(schema) && says_nothing(schema) {
        let path = visible(&argument.node.path());
        let message = format!("The argument \"{path}\" is an object without properties, so it could hold anything.");
        out.report(argument.node.site(), message).fault("argument-open-object");
    }
}

fn is_object(schema: Value<'_>) -> bool {
    let kind = schema.get("type");
    let lists = || kind.into_iter().flat_map(Value::items).any(|name| name.as_str() == Some("object"));
    kind.and_then(Value::as_str) == Some("object") || lists()
}

fn says_nothing(schema: Value<'_>) -> bool {
    let is_map = schema.get("additionalProperties").is_some_and(|rest| {
        // A map of values of one type is described; a closed object holds nothing.
        rest.as_bool() == Some(false) || DESCRIBING.iter().any(|keyword| rest.get(keyword).is_some())
    });
    let is_malformed = schema.get("properties").is_some_and(|all| !all.is_object());
    schema.get("properties").is_none_or(Value::is_empty)
        && !is_map
        && !is_malformed
        && TELLING.iter().all(|keyword| schema.get(keyword).is_none())
}
