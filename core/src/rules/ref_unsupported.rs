//! References, which some clients cannot follow.

use super::prelude::*;
use crate::clients::worst;
use crate::walk::each;

pub static RULE: Rule = Rule {
    id: "ref-unsupported",
    summary: "input schemas use `$ref`, which some clients drop or refuse",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("ref_unsupported.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut names = Vec::new();
    let mut has_older_word = false;
    for tool in &server.tools {
        let Some(schema) = tool.input_schema() else { continue };
        let refs = Resolver::new(schema);
        let mut refers = false;
        each(schema, &mut |node, _| {
            let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return };
            // A broken reference is another rule's.
            if matches!(refs.resolve(reference), Resolution::Found { .. }) {
                refers = true;
                has_older_word |= reference.starts_with("#/definitions/");
            }
        });
        if refers {
            names.push(tool.label.as_ref());
        }
    }
    if names.is_empty() {
        return;
    }
    let older = if has_older_word { out.clients().losses("ref-definitions") } else { Vec::new() };
    let losses = worst(out.clients().losses(RULE.id).into_iter().chain(older));
    let use_ = if names.len() == 1 { "uses" } else { "use" };
    let message = format!(
        "{} {use_} `$ref`: {}. It is valid MCP, but some clients drop or refuse references.",
        count(names.len(), "tool"),
        list(&names, 5)
    );
    out.report(Site::server(), message).clients(losses);
}
