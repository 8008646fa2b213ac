//! Text that strangers wrote, made safe to show; and small helpers of wording.

use std::borrow::Cow;

use crate::snapshot::{Exit, Tail};

/// Replaces what could act on a terminal, a log or a reader's eye by visible escapes: control characters,
/// bidirectional controls, zero-width and tag characters, and what a CI runner takes for a command of ours
/// (`::name::` where a line may start, `##[name]` and `##vso[name]` anywhere).
#[must_use]
pub fn visible(text: &str) -> String {
    if is_harmless(text) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut starts_word = true;
    while let Some(character) = rest.next() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            hidden if is_hidden(hidden) => shown.push_str(&format!("\\u{{{:x}}}", hidden as u32)),
            ':' if starts_word && rest.as_str().starts_with(':') => shown.push_str("\\:"),
            '#' if shown.ends_with('#') => shown.push_str("\\#"),
            plain => shown.push(plain),
        }
        // Lines are broken at spaces, so every word may come to stand at the start of one.
        starts_word = character.is_whitespace();
    }
    shown
}

/// Whether a text is seen at a glance to hold nothing of the kind, as most texts do.
fn is_harmless(text: &str) -> bool {
    let mut last = 0;
    text.bytes().all(|byte| {
        let is_double = byte == last && matches!(byte, b':' | b'#');
        last = byte;
        matches!(byte, b' '..=b'~') && !is_double
    })
}

/// Whether a character is a control or has no shape of its own.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Whether a text is a URI by RFC 3986: a scheme, a colon, and nothing that has to be encoded.
#[must_use]
pub fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let is_plain = |byte: u8| matches!(byte, b'!'..=b'~') && !b"\"<>\\^`{|}".contains(&byte);
    let is_encoded = |part: &str| part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    is_scheme && rest.bytes().all(is_plain) && rest.split('%').skip(1).all(is_encoded)
}

/// The text made visible and cut to a number of characters, with an ellipsis where something is missing.
#[must_use]
pub fn excerpt(text: &str, most: usize) -> String {
    let shown = visible(text.trim());
    match shown.char_indices().nth(most) {
        None => shown,
        Some((end, _)) => format!("{}…", &shown[..end]),
    }
}

/// A name as reports carry it: a very long one is cut, with a number that keeps it apart from others that
/// start alike.
#[must_use]
pub fn bounded(name: &str) -> Cow<'_, str> {
    const MOST: usize = 1_000;
    if name.len() <= MOST {
        return Cow::Borrowed(name);
    }
    // FNV-1a: the same on every machine and in every version.
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    Cow::Owned(format!("{}…{hash:016x}", &name[..name.floor_char_boundary(MOST - 100)]))
}

/// Names in backticks, the first few of them: "`a`, `b`, `c` and 4 more".
#[must_use]
pub fn list<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let quoted: Vec<String> =
        names.iter().take(most).map(|name| format!("`{}`", excerpt(name.as_ref(), 100))).collect();
    let more = names.len().saturating_sub(most);
    match (quoted.split_last(), more) {
        (None, _) => String::new(),
        (Some(_), 1..) => format!("{} and {more} more", quoted.join(", ")),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, first)), 0) => format!("{} and {last}", first.join(", ")),
    }
}

/// A JSON kind with its article.
#[must_use]
pub fn article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "array" | "object" => format!("an {kind}"),
        other => format!("a {other}"),
    }
}

/// "1 tool", "2 tools".
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number)) }
}

/// Milliseconds as seconds: "30 s", "2.5 s".
#[must_use]
pub fn seconds(milliseconds: u64) -> String {
    match (milliseconds / 1_000, milliseconds % 1_000 / 100) {
        (whole, 0) => format!("{whole} s"),
        (whole, tenths) => format!("{whole}.{tenths} s"),
    }
}

/// How a process ended, behind "the server": "exited with code 1", "was ended by SIGKILL".
#[must_use]
pub fn exited(exit: Exit) -> String {
    match (exit.signal, exit.code) {
        (Some(signal), _) => match signal_name(signal) {
            Some(name) => format!("was ended by {name}"),
            None => format!("was ended by signal {signal}"),
        },
        (None, Some(code)) => format!("exited with code {code}"),
        (None, None) => "exited".to_owned(),
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return None,
    })
}

/// The last telling lines of a stream on one line, without the frames of a stack trace; nothing if there
/// are none.
#[must_use]
pub fn last_words(tail: &Tail) -> Option<String> {
    const MOST_LINES: usize = 3;
    let text = String::from_utf8_lossy(&tail.bytes);
    let tells = |line: &&str| {
        let has_letter = line.chars().any(char::is_alphanumeric);
        has_letter && !line.starts_with("at ") && !line.starts_with("Node.js v") && !line.starts_with("File \"")
    };
    let mut lines: Vec<&str> = text.lines().rev().map(str::trim).filter(tells).take(MOST_LINES).collect();
    lines.reverse();
    let shown: Vec<String> = lines.into_iter().map(|line| excerpt(line, 200)).collect();
    (!shown.is_empty()).then(|| shown.join(" / "))
}

/// A number with its thousands set apart: 12,345.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How much a text says, in words: scripts without spaces count two characters as a word.
#[must_use]
pub fn words(text: &str) -> usize {
    let (mut words, mut unspaced, mut in_word) = (0, 0, false);
    for character in text.chars() {
        if is_unspaced(character) {
            unspaced += 1;
            in_word = false;
        } else if character.is_alphanumeric() {
            words += usize::from(!in_word);
            in_word = true;
        } else if !matches!(character, '\'' | '’' | '-' | '_') {
            in_word = false;
        }
    }
    words + usize::div_ceil(unspaced, 2)
}

/// Scripts that are written without spaces between words.
#[must_use]
pub fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// The candidate that differs least from a name, if it is close enough to be what was meant: the same but
/// for case and separators, or at most two letters apart.
#[must_use]
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(name);
    let near = candidates.take(200).filter(|candidate| candidate.len().abs_diff(name.len()) <= 4);
    let scored = near.map(|candidate| (distance(&folded, &fold(candidate)), candidate));
    scored.filter(|(far, _)| *far <= 2.min(folded.len() / 3)).min().map(|(_, candidate)| candidate)
}

/// A name without case and separators.
#[must_use]
pub fn fold(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

/// What stands in a text for the value of a variable.
pub const REDACTED: &str = "[redacted]";

/// The longest name the protocol allows, in characters.
pub const LONGEST_NAME: usize = 128;

/// Whether a tool's name may hold a character: letters, digits, `_`, `-` and `.`, all of ASCII.
#[must_use]
pub fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// Whether a tool's name is one the protocol asks for.
#[must_use]
pub fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_name_character)
}

/// Whether a character is in a set such as `A-Za-z0-9_-`: single ones and ranges.
#[must_use]
pub fn is_in_set(set: &str, character: char) -> bool {
    let mut rest = set.chars();
    while let Some(first) = rest.next() {
        let mut range = rest.clone();
        let last = match (range.next(), range.next()) {
            (Some('-'), Some(last)) => {
                rest = range;
                last
            }
            _ => first,
        };
        if (first..=last).contains(&character) {
            return true;
        }
    }
    false
}

/// The words of a name or a text, in lower case: split at everything that is no letter or digit, and where
/// a capital follows a small letter.
#[must_use]
pub fn name_words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_inside = false;
    let mut was_small = false;
    for character in name.chars() {
        if !character.is_alphanumeric() {
            is_inside = false;
        } else {
            let starts = !is_inside || (was_small && character.is_uppercase());
            match found.last_mut() {
                Some(word) if !starts => word.extend(character.to_lowercase()),
                _ => found.push(character.to_lowercase().collect()),
            }
            is_inside = true;
        }
        was_small = character.is_lowercase() || character.is_numeric();
    }
    found
}

/// Whether a text shows nothing: white space and characters without a shape.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || is_hidden(character))
}

/// Levenshtein distance, in characters. Names longer than 64 characters count as far apart.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(65).collect();
    if left.len() > 64 || right.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, mine) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (place, theirs) in right.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = (above + 1).min(row[place] + 1).min(diagonal + usize::from(mine != *theirs));
            diagonal = above;
        }
    }
    row[right.len()]
}
