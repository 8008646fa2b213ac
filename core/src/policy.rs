//! What counts, and how much: levels and limits.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::clients::Selection;
use crate::finding::Level;

/// The settings of a check.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Levels that differ from the catalogue's; `None` switches a rule off.
    pub levels: BTreeMap<String, Option<Level>>,
    /// Bounds that rules judge by.
    pub limits: Limits,
    /// The clients whose facts count.
    pub clients: Selection,
    /// Whether anything that any agent trips over is to be found, opt-in modes included.
    pub every_agent: bool,
    /// Whether the servers run in the image of this program, with its programs and not the user's.
    pub in_container: bool,
    /// A clock in nanoseconds, where the time of each rule is to be taken.
    pub clock: Option<fn() -> u64>,
    /// File that stands for the repository in findings without a place of their own: its path from the root.
    pub stand_in: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            levels: BTreeMap::new(),
            limits: Limits::default(),
            clients: Selection::default(),
            every_agent: false,
            in_container: false,
            clock: None,
            stand_in: "README.md".to_owned(),
        }
    }
}

/// A named set of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Preset {
    /// The catalogue's levels.
    Recommended,
    /// What any agent trips over fails.
    EveryAgent,
    /// The protocol and plain judgement: nothing that rests on what some client does.
    Spec,
}

/// Levels of the preset for every agent, where they differ from the catalogue's.
const EVERY_AGENT: &[(&str, Level)] = &[
    ("annotations-missing", Level::Error),
    ("description-empty", Level::Error),
    ("keyword-unsupported", Level::Warning),
    ("name-not-portable", Level::Error),
    ("name-too-long-prefixed", Level::Error),
    ("ref-unsupported", Level::Error),
    ("stdout-crlf", Level::Error),
    ("too-many-tools", Level::Error),
    ("type-list", Level::Error),
];

impl Policy {
    /// The settings of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        match preset {
            Preset::Recommended => Self::default(),
            Preset::EveryAgent => Self {
                levels: EVERY_AGENT.iter().map(|(rule, level)| ((*rule).to_owned(), Some(*level))).collect(),
                every_agent: true,
                ..Self::default()
            },
            Preset::Spec => Self { clients: Selection::Named(BTreeSet::new()), ..Self::default() },
        }
    }
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
