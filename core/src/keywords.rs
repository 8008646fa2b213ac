//! The shape that each JSON Schema keyword's value must have, as data, and the faults found by it.
//!
//! The verdict is that of the official meta-schemas, node by node; our own words say which value is
//! wrong, what was probably meant and what usually writes it.

use std::borrow::Cow;

use crate::document::Value;
use crate::schema::is_pattern;
use crate::text::{excerpt, list, visible};

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09.
    Draft2019,
    /// 2020-12, which the protocol takes where nothing else is named.
    Draft2020,
}

impl Dialect {
    /// The dialect a schema's root names; 2020-12 where it names none, nothing where it is unknown.
    #[must_use]
    pub fn of(root: Value<'_>) -> Option<Self> {
        let Some(named) = root.get("$schema") else { return Some(Self::Draft2020) };
        let Some(named) = named.as_str() else { return Some(Self::Draft2020) };
        let words = [
            ("draft-04", Self::Draft4),
            ("draft-06", Self::Draft6),
            ("draft-07", Self::Draft7),
            ("2019-09", Self::Draft2019),
            ("2020-12", Self::Draft2020),
        ];
        words.into_iter().find(|(word, _)| named.contains(word)).map(|(_, dialect)| dialect)
    }

    /// Its name in a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "JSON Schema draft 4",
            Self::Draft6 => "JSON Schema draft 6",
            Self::Draft7 => "JSON Schema draft 7",
            Self::Draft2019 => "JSON Schema 2019-09",
            Self::Draft2020 => "JSON Schema 2020-12",
        }
    }
}

/// What a keyword's value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Text,
    Anchor,
    Id,
    Flag,
    Number,
    /// A number above zero.
    Positive,
    /// A whole number, not negative.
    Count,
    Pattern,
    Type,
    /// Different strings.
    Names,
    /// Different strings, one at least.
    SomeNames,
    Array,
    Schema,
    SchemaOrFlag,
    /// A schema, or a list of them.
    Items,
    Schemas,
    SchemaMap,
    /// Schemas by regular expression.
    PatternMap,
    /// Schemas or lists of names, by name.
    Dependencies,
    NamesMap,
    FlagMap,
}

struct Keyword {
    name: &'static str,
    shape: Shape,
    since: Dialect,
    until: Dialect,
}

const fn always(name: &'static str, shape: Shape) -> Keyword {
    Keyword { name, shape, since: Dialect::Draft4, until: Dialect::Draft2020 }
}

const fn since(since: Dialect, name: &'static str, shape: Shape) -> Keyword {
    Keyword { name, shape, since, until: Dialect::Draft2020 }
}

const fn until(until: Dialect, name: &'static str, shape: Shape) -> Keyword {
    Keyword { name, shape, since: Dialect::Draft4, until }
}

const fn only(dialect: Dialect, name: &'static str, shape: Shape) -> Keyword {
    Keyword { name, shape, since: dialect, until: dialect }
}

use Dialect::{Draft4, Draft6, Draft7, Draft2019, Draft2020};

/// Every keyword with a shape. What is not here may hold anything: `default`, `const`, unknown words.
const KEYWORDS: &[Keyword] = &[
    always("type", Shape::Type),
    always("properties", Shape::SchemaMap),
    until(Draft4, "required", Shape::SomeNames),
    since(Draft6, "required", Shape::Names),
    always("description", Shape::Text),
    always("title", Shape::Text),
    always("enum", Shape::Array),
    until(Draft2019, "items", Shape::Items),
    since(Draft2020, "items", Shape::Schema),
    until(Draft4, "additionalProperties", Shape::SchemaOrFlag),
    since(Draft6, "additionalProperties", Shape::Schema),
    always("format", Shape::Text),
    always("pattern", Shape::Pattern),
    always("minLength", Shape::Count),
    always("maxLength", Shape::Count),
    always("minItems", Shape::Count),
    always("maxItems", Shape::Count),
    always("minProperties", Shape::Count),
    always("maxProperties", Shape::Count),
    since(Draft2019, "minContains", Shape::Count),
    since(Draft2019, "maxContains", Shape::Count),
    always("minimum", Shape::Number),
    always("maximum", Shape::Number),
    until(Draft4, "exclusiveMinimum", Shape::Flag),
    until(Draft4, "exclusiveMaximum", Shape::Flag),
    since(Draft6, "exclusiveMinimum", Shape::Number),
    since(Draft6, "exclusiveMaximum", Shape::Number),
    always("multipleOf", Shape::Positive),
    always("uniqueItems", Shape::Flag),
    always("allOf", Shape::Schemas),
    always("anyOf", Shape::Schemas),
    always("oneOf", Shape::Schemas),
    always("not", Shape::Schema),
    since(Draft7, "if", Shape::Schema),
    since(Draft7, "then", Shape::Schema),
    since(Draft7, "else", Shape::Schema),
    since(Draft6, "$ref", Shape::Text),
    since(Draft2019, "$defs", Shape::SchemaMap),
    always("definitions", Shape::SchemaMap),
    always("patternProperties", Shape::PatternMap),
    since(Draft6, "propertyNames", Shape::Schema),
    since(Draft6, "contains", Shape::Schema),
    since(Draft2020, "prefixItems", Shape::Schemas),
    until(Draft4, "additionalItems", Shape::SchemaOrFlag),
    Keyword { name: "additionalItems", shape: Shape::Schema, since: Draft6, until: Draft2019 },
    since(Draft2019, "unevaluatedItems", Shape::Schema),
    since(Draft2019, "unevaluatedProperties", Shape::Schema),
    since(Draft2019, "dependentSchemas", Shape::SchemaMap),
    since(Draft2019, "dependentRequired", Shape::NamesMap),
    always("dependencies", Shape::Dependencies),
    since(Draft6, "examples", Shape::Array),
    since(Draft7, "readOnly", Shape::Flag),
    since(Draft7, "writeOnly", Shape::Flag),
    since(Draft2019, "deprecated", Shape::Flag),
    since(Draft7, "contentMediaType", Shape::Text),
    since(Draft7, "contentEncoding", Shape::Text),
    since(Draft2019, "contentSchema", Shape::Schema),
    since(Draft7, "$comment", Shape::Text),
    always("$schema", Shape::Text),
    only(Draft4, "id", Shape::Text),
    Keyword { name: "$id", shape: Shape::Text, since: Draft6, until: Draft7 },
    since(Draft2019, "$id", Shape::Id),
    since(Draft2019, "$anchor", Shape::Anchor),
    since(Draft2020, "$dynamicRef", Shape::Text),
    since(Draft2020, "$dynamicAnchor", Shape::Anchor),
    since(Draft2019, "$recursiveRef", Shape::Text),
    only(Draft2019, "$recursiveAnchor", Shape::Flag),
    since(Draft2020, "$recursiveAnchor", Shape::Anchor),
    since(Draft2019, "$vocabulary", Shape::FlagMap),
];

/// The type names of JSON Schema.
pub const TYPES: &[&str] = &["array", "boolean", "integer", "null", "number", "object", "string"];

/// How many faults of one schema are told apart.
const MOST_FAULTS: usize = 100;

/// A value that its keyword does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The way down from the schema to the value; lists of words are named as a whole.
    pub keys: Vec<String>,
    /// The word in the list, where one is meant.
    pub about: String,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What to do, as a sentence.
    pub fix: Cow<'static, str>,
}

/// Everything in one schema, its sub-schemas left out, that the dialect's meta-schema refuses. A property
/// whose schema is a boolean is left to its own rule.
#[must_use]
pub fn faults(schema: Value<'_>, dialect: Dialect) -> Vec<Fault> {
    let mut found = Faults { schema, dialect, found: Vec::new() };
    for (name, value) in schema.members() {
        let known = KEYWORDS.iter().find(|known| known.name == name && (known.since..=known.until).contains(&dialect));
        if let Some(keyword) = known {
            found.check(keyword, value);
        }
    }
    if dialect == Dialect::Draft4 {
        found.bounds_of_draft_4();
    }
    found.found
}

struct Faults<'a> {
    schema: Value<'a>,
    dialect: Dialect,
    found: Vec<Fault>,
}

const OMIT_NULL: &str = "Leave the member out instead of sending null: `omitempty` in Go, `@JsonInclude(NON_NULL)` in Java, `skip_serializing_if` in Rust.";
const PHP_ARRAY: &str =
    "Send `{}`: PHP writes an empty array as `[]` unless it is cast to an object, as in `(object) []`.";

impl<'a> Faults<'a> {
    fn add(&mut self, keys: &[&str], message: String, fix: impl Into<Cow<'static, str>>) {
        if self.found.len() == MOST_FAULTS {
            return;
        }
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        self.found.push(Fault { keys, about: String::new(), message, fix: fix.into() });
    }

    /// A fault of one item of a list of words.
    fn add_item(&mut self, keys: &[&str], about: &str, message: String, fix: impl Into<Cow<'static, str>>) {
        let before = self.found.len();
        self.add(keys, message, fix);
        if let Some(added) = self.found.get_mut(before) {
            added.about = about.to_owned();
        }
    }

    /// The usual sentence: what is there, what must be there.
    fn unfit(&mut self, keys: &[&str], value: Value<'_>, must: &str, fix: impl Into<Cow<'static, str>>) {
        let name = match keys {
            [keyword] => format!("`{}`", visible(keyword)),
            [keyword, rest @ ..] => format!("`{}` in `{}`", visible(&rest.join("/")), visible(keyword)),
            [] => "This".to_owned(),
        };
        let fix = if value.is_null() { OMIT_NULL.into() } else { fix.into() };
        self.add(keys, format!("{name} is {}; it must be {must}.", shown(value)), fix);
    }

    fn check(&mut self, keyword: &Keyword, value: Value<'a>) {
        let name = keyword.name;
        match keyword.shape {
            Shape::Text if value.as_str().is_none() => self.unfit(&[name], value, "a string", "Write it as a string."),
            Shape::Text => {}
            Shape::Anchor => {
                let fits = if self.dialect == Dialect::Draft2019 { is_anchor_of_2019 } else { is_anchor };
                self.identifier(name, value, fits, "a letter, then letters, digits, `-`, `_` or `.`");
            }
            Shape::Id => self.identifier(name, value, is_id, "a URI without a fragment"),
            Shape::Flag if value.as_bool().is_none() => {
                self.unfit(&[name], value, "true or false", "Write true or false, without quotes.");
            }
            Shape::Flag => {}
            Shape::Number => self.number(name, value),
            Shape::Positive => self.positive(name, value),
            Shape::Count => self.count(name, value),
            Shape::Pattern => self.pattern(name, value),
            Shape::Type => self.kind(value),
            Shape::Names | Shape::SomeNames => self.required(name, value, keyword.shape == Shape::SomeNames),
            Shape::Array if !value.is_array() => {
                let fix =
                    if value.as_str().is_some() { "Put the value into an array." } else { "Write it as an array." };
                self.unfit(&[name], value, "an array", fix);
            }
            Shape::Array => {}
            Shape::Schema | Shape::SchemaOrFlag => self.schema(name, value, keyword.shape == Shape::SchemaOrFlag),
            Shape::Items => self.items(name, value),
            Shape::Schemas => self.schemas(name, value),
            Shape::SchemaMap => self.map(name, value),
            Shape::PatternMap => {
                self.map(name, value);
                self.patterns_of(name, value);
            }
            Shape::Dependencies => self.dependencies(name, value),
            Shape::NamesMap => self.names_map(name, value),
            Shape::FlagMap => self.flag_map(name, value),
        }
    }

    fn identifier(&mut self, name: &str, value: Value<'a>, fits: fn(&str) -> bool, must: &str) {
        if !value.as_str().is_some_and(fits) {
            self.unfit(&[name], value, must, "Write it as the standard asks, or leave it out.");
        }
    }

    fn number(&mut self, name: &str, value: Value<'a>) {
        if value.is_number() {
            return;
        }
        let (bound, way) = if name.ends_with("Maximum") { ("maximum", "below") } else { ("minimum", "above") };
        let fix = match (value.as_bool(), self.schema.get(bound).filter(|bound| bound.is_number())) {
            (Some(true), Some(limit)) => format!(
                "Write `\"{name}\": {}` and drop `{bound}`: a boolean here is the draft 4 way to say {way}.",
                excerpt(limit.raw(), 40)
            ),
            (Some(true), None) => format!("Write the bound itself, as in `\"{name}\": 0`: a boolean here is draft 4."),
            (Some(false), _) => format!("Take `{name}` out: `{bound}` alone includes its bound."),
            (None, _) if is_numeral(value) => "Write the number without quotes.".to_owned(),
            (None, _) => "Write a number, or leave it out.".to_owned(),
        };
        self.unfit(&[name], value, "a number", fix);
    }

    fn positive(&mut self, name: &str, value: Value<'a>) {
        let fits = value.as_f64().is_some_and(|number| number > 0.0);
        if !fits {
            let fix = if is_numeral(value) { "Write the number without quotes." } else { "Write a number above 0." };
            self.unfit(&[name], value, "a number above 0", fix);
        }
    }

    fn count(&mut self, name: &str, value: Value<'a>) {
        // To draft 4, 1.0 is not a whole number.
        let is_written = self.dialect > Dialect::Draft4 || !value.raw().contains(['.', 'e', 'E']);
        let fits = is_written && value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0);
        if !fits {
            let fix = match value.as_f64() {
                Some(number) if number < 0.0 => "Leave it out where there is no bound.",
                Some(_) => "Write a whole number.",
                None if is_numeral(value) => "Write the number without quotes.",
                None => "Write a whole number, or leave it out.",
            };
            self.unfit(&[name], value, "a whole number, 0 or more", fix);
        }
    }

    fn pattern(&mut self, name: &str, value: Value<'a>) {
        match value.as_str() {
            None => self.unfit(&[name], value, "a regular expression as a string", "Write the expression as a string."),
            Some(pattern) if is_pattern(pattern) => {}
            Some(pattern) => self.add(
                &[name],
                format!("`{name}` is \"{}\", which is not a regular expression.", excerpt(pattern, 80)),
                "Correct the expression; JSON Schema uses the JavaScript syntax without slashes and flags.",
            ),
        }
    }

    fn patterns_of(&mut self, name: &str, map: Value<'a>) {
        for (pattern, _) in map.members().filter(|(pattern, _)| !is_pattern(pattern)) {
            self.add(
                &[name, pattern],
                format!("The key \"{}\" of `{name}` is not a regular expression.", excerpt(pattern, 80)),
                "Correct the expression, or move a plain name to `properties`.",
            );
        }
    }

    fn kind(&mut self, value: Value<'a>) {
        if let Some(name) = value.as_str() {
            self.type_name(name);
        } else if value.is_array() && !value.is_empty() {
            self.kinds(value);
        } else {
            let fix = if value.is_array() {
                "Name at least one type, or leave `type` out."
            } else {
                "Write the type's name as a string."
            };
            self.unfit(&["type"], value, "the name of a type or a list of such names", fix);
        }
    }

    fn kinds(&mut self, names: Value<'a>) {
        let mut seen = Vec::with_capacity(TYPES.len());
        for (nth, item) in names.items().enumerate() {
            match item.as_str() {
                Some(name) if seen.contains(&name) => {
                    let message = format!("`type` lists \"{}\" twice.", excerpt(name, 60));
                    self.add_item(&["type"], name, message, "List every type once.");
                }
                Some(name) if TYPES.contains(&name) => seen.push(name),
                Some(name) => self.type_name(name),
                None if item.is_null() => self.add_item(
                    &["type"],
                    &nth.to_string(),
                    "`type` lists null itself; the name of that type is a string.".to_owned(),
                    "Write `\"null\"` in quotes.",
                ),
                None => self.add_item(
                    &["type"],
                    &nth.to_string(),
                    format!("`type` lists {}; every item must be the name of a type.", shown(item)),
                    "List names of types; alternatives that are schemas belong in `anyOf`.",
                ),
            }
        }
    }

    fn type_name(&mut self, name: &str) {
        if !TYPES.contains(&name) {
            let message = format!("\"{}\" is not a JSON Schema type.", excerpt(name, 60));
            self.add_item(&["type"], name, message, meant(name));
        }
    }

    fn required(&mut self, name: &str, value: Value<'a>, some: bool) {
        let fix = match value.as_bool() {
            Some(true) => "Take it out here and list this argument's name in `required` of the object around it; `true` on a property was draft 3.".to_owned(),
            Some(false) => "Take it out: an argument is optional unless the object around it lists its name in `required`.".to_owned(),
            None => match value.as_str() {
                Some(one) => format!("Write `[\"{}\"]`.", excerpt(one, 60)),
                None => "Write an array of argument names.".to_owned(),
            },
        };
        if !value.is_array() {
            return self.unfit(&[name], value, "an array of names", fix);
        }
        self.names(&[name], value, some);
    }

    fn names(&mut self, keys: &[&str], value: Value<'a>, some: bool) {
        let place = visible(&keys.join("/"));
        if some && value.is_empty() {
            let message = format!("`{place}` is empty, which draft 4 forbids.");
            self.add(keys, message, "Leave it out when nothing is required.");
        }
        let mut seen = std::collections::HashSet::with_capacity(value.len());
        for (nth, item) in value.items().enumerate() {
            match item.as_str() {
                None => {
                    let message = format!("`{place}` lists {}; every item must be a name.", shown(item));
                    self.add_item(keys, &nth.to_string(), message, "List the names of arguments as strings.");
                }
                Some(name) if !seen.insert(name) => {
                    let message = format!("`{place}` lists \"{}\" twice.", excerpt(name, 60));
                    self.add_item(keys, name, message, "List every name once.");
                }
                Some(_) => {}
            }
        }
    }

    fn schema(&mut self, name: &str, value: Value<'a>, flag: bool) {
        if value.is_object() || (value.as_bool().is_some() && (flag || self.dialect > Dialect::Draft4)) {
            return;
        }
        let is_tuple = name == "items" && value.is_array() && !value.is_empty();
        let fix = if is_tuple {
            "Rename `items` to `prefixItems`: a list of schemas there is the tuple of older drafts. An object with named fields is understood by more clients."
                .into()
        } else {
            schema_fix(value)
        };
        let must = if is_tuple { "one schema in JSON Schema 2020-12" } else { "a schema" };
        self.unfit(&[name], value, must, fix);
    }

    fn items(&mut self, name: &str, value: Value<'a>) {
        if value.is_array() { self.schemas(name, value) } else { self.schema(name, value, false) }
    }

    fn schemas(&mut self, name: &str, value: Value<'a>) {
        if !value.is_array() || value.is_empty() {
            let fix = if value.is_array() { "Leave it out." } else { "Put the schemas into an array." };
            return self.unfit(&[name], value, "a list of one or more schemas", fix);
        }
        for (nth, item) in value.items().enumerate() {
            self.member(&[name, &nth.to_string()], item);
        }
    }

    fn map(&mut self, name: &str, value: Value<'a>) {
        if !value.is_object() {
            let fix = if value.is_array() && value.is_empty() {
                PHP_ARRAY
            } else {
                "Write an object whose keys are the names and whose values are their schemas."
            };
            return self.unfit(&[name], value, "an object that maps names to schemas", fix);
        }
        for (key, item) in value.members() {
            if name == "properties" && item.as_bool().is_some() {
                continue;
            }
            self.member(&[name, key], item);
        }
    }

    /// One schema of a list or map.
    fn member(&mut self, keys: &[&str], value: Value<'a>) {
        let is_schema = value.is_object() || (value.as_bool().is_some() && self.dialect > Dialect::Draft4);
        if !is_schema {
            self.unfit(keys, value, "a schema", schema_fix(value));
        }
    }

    fn dependencies(&mut self, name: &str, value: Value<'a>) {
        if !value.is_object() {
            let fix = if value.is_array() && value.is_empty() { PHP_ARRAY } else { "Write an object." };
            return self.unfit(&[name], value, "an object", fix);
        }
        for (key, item) in value.members() {
            if item.is_array() {
                self.names(&[name, key], item, self.dialect == Dialect::Draft4);
            } else {
                self.member(&[name, key], item);
            }
        }
    }

    fn names_map(&mut self, name: &str, value: Value<'a>) {
        if !value.is_object() {
            let fix = if value.is_array() && value.is_empty() { PHP_ARRAY } else { "Write an object." };
            return self.unfit(&[name], value, "an object that maps names to lists of names", fix);
        }
        for (key, item) in value.members() {
            if item.is_array() {
                self.names(&[name, key], item, false);
            } else {
                self.unfit(&[name, key], item, "an array of names", "Write an array of argument names.");
            }
        }
    }

    fn flag_map(&mut self, name: &str, value: Value<'a>) {
        if !value.is_object() {
            return self.unfit(&[name], value, "an object", "Leave it out: it is meant for meta-schemas.");
        }
        for (key, item) in value.members().filter(|(_, item)| item.as_bool().is_none()) {
            self.unfit(&[name, key], item, "true or false", "Leave it out: it is meant for meta-schemas.");
        }
    }

    /// Draft 4 knows exclusive bounds only beside the bound itself.
    fn bounds_of_draft_4(&mut self) {
        for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if self.schema.get(flag).is_some() && self.schema.get(bound).is_none() {
                let message = format!("`{flag}` stands without `{bound}`, which draft 4 asks for beside it.");
                self.add(&[flag], message, format!("Add `{bound}`, or take `{flag}` out."));
            }
        }
    }
}

fn is_anchor(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '.' | '_'))
}

fn is_anchor_of_2019(text: &str) -> bool {
    !text.starts_with('_') && is_anchor(&text.replace(':', "_"))
}

fn is_id(text: &str) -> bool {
    !text.strip_suffix('#').unwrap_or(text).contains('#')
}

fn is_numeral(value: Value<'_>) -> bool {
    value.as_str().is_some_and(|text| text.trim().parse::<f64>().is_ok())
}

/// A value in a sentence.
#[must_use]
pub fn shown(value: Value<'_>) -> String {
    match value.kind() {
        "string" => format!("the string \"{}\"", excerpt(value.as_str().unwrap_or_default(), 60)),
        "array" if value.is_empty() => "an empty array".to_owned(),
        "object" if value.is_empty() => "an empty object".to_owned(),
        "array" => "an array".to_owned(),
        "object" => "an object".to_owned(),
        "number" => excerpt(value.raw(), 40),
        _ => value.raw().to_owned(),
    }
}

fn schema_fix(value: Value<'_>) -> Cow<'static, str> {
    if value.is_array() && value.is_empty() {
        return PHP_ARRAY.into();
    }
    match value.as_str() {
        Some(name) if TYPES.contains(&name) => {
            format!("Write `{{ \"type\": \"{name}\" }}`; if this was meant as a keyword, move it out of the names.")
                .into()
        }
        Some(_) => "Write a schema with a type, and put the text into its `description`.".into(),
        None => "Write a schema, such as `{ \"type\": \"string\" }`.".into(),
    }
}

/// What somebody who wrote a wrong type name meant.
fn meant(name: &str) -> Cow<'static, str> {
    let lower = name.trim().to_lowercase();
    if let Some(known) = TYPES.iter().find(|known| **known == lower) {
        return format!("Write \"{known}\": names of types are lower case and have no spaces.").into();
    }
    if lower.contains(['|', ',']) || lower.contains(" or ") {
        return "Write a list of names, such as `[\"string\", \"null\"]`.".into();
    }
    let (meant, beside) = match lower.as_str() {
        "float" | "double" | "decimal" | "real" | "float32" | "float64" | "bigdecimal" | "numeric" => ("number", ""),
        "int" | "long" | "short" | "byte" | "int32" | "int64" | "uint" | "uint32" | "uint64" | "bigint" => {
            ("integer", "")
        }
        "str" | "text" | "char" | "varchar" | "password" | "file" | "path" | "binary" | "bytes" => ("string", ""),
        "date" => ("string", " with `\"format\": \"date\"`"),
        "datetime" | "date-time" | "timestamp" => ("string", " with `\"format\": \"date-time\"`"),
        "time" => ("string", " with `\"format\": \"time\"`"),
        "uuid" | "guid" => ("string", " with `\"format\": \"uuid\"`"),
        "uri" | "url" => ("string", " with `\"format\": \"uri\"`"),
        "email" => ("string", " with `\"format\": \"email\"`"),
        "enum" => ("string", " beside `enum`"),
        "bool" | "flag" => ("boolean", ""),
        "dict" | "dictionary" | "map" | "hash" | "hashmap" | "struct" | "record" | "json" => ("object", ""),
        "list" | "tuple" | "set" | "vec" | "vector" | "sequence" | "slice" => ("array", " with `items`"),
        "none" | "nil" | "undefined" | "void" => ("null", ""),
        "any" | "unknown" | "mixed" | "*" | "" => {
            return "Leave `type` out where every type is allowed.".into();
        }
        _ => return format!("Use one of {}.", list(TYPES, TYPES.len())).into(),
    };
    format!("Write \"{meant}\"{beside}.").into()
}
