//! What differs between the keywords of two schemas, in words.

use std::collections::HashSet;

use serde_json::{Map, Value as Json};

use super::shape::PLAIN;
use crate::text::{excerpt, list};
use crate::walk::Root;

/// Values that a message lists.
const MOST_VALUES: usize = 5;

/// Keywords that bound a value from below, and from above.
const LOWER: &[&str] = &["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const UPPER: &[&str] = &["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/// What changed, as the end of a sentence; what can only be welcome is left out.
pub(super) fn differences(root: Root, before: &Map<String, Json>, now: &Map<String, Json>) -> String {
    let word = |keyword: &&str| difference(root, keyword, before.get(*keyword), now.get(*keyword));
    let words: Vec<String> = PLAIN.iter().filter_map(word).collect();
    // Another type explains why other members are taken.
    if words.is_empty() { word(&"additionalProperties").unwrap_or_default() } else { words.join("; ") }
}

fn difference(root: Root, keyword: &str, before: Option<&Json>, now: Option<&Json>) -> Option<String> {
    if before == now || is_welcome(root, keyword, before, now) {
        return None;
    }
    let shown = |value: &Json| excerpt(&plain(value), 80);
    Some(match (keyword, before, now) {
        ("additionalProperties", ..) => "it takes only what it lists".to_owned(),
        ("enum", Some(Json::Array(was)), Some(Json::Array(is))) => listed(root, was, is)?,
        ("enum", None, Some(Json::Array(is))) => {
            format!("it takes {} and nothing else", values(&is.iter().collect::<Vec<_>>()))
        }
        ("type", Some(was), Some(is)) => format!("its type was {} and is {}", shown(was), shown(is)),
        (_, Some(was), Some(is)) => format!("`{keyword}` was {} and is {}", shown(was), shown(is)),
        (_, Some(was), None) => format!("`{keyword}`, which was {}, is gone", shown(was)),
        (_, None, Some(is)) => format!("`{keyword}` {} is new", shown(is)),
        (_, None, None) => return None,
    })
}

/// The values that left a list, or that came to it where it is read.
fn listed(root: Root, was: &[Json], is: &[Json]) -> Option<String> {
    let (from, to, words) = match root {
        Root::Input => (was, is, "no longer among its values"),
        Root::Output => (is, was, "new among its values"),
    };
    let known: HashSet<String> = to.iter().map(Json::to_string).collect();
    let missing: Vec<&Json> = from.iter().filter(|value| !known.contains(&value.to_string())).collect();
    let verb = if missing.len() == 1 { "is" } else { "are" };
    (!missing.is_empty()).then(|| format!("{} {verb} {words}", values(&missing)))
}

fn values(values: &[&Json]) -> String {
    list(&values.iter().map(|value| plain(value)).collect::<Vec<_>>(), MOST_VALUES)
}

/// A value as it is read: names of types without quotes.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" or "),
        other => other.to_string(),
    }
}

/// Whether a bound moved so that more is taken, or less is given.
fn is_welcome(root: Root, keyword: &str, before: Option<&Json>, now: Option<&Json>) -> bool {
    let number = |value: Option<&Json>, otherwise: f64| value.map_or(Some(otherwise), Json::as_f64);
    let (is_lower, none) = match keyword {
        _ if LOWER.contains(&keyword) => (true, f64::NEG_INFINITY),
        _ if UPPER.contains(&keyword) => (false, f64::INFINITY),
        _ => return false,
    };
    let (Some(was), Some(is)) = (number(before, none), number(now, none)) else { return false };
    let is_wider = if is_lower { is <= was } else { is >= was };
    is_wider == (root == Root::Input)
}
