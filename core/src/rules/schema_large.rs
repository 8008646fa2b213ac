//! A schema so large that a client throws parts of it away.

use super::prelude::*;
use crate::clients::{ClientLoss, Fact, FactKind};
use crate::keywords::TYPES;
use crate::walk::children;

pub static RULE: Rule = Rule {
    id: "schema-large",
    summary: "the input schema is so large that some clients throw parts of it away",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("schema_large.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.input_schema() else { return };
    let mut exceeded: Vec<(ClientLoss, usize, usize)> = Vec::new();
    for (client, fact) in out.clients().facts(FactKind::SchemaCliff) {
        let Some(most) = fact.number("most") else { continue };
        let reduced = Reduced::new(schema, fact).size();
        if let Some(bytes) = reduced.filter(|bytes| *bytes > most) {
            exceeded.push((client.loss(fact), bytes, most));
        }
    }
    let Some((_, bytes, most)) = exceeded.first() else { return };
    let message = format!(
        "Reduced to the keywords that reach the model, the input schema takes {} bytes; over {} its descriptions are thrown away.",
        grouped(*bytes),
        grouped(*most)
    );
    out.report(tool.site_at(&["inputSchema"]), message).clients(exceeded.into_iter().map(|(loss, ..)| loss));
}

/// A schema as a client keeps it: some keywords, a type wherever one can be told, definitions in use.
struct Reduced<'a> {
    root: Value<'a>,
    keeps: HashSet<&'static str>,
    used: HashSet<u32>,
}

impl<'a> Reduced<'a> {
    fn new(root: Value<'a>, fact: &'static Fact) -> Self {
        Self { root, keeps: fact.list("keeps").collect(), used: used_definitions(root) }
    }

    /// Bytes as compact JSON; nothing where the client could not read it.
    fn size(&self) -> Option<usize> {
        self.schema(self.root)
    }

    fn schema(&self, schema: Value<'a>) -> Option<usize> {
        if schema.as_bool().is_some() {
            return Some(r#"{"type":"string"}"#.len());
        }
        if !schema.is_object() {
            return None;
        }
        let kinds = kinds(schema);
        if kinds.is_empty() && !leaves_open(schema) {
            // Nothing tells what it is: the client keeps an empty schema.
            return Some(2);
        }
        let mut object = Sum::default();
        if !kinds.is_empty() {
            let names: usize = kinds.iter().map(|kind| kind.len() + 2).sum();
            let list = if kinds.len() == 1 { 0 } else { kinds.len() + 1 };
            object.member("type", names + list);
        }
        for (keyword, value) in schema.members() {
            if !self.keeps.contains(keyword) || keyword == "type" {
                continue;
            }
            object.member_if(keyword, self.keyword(schema, keyword, value)?);
        }
        if let Some(value) = schema.get("const").filter(|_| schema.get("enum").is_none()) {
            object.member("enum", json(value) + 2);
        }
        if kinds.contains(&"object") && schema.get("properties").is_none() {
            object.member("properties", 2);
        }
        if kinds.contains(&"array") && schema.get("items").is_none() {
            object.member("items", r#"{"type":"string"}"#.len());
        }
        Some(object.size())
    }

    /// Bytes of a keyword's value; nothing inside where it is left out, nothing at all where it is unreadable.
    fn keyword(&self, schema: Value<'a>, keyword: &str, value: Value<'a>) -> Option<Option<usize>> {
        let size = match keyword {
            "properties" => self.map(value, |_| true)?,
            "$defs" | "definitions" if !value.is_object() => return Some(None),
            "$defs" | "definitions" if schema.span() == self.root.span() => {
                let is_used = |definition: Value<'a>| self.used.contains(&definition.span().start);
                if !value.members().any(|(_, definition)| is_used(definition)) {
                    return Some(None);
                }
                self.map(value, is_used)?
            }
            "$defs" | "definitions" => self.map(value, |_| true)?,
            "items" => self.schema(value)?,
            "additionalProperties" => match value.as_bool() {
                Some(_) => value.raw().len(),
                None => self.schema(value)?,
            },
            "anyOf" | "oneOf" | "allOf" if value.is_array() => {
                let inner: usize = value.items().map(|branch| self.schema(branch)).sum::<Option<usize>>()?;
                inner + value.len().saturating_sub(1) + 2
            }
            "anyOf" | "oneOf" | "allOf" => return None,
            _ => json(value),
        };
        Some(Some(size))
    }

    fn map(&self, map: Value<'a>, takes: impl Fn(Value<'a>) -> bool) -> Option<usize> {
        if !map.is_object() {
            return None;
        }
        let mut object = Sum::default();
        for (name, inner) in map.members().filter(|(_, inner)| takes(*inner)) {
            object.member(name, self.schema(inner)?);
        }
        Some(object.size())
    }
}

/// Bytes of an object being written.
#[derive(Default)]
struct Sum {
    members: usize,
    bytes: usize,
}

impl Sum {
    fn member(&mut self, key: &str, value: usize) {
        self.members += 1;
        self.bytes += text(key) + 1 + value;
    }

    fn member_if(&mut self, key: &str, value: Option<usize>) {
        if let Some(value) = value {
            self.member(key, value);
        }
    }

    fn size(&self) -> usize {
        self.bytes + self.members.saturating_sub(1) + 2
    }
}

/// Whether a schema says what it is by other means than a type.
fn leaves_open(schema: Value<'_>) -> bool {
    ["$ref", "anyOf", "oneOf", "allOf"].iter().any(|keyword| schema.get(keyword).is_some())
}

/// The types of a schema: as written, else what its other keywords tell.
fn kinds(schema: Value<'_>) -> Vec<&str> {
    let written = schema.get("type");
    let names = written.and_then(Value::as_str).into_iter();
    let listed = written.into_iter().flat_map(Value::items).filter_map(Value::as_str);
    let known: Vec<&str> = names.chain(listed).filter(|name| TYPES.contains(name)).collect();
    if !known.is_empty() || leaves_open(schema) {
        return known;
    }
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| schema.get(keyword).is_some());
    let told = [
        (&["properties", "required", "additionalProperties"][..], "object"),
        (&["items", "prefixItems"], "array"),
        (&["enum", "const", "format"], "string"),
        (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"),
    ];
    told.into_iter().find(|(keywords, _)| has(keywords)).map(|(_, kind)| kind).into_iter().collect()
}

/// Where the definitions at the root start that are referred to, by the schema or by each other.
fn used_definitions(root: Value<'_>) -> HashSet<u32> {
    let definition_of = |reference: &str| {
        let mut tokens = reference.strip_prefix("#/")?.splitn(3, '/');
        let table = root.get(tokens.next().filter(|table| matches!(*table, "$defs" | "definitions"))?)?;
        let name = tokens.next()?;
        table.get(name).or_else(|| table.get(&name.replace("~1", "/").replace("~0", "~")))
    };
    let mut used = HashSet::new();
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        let is_root = schema.span() == root.span();
        references(schema, !is_root, &mut |reference| {
            open.extend(definition_of(reference).filter(|definition| used.insert(definition.span().start)));
        });
    }
    used
}

fn references<'a>(schema: Value<'a>, with_definitions: bool, visit: &mut dyn FnMut(&'a str)) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        visit(reference);
    }
    children(schema, &mut |inner, is_definition| {
        if with_definitions || !is_definition {
            references(inner, with_definitions, visit);
        }
    });
}

/// Bytes of a value as compact JSON.
fn json(value: Value<'_>) -> usize {
    if let Some(string) = value.as_str() {
        return text(string);
    }
    let separators = value.len().saturating_sub(1) + 2;
    if value.is_object() {
        separators + value.members().map(|(key, inner)| text(key) + 1 + json(inner)).sum::<usize>()
    } else if value.is_array() {
        separators + value.items().map(json).sum::<usize>()
    } else {
        value.raw().len()
    }
}

/// Bytes of a string as compact JSON, with its quotes.
fn text(string: &str) -> usize {
    let bytes = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        control if (control as u32) < 0x20 => 6,
        plain => plain.len_utf8(),
    };
    string.chars().map(bytes).sum::<usize>() + 2
}
