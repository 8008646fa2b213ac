//! What counts, and how much: levels and limits.

use std::collections::BTreeMap;

use crate::finding::Level;

/// The settings of a check.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Levels that differ from the catalogue's; `None` switches a rule off.
    pub levels: BTreeMap<String, Option<Level>>,
    /// Bounds that rules judge by.
    pub limits: Limits,
}

/// Bounds that rules judge by.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From how many tools on a listing is too long, in tools.
    pub max_tools: usize,
    /// How large the definitions may be together, in tokens of four bytes.
    pub listing_tokens: usize,
    /// How long a description may be, in characters.
    pub description_long: usize,
    /// How many findings of one rule on one server are reported singly.
    pub max_per_rule: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_tools: 40, listing_tokens: 10_000, description_long: 1_200, max_per_rule: 50 }
    }
}
