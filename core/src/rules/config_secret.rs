//! Credentials in a configuration file.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-secret",
    summary: "a configuration file holds what looks like a credential",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_secret.md"),
    check: Check::Config(check),
};

/// Starts of credentials that name who issued them, with the fewest characters that follow.
const PREFIXES: &[(&str, usize, &str)] = &[
    ("github_pat_", 30, "a GitHub token"),
    ("ghp_", 30, "a GitHub token"),
    ("gho_", 30, "a GitHub token"),
    ("ghu_", 30, "a GitHub token"),
    ("ghs_", 30, "a GitHub token"),
    ("ghr_", 30, "a GitHub token"),
    ("glpat-", 16, "a GitLab token"),
    ("sk-ant-", 20, "an Anthropic key"),
    ("sk-proj-", 20, "an OpenAI key"),
    ("sk-or-", 20, "an OpenRouter key"),
    ("sk_live_", 16, "a Stripe key"),
    ("rk_live_", 16, "a Stripe key"),
    ("sk-", 20, "an API key"),
    ("xoxb-", 16, "a Slack token"),
    ("xoxp-", 16, "a Slack token"),
    ("xoxa-", 16, "a Slack token"),
    ("xapp-", 16, "a Slack token"),
    ("AKIA", 16, "an AWS key"),
    ("ASIA", 16, "an AWS key"),
    ("AIza", 30, "a Google key"),
    ("ya29.", 20, "a Google token"),
    ("npm_", 30, "an npm token"),
    ("pypi-", 30, "a PyPI token"),
    ("hf_", 25, "a Hugging Face token"),
    ("gsk_", 30, "a Groq key"),
    ("ntn_", 30, "a Notion token"),
    ("secret_", 30, "a Notion token"),
    ("lin_api_", 25, "a Linear key"),
    ("figd_", 25, "a Figma token"),
    ("dop_v1_", 30, "a DigitalOcean token"),
    ("SG.", 30, "a SendGrid key"),
    ("tvly-", 16, "a Tavily key"),
    ("pat-", 25, "an access token"),
    ("eyJ", 40, "a signed token"),
    ("-----BEGIN", 20, "a private key"),
];

/// Words in the name of a member that say its value is secret.
const SECRET_NAMES: &[&str] = &[
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "authorization",
    "authkey",
    "signingkey",
    "passphrase",
];

/// Words that mark a value as one to be replaced.
const PLACEHOLDERS: &[&str] = &[
    "your",
    "example",
    "dummy",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "replace",
    "insert",
    "sample",
    "xxxx",
    "****",
    "todo",
    "fake",
    "redacted",
    "none",
    "test",
    "demo",
    "here",
    "optional",
    "....",
    "abc123",
    "123456",
];

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    for entry in &file.entries {
        let Some(value) = file.value(&entry.pointer) else { continue };
        for group in ["env", "headers"] {
            for (name, text) in value.get(group).into_iter().flat_map(Value::members) {
                if let Some(what) = text.as_str().and_then(|text| secret(name, text)) {
                    let name_shown = excerpt(name, 60);
                    let message = format!("`{name_shown}` in `{group}` holds what looks like {what}.");
                    out.report(entry.site(file, &[group, name]), message);
                }
            }
        }
        args(file, entry, value, out);
        for key in ["url", "httpUrl", "serverUrl"] {
            if let Some(what) = value.get(key).and_then(Value::as_str).and_then(in_url) {
                let message = format!("The `{key}` holds what looks like {what}.");
                out.report(entry.site(file, &[key]), message);
            }
        }
    }
}

fn args(file: &ConfigFile, entry: &crate::config::Entry, value: Value<'_>, out: &mut Out<'_>) {
    let mut before = "";
    for (nth, arg) in value.get("args").into_iter().flat_map(Value::items).enumerate() {
        let Some(arg) = arg.as_str() else { continue };
        let (name, text) = match arg.split_once('=') {
            Some((name, text)) if !name.contains([' ', '/', ':']) => (name, text),
            _ => match arg.split_once(": ") {
                // A header behind `--header`.
                Some((name, text)) if !name.contains(' ') => (name, text),
                _ => (if before.starts_with('-') { before } else { "" }, arg),
            },
        };
        if let Some(what) = secret(name, text) {
            let message = format!("Argument {} holds what looks like {what}.", nth + 1);
            out.report(entry.site(file, &["args", &nth.to_string()]), message);
        }
        before = arg;
    }
}

/// What a value seems to be, if it seems to be a credential.
fn secret(name: &str, text: &str) -> Option<&'static str> {
    let text = text.trim();
    let text = ["Bearer ", "bearer ", "token ", "Token ", "Basic ", "basic "]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme))
        .unwrap_or(text);
    if is_placeholder(text) {
        return None;
    }
    if let Some(what) = known(text) {
        return Some(what);
    }
    if text.contains("://") {
        return in_url(text);
    }
    (names_secret(name) && is_random(text, 16)).then_some("a credential")
}

fn known(text: &str) -> Option<&'static str> {
    let is_word = |rest: &str| rest.chars().all(|character| !character.is_whitespace());
    PREFIXES.iter().find_map(|(prefix, fewest, what)| {
        let rest = text.strip_prefix(prefix)?;
        let fits = if *prefix == "-----BEGIN" {
            text.contains("PRIVATE KEY")
        } else {
            rest.len() >= *fewest && is_word(rest) && is_random(rest, *fewest)
        };
        fits.then_some(*what)
    })
}

/// A password or a token inside an address.
fn in_url(text: &str) -> Option<&'static str> {
    let (_, rest) = text.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if let Some((user, host)) = authority.rsplit_once('@') {
        let is_local = host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("host.docker");
        let password = user.split_once(':').map_or(user, |(_, password)| password);
        if !is_local && !is_placeholder(password) && (known(password).is_some() || is_random(password, 10)) {
            return Some("a password");
        }
    }
    let (_, query) = path.split_once('?')?;
    let pairs = query.split(['&', '#']).filter_map(|pair| pair.split_once('='));
    let mut secrets = pairs.filter(|(name, value)| {
        let is_key = names_secret(name) || matches!(*name, "key" | "code" | "sig" | "auth");
        !is_placeholder(value) && (known(value).is_some() || (is_key && is_random(value, 16)))
    });
    secrets.next().map(|_| "a credential")
}

fn names_secret(name: &str) -> bool {
    let folded = fold(name);
    // Counts and limits of tokens are no secrets: MAX_TOKENS, TOKEN_LIMIT.
    let is_amount =
        folded.ends_with("tokens") || folded.contains("limit") || folded.ends_with("url") || folded.ends_with("file");
    let is_path = folded.ends_with("path") || folded.ends_with("name") || folded.ends_with("id");
    !is_amount && !is_path && SECRET_NAMES.iter().any(|word| folded.contains(word))
}

/// Whether a value is a variable, or stands for one that is to be put in.
fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.is_empty()
        || text.contains("${")
        || text.contains("{{")
        || text.starts_with(['$', '%', '<', '[', '{'])
        || PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// Whether a text is long and mixed enough to have been made by a machine.
fn is_random(text: &str, fewest: usize) -> bool {
    // Bits per character; words of a language stay well below, hexadecimal digits reach 4.
    const LEAST_BITS: f64 = 2.8;
    let is_token = text.bytes().all(|byte| byte.is_ascii_graphic());
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_path = text.starts_with(['/', '.', '~']);
    text.len() >= fewest && is_token && has_digit && has_letter && !is_path && bits(text) >= LEAST_BITS
}

/// Shannon's measure of a text's bytes, in bits per byte.
fn bits(text: &str) -> f64 {
    let mut counts: BTreeMap<u8, f64> = BTreeMap::new();
    text.bytes().for_each(|byte| *counts.entry(byte).or_default() += 1.0);
    let all: f64 = counts.values().sum();
    counts.values().map(|count| -(count / all) * (count / all).log2()).sum()
}
