//! A description of a few words, or one that repeats the name.

use super::prelude::*;
use crate::text::{is_blank, name_words};

pub static RULE: Rule = Rule {
    id: "description-short",
    summary: "a description has three words or fewer, or only repeats the name",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_short.md"),
    check: Check::Tool(check),
};

/// Up to how many words a description counts as short.
const FEW: usize = 3;
/// Beyond this many words a description does not repeat a name.
const MANY: usize = 16;
/// Words that add nothing to a name.
const FILLERS: &[&str] = &[
    "a", "an", "the", "this", "that", "of", "for", "to", "by", "in", "on", "from", "with", "and", "it", "its", "is",
    "tool", "function", "method", "api", "endpoint", "will", "can", "mcp", "using", "given", "all",
];

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(description) = tool.description().filter(|text| !is_blank(text)) else { return };
    let words = words(description);
    let site = tool.site_at(&["description"]);
    if words <= FEW {
        let message =
            format!("The description \"{}\" is {} long.", excerpt(description, 60), count(words.max(1), "word"));
        out.report(site, message);
    } else if words <= MANY && tool.name.is_some_and(|name| repeats(description, name)) {
        out.report(site, format!("The description \"{}\" says no more than the name.", excerpt(description, 60)));
    }
}

fn repeats(description: &str, name: &str) -> bool {
    let named = name_words(name);
    let mut said = name_words(description).into_iter().filter(|word| !FILLERS.contains(&word.as_str()));
    !named.is_empty() && said.all(|word| named.iter().any(|other| is_same_word(&word, other)))
}

/// The same word but for an ending: parcel and parcels, list and listing.
fn is_same_word(left: &str, right: &str) -> bool {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    short == long || (short.len() >= 3 && long.len() - short.len() <= 3 && long.starts_with(short))
}
