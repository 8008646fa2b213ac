//! Cuts the protocol's official schemas down to what a server sends.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::root;

/// Revisions, each with a file `REVISION/schema.json` in the folder of the official schemas.
const REVISIONS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// What a server sends. A revision that lacks one of them does without.
const SENT: &[&str] = &[
    "InitializeResult",
    "DiscoverResult",
    "ListToolsResult",
    "ListPromptsResult",
    "ListResourcesResult",
    "ListResourceTemplatesResult",
    "CallToolResult",
    "JSONRPCError",
    "JSONRPCErrorResponse",
    "ServerNotification",
    "ServerRequest",
];

/// Reads the official schemas from a folder and writes what is left of them to core/src/protocol.
pub(crate) fn cut(folder: &Path) -> Result<()> {
    for revision in REVISIONS {
        let path = folder.join(revision).join("schema.json");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let schema: Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        let target = root().join("core/src/protocol").join(format!("{revision}.json"));
        fs::write(target, serde_json::to_string_pretty(&cut_one(&schema)?)? + "\n")?;
    }
    Ok(())
}

fn cut_one(schema: &Value) -> Result<Value> {
    let key = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    let all = schema.get(key).and_then(Value::as_object).context("a schema without definitions")?;
    let mut kept = Map::new();
    let mut wanted: Vec<String> = SENT.iter().map(|name| (*name).to_owned()).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        if let (true, Some(definition)) = (seen.insert(name.clone()), all.get(&name)) {
            let plain = without_words(definition);
            references(&plain, &mut wanted);
            kept.insert(name, plain);
        }
    }
    kept.sort_keys();
    let mut cut = Map::new();
    cut.insert("$schema".to_owned(), schema.get("$schema").cloned().unwrap_or_default());
    cut.insert(key.to_owned(), kept.into());
    Ok(cut.into())
}

/// A schema without its descriptions; a property of that name stays.
fn without_words(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let stays = |(key, value): &(&String, &Value)| *key != "description" || !value.is_string();
            members.iter().filter(stays).map(|(key, value)| (key.clone(), without_words(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_words).collect(),
        other => other.clone(),
    }
}

fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str).and_then(|target| target.rsplit('/').next());
            found.extend(target.map(str::to_owned));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}
