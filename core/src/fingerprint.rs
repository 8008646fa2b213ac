//! The identity of a finding: what it is about, never how it is worded or where it stands.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::finding::Finding;

/// 32 hexadecimal digits over rule, server, kind, entity, pointer and discriminator.
#[must_use]
pub(crate) fn fingerprint(finding: &Finding, discriminator: &str) -> String {
    let kind = finding.kind as u8;
    let mut hash = Sha256::new();
    for part in [
        finding.rule.as_ref(),
        finding.server.as_deref().unwrap_or_default(),
        &kind.to_string(),
        &finding.entity,
        &finding.pointer,
        discriminator,
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
