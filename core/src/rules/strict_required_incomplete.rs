//! Optional properties, which a strict mode does not know.

use super::prelude::*;
use crate::clients::known_losses;
use crate::walk::{Visit, each, walk};

pub static RULE: Rule = Rule {
    id: "strict-required-incomplete",
    summary: "a property is not in `required`, which a strict mode asks for",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("strict_required_incomplete.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut others = Vec::new();
    for tool in &server.tools {
        let losses = out.clients().strict_losses(RULE.id, tool.strict_client());
        if losses.is_empty() {
            others.push(tool);
            continue;
        }
        walk(tool, Root::Input, &mut |visit| {
            let Visit::Schema(node) = visit else { return };
            let missing = optional(node.value);
            if missing.is_empty() {
                return;
            }
            let (is, them) = if missing.len() == 1 { ("is", "it") } else { ("are", "them") };
            let message =
                format!("{} {is} not in `required`, but strict mode asks for {them} there.", list(&missing, 8));
            out.report(node.site(), message).clients(losses.iter().cloned());
        });
    }
    if out.every_agent() {
        sum_up(&others, out);
    }
}

/// Nobody asked for strict mode, but some agent may switch it on.
fn sum_up(tools: &[&Tool<'_>], out: &mut Out<'_>) {
    let has_optional = |tool: &&&Tool<'_>| {
        let mut found = false;
        if let Some(schema) = tool.input_schema() {
            each(schema, &mut |node, _| found |= !optional(node).is_empty());
        }
        found
    };
    let names: Vec<&str> = tools.iter().filter(has_optional).map(|tool| tool.label.as_ref()).collect();
    if names.is_empty() {
        return;
    }
    let have = if names.len() == 1 { "has" } else { "have" };
    let message = format!(
        "{} {have} optional arguments: {}. It is valid MCP, but strict mode asks for every property in `required`.",
        count(names.len(), "tool"),
        list(&names, 5)
    );
    out.report(Site::server(), message).clients(known_losses(RULE.id));
}

/// The properties of a schema that it does not require.
fn optional(schema: Value<'_>) -> Vec<&str> {
    let Some(properties) = schema.get("properties").filter(|all| !all.is_empty()) else { return Vec::new() };
    let required: HashSet<&str> =
        schema.get("required").into_iter().flat_map(Value::items).filter_map(Value::as_str).collect();
    properties.members().map(|(name, _)| name).filter(|name| !required.contains(name)).collect()
}
