//! Variables without a value.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-variable-unset",
    summary: "a variable in the configuration is not set here and has no default",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_variable_unset.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    for unset in &file.unset {
        let Some(entry) = file.entries.iter().rfind(|entry| entry.name == unset.server) else { continue };
        let written = excerpt(&unset.variable, 80);
        let from = excerpt(&unset.from, 80);
        let keys = file.value(&entry.pointer).and_then(|value| place(value, &unset.variable, 0)).unwrap_or_default();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let is_input = unset.variable.starts_with("${input:");
        let message = if is_input {
            format!("`{written}`, which its client asks for, has no value here.")
        } else {
            format!("`{written}` is not set here and has no default.")
        };
        let fix = if is_input {
            format!("Give it a value for the check, a dummy is mostly enough, by the variable {from}.")
        } else {
            format!(
                "Set {from} for the check, a dummy is mostly enough to list tools, or give it a default where its client knows one, `${{NAME:-default}}`."
            )
        };
        out.report(entry.site(file, &keys), message).fix(fix).discriminator(unset.variable.clone());
    }
}

/// The keys down to the first string that holds a text.
fn place(value: Value<'_>, text: &str, depth: usize) -> Option<Vec<String>> {
    // Entries are flat; what nests deeper is not expanded.
    const MOST: usize = 4;
    if value.as_str().is_some_and(|string| string.contains(text)) {
        return Some(Vec::new());
    }
    if depth == MOST {
        return None;
    }
    let members = value.members().map(|(key, value)| (key.to_owned(), value));
    let items = value.items().enumerate().map(|(nth, value)| (nth.to_string(), value));
    members.chain(items).find_map(|(key, value)| {
        let mut keys = place(value, text, depth + 1)?;
        keys.insert(0, key);
        Some(keys)
    })
}
