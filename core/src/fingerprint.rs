//! The identity of a finding: what it is about, never how it is worded or where it stands.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::site::Kind;

/// What makes a finding the same finding in the next run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The server's name; empty where there is none.
    pub server: &'a str,
    /// The sort of thing.
    pub kind: Kind,
    /// The thing's name.
    pub entity: &'a str,
    /// JSON pointer inside the thing, by names.
    pub pointer: &'a str,
    /// What tells two faults at one place apart: a name, mostly empty.
    pub discriminator: &'a str,
}

impl Identity<'_> {
    /// 32 hexadecimal digits over all of it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let kind = (self.kind as u8).to_string();
        let mut hash = Sha256::new();
        for part in [self.rule, self.server, &kind, self.entity, self.pointer, self.discriminator] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().iter().take(16).fold(String::with_capacity(32), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}
