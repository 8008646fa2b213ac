//! Structured content that breaks its schema.

use super::prelude::*;
use crate::schema::Validator;
use crate::text::article;

pub static RULE: Rule = Rule {
    id: "result-structured-invalid",
    summary: "structured content does not match the output schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("result_structured_invalid.md"),
    check: Check::Result(check),
};

/// First revision in which structured content may be any JSON value. Revisions are dates, so they compare as texts.
const ANY_JSON_SINCE: &str = "2026-07-28";

fn check(call: &Call<'_>, out: &mut Out<'_>) {
    // Of a failed call as well: clients check what is there, and then show their own error in place of the server's.
    let result = call.answer.and_then(|answer| answer.get("result"));
    let content = result.and_then(|result| result.get("structuredContent")).filter(|content| !content.is_null());
    let Some(content) = content else { return };
    if !content.is_object() && call.revision.is_none_or(|revision| revision < ANY_JSON_SINCE) {
        let message = format!(
            "`structuredContent` is {}; before {ANY_JSON_SINCE} it has to be an object.",
            article(content.kind())
        );
        let site = Site { pointer: "/structuredContent".into(), path: "structuredContent".into(), ..call.tool.site() };
        out.report(site, message)
            .fix("Return an object with one member that holds the value, and declare that in `outputSchema`.");
        return;
    }
    let Some(schema) = call.tool.output_schema() else { return };
    // A schema that does not compile is reported as such.
    let Ok(validator) = Validator::compile(schema) else { return };
    let mut seen = HashSet::new();
    for mismatch in validator.mismatches(&content.to_json()) {
        let place = by_names(&mismatch.pointer);
        if !seen.insert(place.clone()) {
            continue;
        }
        let path = format!("structuredContent{}", path(&mismatch.pointer));
        let message = format!("`{}` {}.", visible(&path), mismatch.message);
        let pointer = format!("/structuredContent{place}");
        out.report(Site { pointer, path, ..call.tool.site() }, message).fault("result-structured-invalid");
    }
}

/// A pointer whose positions in arrays do not count: the tenth item is wrong in the way the first one is.
fn by_names(pointer: &str) -> String {
    tokens(pointer).map(|token| if is_position(token) { "/*".to_owned() } else { format!("/{token}") }).collect()
}

fn path(pointer: &str) -> String {
    let part = |token: &str| {
        let name = token.replace("~1", "/").replace("~0", "~");
        if is_position(token) { format!("[{name}]") } else { format!(".{name}") }
    };
    tokens(pointer).map(part).collect()
}

fn tokens(pointer: &str) -> impl Iterator<Item = &str> {
    pointer.split('/').skip(1)
}

fn is_position(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit())
}
