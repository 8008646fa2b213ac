//! Text and structured content that disagree.

use super::prelude::*;
use crate::document::{Dialect, Document};

pub static RULE: Rule = Rule {
    id: "result-text-mismatch",
    summary: "the JSON in a result's text disagrees with its structured content",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("result_text_mismatch.md"),
    check: Check::Result(check),
};

fn check(call: &Call<'_>, out: &mut Out<'_>) {
    let (Some(result), Some(content)) = (call.success(), call.structured()) else { return };
    let texts =
        result.get("content").into_iter().flat_map(Value::items).filter_map(|block| block.get("text")?.as_str());
    let said: Vec<Document> = texts
        .filter(|text| text.trim_start().starts_with(['{', '[']))
        .filter_map(|text| Document::parse(text, Dialect::STRICT).ok())
        .collect();
    let Some(first) = said.first() else { return };
    // Python wraps a list as `result` and sends its items as blocks of their own.
    let wrapped = content.get("result").filter(|_| content.len() == 1);
    let is_said = |document: &Document| {
        let root = document.root();
        root.same_as(content)
            || wrapped.is_some_and(|inner| root.same_as(inner) || inner.items().any(|item| root.same_as(item)))
    };
    if said.iter().any(is_said) {
        return;
    }
    let message = match difference(first.root(), content) {
        Some(name) => {
            format!("The JSON in the text and `structuredContent` disagree about \"{}\".", excerpt(&name, 80))
        }
        None => "The JSON in the text and `structuredContent` disagree.".to_owned(),
    };
    out.report(call.tool.site(), message);
}

/// The first member that is not the same in both.
fn difference(text: Value<'_>, content: Value<'_>) -> Option<String> {
    let names = content.members().chain(text.members()).map(|(name, _)| name);
    let differs = |name: &&str| match (text.get(name), content.get(name)) {
        (Some(left), Some(right)) => !left.same_as(right),
        _ => true,
    };
    text.is_object().then(|| names.into_iter().find(differs).map(str::to_owned)).flatten()
}
