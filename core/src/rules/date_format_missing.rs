//! A moment as a text of no stated form.

use super::prelude::*;
use crate::text::name_words;

pub static RULE: Rule = Rule {
    id: "date-format-missing",
    summary: "a string argument that names a moment has no `format`, pattern or enum",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("date_format_missing.md"),
    check: Check::Argument(check),
};

/// Words that are a moment, at the end of a name or in front of one of `BEHIND`.
const MOMENTS: &[&str] = &["date", "datetime", "time", "timestamp"];
/// What may follow such a word: `dateFrom`, `date_of_birth`, `time_max`, `date_created`.
const BEHIND: &[&str] = &[
    "after",
    "at",
    "before",
    "begin",
    "closed",
    "created",
    "end",
    "ended",
    "from",
    "gt",
    "gte",
    "iso",
    "local",
    "lt",
    "lte",
    "max",
    "min",
    "modified",
    "of",
    "published",
    "since",
    "start",
    "started",
    "stop",
    "string",
    "time",
    "to",
    "until",
    "updated",
    "utc",
];
/// What makes a time in front of it a length or a manner.
const LENGTHS: &[&str] = &[
    "cook", "cooking", "delay", "full", "idle", "lead", "part", "prep", "read", "reading", "real", "response", "run",
    "sleep", "timeout", "travel", "up", "wait", "waiting",
];
/// What happened, or will: `createdAfter`, `start_before`.
const EVENTS: &[&str] = &[
    "added",
    "booked",
    "captured",
    "changed",
    "closed",
    "committed",
    "completed",
    "created",
    "date",
    "deleted",
    "due",
    "edited",
    "end",
    "ended",
    "ending",
    "expires",
    "filed",
    "finished",
    "joined",
    "merged",
    "modified",
    "occurred",
    "opened",
    "posted",
    "published",
    "pushed",
    "received",
    "registered",
    "released",
    "resolved",
    "scheduled",
    "sent",
    "signed",
    "start",
    "started",
    "starting",
    "submitted",
    "taken",
    "time",
    "updated",
    "uploaded",
];
/// What a trailing `at` belongs to without being a moment.
const PLACES: &[&str] = &["aim", "arrived", "based", "located", "look", "looking", "placed", "point"];

fn check(argument: &Argument<'_, '_>, out: &mut Out<'_>) {
    let is_told = |description: &str| names_form(description) || is_name_of(description);
    if !is_moment(argument.name) || !is_free_text(argument) || argument.description().is_some_and(is_told) {
        return;
    }
    let message =
        format!("\"{}\" names a moment, but nothing says in which form the text is.", visible(&argument.node.path()));
    out.report(argument.node.site(), message);
}

/// Whether a name means a moment, by its words.
fn is_moment(name: &str) -> bool {
    let words = name_words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((last, front)) = words.split_last() else { return false };
    let before = front.last().copied();
    let follows = |set: &[&str]| before.is_some_and(|word| set.contains(&word));
    let is_named = words.iter().enumerate().any(|(at, word)| {
        let is_length = at > 0 && LENGTHS.contains(&words[at - 1]);
        MOMENTS.contains(word) && !is_length && words.get(at + 1).is_none_or(|next| BEHIND.contains(next))
    });
    is_named
        || match *last {
            "at" => before.is_some() && !follows(PLACES),
            "since" | "until" => !follows(LENGTHS),
            "after" | "before" => follows(EVENTS),
            _ => false,
        }
}

/// Whether any text fits: a string, or a union with one, that nothing narrows down.
fn is_free_text(argument: &Argument<'_, '_>) -> bool {
    let narrows = |schema: Value<'_>| {
        ["format", "pattern", "enum", "const"].into_iter().any(|keyword| schema.get(keyword).is_some())
    };
    let schema = argument.node.resolved();
    if narrows(argument.node.value) || narrows(schema) {
        return false;
    }
    if schema.get("type").is_some_and(is_text) {
        return ["anyOf", "oneOf", "allOf"].into_iter().all(|keyword| schema.get(keyword).is_none());
    }
    let unions = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)).flat_map(Value::items);
    let branches: Vec<Value<'_>> = unions.map(|branch| argument.node.refs.follow(branch)).collect();
    let is_open = |branch: &Value<'_>| branch.get("type").is_some_and(is_text);
    branches.iter().any(is_open) && !branches.into_iter().any(narrows)
}

/// A string, or a string or null.
fn is_text(kind: Value<'_>) -> bool {
    let mut kinds = kind.items().filter_map(Value::as_str).filter(|kind| *kind != "null").peekable();
    kind.as_str() == Some("string") || (kinds.peek().is_some() && kinds.all(|kind| kind == "string"))
}

/// Whether a description says which form is meant: by the name of a standard, by a pattern of letters, by
/// a unit or by an example.
fn names_form(description: &str) -> bool {
    const FORMS: &[&str] = &["iso8601", "rfc3339", "rfc2822", "yyyy", "ddmm", "mmdd", "hhmm", "hh:mm", "h:mm"];
    const WORDS: &[&str] = &["epoch", "iso", "milliseconds", "ms", "seconds", "unix"];
    let text = fold(description);
    let has_word = || name_words(description).iter().any(|word| WORDS.contains(&word.as_str()));
    FORMS.iter().any(|form| text.contains(form)) || has_word() || has_example(description)
}

/// Whether the text is the name of a field that holds a moment, as in sorting by `last_edited_time`.
fn is_name_of(description: &str) -> bool {
    ["nameofthe", "fieldto", "columnto", "propertyto"].iter().any(|words| fold(description).contains(words))
}

/// Whether a text has digits set apart as in 2026-03-01, 1/3/2026 or 14:30.
fn has_example(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|three| {
        three[0].is_ascii_digit() && matches!(three[1], b'-' | b':' | b'/' | b'.') && three[2].is_ascii_digit()
    })
}
