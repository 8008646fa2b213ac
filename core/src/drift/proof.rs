//! Whether a schema still takes what it took, or gives only what it gave.
//!
//! An object that lists its members and says nothing about others takes any others, so that by the letter a
//! new optional argument narrows it: what was any value is now a value of one type. Nobody means that. Both
//! sides of an input are closed first, and those of an output opened.

use std::cell::Cell;

use serde_json::{Map, Value as Json, json};

use crate::document::Value;
use crate::schema::{Cover, Parts, Validator, has_too_many_readings};
use crate::view::compact_size;
use crate::walk::{LISTS, MAPS, Root, SINGLE};

/// How much of one tool's schemas is proved anything about, in bytes.
const MOST_PROVED: usize = 50_000;

/// A schema as it is proved about.
pub(super) struct Prepared {
    json: Json,
    /// Whether it was closed, so that what is refused is refused to a caller who keeps to the listed members.
    is_exact: bool,
    size: usize,
    is_usual: bool,
}

impl Prepared {
    pub(super) fn new(schema: Value<'_>, root: Root) -> Self {
        let size = compact_size(schema);
        let is_usual = size <= MOST_PROVED && !has_too_many_readings(schema);
        // What nothing is proved about need not be copied.
        let mut json = if is_usual { schema.to_json() } else { Json::Null };
        let is_exact = match root {
            Root::Output => {
                open(&mut json);
                true
            }
            Root::Input => {
                let mut closed = json.clone();
                let is_exact = close(&mut closed, true);
                if is_exact {
                    json = closed;
                }
                is_exact
            }
        };
        Self { json, is_exact, size, is_usual }
    }
}

/// Two schemas of which one follows the other.
pub(super) struct Proof<'s> {
    root: Root,
    before: Parts<'s>,
    now: Parts<'s>,
    is_exact: bool,
    /// What one proof costs, and how much may be spent yet, in bytes.
    cost: usize,
    left: Cell<usize>,
}

impl<'s> Proof<'s> {
    pub(super) fn new(root: Root, before: &'s Prepared, now: &'s Prepared) -> Self {
        let is_usual = before.is_usual && now.is_usual;
        Self {
            root,
            before: Parts::of(&before.json),
            now: Parts::of(&now.json),
            is_exact: before.is_exact && now.is_exact,
            cost: before.size + now.size,
            left: Cell::new(if is_usual { 2 * MOST_PROVED } else { 0 }),
        }
    }

    /// Whether parts at two pointers are such that callers notice nothing.
    pub(super) fn holds(&self, before: &str, now: &str) -> Cover {
        let Some(left) = self.left.get().checked_sub(self.cost) else { return Cover::Unknown };
        self.left.set(left);
        let cover = match self.root {
            Root::Input => self.now.covers(now, &self.before, before),
            Root::Output => self.before.covers(before, &self.now, now),
        };
        if cover == Cover::No && !self.is_exact { Cover::Unknown } else { cover }
    }
}

/// The same for two schemas on their own, without references.
pub(super) fn holds(root: Root, before: &Json, now: &Json) -> Cover {
    let (wide, narrow) = match root {
        Root::Input => (now, before),
        Root::Output => (before, now),
    };
    match Parts::of(wide).covers("", &Parts::of(narrow), "") {
        Cover::Unknown if is_refuted(wide, narrow) => Cover::No,
        cover => cover,
    }
}

/// Whether one of a few values shows that a schema does not take all that another one takes.
fn is_refuted(wide: &Json, narrow: &Json) -> bool {
    let (Ok(wide), Ok(narrow)) = (Validator::compile_json(wide), Validator::compile_json(narrow)) else { return false };
    let samples = [
        json!(0.5),
        json!(0),
        json!(1),
        json!(-1),
        json!(""),
        json!("a"),
        json!(true),
        json!(null),
        json!([]),
        json!({}),
    ];
    samples.iter().any(|sample| narrow.accepts(sample) && !wide.accepts(sample))
}

/// Keywords that apply several schemas to one object, or turn one around: closing one of them would refuse what
/// the others allow.
const TANGLED: &[&str] = &["allOf", "not", "if", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef"];

/// Members that say what becomes of others.
const ABOUT_OTHERS: &[&str] = &["additionalProperties", "unevaluatedProperties", "patternProperties"];

/// Lets objects take the members alone that they list, where nothing is said about others; tells whether that
/// is what the schema means.
fn close(schema: &mut Json, is_root: bool) -> bool {
    let Some(members) = schema.as_object_mut() else { return true };
    unwrap_only_branch(members);
    let mut is_exact = !TANGLED.iter().any(|keyword| members.contains_key(*keyword));
    let lists = members.contains_key("properties");
    let is_shared = is_shared(members);
    is_exact &= !(lists && is_shared);
    if (lists || is_root) && !is_shared && !ABOUT_OTHERS.iter().any(|keyword| members.contains_key(*keyword)) {
        members.insert("additionalProperties".to_owned(), false.into());
    }
    each_inside(members, &mut |inner| is_exact &= close(inner, false));
    is_exact
}

/// Older generators put a reference into an `allOf` of one, to write a description beside it.
fn unwrap_only_branch(members: &mut Map<String, Json>) {
    let only = members.get("allOf").and_then(Json::as_array).filter(|branches| branches.len() == 1);
    let Some(Json::Object(only)) = only.and_then(|branches| branches.first()).cloned() else { return };
    if only.keys().all(|keyword| !members.contains_key(keyword)) {
        members.remove("allOf");
        members.extend(only);
    }
}

/// Whether a branch or a reference beside the listed members may list others for the same object.
fn is_shared(members: &Map<String, Json>) -> bool {
    let lists_more = |branch: &Json| branch.as_object().is_some_and(|inner| inner.keys().any(|key| key != "required"));
    let branches = ["anyOf", "oneOf"].iter().filter_map(|keyword| members.get(*keyword)?.as_array());
    members.contains_key("$ref") || branches.flatten().any(lists_more)
}

/// Forgets that objects are closed: who reads a result passes over members that he does not know.
fn open(schema: &mut Json) {
    let Some(members) = schema.as_object_mut() else { return };
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        if members.get(keyword) == Some(&Json::Bool(false)) {
            members.remove(keyword);
        }
    }
    each_inside(members, &mut open);
}

/// Calls back for every schema right inside one.
fn each_inside(members: &mut Map<String, Json>, visit: &mut dyn FnMut(&mut Json)) {
    for (keyword, value) in members {
        match value {
            Json::Array(items) if LISTS.contains(&keyword.as_str()) => items.iter_mut().for_each(&mut *visit),
            Json::Object(inner) if MAPS.contains(&keyword.as_str()) => inner.values_mut().for_each(&mut *visit),
            Json::Object(_) if SINGLE.contains(&keyword.as_str()) => visit(value),
            _ => {}
        }
    }
}
