//! `required` names an argument that is not among `properties`.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "required-unknown",
    summary: "`required` names an argument that is not among the properties",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("required_unknown.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    // `required` in a branch speaks about the properties of the schema around it, and a condition may name
    // anything.
    if node.is_branch || !node.declares {
        return;
    }
    let Some(required) = node.get("required").filter(|names| names.is_array()) else { return };
    if node.get("patternProperties").is_some() {
        return;
    }
    let Some(known) = Known::collect(node) else { return };
    for name in required.items().filter_map(Value::as_str).filter(|name| !known.names.contains(name)) {
        report(node, name, &known, out);
    }
}

fn report(node: &SchemaNode<'_, '_>, name: &str, known: &Known<'_>, out: &mut Out<'_>) {
    let shown = visible(name);
    let is_closed = node.get("additionalProperties").and_then(Value::as_bool) == Some(false);
    let message = if is_closed {
        format!(
            "\"{shown}\" is required, but there is no such argument and `additionalProperties: false` forbids it: no input at all can pass."
        )
    } else {
        format!("\"{shown}\" is required, but there is no such argument.")
    };
    let twin = if out.is_full() { None } else { closest(name, known.names.iter().copied()) };
    let fix = match twin {
        Some(twin) => format!("Write \"{}\" in `required`, or rename the property to \"{shown}\".", visible(twin)),
        None => format!("Add \"{shown}\" to `properties`, or take it out of `required`."),
    };
    out.report(node.site_at(&["required"]), message).fix(fix).discriminator(name.to_owned());
}

/// The properties a schema declares, in itself, its branches and what it refers to.
struct Known<'a> {
    names: HashSet<&'a str>,
}

impl<'a> Known<'a> {
    /// Nothing when part of the schema cannot be read: a reference that leads nowhere is another rule's.
    fn collect(node: &SchemaNode<'_, 'a>) -> Option<Self> {
        let mut known = Self { names: HashSet::new() };
        known.add(node.value, node.refs, 0).then_some(known)
    }

    fn add(&mut self, schema: Value<'a>, refs: &Resolver<'a>, hops: usize) -> bool {
        const MOST_HOPS: usize = 16;
        if hops > MOST_HOPS {
            return false;
        }
        if let Some(properties) = schema.get("properties") {
            self.names.extend(properties.members().map(|(name, _)| name));
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let Resolution::Found { target, .. } = refs.resolve(reference) else { return false };
            if !self.add(target, refs, hops + 1) {
                return false;
            }
        }
        let lists = ["allOf", "anyOf", "oneOf"].iter().filter_map(|keyword| schema.get(keyword)).flat_map(Value::items);
        let singles = ["then", "else", "if"].iter().filter_map(|keyword| schema.get(keyword));
        lists.chain(singles).all(|branch| self.add(branch, refs, hops + 1))
    }
}
