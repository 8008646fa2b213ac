//! A result without the structured content its tool promises.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "result-structured-missing",
    summary: "a tool declares an output schema and its result has no structured content",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("result_structured_missing.md"),
    check: Check::Result(check),
};

fn check(call: &Call<'_>, out: &mut Out<'_>) {
    if call.success().is_none() || call.tool.output_schema().is_none() || call.structured().is_some() {
        return;
    }
    let message = "The tool declares an `outputSchema`, and the result of the call has no `structuredContent`.";
    out.report(call.tool.site(), message).fault("result-structured-missing");
}
