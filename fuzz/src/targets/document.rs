use mcp_lint_core::document::{Dialect, Document, Oddity, Value, push_token};

use super::{is_span, text};
use crate::growth::is_linear;

const DIALECTS: [Dialect; 2] = [Dialect::STRICT, Dialect::COMMENTS];

/// Documents: every value has a place of its own inside its container's, and is found again there.
pub fn document(data: &[u8]) {
    let text = text(data);
    let [strict, lenient] = DIALECTS.map(|dialect| {
        let parsed = Document::parse(&*text, dialect);
        match &parsed {
            Ok(document) => is_whole(document),
            Err(error) => {
                assert!(text.is_char_boundary(error.offset as usize), "{error:?}");
                assert!(error.position.line >= 1 && error.position.column >= 1, "{error:?}");
            }
        }
        parsed
    });
    is_like_serde(&text, &strict);
    if let Ok(strict) = strict {
        let lenient = lenient.unwrap_or_else(|error| panic!("JSON without comments is refused: {error}"));
        assert!(strict.root().same_as(lenient.root()));
        assert_eq!(strict.oddities(), lenient.oddities());
    }
    is_linear(data, |data| {
        for parsed in DIALECTS.map(|dialect| Document::parse(&*super::text(data), dialect)).iter().flatten() {
            is_whole(parsed);
        }
    });
}

fn is_whole(document: &Document) {
    let root = document.root();
    visit(document, root);
    assert!(root.same_as(root), "nothing is like itself");
    for oddity in document.oddities() {
        match oddity {
            Oddity::RepeatedKey { first, again, .. } => {
                is_span(document, *first);
                is_span(document, *again);
                assert!(first < again);
            }
            Oddity::LoneSurrogate(span) | Oddity::NumberOutOfRange(span) => is_span(document, *span),
            Oddity::DeepNesting(depth) => assert!(*depth > 127),
        }
    }
}

fn visit(document: &Document, value: Value<'_>) {
    is_span(document, value.span());
    assert_eq!(value.raw(), &document.text()[value.span().start as usize..value.span().end as usize]);
    assert_eq!(value.len(), value.items().len() + value.members().len());
    let mut end = value.span().start;
    for (nth, item) in value.items().enumerate() {
        assert!(end < item.span().start && item.span().end < value.span().end, "{item:?} in {value:?}");
        end = item.span().end;
        // Far down the list, following every pointer would be work for the sake of the test.
        if nth < 8 {
            let found = value.pointer(&format!("/{nth}"));
            assert_eq!(found.map(Value::span), Some(item.span()));
        }
        visit(document, item);
    }
    for (nth, (key, member)) in value.members().enumerate() {
        assert!(end < member.span().start && member.span().end < value.span().end, "{member:?} in {value:?}");
        end = member.span().end;
        if nth < 8 {
            is_found(document, value, key);
        }
        visit(document, member);
    }
}

/// Of a key, the last value counts, by name and by pointer.
fn is_found(document: &Document, value: Value<'_>, key: &str) {
    let last = value.members().rev().find(|(name, _)| *name == key).map(|(_, value)| value.span());
    assert_eq!(value.get(key).map(Value::span), last);
    let mut pointer = String::new();
    push_token(&mut pointer, key);
    assert_eq!(value.pointer(&pointer).map(Value::span), last);
    let place = value.key_span(key).unwrap_or_else(|| panic!("{key:?} has no place"));
    is_span(document, place);
    assert!(last.is_some_and(|last| place.end <= last.start));
}

/// What is JSON is for `serde_json` to say; what only we take has an oddity.
fn is_like_serde(text: &str, ours: &Result<Document, mcp_lint_core::document::SyntaxError>) {
    let theirs = serde_json::from_str::<serde_json::Value>(text);
    match ours {
        // Whether a zero below zero is one is nobody's business.
        Ok(document) if document.oddities().is_empty() && !text.contains("-0") => {
            let theirs = theirs.unwrap_or_else(|error| panic!("only we take it: {error}"));
            assert_eq!(document.root().to_json().to_string(), theirs.to_string());
        }
        Ok(_) => {}
        Err(error) => assert!(theirs.is_err(), "only we refuse it: {error}"),
    }
}
