//! What one schema says in all of its parts that apply to the same value: references and branches included.

use std::collections::HashSet;

use serde_json::{Map, Value as Json, json};

use crate::document::{Value, push_token};
use crate::refs::{Resolution, Resolver};
use crate::walk::Root;

/// References and branches that are followed one behind the other.
const MOST_HOPS: usize = 16;
/// Parts of one schema that are read: branches of branches may be very many.
const MOST_PARTS: usize = 500;

/// A schema, and the JSON pointer of it in the schema of its tool.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) value: Value<'a>,
    pub(super) pointer: String,
}

impl<'a> Place<'a> {
    pub(super) fn root(value: Value<'a>) -> Self {
        Self { value, pointer: String::new() }
    }

    fn inside(&self, keys: &[&str], value: Value<'a>) -> Self {
        let mut pointer = self.pointer.clone();
        keys.iter().for_each(|key| push_token(&mut pointer, key));
        Self { value, pointer }
    }
}

/// The members of an object, and the items of a list.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    /// Members by name, in order, each once.
    pub(super) properties: Vec<(&'a str, Place<'a>)>,
    /// Names of members that have to be there, whichever branch applies.
    pub(super) required: HashSet<&'a str>,
    pub(super) items: Option<Place<'a>>,
    /// The schema of members that are not listed.
    pub(super) map: Option<Place<'a>>,
    /// Whether it says that others than the listed members are taken.
    pub(super) takes_others: bool,
    /// Whether every part could be read.
    pub(super) is_whole: bool,
    /// Parts that may be read yet.
    left: usize,
}

/// What a schema and its parts say together.
pub(super) fn shape<'a>(place: &Place<'a>, refs: &Resolver<'a>) -> Shape<'a> {
    let mut shape = Shape {
        properties: Vec::new(),
        required: HashSet::new(),
        items: None,
        map: None,
        takes_others: false,
        is_whole: true,
        left: MOST_PARTS,
    };
    let mut names = HashSet::new();
    shape.required = gather(place, refs, &mut shape, &mut names, MOST_HOPS);
    shape
}

/// Adds a part to a shape; gives the names that it requires.
fn gather<'a>(
    place: &Place<'a>,
    refs: &Resolver<'a>,
    shape: &mut Shape<'a>,
    names: &mut HashSet<&'a str>,
    hops: usize,
) -> HashSet<&'a str> {
    let schema = place.value;
    let (Some(hops), Some(left)) = (hops.checked_sub(1), shape.left.checked_sub(1)) else {
        shape.is_whole = false;
        return HashSet::new();
    };
    shape.left = left;
    let mut required: HashSet<&str> =
        schema.get("required").into_iter().flat_map(Value::items).filter_map(Value::as_str).collect();
    for (name, value) in schema.get("properties").into_iter().flat_map(Value::members) {
        if is_schema(value) && names.insert(name) {
            shape.properties.push((name, place.inside(&["properties", name], value)));
        }
    }
    inner(place, shape);
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        match target(place, reference, refs) {
            Some(target) => required.extend(gather(&target, refs, shape, names, hops)),
            None => shape.is_whole = false,
        }
    }
    for branch in branches(place, "allOf") {
        required.extend(gather(&branch, refs, shape, names, hops));
    }
    for keyword in ["anyOf", "oneOf"] {
        // A branch that is no object requires no member, and forbids none.
        let branches = branches(place, keyword).filter(|branch| may_be_object(refs.follow(branch.value)));
        let sets: Vec<HashSet<&str>> = branches.map(|branch| gather(&branch, refs, shape, names, hops)).collect();
        let common = sets.into_iter().reduce(|left, right| left.intersection(&right).copied().collect());
        required.extend(common.into_iter().flatten());
    }
    for keyword in ["then", "else"] {
        if let Some(value) = schema.get(keyword).filter(|value| value.is_object()) {
            gather(&place.inside(&[keyword], value), refs, shape, names, hops);
        }
    }
    required
}

/// The items of a list, and what is said about members that are not listed.
fn inner<'a>(place: &Place<'a>, shape: &mut Shape<'a>) {
    if let Some(items) = place.value.get("items").filter(|items| is_schema(*items)) {
        shape.items.get_or_insert_with(|| place.inside(&["items"], items));
    }
    if let Some(others) = place.value.get("additionalProperties") {
        shape.takes_others |= others.as_bool() == Some(true) || others.is_object();
        if others.is_object() {
            shape.map.get_or_insert_with(|| place.inside(&["additionalProperties"], others));
        }
    }
    shape.takes_others |= place.value.get("patternProperties").is_some();
}

fn branches<'p, 'a>(place: &'p Place<'a>, keyword: &'p str) -> impl Iterator<Item = Place<'a>> + use<'p, 'a> {
    let items = place.value.get(keyword).into_iter().flat_map(Value::items).enumerate();
    items.map(move |(nth, value)| place.inside(&[keyword, &nth.to_string()], value))
}

/// Where a reference leads; nothing where that is not in the schema, or has no pointer.
fn target<'a>(place: &Place<'a>, reference: &'a str, refs: &Resolver<'a>) -> Option<Place<'a>> {
    let Resolution::Found { target, tokens } = refs.resolve(reference) else { return None };
    let is_root = target.span() == refs.root().span();
    // An anchor has no pointer of its own: what it leads to is shown where it is used.
    let start = if tokens.is_empty() && !is_root { place.clone() } else { Place::root(target) };
    let tokens: Vec<&str> = tokens.iter().map(AsRef::as_ref).collect();
    Some(start.inside(&tokens, target))
}

fn is_schema(value: Value<'_>) -> bool {
    value.is_object() || value.as_bool().is_some()
}

fn may_be_object(schema: Value<'_>) -> bool {
    match schema.get("type") {
        Some(kind) if kind.is_array() => kind.items().any(|kind| kind.as_str() == Some("object")),
        Some(kind) => kind.as_str() == Some("object"),
        None => schema.is_object(),
    }
}

/// What a schema says of its value alone, apart from members and items.
#[derive(Debug)]
pub(super) struct Own {
    /// Keywords that need no other schema to be understood.
    pub(super) plain: Map<String, Json>,
    /// Whether these are all there are.
    pub(super) is_plain: bool,
}

/// Keywords about a value alone.
pub(super) const PLAIN: &[&str] = &[
    "type",
    "enum",
    "const",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// Keywords about a value that hold other schemas, or speak of several members.
pub(super) const TANGLED: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "prefixItems",
    "additionalItems",
    "contains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "$dynamicRef",
    "$recursiveRef",
];

/// The keywords of a schema and of what it refers to; a union with null is taken for the type it widens.
pub(super) fn own<'a>(schema: Value<'a>, refs: &Resolver<'a>, root: Root, lists: bool) -> Own {
    let mut own = Own { plain: Map::new(), is_plain: true };
    let mut is_nullable = false;
    let mut others = None;
    let mut next = Some(schema);
    for _ in 0..MOST_HOPS {
        let Some(schema) = next else { break };
        for (keyword, value) in schema.members() {
            if PLAIN.contains(&keyword) {
                // Two parts that say something of the same are more than the one or the other.
                own.is_plain &= own.plain.insert(keyword.to_owned(), value.to_json()).is_none();
            }
        }
        others = others.or_else(|| schema.get("additionalProperties").and_then(Value::as_bool));
        let only = only_branch_beside_null(schema);
        is_nullable |= only.is_some();
        let is_tangled = |keyword: &str| schema.get(keyword).is_some() && !(only.is_some() && keyword == "anyOf");
        own.is_plain &= !TANGLED.iter().any(|keyword| is_tangled(keyword));
        let reference = schema.get("$ref").and_then(Value::as_str);
        own.is_plain &= !(reference.is_some() && only.is_some());
        next = match reference.map(|reference| refs.resolve(reference)) {
            Some(Resolution::Found { target, .. }) => Some(target),
            Some(_) => {
                own.is_plain = false;
                None
            }
            None => only,
        };
        own.is_plain &= schema.as_bool() != Some(false);
    }
    own.is_plain &= next.is_none();
    if is_nullable {
        allow_null(&mut own);
    }
    // Objects that list their members are held to be closed where they are sent, and open where they are read.
    if root == Root::Input && others != Some(true) && (others == Some(false) || lists) {
        own.plain.insert("additionalProperties".to_owned(), false.into());
    }
    own
}

/// The other branch, where a schema is something or null.
fn only_branch_beside_null(schema: Value<'_>) -> Option<Value<'_>> {
    let branches = schema.get("anyOf").filter(|branches| branches.len() == 2)?;
    let is_null = |branch: &Value<'_>| branch.len() == 1 && branch.get("type").and_then(Value::as_str) == Some("null");
    let mut others = branches.items().filter(|branch| !is_null(branch));
    others.next().filter(|other| others.next().is_none() && other.is_object())
}

fn allow_null(own: &mut Own) {
    // What is said beside the union holds for null too, and a constant is no list that null could join.
    own.is_plain &= !own.plain.contains_key("const");
    match own.plain.get_mut("type") {
        Some(Json::Array(kinds)) if !kinds.contains(&json!("null")) => kinds.push("null".into()),
        Some(Json::Array(_)) | None => {}
        Some(kind) => *kind = json!([kind, "null"]),
    }
    if let Some(Json::Array(values)) = own.plain.get_mut("enum") {
        values.push(Json::Null);
    }
}
