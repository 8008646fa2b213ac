//! A safe call that failed.

use super::prelude::*;
use crate::snapshot::Outcome;
use crate::text::seconds;

pub static RULE: Rule = Rule {
    id: "result-call-failed",
    summary: "a safe call failed, or its result has the wrong shape",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("result_call_failed.md"),
    check: Check::Result(check),
};

fn check(call: &Call<'_>, out: &mut Out<'_>) {
    let message = match (call.outcome, call.answer) {
        (Outcome::Silent(waited), _) => format!("The call got no answer within {}.", seconds(waited)),
        (Outcome::Ended, _) => "The server ended before it answered the call.".to_owned(),
        (Outcome::Refused(_), _) => "The call came to nothing over HTTP.".to_owned(),
        (Outcome::Overflowed, _) => "The call answered with more than is read.".to_owned(),
        (Outcome::Interrupted, _) | (Outcome::Answered(_), None) => return,
        (Outcome::Answered(_), Some(answer)) => match failure(answer) {
            Some(message) => message,
            None => return,
        },
    };
    out.report(call.tool.site(), message);
}

fn failure(answer: Value<'_>) -> Option<String> {
    if let Some(error) = error_of(answer) {
        let said = error.get("message").and_then(Value::as_str).unwrap_or("no message");
        return Some(format!("The call was answered with an error: \"{}\".", excerpt(said, 120)));
    }
    let Some(result) = answer.get("result").filter(|result| result.is_object()) else {
        return Some("The result of the call is not an object.".to_owned());
    };
    if result.get("isError").and_then(Value::as_bool) == Some(true) {
        let said =
            result.get("content").into_iter().flat_map(Value::items).find_map(|block| block.get("text")?.as_str());
        let said = said.map_or_else(|| "no text".to_owned(), |text| format!("\"{}\"", excerpt(text, 120)));
        return Some(format!("The call failed: {said}."));
    }
    // Structured content without any content is reported for its missing text.
    let has_structured = result.get("structuredContent").is_some_and(|content| !content.is_null());
    match result.get("content") {
        Some(content) if content.is_array() => None,
        None if has_structured => None,
        None => Some("The result of the call has no `content`.".to_owned()),
        Some(content) => Some(format!("The `content` of the call is {}; it must be an array.", shown(content))),
    }
}
