//! Validation, compilation and satisfiability: the only file that knows the `jsonschema` crate.

use std::sync::OnceLock;

use jsonschema::Draft;
use jsonschema::canonical::{Containment, PreparedDocument, Satisfiability};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError};

use crate::document::Value;
use crate::text::excerpt;

/// How many steps a pattern may take back before the engine gives up on it.
const BACKTRACK_LIMIT: usize = 100_000;

/// How many mismatches of one value are told apart.
const MOST_MISMATCHES: usize = 20;

/// A compiled schema.
#[derive(Debug)]
pub struct Validator(jsonschema::Validator);

/// A part of a value that its schema refuses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mismatch {
    /// JSON pointer of the part; empty for the value itself.
    pub pointer: String,
    /// What it is and what was expected, as the end of a sentence that starts with the place.
    pub message: String,
    /// The member that is missing, where that is the fault.
    pub missing: Option<String>,
}

impl Validator {
    /// Compiles a schema; nothing is fetched.
    ///
    /// # Errors
    /// When it is no schema, a pattern does not compile, or a reference leads nowhere; says which, as the
    /// end of a sentence.
    pub fn compile(schema: Value<'_>) -> Result<Self, String> {
        Self::compile_json(&schema.to_json())
    }

    pub(crate) fn compile_json(schema: &serde_json::Value) -> Result<Self, String> {
        let options = jsonschema::options().offline();
        let options = options.with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT));
        options.build(schema).map(Self).map_err(|error| why_not_compiled(&error))
    }

    /// Compiles a schema of messages: formats are notes there, as the protocol's own clients take them.
    ///
    /// # Errors
    /// When it is no schema; says why, as the end of a sentence.
    pub fn for_messages(schema: &serde_json::Value) -> Result<Self, String> {
        let options = jsonschema::options().offline().should_validate_formats(false);
        options.build(schema).map(Self).map_err(|error| why_not_compiled(&error))
    }

    /// Every part of a value that the schema refuses, in order of the value.
    #[must_use]
    pub fn mismatches(&self, instance: &serde_json::Value) -> Vec<Mismatch> {
        let mut found: Vec<Mismatch> =
            self.0.iter_errors(instance).take(MOST_MISMATCHES).flat_map(|error| mismatches(&error)).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Whether the schema takes a value.
    #[must_use]
    pub fn accepts(&self, instance: &serde_json::Value) -> bool {
        self.0.is_valid(instance)
    }
}

fn why_not_compiled(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let at = if place.is_empty() { String::new() } else { format!(" at {}", excerpt(&place, 120)) };
    let what = match error.kind() {
        ValidationErrorKind::Referencing(_) => "a reference that leads nowhere".to_owned(),
        ValidationErrorKind::Format { format } if format == "regex" => {
            format!("a pattern that is no regular expression, {}", excerpt(&error.instance().to_string(), 80))
        }
        kind => format!("an invalid value for a keyword ({})", kind.keyword()),
    };
    format!("{what}{at}")
}

/// What is wrong, in one form of several with what was meant.
fn mismatches(error: &ValidationError<'_>) -> Vec<Mismatch> {
    let meant = match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => meant(context),
        _ => None,
    };
    meant.map_or_else(|| vec![mismatch(error)], |errors| errors.iter().flat_map(mismatches).collect())
}

/// The form that a value was meant to have: the only one whose fixed members it has.
fn meant<'e>(forms: &'e [Vec<ValidationError<'e>>]) -> Option<&'e [ValidationError<'e>]> {
    let is_other = |error: &ValidationError<'_>| {
        let names_kind = matches!(error.kind(), ValidationErrorKind::Constant { .. })
            || matches!(error.kind(), ValidationErrorKind::Required { property } if property == "type");
        names_kind || error.instance_path().as_str().is_empty()
    };
    let mut likely = forms.iter().filter(|errors| !errors.iter().any(is_other));
    let first = likely.next()?;
    likely.next().is_none().then_some(first)
}

fn mismatch(error: &ValidationError<'_>) -> Mismatch {
    let pointer = error.instance_path().to_string();
    let value = excerpt(&error.instance().to_string(), 60);
    let message = match error.kind() {
        ValidationErrorKind::Type { kind } => {
            let expected = match kind {
                TypeKind::Single(kind) => kind.to_string(),
                TypeKind::Multiple(kinds) => kinds.iter().map(|kind| kind.to_string()).collect::<Vec<_>>().join(" or "),
            };
            format!("is {}, expected {expected}", kind_of(error.instance()))
        }
        ValidationErrorKind::Enum { options } => {
            let options = options.as_array().map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
            format!("{value} is not one of {}", excerpt(&options.unwrap_or_default().join(", "), 200))
        }
        ValidationErrorKind::Constant { expected_value } => format!("{value} is not {expected_value}"),
        ValidationErrorKind::Required { property } => format!("lacks {property}, which is required"),
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            format!("has {}, which the schema does not allow", crate::text::list(unexpected, 5))
        }
        ValidationErrorKind::Pattern { pattern } => {
            format!("{value} does not match the pattern {}", excerpt(pattern, 80))
        }
        ValidationErrorKind::Format { format } => format!("{value} is not a valid {format}"),
        ValidationErrorKind::Minimum { limit } => format!("{value} is less than {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("{value} is more than {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("{value} must be more than {limit}"),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("{value} must be less than {limit}"),
        ValidationErrorKind::MinLength { limit } => format!("{value} is shorter than {limit} characters"),
        ValidationErrorKind::MaxLength { limit } => format!("{value} is longer than {limit} characters"),
        ValidationErrorKind::MinItems { limit } => format!("has fewer than {limit} items"),
        ValidationErrorKind::MaxItems { limit } => format!("has more than {limit} items"),
        ValidationErrorKind::AnyOf { .. } => format!("{value} fits none of the schemas under anyOf"),
        ValidationErrorKind::OneOfNotValid { .. } => format!("{value} fits none of the schemas under oneOf"),
        ValidationErrorKind::OneOfMultipleValid { .. } => format!("{value} fits more than one schema under oneOf"),
        ValidationErrorKind::FalseSchema => "is not allowed at all".to_owned(),
        kind => format!("{value} breaks {}", kind.keyword()),
    };
    let missing = match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str().map(str::to_owned),
        _ => None,
    };
    Mismatch { pointer, message, missing }
}

fn kind_of(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "boolean",
        serde_json::Value::Number(_) => "number",
        serde_json::Value::String(_) => "string",
        serde_json::Value::Array(_) => "array",
        serde_json::Value::Object(_) => "object",
    }
}

/// Whether a text is a regular expression that validators can compile.
#[must_use]
pub fn is_pattern(pattern: &str) -> bool {
    static REGEX: OnceLock<Option<jsonschema::Validator>> = OnceLock::new();
    let regex = REGEX.get_or_init(|| {
        let options = jsonschema::options().offline().should_validate_formats(true);
        options.build(&serde_json::json!({ "format": "regex" })).ok()
    });
    regex.as_ref().is_none_or(|regex| regex.is_valid(&serde_json::json!(pattern)))
}

/// Whether no value at all can match a schema, proved. Undecided counts as no.
#[must_use]
pub fn is_unsatisfiable(schema: Value<'_>) -> bool {
    let canonical = jsonschema::canonical::options().offline().canonicalize(&schema.to_json());
    canonical.is_ok_and(|canonical| canonical.satisfiability() == Satisfiability::No)
}

/// In how many ways a schema may be read for a proof to be tried.
const MOST_ALTERNATIVES: usize = 256;

/// Whether a schema can be read in so many ways that nothing is proved about it.
#[must_use]
pub fn has_too_many_readings(schema: Value<'_>) -> bool {
    alternatives(schema) > MOST_ALTERNATIVES
}

/// In how many ways a schema can be read, one branch of every `anyOf` and `oneOf` at a time: what a proof
/// has to try in the worst case.
fn alternatives(schema: Value<'_>) -> usize {
    let mut ways: usize = 1;
    for (keyword, value) in schema.members() {
        let inner = match keyword {
            "anyOf" | "oneOf" => value.items().map(alternatives).fold(0, usize::saturating_add),
            _ if value.is_object() => alternatives(value),
            _ => value.items().map(alternatives).fold(1, usize::saturating_mul),
        };
        ways = ways.saturating_mul(inner.max(1));
    }
    ways
}

/// A schema whose parts can be held against those of another one.
pub struct Parts<'s>(Option<PreparedDocument<'s>>);

/// Whether one schema takes every value that another one takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// It does, proved.
    Yes,
    /// It refuses one of them, proved.
    No,
    /// Neither could be proved.
    Unknown,
}

impl<'s> Parts<'s> {
    /// Reads a schema once, for all its parts. What `$schema` says does not count: two listings that differ in
    /// it alone mean the same.
    #[must_use]
    pub fn of(schema: &'s serde_json::Value) -> Self {
        let options = jsonschema::canonical::options().offline().with_draft(Draft::Draft202012);
        Self(options.prepare(schema).ok())
    }

    /// Whether the part at a JSON pointer takes every value that a part of another schema takes.
    #[must_use]
    pub fn covers(&self, pointer: &str, other: &Self, others: &str) -> Cover {
        let part = |parts: &Self, pointer: &str| parts.0.as_ref()?.canonicalize_at(pointer).ok();
        let (Some(wide), Some(narrow)) = (part(self, pointer), part(other, others)) else { return Cover::Unknown };
        // What takes nothing is covered by anything, which is no reason to call a change safe.
        match wide.covers(&narrow) {
            Ok(Containment::Yes) if narrow.satisfiability() != Satisfiability::No => Cover::Yes,
            Ok(Containment::No) => Cover::No,
            _ => Cover::Unknown,
        }
    }
}
