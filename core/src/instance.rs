//! Quick verdicts: whether a value fits a schema, without compiling anything.
//!
//! Only what is certain counts. Keywords that are not understood here make a verdict unknown, never wrong.

use crate::document::Value;
use crate::keywords::TYPES;
use crate::refs::{Resolution, Resolver};
use crate::text::excerpt;

/// Whether a value fits a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Fits,
    /// This file cannot tell.
    Unknown,
    /// It does not, with the end of a sentence about the value.
    Refused(String),
}

/// How many schemas one verdict may look at, so that references cannot multiply the work.
const FUEL: usize = 200;
/// How many branches and references may nest.
const MOST_HOPS: usize = 32;

/// Keywords that can refuse a value and that are not understood here.
const OTHERS: &[&str] = &[
    "pattern",
    "not",
    "if",
    "contains",
    "uniqueItems",
    "multipleOf",
    "propertyNames",
    "patternProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "prefixItems",
    "minProperties",
    "maxProperties",
    "$dynamicRef",
    "$recursiveRef",
];

/// The verdict on a value.
#[must_use]
pub fn verdict<'a>(schema: Value<'a>, value: Value<'_>, refs: &Resolver<'a>) -> Verdict {
    Judge { refs, fuel: FUEL }.schema(schema, value, true, 0)
}

/// The verdict on a value by everything in a schema but its own `enum` and `const`.
#[must_use]
pub fn verdict_beside_enum<'a>(schema: Value<'a>, value: Value<'_>, refs: &Resolver<'a>) -> Verdict {
    Judge { refs, fuel: FUEL }.schema(schema, value, false, 0)
}

/// Whether a value is of a type, by the type's name; nothing for an unknown name.
#[must_use]
pub fn is_of_type(value: Value<'_>, name: &str) -> Option<bool> {
    match name {
        "integer" => Some(value.as_f64().is_some_and(|number| number.fract() == 0.0)),
        known if TYPES.contains(&known) => Some(value.kind() == known),
        _ => None,
    }
}

struct Judge<'w, 'a> {
    refs: &'w Resolver<'a>,
    fuel: usize,
}

/// Collects verdicts that must all be good.
struct All(Verdict);

impl All {
    fn add(&mut self, next: Verdict) {
        match (&self.0, &next) {
            (Verdict::Refused(_), _) | (_, Verdict::Fits) => {}
            _ => self.0 = next,
        }
    }

    fn is_refused(&self) -> bool {
        matches!(self.0, Verdict::Refused(_))
    }
}

impl<'a> Judge<'_, 'a> {
    fn schema(&mut self, schema: Value<'a>, value: Value<'_>, with_enum: bool, hops: usize) -> Verdict {
        if self.fuel == 0 || hops > MOST_HOPS {
            return Verdict::Unknown;
        }
        self.fuel -= 1;
        if let Some(anything) = schema.as_bool() {
            return if anything { Verdict::Fits } else { Verdict::Refused("is not allowed at all".to_owned()) };
        }
        if !schema.is_object() {
            return Verdict::Unknown;
        }
        if let Some(reference) = schema.get("$ref") {
            return self.reference(schema, reference, value, hops);
        }
        let mut all = All(kind(schema, value));
        if with_enum && !all.is_refused() {
            all.add(listed(schema, value));
        }
        all.add(bounds(schema, value));
        if !all.is_refused() {
            all.add(self.branches(schema, value, hops));
        }
        if !all.is_refused() {
            all.add(self.members(schema, value, hops));
            all.add(self.items(schema, value, hops));
        }
        if !all.is_refused() && OTHERS.iter().any(|keyword| schema.get(keyword).is_some()) {
            return Verdict::Unknown;
        }
        all.0
    }

    /// What stands beside a reference counts in some dialects only.
    fn reference(&mut self, schema: Value<'a>, reference: Value<'a>, value: Value<'_>, hops: usize) -> Verdict {
        let resolved = reference.as_str().map(|text| self.refs.resolve(text));
        let Some(Resolution::Found { target, .. }) = resolved else { return Verdict::Unknown };
        let verdict = self.schema(target, value, true, hops + 1);
        let stands_alone =
            schema.members().all(|(key, _)| matches!(key, "$ref" | "title" | "description" | "default" | "examples"));
        if verdict == Verdict::Fits && !stands_alone { Verdict::Unknown } else { verdict }
    }

    fn branches(&mut self, schema: Value<'a>, value: Value<'_>, hops: usize) -> Verdict {
        let mut all = All(Verdict::Fits);
        for branch in schema.get("allOf").into_iter().flat_map(Value::items) {
            all.add(self.schema(branch, value, true, hops + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(branches) = schema.get(keyword).filter(|branches| !branches.is_empty()) else { continue };
            let verdicts: Vec<Verdict> =
                branches.items().map(|branch| self.schema(branch, value, true, hops + 1)).collect();
            let fitting = verdicts.iter().filter(|verdict| **verdict == Verdict::Fits).count();
            let unknown = verdicts.contains(&Verdict::Unknown);
            all.add(match (fitting, unknown) {
                (0, false) => Verdict::Refused(format!("{} and fits no branch of {keyword}", is(value))),
                (1, false) => Verdict::Fits,
                (1.., _) if keyword == "anyOf" => Verdict::Fits,
                _ => Verdict::Unknown,
            });
        }
        all.0
    }

    fn members(&mut self, schema: Value<'a>, value: Value<'_>, hops: usize) -> Verdict {
        if !value.is_object() {
            return Verdict::Fits;
        }
        let mut all = All(Verdict::Fits);
        for name in schema.get("required").into_iter().flat_map(Value::items).filter_map(Value::as_str) {
            if value.get(name).is_none() {
                all.add(Verdict::Refused(format!("lacks \"{}\", which is required", excerpt(name, 60))));
            }
        }
        let properties = schema.get("properties");
        for (name, member) in value.members() {
            let verdict = match (properties.and_then(|known| known.get(name)), schema.get("additionalProperties")) {
                (Some(known), _) => self.schema(known, member, true, hops + 1),
                (None, Some(rest)) if schema.get("patternProperties").is_none() => {
                    self.schema(rest, member, true, hops + 1)
                }
                (None, Some(_)) => Verdict::Unknown,
                (None, None) => Verdict::Fits,
            };
            all.add(inside(verdict, &format!("member \"{}\"", excerpt(name, 60))));
        }
        all.0
    }

    fn items(&mut self, schema: Value<'a>, value: Value<'_>, hops: usize) -> Verdict {
        let Some(item) = schema.get("items").filter(|_| value.is_array()) else { return Verdict::Fits };
        if item.is_array() || schema.get("prefixItems").is_some() {
            return Verdict::Unknown;
        }
        let mut all = All(Verdict::Fits);
        for (nth, value) in value.items().enumerate() {
            all.add(inside(self.schema(item, value, true, hops + 1), &format!("item {}", nth + 1)));
            if all.is_refused() {
                break;
            }
        }
        all.0
    }
}

fn inside(verdict: Verdict, place: &str) -> Verdict {
    match verdict {
        Verdict::Refused(why) => Verdict::Refused(format!("has a {place} that {why}")),
        other => other,
    }
}

/// A value as the start of a half sentence: "is null", "is the string "4"".
fn is(value: Value<'_>) -> String {
    format!("is {}", crate::keywords::shown(value))
}

fn kind(schema: Value<'_>, value: Value<'_>) -> Verdict {
    let Some(named) = schema.get("type") else { return Verdict::Fits };
    let names: Vec<&str> = match named.as_str() {
        Some(name) => vec![name],
        None => named.items().filter_map(Value::as_str).collect(),
    };
    if names.is_empty() {
        return Verdict::Unknown;
    }
    let mut fits = false;
    for name in &names {
        match is_of_type(value, name) {
            None => return Verdict::Unknown,
            Some(one) => fits |= one,
        }
    }
    if fits {
        Verdict::Fits
    } else {
        Verdict::Refused(format!("{}, but the type is {}", is(value), names.join(" or ")))
    }
}

fn listed(schema: Value<'_>, value: Value<'_>) -> Verdict {
    let values = schema.get("enum").filter(|values| values.is_array());
    if let Some(values) = values.filter(|values| !values.items().any(|one| one.same_as(value))) {
        let known: Vec<&str> = values.items().take(6).map(Value::raw).collect();
        let more = if values.len() > known.len() { ", …" } else { "" };
        return Verdict::Refused(format!("{} and not one of {}{more}", is(value), excerpt(&known.join(", "), 120)));
    }
    match schema.get("const") {
        Some(one) if !one.same_as(value) => {
            Verdict::Refused(format!("{} and not {}", is(value), excerpt(one.raw(), 60)))
        }
        _ => Verdict::Fits,
    }
}

fn bounds(schema: Value<'_>, value: Value<'_>) -> Verdict {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let refused = |way: &str, keyword: &str| {
        let limit = schema.get(keyword).map_or("", Value::raw);
        Verdict::Refused(format!("{}, {way} {}", is(value), excerpt(limit, 40)))
    };
    if let Some(number) = value.as_f64() {
        // Draft 4 writes `exclusiveMinimum: true`, which is no number and therefore ignored here.
        return match number {
            _ if bound("minimum").is_some_and(|limit| number < limit) => refused("below the minimum", "minimum"),
            _ if bound("maximum").is_some_and(|limit| number > limit) => refused("above the maximum", "maximum"),
            _ if bound("exclusiveMinimum").is_some_and(|limit| number <= limit) => {
                refused("not above the exclusive minimum", "exclusiveMinimum")
            }
            _ if bound("exclusiveMaximum").is_some_and(|limit| number >= limit) => {
                refused("not below the exclusive maximum", "exclusiveMaximum")
            }
            _ => Verdict::Fits,
        };
    }
    let (length, least, most) = match value.as_str() {
        Some(text) => (text.chars().count(), "minLength", "maxLength"),
        None if value.is_array() => (value.len(), "minItems", "maxItems"),
        None => return Verdict::Fits,
    };
    let length = length as f64;
    if bound(least).is_some_and(|limit| length < limit) {
        return refused("shorter than", least);
    }
    if bound(most).is_some_and(|limit| length > limit) {
        return refused("longer than", most);
    }
    Verdict::Fits
}
