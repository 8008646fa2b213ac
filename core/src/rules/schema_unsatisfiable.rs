//! A schema that no value matches.

use super::prelude::*;
use crate::instance::{Verdict, is_of_type, verdict_beside_enum};
use crate::refs::refers;
use crate::schema::{Validator, has_too_many_readings, is_unsatisfiable};
use crate::view::compact_size;
use crate::walk::{Visit, walk};

pub static RULE: Rule = Rule {
    id: "schema-unsatisfiable",
    summary: "no value at all can match the input schema, or a part of it",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("schema_unsatisfiable.md"),
    check: Check::Tool(check),
};

/// How many parts of one tool's schema are considered for a proof.
const MOST_TRIES: usize = 64;
/// How much of one tool's schema is proved anything about, in bytes.
const MOST_PROVED: usize = 50_000;

/// How many schemas are followed in search of an object that must contain itself.
const MOST_HOPS: usize = 64;

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let mut seen = Seen::default();
    walk(tool, Root::Input, &mut |visit| {
        if let Visit::Schema(node) = visit {
            look(&node, &mut seen, out);
        }
    });
    let Some(schema) = tool.input_schema() else { return };
    // What was found in one place, or what another rule reports, explains the whole.
    let is_said = seen.reported || seen.lacks_required;
    if seen.needs_proof && !is_said && seen.cannot_match(schema) {
        let message = "No arguments at all can match this schema: its parts contradict each other.";
        out.report(tool.site_at(&["inputSchema"]), message);
    }
}

#[derive(Default)]
struct Seen {
    /// How many parts were considered for a proof.
    tries: usize,
    /// Bytes of the schemas that a proof was tried for.
    proved: usize,
    /// A contradiction was found in one place, which explains what follows from it.
    reported: bool,
    /// An object that must contain itself was found; every reference to it says the same.
    endless: bool,
    /// A closed object requires what it does not declare: another rule's.
    lacks_required: bool,
    /// Parts of the schema restrict each other in ways that only a proof can judge.
    needs_proof: bool,
}

impl Seen {
    /// The proof, for valid schemas of a usual size.
    fn cannot_match(&mut self, schema: Value<'_>) -> bool {
        let size = compact_size(schema);
        if self.proved + size > MOST_PROVED || has_too_many_readings(schema) {
            return false;
        }
        self.proved += size;
        is_unsatisfiable(schema) && Validator::compile(schema).is_ok()
    }
}

fn look(node: &SchemaNode<'_, '_>, seen: &mut Seen, out: &mut Out<'_>) {
    let needs_proof = restricts_itself(node.value);
    seen.needs_proof |= needs_proof;
    seen.lacks_required |= closed_without_required(node.value);
    // A branch that nothing matches costs nothing as long as another one is left.
    if node.is_branch || !node.declares {
        return;
    }
    let endless = || (!seen.endless).then(|| endless(node)).flatten();
    if let Some((keys, message)) = contradiction(node).or_else(endless) {
        seen.reported = true;
        seen.endless |= keys == ["$ref"];
        out.report(node.site_at(&keys), message);
        return;
    }
    let is_provable = needs_proof && !node.is_root() && !seen.lacks_required && seen.tries < MOST_TRIES;
    seen.tries += usize::from(is_provable);
    if is_provable && !refers(node.value) && seen.cannot_match(node.value) {
        seen.reported = true;
        let message = format!("No value can match \"{}\": its parts contradict each other.", visible(&node.path()));
        out.report(node.site(), message);
    }
}

/// Whether the parts of a schema restrict each other in ways that only a proof can judge.
fn restricts_itself(schema: Value<'_>) -> bool {
    let has = |keyword: &str| schema.get(keyword).is_some();
    let is_either = has("anyOf") || has("oneOf");
    has("not")
        || has("allOf")
        || has("if")
        || (has("$ref") && has("type"))
        || (is_either && (has("type") || has("properties") || has("required") || has("enum")))
}

fn closed_without_required(schema: Value<'_>) -> bool {
    schema.get("additionalProperties").and_then(Value::as_bool) == Some(false) && {
        let known = |name: &str| schema.get("properties").is_some_and(|all| all.get(name).is_some());
        schema.get("required").into_iter().flat_map(Value::items).filter_map(Value::as_str).any(|name| !known(name))
    }
}

/// Keywords of one schema that exclude each other.
fn contradiction(node: &SchemaNode<'_, '_>) -> Option<(Vec<&'static str>, String)> {
    let schema = node.value;
    let values = schema.get("enum").filter(|values| values.is_array() && !values.is_empty());
    if let Some(values) = values {
        if values.items().all(|value| is_refused(node, value)) {
            let known: Vec<&str> = values.items().take(4).map(Value::raw).collect();
            let known = excerpt(&known.join(", "), 80);
            return Some((
                vec!["enum"],
                format!("No value of `enum` ({known}) fits the rest of this schema{}.", kind_of(schema)),
            ));
        }
    } else if let Some(value) = schema.get("const").filter(|value| is_refused(node, *value)) {
        let known = excerpt(value.raw(), 60);
        return Some((
            vec!["const"],
            format!("The `const` {known} does not fit the rest of this schema{}.", kind_of(schema)),
        ));
    }
    BOUNDS.iter().find_map(|(kinds, least, most, is_open)| {
        let (low, high) = (schema.get(least)?.as_f64()?, schema.get(most)?.as_f64()?);
        let crosses = if *is_open { low >= high } else { low > high };
        (crosses && is_only(schema, kinds)).then(|| {
            let shown = |keyword: &str| excerpt(schema.get(keyword).map_or("", Value::raw), 40);
            (vec![*least], format!("`{least}` is {} and `{most}` is {}, so no value fits.", shown(least), shown(most)))
        })
    })
}

/// Types, lower and upper bound, and whether equal bounds leave nothing.
type Bounds = (&'static [&'static str], &'static str, &'static str, bool);

const NUMBERS: &[&str] = &["number", "integer"];
const BOUNDS: &[Bounds] = &[
    (NUMBERS, "minimum", "maximum", false),
    (NUMBERS, "exclusiveMinimum", "maximum", true),
    (NUMBERS, "minimum", "exclusiveMaximum", true),
    (NUMBERS, "exclusiveMinimum", "exclusiveMaximum", true),
    (&["string"], "minLength", "maxLength", false),
    (&["array"], "minItems", "maxItems", false),
    (&["object"], "minProperties", "maxProperties", false),
];

fn is_refused(node: &SchemaNode<'_, '_>, value: Value<'_>) -> bool {
    matches!(verdict_beside_enum(node.value, value, node.refs), Verdict::Refused(_))
}

fn kind_of(schema: Value<'_>) -> String {
    let kind = schema.get("type").and_then(Value::as_str);
    let differs = |name: &&str| {
        let values = schema.get("enum").into_iter().flat_map(Value::items).chain(schema.get("const"));
        values.take(20).all(|value| is_of_type(value, name) == Some(false))
    };
    kind.filter(differs).map_or_else(String::new, |name| format!(", whose type is {name}"))
}

/// Whether a schema allows these types alone.
fn is_only(schema: Value<'_>, kinds: &[&str]) -> bool {
    let Some(named) = schema.get("type") else { return false };
    match named.as_str() {
        Some(name) => kinds.contains(&name),
        None => !named.is_empty() && named.items().all(|name| name.as_str().is_some_and(|name| kinds.contains(&name))),
    }
}

/// An object that must contain itself.
fn endless(node: &SchemaNode<'_, '_>) -> Option<(Vec<&'static str>, String)> {
    let reference = node.get("$ref").and_then(Value::as_str)?;
    let target = node.refs.follow(node.value);
    let mut inside = HashSet::new();
    let is_endless = must_contain(target, target, node.refs, &mut inside);
    is_endless.then(|| {
        (vec!["$ref"], format!("\"{}\" requires a value of its own kind inside, without end.", excerpt(reference, 80)))
    })
}

/// Whether every value of a schema contains a value of another schema, by required members alone.
fn must_contain<'a>(schema: Value<'a>, wanted: Value<'a>, refs: &Resolver<'a>, seen: &mut HashSet<u32>) -> bool {
    if seen.len() == MOST_HOPS || !seen.insert(schema.span().start) {
        return false;
    }
    let mut inner: Vec<Value<'a>> = Vec::new();
    if is_only(schema, &["object"]) {
        let names = schema.get("required").into_iter().flat_map(Value::items).filter_map(Value::as_str);
        inner.extend(names.filter_map(|name| schema.get("properties")?.get(name)));
    } else if is_only(schema, &["array"])
        && schema.get("minItems").and_then(Value::as_u64).is_some_and(|least| least > 0)
    {
        inner.extend(schema.get("items"));
    }
    inner
        .into_iter()
        .map(|one| refs.follow(one))
        .any(|one| one.span() == wanted.span() || must_contain(one, wanted, refs, seen))
}
