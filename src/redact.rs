//! Keeps the values of variables out of what is quoted: servers like to print the key they were given.

use mcp_lint_core::judge::Verdict;
use mcp_lint_core::snapshot::{Launch, Peer, Snapshot};
use mcp_lint_core::transcript::Body;

/// Shorter values are words that may stand anywhere; nobody's secret is that short.
const LEAST: usize = 6;

const INSTEAD: &str = mcp_lint_core::text::REDACTED;

/// Replaces every value in stderr, and in those lines of stdout that are no results. Results stay as they
/// are: they are what the check is about, and a value may be a word that a schema needs.
pub(crate) fn redact(snapshot: &mut Snapshot, secrets: &[String]) {
    for secret in long(secrets) {
        redact_launch(&mut snapshot.main, secret.as_bytes());
        if let Some(probe) = &mut snapshot.probe {
            redact_launch(probe, secret.as_bytes());
        }
    }
}

/// Replaces every value in what a report says about a server, where a result was quoted.
pub(crate) fn redact_verdict(verdict: &mut Verdict, secrets: &[String]) {
    for secret in long(secrets) {
        let messages = verdict.findings.iter_mut().map(|finding| &mut finding.message);
        let of_server = verdict.server.reason.iter_mut().chain(&mut verdict.server.protocol_version);
        messages.chain(of_server).for_each(|text| replace_text(text, secret));
        for finding in &mut verdict.findings {
            if finding.fix.contains(secret) {
                finding.fix = finding.fix.replace(secret, INSTEAD).into();
            }
        }
        if let Some(info) = &mut verdict.server.server_info {
            redact_json(info, secret);
        }
    }
}

/// Values that are long enough to be told from words.
pub(crate) fn long(secrets: &[String]) -> impl Iterator<Item = &str> {
    secrets.iter().map(String::as_str).filter(|secret| secret.len() >= LEAST)
}

fn redact_launch(launch: &mut Launch, secret: &[u8]) {
    replace(&mut launch.stderr.bytes, secret);
    for answer in launch.http.iter_mut().flat_map(|http| &mut http.answers) {
        let texts = answer.content_type.iter_mut().chain(&mut answer.scheme).chain([&mut answer.detail]);
        texts.for_each(|text| replace_text(text, &String::from_utf8_lossy(secret)));
    }
    for line in launch.lines.iter_mut().filter(|line| line.from == Peer::Server) {
        if contains(&line.bytes, secret) && !is_result(&line.bytes) {
            replace(&mut line.bytes, secret);
        }
    }
}

fn is_result(bytes: &[u8]) -> bool {
    matches!(Body::parse(bytes), Body::Json(document) if document.root().get("result").is_some())
}

fn redact_json(value: &mut serde_json::Value, secret: &str) {
    match value {
        serde_json::Value::String(text) => replace_text(text, secret),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| redact_json(item, secret)),
        serde_json::Value::Object(members) => members.values_mut().for_each(|member| redact_json(member, secret)),
        _ => {}
    }
}

fn replace_text(text: &mut String, secret: &str) {
    if text.contains(secret) {
        *text = text.replace(secret, INSTEAD);
    }
    while let Some((start, end)) = cut_off(text, secret) {
        text.replace_range(start..end, INSTEAD);
    }
}

/// The start of a secret in front of an ellipsis: texts are shortened where they are quoted.
fn cut_off(text: &str, secret: &str) -> Option<(usize, usize)> {
    text.match_indices('…').find_map(|(end, _)| {
        let before = &text[..end];
        let longest = secret.char_indices().map(|(at, _)| at).filter(|at| (LEAST..=before.len()).contains(at));
        let length = longest.rev().find(|at| before.ends_with(&secret[..*at]))?;
        Some((end - length, end))
    })
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn replace(bytes: &mut Vec<u8>, part: &[u8]) {
    if !contains(bytes, part) {
        return;
    }
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes.as_slice();
    while let Some(at) = rest.windows(part.len()).position(|window| window == part) {
        kept.extend_from_slice(&rest[..at]);
        kept.extend_from_slice(INSTEAD.as_bytes());
        rest = &rest[at + part.len()..];
    }
    kept.extend_from_slice(rest);
    *bytes = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_one_that_was_cut_goes_too() {
        let mut text = "said \"s3cret-ke…\", then \"s3cr…\"".to_owned();
        replace_text(&mut text, "s3cret-key-of-some-length");
        assert_eq!(text, "said \"[redacted]…\", then \"s3cr…\"");
    }

    #[test]
    fn every_occurrence_goes() {
        let mut text = b"key s3cret-key, again s3cret-key!".to_vec();
        replace(&mut text, b"s3cret-key");
        assert_eq!(text, b"key [redacted], again [redacted]!");
    }
}
