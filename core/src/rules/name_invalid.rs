//! A name outside what the protocol asks for.

use super::prelude::*;
use crate::clients::FactKind;
use crate::text::{LONGEST_NAME, is_name, is_name_character};

pub static RULE: Rule = Rule {
    id: "name-invalid",
    summary: "a name is not 1 to 128 letters, digits, `_`, `-` or `.`",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("name_invalid.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(name) = tool.name.filter(|name| !is_name(name)) else { return };
    let site = tool.site_at(&["name"]);
    let mut wrong: Vec<char> = Vec::new();
    for character in name.chars().filter(|character| !is_name_character(*character)) {
        if wrong.len() < 8 && !wrong.contains(&character) {
            wrong.push(character);
        }
    }
    let length = name.chars().count();
    let (message, fix) = if name.is_empty() {
        ("The name is empty; a name is 1 to 128 characters long.".to_owned(), None)
    } else if wrong.is_empty() {
        (format!("The name is {} characters long; a name is 1 to {LONGEST_NAME}.", grouped(length)), None)
    } else {
        let message = format!(
            "\"{}\" has {}; a name is made of letters, digits, `_`, `-` and `.` only.",
            excerpt(name, 80),
            words_for(&wrong)
        );
        (message, suggestion(name).map(|better| format!("Call it \"{better}\", or another name of those characters.")))
    };
    let refusing = out.clients().exceeded(FactKind::NameLength, length);
    let mut draft = out.report(site, message);
    if !wrong.is_empty() {
        draft = draft.fault("name-characters");
    } else if length > LONGEST_NAME {
        draft = draft.clients(refusing.into_iter().map(|(loss, _)| loss));
    }
    if let Some(fix) = fix {
        draft.fix(fix);
    }
}

fn words_for(characters: &[char]) -> String {
    let one = |character: &char| match character {
        ' ' => "a space".to_owned(),
        other => format!("`{}`", visible(&other.to_string())),
    };
    characters.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The name with everything else replaced, if that leaves something to read.
fn suggestion(name: &str) -> Option<String> {
    let clean: String =
        name.chars().map(|character| if is_name_character(character) { character } else { '_' }).take(64).collect();
    let clean = clean.trim_matches('_');
    (clean.chars().filter(char::is_ascii_alphanumeric).count() * 2 > name.chars().count()).then(|| clean.to_owned())
}
