//! Schemas that name a dialect.

use super::prelude::*;
use crate::clients::{ClientLoss, worst};
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

/// Dialects that a message names.
const MOST_DIALECTS: usize = 3;

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let input = Found::collect(server, Tool::input_schema, fault_of_input, out);
    input.report("input", Level::Note, out);
    let output = Found::collect(server, Tool::output_schema, fault_of_output, out);
    output.report("output", Level::Warning, out);
}

/// The schemas of one kind whose dialect some client does not read.
#[derive(Default)]
struct Found<'s> {
    tools: Vec<&'s str>,
    dialects: Vec<&'s str>,
    losses: Vec<ClientLoss>,
}

impl<'s> Found<'s> {
    fn collect<'a>(
        server: &'s Server<'a>,
        schema_of: fn(&Tool<'a>) -> Option<Value<'a>>,
        fault_of: fn(Value<'_>) -> Option<&'static str>,
        out: &Out<'_>,
    ) -> Self {
        let mut all = Self::default();
        for tool in &server.tools {
            let Some(schema) = schema_of(tool) else { continue };
            let Some(losses) = fault_of(schema).map(|fault| out.clients().losses(fault)) else { continue };
            if losses.is_empty() {
                continue;
            }
            all.losses.extend(losses);
            all.losses = worst(std::mem::take(&mut all.losses));
            all.tools.push(tool.label.as_ref());
            let dialect = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
            if !all.dialects.contains(&dialect) && all.dialects.len() < MOST_DIALECTS {
                all.dialects.push(dialect);
            }
        }
        all
    }

    fn report(self, what: &'static str, level: Level, out: &mut Out<'_>) {
        if self.tools.is_empty() {
            return;
        }
        let dialects: Vec<String> =
            self.dialects.iter().map(|dialect| format!("\"{}\"", excerpt(dialect, 80))).collect();
        let (schema, name) = if self.tools.len() == 1 { ("schema", "names its") } else { ("schemas", "name their") };
        let message = format!(
            "The {what} {schema} of {} {name} dialect with `$schema`, {}: {}. It is valid MCP, but some clients do not read it.",
            count(self.tools.len(), "tool"),
            dialects.join(", "),
            list(&self.tools, 5)
        );
        out.report(Site::server(), message).level(level).clients(self.losses).discriminator(what);
    }
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
