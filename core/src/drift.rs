//! What changed between two listings of one server, seen by who calls its tools.
//!
//! The structure says which argument it is and what changed about it; whether an argument still takes what it
//! took is proved, or said not to be proved. What only adds (new tools, new optional arguments, wider types)
//! is no change here, and order never is.

use std::collections::HashMap;

use crate::document::Value;
use crate::finding::Level;
use crate::site::{Kind, Site};
use crate::text::{REDACTED, closest, excerpt, list, visible};
use crate::view::Tool;
use crate::walk::{LISTS, MAPS, Root, SINGLE};

mod proof;
mod schemas;
mod shape;
mod words;

/// A change that whoever relies on the former listing may notice.
#[derive(Clone, Debug)]
pub struct Change {
    /// What sort of change.
    pub what: What,
    /// Where, in the listing as it is now; what is gone stands where it was.
    pub site: Site,
    /// What tells two changes of one sort at one place apart; mostly empty.
    pub aspect: &'static str,
    /// What changed, as a sentence.
    pub message: String,
    /// How sure it is that it breaks something.
    pub certainty: Certainty,
}

/// Sorts of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// A tool is gone.
    ToolRemoved,
    /// An argument is gone.
    ArgumentRemoved,
    /// An argument has to be given that did not have to be.
    ArgumentNowRequired,
    /// An argument takes less than it took.
    ArgumentNarrowed,
    /// A result may be what it could not be.
    OutputWidened,
    /// A hint promises less.
    AnnotationWeakened,
    /// A description reads otherwise.
    DescriptionChanged,
}

/// How sure it is that a change breaks something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It is plain to see, or proved.
    Sure,
    /// It could not be proved that nothing breaks.
    Unproven,
}

impl Certainty {
    /// The level of a finding of a rule with this level.
    #[must_use]
    pub fn level(self, of_rule: Level) -> Level {
        match self {
            Self::Sure => of_rule,
            Self::Unproven => of_rule.min(Level::Warning),
        }
    }
}

/// Tools that are tried as the new name of one that is gone, and tools that are gone whose new name is guessed.
const MOST_GUESSES: usize = 100;

/// Compares two listings. Tools without a name, and those that share theirs, cannot be told apart and are left
/// to other rules.
#[must_use]
pub fn between(before: &[Tool<'_>], now: &[Tool<'_>]) -> Vec<Change> {
    let (former, present) = (by_name(before), by_name(now));
    let mut changes = removed_tools(before, now, &former, &present);
    for (name, tool) in now.iter().filter_map(|tool| Some((tool.name?, tool))) {
        if let (Some(Some(old)), Some(Some(_))) = (former.get(name), present.get(name)) {
            of_tool(old, tool, &mut changes);
        }
    }
    changes
}

/// Tools by name; nothing for a name that several have.
fn by_name<'t, 'a>(tools: &'t [Tool<'a>]) -> HashMap<&'a str, Option<&'t Tool<'a>>> {
    let mut names = HashMap::new();
    for tool in tools {
        if let Some(name) = tool.name {
            names.entry(name).and_modify(|known| *known = None).or_insert(Some(tool));
        }
    }
    names
}

type ByName<'t, 'a> = HashMap<&'a str, Option<&'t Tool<'a>>>;

fn removed_tools(before: &[Tool<'_>], now: &[Tool<'_>], former: &ByName, present: &ByName) -> Vec<Change> {
    let named = |tool: &&Tool<'_>, others: &ByName| tool.name.is_some_and(|name| !others.contains_key(name));
    // Only the first of a name stands for it.
    let is_first = |tool: &&Tool<'_>| tool.name == Some(tool.label.as_ref());
    let gone: Vec<&Tool<'_>> = before.iter().filter(|tool| named(tool, present) && is_first(tool)).collect();
    let new: Vec<(&str, Value<'_>)> =
        now.iter().filter(|tool| named(tool, former)).filter_map(|tool| Some((tool.name?, tool.value))).collect();
    let is_guessed = gone.len() <= MOST_GUESSES;
    let removed = |tool: &&Tool<'_>| {
        let name = tool.name.unwrap_or_default();
        let guess = is_guessed.then(|| new_name(name, tool.value, &new)).flatten();
        Change {
            what: What::ToolRemoved,
            site: Site::of(Kind::Tool, tool.label.clone()),
            aspect: "",
            message: format!("The tool \"{}\" is gone{}.", excerpt(name, 120), guessed(guess)),
            certainty: Certainty::Sure,
        }
    };
    gone.iter().map(removed).collect()
}

/// The end of a sentence about something that is gone.
fn guessed(new_name: Option<&str>) -> String {
    new_name.map(|name| format!("; \"{}\" looks like its new name", excerpt(name, 120))).unwrap_or_default()
}

/// Which of the new names stands for what is gone: one described in the same words, one written nearly the
/// same, or the only one of the same make.
fn new_name<'a>(name: &str, gone: Value<'_>, new: &[(&'a str, Value<'a>)]) -> Option<&'a str> {
    let new = &new[..new.len().min(MOST_GUESSES)];
    let text = |value: Value<'_>| value.get("description").and_then(Value::as_str).map(str::to_owned);
    let own = text(gone).filter(|text| !text.trim().is_empty());
    let described = new.iter().find(|(_, value)| own.is_some() && text(*value) == own).map(|(name, _)| *name);
    let alike = || {
        let mut same = new.iter().filter(|(_, value)| is_alike(gone, *value));
        same.next().filter(|_| same.next().is_none()).map(|(name, _)| *name)
    };
    described.or_else(|| closest(name, new.iter().map(|(name, _)| *name))).or_else(alike)
}

/// Members that say what a thing is called and what it is for, and not what it takes.
const WORDS: &[&str] =
    &["name", "title", "description", "default", "examples", "annotations", "icons", "_meta", "$comment", "deprecated"];

/// Whether two definitions differ in nothing but words, right here; deeper ones have to be the same.
fn is_alike(left: Value<'_>, right: Value<'_>) -> bool {
    let counts = |key: &str| !WORDS.contains(&key);
    let size = |value: Value<'_>| value.members().filter(|(key, _)| counts(key)).count();
    let twin = |key: &str, value: Value<'_>| right.get(key).is_some_and(|other| value.same_as(other));
    let mut members = left.members().filter(|(key, _)| counts(key));
    left.is_object() && size(left) == size(right) && members.all(|(key, value)| twin(key, value))
}

/// Whether two schemas differ in nothing but words, all the way down. References are not followed.
fn means_the_same(left: Value<'_>, right: Value<'_>) -> bool {
    if !left.is_object() || !right.is_object() {
        return left.same_as(right);
    }
    let counts = |key: &str| !WORDS.contains(&key);
    let size = |value: Value<'_>| value.members().filter(|(key, _)| counts(key)).count();
    let mut members = left.members().filter(|(key, _)| counts(key));
    size(left) == size(right)
        && members.all(|(keyword, value)| right.get(keyword).is_some_and(|other| keeps_meaning(keyword, value, other)))
}

fn keeps_meaning(keyword: &str, left: Value<'_>, right: Value<'_>) -> bool {
    if SINGLE.contains(&keyword) && left.is_object() {
        means_the_same(left, right)
    } else if LISTS.contains(&keyword) {
        left.len() == right.len() && left.items().zip(right.items()).all(|(left, right)| means_the_same(left, right))
    } else if MAPS.contains(&keyword) {
        let twin = |name: &str, value| right.get(name).is_some_and(|other| means_the_same(value, other));
        left.len() == right.len() && left.members().all(|(name, value)| twin(name, value))
    } else {
        left.same_as(right)
    }
}

fn of_tool(before: &Tool<'_>, now: &Tool<'_>, changes: &mut Vec<Change>) {
    let mut described = Vec::new();
    schemas::compare(Root::Input, before, now, changes, &mut described);
    output(before, now, changes);
    annotations(before, now, changes);
    descriptions(before, now, &described, changes);
}

fn output(before: &Tool<'_>, now: &Tool<'_>, changes: &mut Vec<Change>) {
    if before.output_schema().is_some() && now.get("outputSchema").is_none_or(Value::is_null) {
        changes.push(Change {
            what: What::OutputWidened,
            site: Site { pointer: "/outputSchema".to_owned(), path: "outputSchema".to_owned(), ..now.site() },
            aspect: "",
            message: "`outputSchema` is gone: nothing is promised any more about the structured content.".to_owned(),
            certainty: Certainty::Sure,
        });
    }
    schemas::compare(Root::Output, before, now, changes, &mut Vec::new());
}

/// Promises of hints: the value that promises, and the hints that promise the same where they are true.
const PROMISES: &[(&str, bool, &str)] = &[
    ("readOnlyHint", true, "that the tool changes nothing"),
    ("destructiveHint", false, "that the tool destroys nothing"),
    ("idempotentHint", true, "that calling it again changes nothing more"),
    ("openWorldHint", false, "that the tool stays within its own world"),
];

fn annotations(before: &Tool<'_>, now: &Tool<'_>, changes: &mut Vec<Change>) {
    for (hint, promise, words) in PROMISES {
        let promises = |tool: &Tool<'_>| tool.hint(hint) == Some(*promise);
        // A tool that only reads destroys nothing, and may be called again.
        let reads = now.hint("readOnlyHint") == Some(true) && *hint != "openWorldHint";
        if !promises(before) || promises(now) || reads {
            continue;
        }
        let is = now.hint(hint).map_or_else(|| "is gone".to_owned(), |value| format!("is now {value}"));
        changes.push(Change {
            what: What::AnnotationWeakened,
            site: now.site_at(&["annotations", hint]),
            aspect: "",
            message: format!("`{hint}` was {promise} and {is}: it no longer says {words}."),
            certainty: Certainty::Sure,
        });
    }
}

/// Arguments that a message lists.
const MOST_LISTED: usize = 5;

/// One change for all texts of a tool: they are read together.
fn descriptions(before: &Tool<'_>, now: &Tool<'_>, described: &[String], changes: &mut Vec<Change>) {
    let text = |tool: &Tool<'_>| tool.description().unwrap_or_default().to_owned();
    let (was, is) = (text(before), text(now));
    let is_same = reads_alike(&was, &is);
    let of_tool = (!is_same).then(|| reworded(&was, &is));
    let of_arguments = (!described.is_empty()).then(|| {
        let what = if described.len() == 1 { "description of the argument" } else { "descriptions of the arguments" };
        format!("The {what} {} changed{}.", list(described, MOST_LISTED), if of_tool.is_some() { " too" } else { "" })
    });
    let parts: Vec<String> = of_tool.into_iter().chain(of_arguments).collect();
    if parts.is_empty() {
        return;
    }
    let message = parts.join(" ");
    let key = if is_same { vec![] } else { vec!["description"] };
    let site = Site { path: String::new(), ..now.site_at(&key) };
    changes.push(Change { what: What::DescriptionChanged, site, aspect: "", message, certainty: Certainty::Sure });
}

/// Whether a text is what it was. Where the value of a variable was taken out of it, any value may stand.
fn reads_alike(was: &str, is: &str) -> bool {
    let mut parts = was.split(REDACTED);
    let Some(mut rest) = parts.next().and_then(|start| is.strip_prefix(start)) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = last.map_or(Some(0), |former: &str| rest.find(former).map(|at| at + former.len())) else {
            return false;
        };
        rest = &rest[at..];
        last = Some(part);
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

/// Characters of a description that a message quotes.
const MOST_QUOTED: usize = 60;

fn reworded(was: &str, is: &str) -> String {
    let (old, new) = difference(was, is);
    let quoted = |text: &str| format!("\"{}\"", excerpt(text, MOST_QUOTED));
    match (was.trim().is_empty(), is.trim().is_empty()) {
        (true, _) => format!("There was no description; now it is {}.", quoted(is)),
        (_, true) => format!("The description {} is gone.", quoted(was)),
        _ if settled(was) == settled(is) => {
            format!("The description differs only in a number, a time or a path: {}, now {}.", quoted(old), quoted(new))
        }
        _ => format!("The description reads otherwise: {}, now {}.", quoted(old), quoted(new)),
    }
}

/// A text without the words that change from run to run: those with a digit or a slash.
fn settled(text: &str) -> Vec<&str> {
    text.split_whitespace()
        .filter(|word| !word.contains(|letter: char| matches!(letter, '/' | '\\' | '0'..='9')))
        .collect()
}

/// From the word on in which two texts differ.
fn difference<'t>(was: &'t str, is: &'t str) -> (&'t str, &'t str) {
    let common = was.char_indices().zip(is.chars()).find(|((_, left), right)| left != right);
    let at = common.map_or(was.len().min(is.len()), |((at, _), _)| at);
    let start = was[..at].rfind(char::is_whitespace).map_or(0, |space| space + 1);
    let start = if was.is_char_boundary(start) && is.is_char_boundary(start) { start } else { 0 };
    (&was[start..], &is[start..])
}

/// A path as messages write it.
fn shown(path: &str) -> String {
    format!("\"{}\"", excerpt(&visible(path), 120))
}
