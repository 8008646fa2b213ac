//! Keeps the values of variables out of what is quoted: servers like to print the key they were given.

use mcp_lint_core::snapshot::{Launch, Peer, Snapshot};
use mcp_lint_core::transcript::Body;

/// Shorter values are words that may stand anywhere; nobody's secret is that short.
const LEAST: usize = 6;

const INSTEAD: &[u8] = b"[redacted]";

/// Replaces every value in stderr and in those lines of stdout that are no messages. Messages stay as they
/// are: they are what the check is about.
pub(crate) fn redact(snapshot: &mut Snapshot, secrets: &[String]) {
    let secrets: Vec<&[u8]> =
        secrets.iter().filter(|secret| secret.len() >= LEAST).map(|secret| secret.as_bytes()).collect();
    if secrets.is_empty() {
        return;
    }
    redact_launch(&mut snapshot.main, &secrets);
    if let Some(probe) = &mut snapshot.probe {
        redact_launch(probe, &secrets);
    }
}

fn redact_launch(launch: &mut Launch, secrets: &[&[u8]]) {
    for secret in secrets {
        replace(&mut launch.stderr.bytes, secret);
        for line in launch.lines.iter_mut().filter(|line| line.from == Peer::Server) {
            if contains(&line.bytes, secret) && !matches!(Body::parse(&line.bytes), Body::Json(_)) {
                replace(&mut line.bytes, secret);
            }
        }
    }
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
        kept.extend_from_slice(INSTEAD);
        rest = &rest[at + part.len()..];
    }
    kept.extend_from_slice(rest);
    *bytes = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_occurrence_goes() {
        let mut text = b"key s3cret-key, again s3cret-key!".to_vec();
        replace(&mut text, b"s3cret-key");
        assert_eq!(text, b"key [redacted], again [redacted]!");
    }
}
