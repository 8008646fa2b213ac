//! The protocol's revisions, and what each lets a server send: its official schemas, cut down to that (see
//! `protocol/NOTICE`).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use crate::document::Value;
use crate::schema::{Mismatch, Validator};

/// Every revision, the oldest first.
pub const REVISIONS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];

/// The first revision without a handshake: every request says what the handshake said.
pub const MODERN: &str = "2026-07-28";

/// The newest revision with a handshake.
pub const NEWEST_WITH_HANDSHAKE: &str = "2025-11-25";

const SCHEMAS: &[(&str, &str)] = &[
    ("2024-11-05", include_str!("protocol/2024-11-05.json")),
    ("2025-03-26", include_str!("protocol/2025-03-26.json")),
    ("2025-06-18", include_str!("protocol/2025-06-18.json")),
    ("2025-11-25", include_str!("protocol/2025-11-25.json")),
    (MODERN, include_str!("protocol/2026-07-28.json")),
];

/// A message of a server, as the schemas tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent<'a> {
    /// The result of a request.
    Result(&'a str),
    /// An answer that is an error, whole.
    Error,
    /// A notification or a request of this method, whole.
    Call(&'a str),
}

/// What a revision's schema refuses in a message; nothing where the revision or the message is none it knows.
#[must_use]
pub fn mismatches(revision: &str, sent: Sent<'_>, value: Value<'_>) -> Vec<Mismatch> {
    let known = definition(revision, sent).and_then(|definition| validator(revision, &definition));
    known.map_or_else(Vec::new, |validator| {
        let value = value.to_json();
        if validator.accepts(&value) { Vec::new() } else { validator.mismatches(&value) }
    })
}

/// The name of the definition that a message has to fit.
fn definition(revision: &str, sent: Sent<'_>) -> Option<String> {
    let name = match sent {
        Sent::Result("initialize") => "InitializeResult",
        Sent::Result("server/discover") => "DiscoverResult",
        Sent::Result("tools/list") => "ListToolsResult",
        Sent::Result("prompts/list") => "ListPromptsResult",
        Sent::Result("resources/list") => "ListResourcesResult",
        Sent::Result("resources/templates/list") => "ListResourceTemplatesResult",
        Sent::Result("tools/call") => "CallToolResult",
        Sent::Result(_) => return None,
        Sent::Error if revision < NEWEST_WITH_HANDSHAKE => "JSONRPCError",
        Sent::Error => "JSONRPCErrorResponse",
        Sent::Call(method) => return schema(revision)?.by_method.get(method).cloned(),
    };
    Some(name.to_owned())
}

/// A revision's schema, read.
struct Schema {
    json: serde_json::Value,
    /// Under which key the definitions stand.
    key: &'static str,
    /// Names of definitions by the method that they are for.
    by_method: HashMap<String, String>,
}

/// A revision's schema, which is read once in a run.
fn schema(revision: &str) -> Option<&'static Schema> {
    static READ: [OnceLock<Schema>; SCHEMAS.len()] = [const { OnceLock::new() }; SCHEMAS.len()];

    let known = SCHEMAS.iter().zip(&READ).find(|((known, _), _)| *known == revision);
    known.map(|((_, text), read)| read.get_or_init(|| Schema::read(text)))
}

impl Schema {
    fn read(text: &str) -> Self {
        let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let key = if json.get("$defs").is_some() { "$defs" } else { "definitions" };
        let mut by_method = HashMap::new();
        for (name, definition) in json.get(key).and_then(serde_json::Value::as_object).into_iter().flatten() {
            let method = definition.pointer("/properties/method/const").and_then(serde_json::Value::as_str);
            by_method.extend(method.map(|method| (method.to_owned(), name.clone())));
        }
        Self { json, key, by_method }
    }

    fn validator(&self, definition: &str) -> Option<Validator> {
        let mut json = self.json.clone();
        json.as_object_mut()?.insert("$ref".to_owned(), format!("#/{}/{definition}", self.key).into());
        Validator::for_messages(&json).ok()
    }
}

/// The validator for a definition, which is compiled once in a run.
fn validator(revision: &str, definition: &str) -> Option<Arc<Validator>> {
    type Compiled = HashMap<(String, String), Option<Arc<Validator>>>;
    static COMPILED: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);

    let key = (revision.to_owned(), definition.to_owned());
    let mut compiled = COMPILED.lock().ok()?;
    let compile = || schema(revision)?.validator(definition).map(Arc::new);
    compiled.entry(key).or_insert_with(compile).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Dialect, Document};

    fn found(revision: &str, sent: Sent<'_>, text: &str) -> Vec<String> {
        let document = Document::parse(text, Dialect::STRICT).expect("JSON");
        let found = mismatches(revision, sent, document.root());
        found.into_iter().map(|mismatch| format!("{} {}", mismatch.pointer, mismatch.message)).collect()
    }

    #[test]
    fn every_definition_compiles() {
        let results =
            ["initialize", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "tools/call"];
        for revision in REVISIONS {
            for method in results.iter().filter(|method| **method != "initialize" || *revision != MODERN) {
                let found = found(revision, Sent::Result(method), "7");
                assert_eq!(found.len(), 1, "{revision} {method}: {found:?}");
            }
            assert_eq!(found(revision, Sent::Error, "7").len(), 1, "{revision}");
            assert_eq!(found(revision, Sent::Call("notifications/message"), "7").len(), 1, "{revision}");
        }
        assert_eq!(found(MODERN, Sent::Result("server/discover"), "{}").len(), 5);
    }

    #[test]
    fn what_no_schema_knows_fits() {
        assert_eq!(found("2025-11-25", Sent::Call("notifications/parcels"), "7"), [""; 0]);
        assert_eq!(found("1999-01-01", Sent::Result("tools/list"), "7"), [""; 0]);
        assert_eq!(found(MODERN, Sent::Result("initialize"), "7"), [""; 0]);
    }

    #[test]
    fn of_several_forms_the_one_that_was_meant_is_named() {
        let call = r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":"","mimeType":7}]}"#;
        assert_eq!(
            found("2025-11-25", Sent::Result("tools/call"), call),
            ["/content/1/mimeType is number, expected string"]
        );
        let call = r#"{"content":[{"type":"pdf"}]}"#;
        assert_eq!(found("2025-11-25", Sent::Result("tools/call"), call).len(), 1);
    }
}
