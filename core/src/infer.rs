//! A starting schema for a tool without one, inferred from what it returned.
//!
//! One result shows one shape: formats and enums are guesses, and what is required has to be reviewed. The
//! schema says so in `$comment`, where it can be pasted without harm.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Infers a schema that accepts a value.
#[must_use]
pub fn schema(value: &Value) -> Value {
    let mut schema = shape(&[value]);
    let comment = "Inferred from one result: review `required`, formats and enums before publishing it.";
    if let Some(members) = schema.as_object_mut() {
        members.insert("$comment".to_owned(), comment.into());
    }
    schema
}

/// A schema that accepts all the values that were seen at one place.
fn shape(seen: &[&Value]) -> Value {
    let mut kinds: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for value in seen {
        kinds.entry(kind(value)).or_default().push(value);
    }
    // Whole numbers among others are numbers.
    if let Some(numbers) = kinds.get("number").cloned()
        && let Some(integers) = kinds.remove("integer")
    {
        kinds.insert("number", [numbers, integers].concat());
    }
    let shapes: Vec<Value> = kinds.into_iter().map(|(kind, values)| of_kind(kind, &values)).collect();
    match shapes.as_slice() {
        [] => json!({}),
        [only] => only.clone(),
        several => json!({ "anyOf": several }),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn of_kind(kind: &str, values: &[&Value]) -> Value {
    match kind {
        "object" => object(values),
        "array" => {
            let items: Vec<&Value> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
            json!({ "type": "array", "items": shape(&items) })
        }
        "string" => string(&values.iter().filter_map(|value| value.as_str()).collect::<Vec<_>>()),
        other => json!({ "type": other }),
    }
}

/// Members in the order they were first seen; required are those that every object has.
fn object(values: &[&Value]) -> Value {
    let objects: Vec<&Map<String, Value>> = values.iter().filter_map(|value| value.as_object()).collect();
    let mut names: Vec<&String> = Vec::new();
    let mut members: BTreeMap<&String, Vec<&Value>> = BTreeMap::new();
    for (name, value) in objects.iter().flat_map(|object| object.iter()) {
        let seen = members.entry(name).or_default();
        if seen.is_empty() {
            names.push(name);
        }
        seen.push(value);
    }
    let properties: Map<String, Value> = names.iter().map(|name| ((*name).clone(), shape(&members[name]))).collect();
    let required: Vec<&&String> = names.iter().filter(|name| members[**name].len() == objects.len()).collect();
    if required.is_empty() {
        return json!({ "type": "object", "properties": properties });
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// A format that all the texts have, or an enum where a few short words come again and again.
fn string(texts: &[&str]) -> Value {
    if let Some(format) = FORMATS.iter().find(|(_, fits)| texts.iter().all(|text| fits(text))) {
        return json!({ "type": "string", "format": format.0 });
    }
    let mut distinct: Vec<&str> = texts.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let repeats = texts.len() >= 4 && distinct.len() * 2 <= texts.len();
    if repeats && distinct.iter().all(|text| is_word(text)) {
        return json!({ "type": "string", "enum": distinct });
    }
    json!({ "type": "string" })
}

fn is_word(text: &str) -> bool {
    (1..=24).contains(&text.len())
        && text.chars().all(|character| character.is_alphanumeric() || "_-.".contains(character))
}

/// A format, and whether a text looks like it.
type Format = (&'static str, fn(&str) -> bool);

/// Formats by how a text looks, the most telling first.
const FORMATS: &[Format] = &[
    ("date-time", |text| text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time))),
    ("date", is_date),
    ("uuid", |text| looks_like(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")),
    ("email", |text| {
        let parts = text.split_once('@');
        parts.is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !text.contains([' ', '/', ':']))
    }),
    ("uri", |text| {
        let parts = text.split_once("://");
        parts.is_some_and(|(scheme, rest)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
                && !rest.is_empty()
                && !text.contains(char::is_whitespace)
        })
    }),
];

fn is_date(text: &str) -> bool {
    looks_like(text, "0000-00-00")
}

/// A time with its offset, as in RFC 3339.
fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|digit: char| digit.is_ascii_digit()),
        None => rest,
    };
    let is_offset = zone.strip_prefix(['+', '-']).is_some_and(|offset| looks_like(offset, "00:00"));
    looks_like(clock, "00:00:00") && (zone.eq_ignore_ascii_case("z") || is_offset)
}

/// Compares with a pattern: `0` stands for a digit, `x` for a hexadecimal one.
fn looks_like(text: &str, pattern: &str) -> bool {
    text.len() == pattern.len()
        && text.bytes().zip(pattern.bytes()).all(|(byte, like)| match like {
            b'0' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_hexdigit(),
            other => byte == other,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inferred(value: &Value) -> Value {
        let mut schema = schema(value);
        assert!(schema.as_object_mut().and_then(|members| members.remove("$comment")).is_some());
        schema
    }

    #[test]
    fn an_object_with_all_it_has() {
        let value = json!({ "id": "p-1", "weight": 2, "price": 4.5, "open": true, "note": null, "tags": [] });
        let expected = json!({
            "type": "object",
            "properties": {
                "id": { "type": "string" }, "weight": { "type": "integer" }, "price": { "type": "number" },
                "open": { "type": "boolean" }, "note": { "type": "null" }, "tags": { "type": "array", "items": {} },
            },
            "required": ["id", "weight", "price", "open", "note", "tags"],
        });
        assert_eq!(inferred(&value), expected);
    }

    #[test]
    fn items_are_merged() {
        let value = json!([{ "a": 1, "b": "x" }, { "a": 2.5 }, { "a": null }]);
        let items = &inferred(&value)["items"];
        assert_eq!(items["required"], json!(["a"]));
        assert_eq!(items["properties"]["a"], json!({ "anyOf": [{ "type": "null" }, { "type": "number" }] }));
    }

    #[test]
    fn formats_and_enums_are_suggested() {
        for (text, format) in [
            ("2026-03-01", "date"),
            ("2026-03-01T08:30:00Z", "date-time"),
            ("2026-03-01T08:30:00.25+01:00", "date-time"),
            ("https://example.com/a", "uri"),
            ("a@example.com", "email"),
            ("123e4567-e89b-12d3-a456-426614174000", "uuid"),
        ] {
            assert_eq!(inferred(&json!(text))["format"], format, "{text}");
        }
        for text in ["2026-3-1", "08:30", "see https://example.com", "a@b", "2026-03-01T08:30"] {
            assert!(inferred(&json!(text)).get("format").is_none(), "{text}");
        }
        let states = json!(["open", "closed", "open", "open"]);
        assert_eq!(inferred(&states)["items"]["enum"], json!(["closed", "open"]));
        assert!(inferred(&json!(["a", "b", "c", "d"]))["items"].get("enum").is_none());
    }
}
