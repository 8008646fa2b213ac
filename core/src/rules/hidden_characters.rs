//! Characters that nobody sees in texts that a model reads.

use super::prelude::*;
use crate::text::is_hidden;

pub static RULE: Rule = Rule {
    id: "hidden-characters",
    summary: "a text for the model holds characters that people cannot see",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("hidden_characters.md"),
    check: Check::Server(check),
};

/// Code points that a message lists.
const MOST: usize = 8;

/// The black flag, which up to six tags make the flag of a region.
const FLAG: char = '\u{1f3f4}';
const FLAG_TAGS: usize = 6;

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    if let Some(text) = server.about().and_then(|result| result.get("instructions")?.as_str()) {
        look(text, "The instructions hold", || answer_site("initialize", &["instructions"]), "", out);
    }
    for tool in &server.tools {
        // Only what is not plain ASCII can be hidden, as it is or behind an escape.
        let raw = tool.value.raw();
        if !raw.is_ascii() || raw.contains("\\u") {
            texts(tool, tool.value, &mut Vec::new(), out);
        }
    }
}

/// Every name and every text of a definition, by its path.
fn texts<'a>(tool: &Tool<'a>, value: Value<'a>, path: &mut Vec<String>, out: &mut Out<'_>) {
    let place = |path: &[String]| {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        tool.site_at(&keys)
    };
    if let Some(text) = value.as_str() {
        let what = if path.last().is_some_and(|key| key == "name") { "The name holds" } else { "The text holds" };
        look(text, what, || place(path), "", out);
    }
    for (key, member) in value.members() {
        path.push(key.to_owned());
        // A name stands where its text does.
        look(key, "The name holds", || place(path), "name", out);
        texts(tool, member, path, out);
        path.pop();
    }
    for (nth, item) in value.items().enumerate() {
        path.push(nth.to_string());
        texts(tool, item, path, out);
        path.pop();
    }
}

fn look(text: &str, what: &str, site: impl FnOnce() -> Site, discriminator: &'static str, out: &mut Out<'_>) {
    let mut found: Vec<String> = Vec::new();
    let (mut before, mut tags) = (None, 0);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        tags = if letter == FLAG { FLAG_TAGS } else { usize::from(is_tag(letter)) * tags };
        let is_needed = (tags > 0 && is_tag(letter)) || is_at_work(before, letter, letters.peek().copied());
        if is_tag(letter) {
            tags = tags.saturating_sub(1);
        }
        if let Some(kind) = kind_of(letter).filter(|_| !is_needed) {
            let code = format!("U+{:04X} ({kind})", u32::from(letter));
            if !found.contains(&code) {
                found.push(code);
            }
        }
        before = Some(letter);
    }
    if !found.is_empty() {
        let message = format!("{what} characters that nobody sees: {}.", list(&found, MOST));
        out.report(site(), message).discriminator(discriminator);
    }
}

fn is_tag(letter: char) -> bool {
    matches!(letter, '\u{e0000}'..='\u{e007f}')
}

/// Whether a character does its work where it stands: a joiner in an emoji or behind a letter of a script that
/// needs it, a break between words that are written without spaces, a mark of direction in a text that turns.
fn is_at_work(before: Option<char>, letter: char, after: Option<char>) -> bool {
    let is_shown = |letter: Option<char>| letter.is_some_and(|letter| letter >= '\u{370}' && !is_hidden(letter));
    let is_unspaced = |letter: Option<char>| {
        // Thai and Lao, Tibetan and Burmese, Khmer.
        letter.is_some_and(|letter| matches!(letter, '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'))
    };
    let is_right_to_left = |letter: Option<char>| {
        letter.is_some_and(|letter| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}'))
    };
    match letter {
        '\u{200c}' | '\u{200d}' => is_shown(before),
        '\u{200b}' => is_unspaced(before) && is_unspaced(after),
        '\u{61c}' => is_right_to_left(before) || is_right_to_left(after),
        // A selector that old ideographs need has one of them in front.
        '\u{e0100}'..='\u{e01ef}' => before.is_some_and(
            |letter| matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}'),
        ),
        _ => false,
    }
}

/// What a hidden character does; nothing for one that can be seen or that ordinary texts need.
fn kind_of(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "turns the direction of writing",
        '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => "zero width",
        '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => "a format control",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "a filler",
        '\u{e0100}'..='\u{e01ef}' => "a variation selector",
        '\u{e0000}'..='\u{e007f}' => "a tag",
        '\0'..='\u{8}' | '\u{e}'..='\u{1f}' => "a control",
        _ => return None,
    })
}
