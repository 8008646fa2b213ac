//! A definition that contains itself.

use std::collections::hash_map;

use super::prelude::*;
use crate::clients::worst;
use crate::document::Span;
use crate::walk::{Visit, each, walk};

pub static RULE: Rule = Rule {
    id: "ref-recursive",
    summary: "a definition of the input schema refers to itself",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("ref_recursive.md"),
    check: Check::Tool(check),
};

/// How many references of one schema are followed in search of cycles.
const MOST_STEPS: usize = 100_000;

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.input_schema() else { return };
    let closing = closing(schema);
    if closing.is_empty() {
        return;
    }
    let fault = "ref-recursive";
    let strict = out.clients().strict_losses(fault, tool.strict_client());
    let losses = worst(out.clients().losses(fault).into_iter().chain(strict));
    walk(tool, Root::Input, &mut |visit| {
        let Visit::Schema(node) = visit else { return };
        let Some(reference) = node.get("$ref").filter(|text| closing.contains(&text.span().start)) else { return };
        let reference = excerpt(reference.as_str().unwrap_or_default(), 80);
        let message = format!("\"{reference}\" contains itself: valid MCP, but some clients cut it off or refuse it.");
        out.report(node.site_at(&["$ref"]), message).clients(losses.iter().cloned());
    });
}

/// A `$ref` and what it refers to.
#[derive(Clone, Copy)]
struct Use {
    start: u32,
    target: Span,
}

/// Where the references stand that close a cycle: one for each definition that contains itself.
fn closing(schema: Value<'_>) -> HashSet<u32> {
    let refs = Resolver::new(schema);
    let mut uses: Vec<Use> = Vec::new();
    each(schema, &mut |node, _| {
        let Some(reference) = node.get("$ref") else { return };
        if let Some(Resolution::Found { target, .. }) = reference.as_str().map(|text| refs.resolve(text)) {
            uses.push(Use { start: reference.span().start, target: target.span() });
        }
    });
    uses.sort_unstable_by_key(|one| one.start);
    let inside = |span: Span| {
        let first = uses.partition_point(|one| one.start < span.start);
        first..uses.partition_point(|one| one.start < span.end)
    };
    // By the start of a definition: whether the search is still inside of it.
    let mut is_open: HashMap<u32, bool> = HashMap::new();
    let mut found: HashMap<u32, u32> = HashMap::new();
    let mut steps = 0;
    for first in &uses {
        let mut stack = Vec::new();
        if let hash_map::Entry::Vacant(unseen) = is_open.entry(first.target.start) {
            unseen.insert(true);
            stack.push((first.target.start, inside(first.target)));
        }
        while let Some((definition, range)) = stack.last_mut() {
            let next = range.next().filter(|_| steps < MOST_STEPS).and_then(|at| uses.get(at));
            let Some(next) = next else {
                is_open.insert(*definition, false);
                stack.pop();
                continue;
            };
            steps += 1;
            match is_open.get(&next.target.start) {
                None => {
                    is_open.insert(next.target.start, true);
                    stack.push((next.target.start, inside(next.target)));
                }
                Some(true) => {
                    found.entry(next.target.start).or_insert(next.start);
                }
                Some(false) => {}
            }
        }
    }
    found.into_values().collect()
}
