//! A prompt that does not have the shape that clients check.

use super::prelude::*;
use crate::text::article;

pub static RULE: Rule = Rule {
    id: "prompt-invalid",
    summary: "a prompt breaks the protocol's schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("prompt_invalid.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for prompt in server.prompts() {
        if let Some((keys, fault)) = fault(prompt.value) {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            out.report(prompt.site(&keys), fault);
        }
    }
}

/// The first thing that is wrong with a prompt, and where.
fn fault(prompt: Value<'_>) -> Option<(Vec<String>, String)> {
    if !prompt.is_object() {
        return Some((Vec::new(), format!("A prompt must be an object; this is {}.", article(prompt.kind()))));
    }
    if let Some(found) = string(prompt, "name", true).or_else(|| string(prompt, "description", false)) {
        return Some(found);
    }
    let arguments = prompt.get("arguments")?;
    if !arguments.is_array() {
        return Some((
            vec!["arguments".to_owned()],
            format!("`arguments` must be an array; it is {}.", article(arguments.kind())),
        ));
    }
    arguments.items().enumerate().find_map(|(nth, argument)| {
        let own = vec!["arguments".to_owned(), nth.to_string()];
        if !argument.is_object() {
            return Some((own, format!("An argument must be an object; this is {}.", article(argument.kind()))));
        }
        let (keys, fault) = string(argument, "name", true).or_else(|| boolean(argument, "required"))?;
        Some(([own, keys].concat(), fault))
    })
}

fn string(value: Value<'_>, key: &str, is_needed: bool) -> Option<(Vec<String>, String)> {
    match value.get(key) {
        None if is_needed => Some((Vec::new(), format!("`{key}` is missing."))),
        Some(member) if member.as_str().is_none() => {
            Some((vec![key.to_owned()], format!("`{key}` must be a string; it is {}.", article(member.kind()))))
        }
        _ => None,
    }
}

fn boolean(value: Value<'_>, key: &str) -> Option<(Vec<String>, String)> {
    let member = value.get(key).filter(|member| member.as_bool().is_none())?;
    Some((vec![key.to_owned()], format!("`{key}` must be true or false; it is {}.", article(member.kind()))))
}
