//! Enums of short codes that nothing explains.

use crate::document::Value;
use crate::text::{is_blank, name_words};
use crate::walk::Argument;

/// Up to how many characters a value is short.
const SHORT: usize = 3;
/// Words that are as short as a code.
const WORDS: &[&str] = &[
    "add", "all", "and", "any", "api", "app", "asc", "avg", "bar", "big", "bug", "css", "csv", "cut", "day", "dog",
    "end", "get", "gif", "how", "in", "jpg", "js", "key", "log", "low", "map", "max", "mid", "min", "new", "no", "not",
    "off", "old", "on", "one", "or", "out", "own", "pdf", "pie", "png", "put", "raw", "red", "row", "set", "sql",
    "sum", "svg", "tag", "tar", "ten", "top", "tsv", "two", "txt", "up", "url", "web", "who", "xml", "yes", "zip",
];
/// Keywords that explain values in place of a description.
const EXPLANATIONS: &[&str] =
    &["enumDescriptions", "markdownEnumDescriptions", "enumNames", "x-enumDescriptions", "x-enumNames"];

/// Whether an argument takes short codes only and has no description. That is one fault,
/// and not a missing description beside it.
#[must_use]
pub(crate) fn is_unexplained(argument: &Argument<'_, '_>) -> bool {
    let is_odd = argument.node.get("description").is_some_and(|text| text.as_str().is_none());
    let is_described = argument.description().is_some_and(|text| !is_blank(text));
    let is_explained = EXPLANATIONS.iter().any(|keyword| argument.has(keyword));
    !is_odd && !is_described && !is_explained && codes(argument).is_some()
}

/// The values of an argument, or of the items of a list, if all of them are codes.
#[must_use]
pub(crate) fn codes<'a>(argument: &Argument<'_, 'a>) -> Option<Value<'a>> {
    let schema = argument.node.resolved();
    let items = || {
        let items = argument.node.refs.follow(schema.get("items")?);
        let is_described = items.get("description").and_then(Value::as_str).is_some_and(|text| !is_blank(text));
        if is_described { None } else { items.get("enum") }
    };
    let values = schema.get("enum").or_else(items)?;
    let mut told = values.items().filter(|value| !value.is_null()).peekable();
    // One value leaves nothing to choose.
    (values.len() > 1 && told.peek().is_some() && told.all(is_code)).then_some(values)
}

fn is_code(value: Value<'_>) -> bool {
    match value.as_str() {
        Some("") => false,
        Some(text) => !name_words(text).iter().any(|word| is_word(word)),
        None => value.is_number() && value.raw().len() <= SHORT,
    }
}

/// Whether a part of a value says something: a known short word, or letters that can be spoken.
fn is_word(part: &str) -> bool {
    let is_long = part.chars().nth(SHORT).is_some();
    let is_spoken = || part.chars().any(|letter| "aeiouy".contains(letter) || !letter.is_ascii());
    // Scripts other than the Latin one have words of one and two characters.
    let is_foreign = part.chars().all(|letter| letter.is_alphabetic() && !letter.is_ascii());
    let is_letters = || part.chars().all(char::is_alphabetic);
    is_foreign || WORDS.contains(&part) || (is_long && is_letters() && is_spoken())
}
