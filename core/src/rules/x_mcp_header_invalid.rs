//! An `x-mcp-header` that makes clients leave the tool out.

use super::prelude::*;
use crate::walk::{Visit, walk};

pub static RULE: Rule = Rule {
    id: "x-mcp-header-invalid",
    summary: "an `x-mcp-header` breaks the constraints of revision 2026-07-28",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("x_mcp_header_invalid.md"),
    check: Check::Tool(check),
};

const KEYWORD: &str = "x-mcp-header";

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    if !tool.is_mcp() {
        return;
    }
    // Header names without case, with the places of those that have them: the one that sorts first keeps it.
    let mut taken: HashMap<String, (String, String)> = HashMap::new();
    walk(tool, Root::Input, &mut |visit| {
        if let Visit::Schema(node) = visit
            && let Some(name) = node.get(KEYWORD).and_then(Value::as_str)
        {
            let place = (node.site().pointer, whose(&node));
            let first = taken.entry(name.to_ascii_lowercase()).or_insert_with(|| place.clone());
            if place < *first {
                *first = place;
            }
        }
    });
    walk(tool, Root::Input, &mut |visit| {
        if let Visit::Schema(node) = visit
            && let Some(header) = node.get(KEYWORD)
        {
            look(&node, header, &taken, out);
        }
    });
}

/// The argument as messages name it.
fn whose(node: &SchemaNode<'_, '_>) -> String {
    let path = visible(&node.path());
    if path.is_empty() { "the whole input".to_owned() } else { format!("\"{path}\"") }
}

fn look(node: &SchemaNode<'_, '_>, header: Value<'_>, taken: &HashMap<String, (String, String)>, out: &mut Out<'_>) {
    let mut report = |kind: &'static str, message: String, fix: &'static str| {
        out.report(node.site_at(&[KEYWORD]), message).fix(fix).fault(RULE.id).discriminator(kind);
    };
    let of = whose(node);
    if let Some(message) = token_fault(header, &of) {
        report("token", message, "Use letters, digits and hyphens, such as `Order-Id`.");
    } else if let Some(name) = header.as_str() {
        let other = taken.get(&name.to_ascii_lowercase()).filter(|(pointer, _)| *pointer != node.site().pointer);
        if let Some((_, other)) = other {
            let message =
                format!("The `{KEYWORD}` \"{name}\" of {of} is that of {other} as well; case does not count.");
            report("unique", message, "Give each argument a header of its own.");
        }
    }
    if !is_reached_by_properties(node) {
        let message = format!("The `{KEYWORD}` of {of} is not reached from the root through `properties` alone.");
        report(
            "place",
            message,
            "Put it on a property that is reached through `properties` only: not through lists, references or combinators, and not on the root.",
        );
    } else if let Some(message) = type_fault(node, &of) {
        report("type", message, "Use it on an argument whose type is exactly `string`, `integer` or `boolean`.");
    }
}

/// What keeps the value from being the name of a header, as a sentence.
fn token_fault(header: Value<'_>, of: &str) -> Option<String> {
    let Some(name) = header.as_str() else {
        return Some(format!("The `{KEYWORD}` of {of} is {}; it must be a string.", shown(header)));
    };
    if name.is_empty() {
        return Some(format!("The `{KEYWORD}` of {of} is empty; it must name a header."));
    }
    let wrong = name.chars().find(|character| !is_token_character(*character))?;
    let wrong = match wrong {
        ' ' => "a space".to_owned(),
        other if other.is_control() => format!("the control character `{}`", visible(&other.to_string())),
        other => format!("`{}`", visible(&other.to_string())),
    };
    Some(format!("The `{KEYWORD}` \"{}\" of {of} has {wrong}, so it is not an HTTP token.", excerpt(name, 60)))
}

/// A character of a token in RFC 9110, section 5.6.2.
fn is_token_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character)
}

/// What is wrong with the type of the argument, as a sentence.
fn type_fault(node: &SchemaNode<'_, '_>, of: &str) -> Option<String> {
    let must = "it must be exactly `string`, `integer` or `boolean`";
    match node.get("type") {
        None => Some(format!("{of} has an `{KEYWORD}` and no type; {must}.")),
        Some(kind) => match kind.as_str() {
            Some("string" | "integer" | "boolean") => None,
            Some(other) => Some(format!("{of} has an `{KEYWORD}` and the type `{}`; {must}.", excerpt(other, 40))),
            None => Some(format!("{of} has an `{KEYWORD}` and {} as its type; {must}.", shown(kind))),
        },
    }
}

/// Whether every step from the root is a property: `/inputSchema/properties/a/properties/b`.
fn is_reached_by_properties(node: &SchemaNode<'_, '_>) -> bool {
    let pointer = node.site().pointer;
    let steps: Vec<&str> = pointer.split('/').skip(2).collect();
    !steps.is_empty() && steps.len().is_multiple_of(2) && steps.iter().step_by(2).all(|step| *step == "properties")
}
