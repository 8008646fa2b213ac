//! Changed copies of an input: bytes as they come, and JSON wherever it stands in a text.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::Dice;

/// The words of the dictionary, which libFuzzer reads too.
const DICTIONARY: &str = include_str!("../mcp.dict");

/// A changed copy of at most so many bytes.
#[must_use]
pub fn mutate(data: &[u8], most: usize, dice: &mut Dice) -> Vec<u8> {
    let mut changed = data.to_vec();
    for _ in 0..=dice.below(3) {
        changed = match dice.below(3) {
            0 => bytes(changed, dice),
            _ => json_within(&changed, dice).unwrap_or_else(|| bytes(changed, dice)),
        };
    }
    changed.truncate(most);
    changed
}

fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let quoted = DICTIONARY.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
        quoted.filter(|word| !word.contains('\\')).map(str::to_owned).collect()
    })
}

fn word(dice: &mut Dice) -> String {
    dice.pick(words()).cloned().unwrap_or_default()
}

/// Changes some bytes.
fn bytes(mut data: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    const SIGNS: &[&str] = &[
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\r\n", "\\u", "\\ud800", "\u{feff}", "\u{202e}", "\u{0}", "é",
        "😀", "//", "/*", "*/", "1e999", "-", "`", "|", "<", "&", "$", "${", "%", "#", "@", "::",
    ];
    let at = dice.below(data.len() + 1);
    let end = (at + dice.below(16)).min(data.len());
    match dice.below(6) {
        0 => drop(data.drain(at..end)),
        1 => drop(data.splice(at..at, word(dice).into_bytes())),
        2 => drop(data.splice(at..at, dice.pick(SIGNS).copied().unwrap_or_default().bytes())),
        3 => {
            let piece = data[at..end].to_vec();
            let to = dice.below(data.len() + 1);
            data.splice(to..to, piece);
        }
        4 => data.truncate(at),
        _ => {
            let other = u8::try_from(dice.below(256)).unwrap_or_default();
            if let Some(byte) = data.get_mut(at) {
                *byte = other;
            }
        }
    }
    data
}

/// Changes one JSON value that stands somewhere in a text.
fn json_within(data: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let opens: Vec<usize> = (0..data.len()).filter(|at| matches!(data[*at], b'{' | b'[')).collect();
    // The outermost one is where most can be changed.
    let start = if dice.below(3) == 0 { *dice.pick(&opens)? } else { *opens.first()? };
    let mut values = serde_json::Deserializer::from_slice(&data[start..]).into_iter::<Value>();
    let mut value = values.next()?.ok()?;
    let end = start + values.byte_offset();
    let other = any_node(&value, dice).clone();
    let nodes = count(&value);
    change(&mut value, &mut dice.below(nodes), &other, dice);
    let pretty = data[start..end].contains(&b'\n');
    let text = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) };
    Some([&data[..start], &text.ok()?, &data[end..]].concat())
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

fn count(value: &Value) -> usize {
    1 + children(value).into_iter().map(count).sum::<usize>()
}

fn any_node<'v>(value: &'v Value, dice: &mut Dice) -> &'v Value {
    let inner = children(value);
    if inner.is_empty() || dice.below(4) == 0 { value } else { any_node(inner[dice.below(inner.len())], dice) }
}

/// Walks to a node by its number, and changes it.
fn change(value: &mut Value, number: &mut usize, other: &Value, dice: &mut Dice) -> bool {
    if *number == 0 {
        change_here(value, other, dice);
        return true;
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| change(item, number, other, dice)),
        Value::Object(members) => members.values_mut().any(|member| change(member, number, other, dice)),
        _ => false,
    }
}

fn change_here(value: &mut Value, other: &Value, dice: &mut Dice) {
    match (dice.below(4), &mut *value) {
        (1, Value::Array(items)) => change_items(items, other, dice),
        (1, Value::Object(members)) => change_members(members, other, dice),
        (2, _) => *value = other.clone(),
        (3, _) => wrap(value, dice),
        _ => *value = leaf(dice),
    }
}

fn change_items(items: &mut Vec<Value>, other: &Value, dice: &mut Dice) {
    let at = dice.below(items.len());
    match dice.below(3) {
        0 if !items.is_empty() => drop(items.remove(at)),
        1 if !items.is_empty() => items.push(items[at].clone()),
        _ => items.insert(at, other.clone()),
    }
}

fn change_members(members: &mut Map<String, Value>, other: &Value, dice: &mut Dice) {
    let keys: Vec<String> = members.keys().cloned().collect();
    let key = dice.pick(&keys).cloned().unwrap_or_default();
    match dice.below(4) {
        0 => drop(members.shift_remove(&key)),
        1 => {
            if let Some(value) = members.shift_remove(&key) {
                members.insert(word(dice), value);
            }
        }
        2 => drop(members.insert(word(dice), leaf(dice))),
        _ => drop(members.insert(word(dice), other.clone())),
    }
}

fn wrap(value: &mut Value, dice: &mut Dice) {
    let depth = if dice.below(8) == 0 { dice.below(100) } else { 1 };
    let key = word(dice);
    let in_array = dice.below(2) == 0;
    for _ in 0..depth {
        let inner = value.take();
        *value = if in_array { json!([inner]) } else { json!({ &*key: inner }) };
    }
}

fn leaf(dice: &mut Dice) -> Value {
    const ODD: &[&str] =
        &["", " ", "#", "#/", "~", "\u{202e}", "a\nb", "\u{0}", "😀", "https://x.y/z", "^(a+)+$", "(?=a)"];
    match dice.below(10) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 0),
        2 => json!(dice.below(300)),
        3 => json!(-1),
        4 => json!(1.5e300),
        5 => json!([]),
        6 => json!({}),
        7 => json!(dice.pick(ODD)),
        8 => json!("long ".repeat(dice.below(400))),
        _ => json!(word(dice)),
    }
}
