//! What single messages are, and how they are called.

use crate::document::Value;
use crate::protocol::MODERN;
use crate::snapshot::{Exchange, Purpose};
use crate::text::excerpt;

/// The error of an answer; `null` beside a result is none.
#[must_use]
pub fn error_of(answer: Value<'_>) -> Option<Value<'_>> {
    answer.get("error").filter(|error| !error.is_null() || answer.get("result").is_none())
}

/// Whether a result of `server/discover` says that requests without a handshake are understood.
#[must_use]
pub fn is_discovery(result: Value<'_>) -> bool {
    let versions = result.get("supportedVersions");
    versions.is_some_and(|all| all.items().any(|version| version.as_str() == Some(MODERN)))
}

/// Whether a result has what results have had since 2026-07-28.
#[must_use]
pub fn is_modern(result: Value<'_>) -> bool {
    result.get("resultType").is_some() || result.get("ttlMs").is_some()
}

/// Whether a request asks for a list, or for what a server supports: since 2026-07-28 their results say how long
/// they hold.
#[must_use]
pub fn is_listing(purpose: &Purpose) -> bool {
    matches!(purpose, Purpose::Discover | Purpose::Tools(_) | Purpose::ToolsAgain(_) | Purpose::Listing(_))
}

/// A request in words: "`initialize`", "page 3 of `tools/list`".
#[must_use]
pub fn request_words(exchange: &Exchange) -> String {
    match exchange.purpose {
        Purpose::Tools(page) | Purpose::ToolsAgain(page) if page > 0 => {
            format!("page {} of `{}`", page + 1, exchange.method)
        }
        _ => format!("`{}`", exchange.method),
    }
}

/// A JSON-RPC error in words: its code and message.
#[must_use]
pub fn error_words(error: Value<'_>) -> String {
    const MOST: usize = 200;
    let code = error.get("code").map(|code| excerpt(code.raw(), 20));
    let message = error.get("message").and_then(Value::as_str).map(|message| excerpt(message, MOST));
    match (code, message) {
        (Some(code), Some(message)) => format!("{code}, \"{message}\""),
        (Some(code), None) => format!("{code}, without a message"),
        (None, Some(message)) => format!("\"{message}\", without a code"),
        (None, None) => format!("`{}`", excerpt(error.raw(), MOST)),
    }
}

/// What a JSON value is in JSON-RPC 2.0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role<'a> {
    /// Has `method` and `id`.
    Request(&'a str),
    /// Has `method` and no `id`.
    Notification(&'a str),
    /// Has `id` and exactly one of `result` and `error`.
    Response,
    /// None of these; says what is wrong, as the end of a sentence.
    Fault(&'static str),
}

/// Classifies a JSON value as a JSON-RPC 2.0 message.
#[must_use]
pub fn role(value: Value<'_>) -> Role<'_> {
    if value.is_array() {
        return Role::Fault("it is an array; messages are sent one by one");
    }
    if !value.is_object() {
        return Role::Fault("it is not an object");
    }
    if value.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Role::Fault("it has no \"jsonrpc\": \"2.0\"");
    }
    match (value.get("method"), value.get("id")) {
        (Some(method), id) => match (method.as_str(), id) {
            (Some(method), Some(_)) => Role::Request(method),
            (Some(method), None) => Role::Notification(method),
            (None, _) => Role::Fault("its method is not a string"),
        },
        (None, None) => Role::Fault("it has neither a method nor an id"),
        (None, Some(_)) => match (value.get("result"), value.get("error")) {
            (Some(_), Some(_)) => Role::Fault("it has both a result and an error"),
            (None, None) => Role::Fault("it has neither a method, a result nor an error"),
            _ => Role::Response,
        },
    }
}
