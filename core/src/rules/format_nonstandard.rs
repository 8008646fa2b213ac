//! Formats that JSON Schema does not define.

use std::collections::BTreeSet;

use super::prelude::*;
use crate::walk::each;

pub static RULE: Rule = Rule {
    id: "format-nonstandard",
    summary: "schemas use a `format` that JSON Schema does not define",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("format_nonstandard.md"),
    check: Check::Server(check),
};

/// The formats of JSON Schema, from draft 4 to 2020-12.
const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uri-template",
    "iri",
    "iri-reference",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];
/// How many formats are named.
const NAMED: usize = 5;

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in &server.tools {
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for schema in [tool.input_schema(), tool.output_schema()].into_iter().flatten() {
            each(schema, &mut |node, _| {
                let format = node.get("format").and_then(Value::as_str);
                used.extend(format.filter(|format| !FORMATS.contains(format)));
            });
        }
        for format in used {
            *tools.entry(format).or_default() += 1;
        }
    }
    if tools.is_empty() {
        return;
    }
    let mut ranked: Vec<(&str, usize)> = tools.into_iter().collect();
    ranked.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(right.0)));
    let some = ranked.iter().take(NAMED);
    let mut said: Vec<String> =
        some.map(|(format, uses)| format!("\"{}\" in {}", excerpt(format, 40), count(*uses, "tool"))).collect();
    if ranked.len() > NAMED {
        said.push(format!("and {} more", ranked.len() - NAMED));
    }
    let message = format!("JSON Schema does not define every `format` that is used here: {}.", said.join(", "));
    out.report(Site::server(), message).fault(RULE.id);
}
