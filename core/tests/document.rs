//! The parser against `serde_json` as the judge of what is JSON, and what it keeps that others drop.

use mcp_lint_core::document::{Dialect, Document, MAX_DEPTH, Oddity, Position, Value};
use proptest::prelude::*;

fn strict(text: &str) -> Document {
    Document::parse(text, Dialect::STRICT).expect("JSON")
}

fn error(text: &str, dialect: Dialect) -> String {
    Document::parse(text, dialect).expect_err("no JSON").to_string()
}

#[test]
fn repeated_keys_are_kept_and_the_last_one_counts() {
    let document = strict(r#"{"a": 1, "b": {"a": 2}, "a": 3}"#);
    assert_eq!(document.root().get("a").and_then(Value::as_u64), Some(3));
    assert_eq!(document.root().len(), 3);
    let [Oddity::RepeatedKey { key, first, again }] = document.oddities() else { panic!("{:?}", document.oddities()) };
    assert_eq!((key.as_str(), first.start, again.start), ("a", 1, 24));
}

#[test]
fn a_large_object_is_looked_up_alike() {
    let members: Vec<String> = (0..200).map(|n| format!("\"k{}\": {n}", n % 150)).collect();
    let document = strict(&format!("{{{}}}", members.join(",")));
    assert_eq!(document.root().get("k7").and_then(Value::as_u64), Some(157));
    assert_eq!(document.root().get("k149").and_then(Value::as_u64), Some(149));
    assert!(document.root().get("k").is_none() && document.root().get("zz").is_none());
    assert_eq!(document.oddities().len(), 50);
}

#[test]
fn null_absent_and_numbers_are_told_apart() {
    let document = strict(r#"{"n": null, "big": 123456789012345678901234567890, "float": 1.0, "exp": 1e400}"#);
    let root = document.root();
    assert!(root.get("n").is_some_and(Value::is_null) && root.get("m").is_none());
    assert_eq!(root.get("big").map(Value::raw), Some("123456789012345678901234567890"));
    assert_eq!(root.get("float").map(Value::raw), Some("1.0"));
    assert_eq!(document.oddities().iter().filter(|odd| matches!(odd, Oddity::NumberOutOfRange(_))).count(), 2);
}

#[test]
fn lone_surrogates_are_noted_and_pairs_are_not() {
    assert_eq!(strict(r#""\ud83d\ude00""#).root().as_str(), Some("\u{1f600}"));
    for text in [r#""\ud83d""#, r#""\ud83d\n""#, r#""\ud83d\u0041""#, r#""\ude00""#] {
        let document = strict(text);
        assert!(matches!(document.oddities(), [Oddity::LoneSurrogate(_)]), "{text}: {:?}", document.oddities());
        assert!(document.root().as_str().is_some_and(|said| said.starts_with('\u{fffd}')), "{text}");
    }
}

#[test]
fn depth_is_noted_and_bounded() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(strict(&nested(127)).oddities().is_empty());
    assert_eq!(strict(&nested(128)).oddities(), [Oddity::DeepNesting(128)]);
    assert_eq!(strict(&nested(MAX_DEPTH)).oddities(), [Oddity::DeepNesting(MAX_DEPTH)]);
    let error = Document::parse(nested(MAX_DEPTH + 1), Dialect::STRICT).expect_err("too deep");
    assert!(error.too_deep && error.to_string().contains("512"), "{error}");
}

#[test]
fn comments_and_trailing_commas_belong_to_a_dialect() {
    let text = "// servers\n{ /* none */ \"a\": [1, 2,], }\n";
    assert_eq!(Document::parse(text, Dialect::COMMENTS).expect("VS Code reads it").root().len(), 1);
    assert!(error(text, Dialect::STRICT).contains("a comment"));
    assert_eq!(error("{\"a\": 1,}", Dialect::STRICT), "line 1, column 9: expected a key in double quotes");
    assert_eq!(error("[1,]", Dialect::STRICT), "line 1, column 4: expected a value");
    assert_eq!(error("[,]", Dialect::COMMENTS), "line 1, column 2: expected a value");
    assert!(error("[1 /* ", Dialect::COMMENTS).contains("inside a comment"));
}

#[test]
fn errors_name_the_place() {
    assert_eq!(error("{\n  \"é😀\": tru\n}", Dialect::STRICT), "line 2, column 10: expected a value");
    assert_eq!(error("{\"a\": \"b", Dialect::STRICT), "line 1, column 7: the text ends inside a string");
    let cut = Document::parse("{\"a\": [1", Dialect::STRICT).expect_err("cut");
    assert!(cut.truncated && !Document::parse("{]", Dialect::STRICT).expect_err("wrong").truncated);
}

#[test]
fn positions_count_utf16_units() {
    let document = strict("{\r\n\t\"é😀\": 1}");
    let value = document.root().get("é😀").expect("there");
    assert_eq!(value.position(), Position { line: 2, column: 9 });
    let key = document.root().key_span("é😀").expect("there");
    assert_eq!(document.position(key.start), Position { line: 2, column: 2 });
}

#[test]
fn pointers_are_followed() {
    let document = strict(r#"{"a/b": [{"m~n": true}], "": 1}"#);
    assert_eq!(document.root().pointer("/a~1b/0/m~0n").and_then(Value::as_bool), Some(true));
    assert_eq!(document.root().pointer("/").and_then(Value::as_u64), Some(1));
    assert!(document.root().pointer("/a~1b/1").is_none() && document.root().pointer("a").is_none());
}

#[test]
fn sameness_ignores_order_and_spelling() {
    let same = |left: &str, right: &str| strict(left).root().same_as(strict(right).root());
    assert!(same(r#"{"a": 1, "b": [1.0, "x"]}"#, r#"{ "b": [1, "\u0078"], "a": 1e0 }"#));
    assert!(same(r#"{"a": 1, "a": 2}"#, r#"{"a": 1, "a": 2}"#));
    assert!(!same("[1, 2]", "[2, 1]") && !same("{\"a\": null}", "{}") && !same("1", "\"1\""));
}

#[test]
fn sameness_is_mutual_and_looks_at_a_repeated_key_once() {
    let (mut left, mut right) = ("1".to_owned(), "1".to_owned());
    for _ in 0..200 {
        left = format!(r#"{{"a":0,"a":{left}}}"#);
        right = format!(r#"{{"a":{right}}}"#);
    }
    let (left, right) = (strict(&left), strict(&right));
    assert!(left.root().same_as(left.root()) && left.root().same_as(right.root()) && right.root().same_as(left.root()));
    let (twice, other) = (strict(r#"{"a": 1, "a": 1}"#), strict(r#"{"a": 1, "b": 2}"#));
    assert!(!twice.root().same_as(other.root()) && !other.root().same_as(twice.root()));
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::vec((any::<String>(), inner), 0..20)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_comes_back(value in json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).expect("printed")] {
            let document = strict(&text);
            prop_assert!(document.oddities().is_empty());
            prop_assert_eq!(&document.root().to_json(), &value);
        }
    }

    #[test]
    fn the_verdict_is_that_of_serde_json(text in r#"([\[\]{},:"0-9eE.+ -]|\\u[0-9a-f]{4}|true|null|\PC|\\[nt"x]){0,24}"#) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match Document::parse(text.as_str(), Dialect::STRICT) {
            // What only we accept is noted as an oddity.
            Ok(document) if theirs.is_err() => prop_assert!(!document.oddities().is_empty(), "{text}"),
            Ok(document) if document.oddities().is_empty() => {
                prop_assert_eq!(Some(document.root().to_json()), theirs.ok());
            }
            Ok(_) => {}
            Err(error) => {
                prop_assert!(theirs.is_err(), "{text}: {error}");
                prop_assert!(error.offset as usize <= text.len() && text.is_char_boundary(error.offset as usize));
            }
        }
    }

    #[test]
    fn spans_are_values_of_their_own(value in json()) {
        let text = value.to_string();
        let document = strict(&text);
        let mut stack = vec![document.root()];
        while let Some(value) = stack.pop() {
            prop_assert_eq!(strict(value.raw()).root().to_json(), value.to_json());
            stack.extend(value.items());
            stack.extend(value.members().map(|(_, value)| value));
        }
    }
}
