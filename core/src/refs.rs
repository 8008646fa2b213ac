//! References inside one schema: pointers, anchors and embedded identifiers. Nothing is ever fetched.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use crate::document::Value;

/// How many references in a row are followed before a chain counts as endless.
const MAX_HOPS: usize = 64;

/// Resolves the references of one schema.
#[derive(Debug)]
pub struct Resolver<'a> {
    root: Value<'a>,
    /// Schemas by `$anchor` (as `#name`) and by `$id`, collected at the first reference that needs them.
    named: OnceCell<HashMap<String, Value<'a>>>,
}

/// Where a reference leads.
#[derive(Clone, Debug)]
pub enum Resolution<'a> {
    /// To a place in the same schema, with the tokens of its pointer (empty for anchors).
    Found {
        /// The schema there.
        target: Value<'a>,
        /// The pointer's tokens from the root of the schema.
        tokens: Vec<Cow<'a, str>>,
    },
    /// Nowhere: the schema has no such place.
    Dangling,
    /// Outside the schema.
    External,
}

impl<'a> Resolver<'a> {
    /// A resolver for the schema with this root.
    #[must_use]
    pub fn new(root: Value<'a>) -> Self {
        Self { root, named: OnceCell::new() }
    }

    /// The root of the schema.
    #[must_use]
    pub fn root(&self) -> Value<'a> {
        self.root
    }

    /// Where a reference leads.
    #[must_use]
    pub fn resolve(&self, reference: &'a str) -> Resolution<'a> {
        if reference == "#" || reference.is_empty() {
            return Resolution::Found { target: self.root, tokens: Vec::new() };
        }
        if let Some(pointer) = reference.strip_prefix("#/") {
            return self.pointer(pointer);
        }
        if let Some(target) = self.named().get(reference.strip_suffix('#').unwrap_or(reference)) {
            return Resolution::Found { target: *target, tokens: Vec::new() };
        }
        if let Some(local) = self.beyond_own_id(reference) {
            return self.resolve(local);
        }
        if reference.starts_with('#') { Resolution::Dangling } else { Resolution::External }
    }

    /// The fragment of a reference that starts with the root's own `$id`.
    fn beyond_own_id(&self, reference: &'a str) -> Option<&'a str> {
        let id = self.root.get("$id")?.as_str()?.trim_end_matches('#');
        reference.strip_prefix(id).filter(|rest| !id.is_empty() && rest.starts_with('#'))
    }

    fn pointer(&self, pointer: &'a str) -> Resolution<'a> {
        let tokens: Vec<Cow<'a, str>> = pointer.split('/').map(unescape).collect();
        let target = tokens.iter().try_fold(self.root, |value, token| {
            if value.is_array() { value.item(token.parse().ok()?) } else { value.get(token) }
        });
        target.map_or(Resolution::Dangling, |target| Resolution::Found { target, tokens })
    }

    /// Follows `$ref` until a schema without one; stays where a chain breaks or never ends.
    #[must_use]
    pub fn follow(&self, schema: Value<'a>) -> Value<'a> {
        let mut schema = schema;
        for _ in 0..MAX_HOPS {
            let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { break };
            let Resolution::Found { target, .. } = self.resolve(reference) else { break };
            schema = target;
        }
        schema
    }

    fn named(&self) -> &HashMap<String, Value<'a>> {
        self.named.get_or_init(|| {
            let mut named = HashMap::new();
            collect_names(self.root, &mut named);
            named
        })
    }
}

/// Whether a schema, or anything inside it, is a reference.
#[must_use]
pub fn refers(schema: Value<'_>) -> bool {
    ["$ref", "$dynamicRef", "$recursiveRef"].iter().any(|keyword| schema.get(keyword).is_some())
        || schema.members().any(|(_, inner)| refers(inner))
        || schema.items().any(refers)
}

fn collect_names<'a>(value: Value<'a>, named: &mut HashMap<String, Value<'a>>) {
    for keyword in ["$anchor", "$dynamicAnchor"] {
        if let Some(anchor) = value.get(keyword).and_then(Value::as_str) {
            named.entry(format!("#{anchor}")).or_insert(value);
        }
    }
    for keyword in ["$id", "id"] {
        if let Some(id) = value.get(keyword).and_then(Value::as_str) {
            named.entry(id.trim_end_matches('#').to_owned()).or_insert(value);
        }
    }
    value.members().for_each(|(_, inner)| collect_names(inner, named));
    value.items().for_each(|inner| collect_names(inner, named));
}

/// A pointer token of a URI fragment: percent-decoded, then pointer-unescaped.
fn unescape(token: &str) -> Cow<'_, str> {
    if !token.contains(['~', '%']) {
        return token.into();
    }
    let decoded = percent_decode(token);
    decoded.replace("~1", "/").replace("~0", "~").into()
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = (*first == b'%').then(|| std::str::from_utf8(tail.get(..2)?).ok()).flatten();
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
