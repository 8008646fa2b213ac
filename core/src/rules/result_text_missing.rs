//! A structured result without text.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "result-text-missing",
    summary: "a result has structured content and no text",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("result_text_missing.md"),
    check: Check::Result(check),
};

fn check(call: &Call<'_>, out: &mut Out<'_>) {
    let Some(result) = call.success() else { return };
    if call.structured().is_none() {
        return;
    }
    let blocks = result.get("content").into_iter().flat_map(Value::items);
    if blocks.filter_map(|block| block.get("text")).any(|text| text.as_str().is_some_and(|text| !text.is_empty())) {
        return;
    }
    let how = match result.get("content") {
        None => "no `content` at all",
        Some(content) if content.is_empty() => "an empty `content`",
        Some(_) => "no text in `content`",
    };
    let message = format!("The result of the call has `structuredContent` and {how}.");
    out.report(call.tool.site(), message).fault("result-text-missing");
}
