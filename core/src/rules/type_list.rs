//! Values of several types.

use std::collections::BTreeSet;

use super::prelude::*;
use crate::clients::worst;
use crate::walk::{Visit, walk};

pub static RULE: Rule = Rule {
    id: "type-list",
    summary: "arguments have a list of types, or a union with null",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("type_list.md"),
    check: Check::Server(check),
};

/// A list of types with two or more besides null.
const SEVERAL: &str = "type-list";
/// One type and null.
const NULLABLE: &str = "type-list-nullable";
/// A schema for null among others.
const UNION: &str = "null-union";

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut names = Vec::new();
    let mut faults = BTreeSet::new();
    for tool in &server.tools {
        let mut is_hit = false;
        walk(tool, Root::Input, &mut |visit| {
            let Visit::Schema(node) = visit else { return };
            // The root's type is another rule's.
            let listed = node.get("type").filter(|_| !node.is_root()).and_then(fault_of_list);
            let found = listed.into_iter().chain(is_null_union(node.value).then_some(UNION));
            for fault in found.filter(|_| node.declares) {
                is_hit |= !out.clients().losses(fault).is_empty();
                faults.insert(fault);
            }
        });
        if is_hit {
            names.push(tool.label.as_ref());
        }
    }
    let what = match (faults.contains(SEVERAL) || faults.contains(NULLABLE), faults.contains(UNION)) {
        (true, true) => "a list of types or a union with null",
        (true, false) => "a list of types",
        (false, true) => "a union with null",
        (false, false) => return,
    };
    let losses = worst(faults.iter().flat_map(|fault| out.clients().losses(fault)));
    let have = if names.len() == 1 { "has arguments with" } else { "have arguments with" };
    let message = format!(
        "{} {have} {what}: {}. It is valid MCP, but some clients take one type only.",
        count(names.len(), "tool"),
        list(&names, 5)
    );
    out.report(Site::server(), message).clients(losses);
}

fn fault_of_list(kinds: Value<'_>) -> Option<&'static str> {
    let is_null = |kind: &Value<'_>| kind.as_str() == Some("null");
    let nulls = kinds.items().filter(is_null).count();
    match kinds.len() {
        0 => None,
        all if all == nulls + 1 && nulls > 0 => Some(NULLABLE),
        _ => Some(SEVERAL),
    }
}

fn is_null_union(schema: Value<'_>) -> bool {
    let branches = ["anyOf", "oneOf"].iter().filter_map(|keyword| schema.get(keyword)).flat_map(Value::items);
    branches.into_iter().any(|branch| branch.get("type").and_then(Value::as_str) == Some("null"))
}
