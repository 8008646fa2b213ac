//! Schemas that name a dialect.

use super::prelude::*;
use crate::clients::worst;
use crate::keywords::Dialect;

pub static RULE: Rule = Rule {
    id: "schema-dialect",
    summary: "schemas name a dialect that some clients do not read",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("schema_dialect.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let (mut input, mut output) = (Vec::new(), Vec::new());
    let (mut losses, mut named) = (Vec::new(), Vec::new());
    for tool in &server.tools {
        let of_input = tool.input_schema().and_then(|schema| Some((schema, fault_of_input(schema)?)));
        let of_output = tool.output_schema().and_then(|schema| Some((schema, fault_of_output(schema)?)));
        for (found, tools) in [(of_input, &mut input), (of_output, &mut output)] {
            let Some((schema, fault)) = found else { continue };
            let found = out.clients().losses(fault);
            if found.is_empty() {
                continue;
            }
            losses.extend(found);
            losses = worst(losses);
            tools.push(tool.label.as_ref());
            let dialect = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
            if !named.contains(&dialect) {
                named.push(dialect);
            }
        }
    }
    let (what, tools, level) = match (input.is_empty(), output.is_empty()) {
        (true, true) => return,
        (false, true) => ("input", &input, Level::Note),
        (_, false) => ("output", &output, Level::Warning),
    };
    let dialects: Vec<String> = named.iter().take(3).map(|dialect| format!("\"{}\"", excerpt(dialect, 80))).collect();
    let (schema, name) = if tools.len() == 1 { ("schema", "names its") } else { ("schemas", "name their") };
    let message = format!(
        "The {what} {schema} of {} {name} dialect with `$schema`, {}: {}. It is valid MCP, but some clients do not read it.",
        count(tools.len(), "tool"),
        dialects.join(", "),
        list(tools, 5)
    );
    out.report(Site::server(), message).level(level).clients(losses);
}

fn named(schema: Value<'_>) -> bool {
    schema.get("$schema").is_some_and(|dialect| dialect.as_str().is_some())
}

fn fault_of_input(schema: Value<'_>) -> Option<&'static str> {
    named(schema).then_some("input-dialect")
}

fn fault_of_output(schema: Value<'_>) -> Option<&'static str> {
    match Dialect::of(schema).filter(|_| named(schema)) {
        _ if !named(schema) => None,
        Some(Dialect::Draft2019 | Dialect::Draft2020) => None,
        Some(Dialect::Draft7) => Some("output-dialect-draft-07"),
        Some(Dialect::Draft4 | Dialect::Draft6) | None => Some("output-dialect-old"),
    }
}
