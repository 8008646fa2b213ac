//! A finding: one fault, at one site, in words for a person.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::clients::ClientLoss;
use crate::fingerprint::Identity;
use crate::location::Location;
use crate::site::Kind;

/// Text that is usually fixed when the program is built.
pub type Text = Cow<'static, str>;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Something is hidden, renamed, cut or left to guess.
    Warning,
    /// A whole list is lost, no call can succeed, or the protocol forbids it.
    Error,
}

impl Level {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One fault at one site.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Id of the rule.
    pub rule: Text,
    /// How much it matters, after all settings.
    pub level: Level,
    /// Whether it may change the exit code at all.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub counts: bool,
    /// Name of the server, where there is one.
    pub server: Option<String>,
    /// The sort of thing it is about.
    pub kind: Kind,
    /// The thing's name.
    pub entity: String,
    /// JSON pointer inside the thing.
    pub pointer: String,
    /// The pointer as people write it; empty for the whole thing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// Who is hurt, and how.
    pub why: Text,
    /// What to do.
    pub fix: Text,
    /// Clients known to be concerned, with the evidence.
    pub clients: Vec<ClientLoss>,
    /// Where it is, in a file of the repository: always one place, the best that is known.
    pub location: Location,
    /// Other places that help: the server's entry, where the location is in its source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Location>,
    /// What tells two faults of one rule at one place apart: a name, mostly empty.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub discriminator: Text,
    /// What was counted, for findings that may get worse: a number of tools, a size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<u64>,
    /// Identity that survives rewording and reordering: 32 hexadecimal digits.
    pub fingerprint: String,
    /// Whether the baseline knows it.
    pub state: State,
    /// Fingerprints of the findings that this one counts without listing them; mostly none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
    /// Why the baseline does not cover it, where it nearly does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Finding {
    /// How many findings it stands for.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.covers.len().max(1)
    }

    /// What makes it the same finding in the next run.
    #[must_use]
    pub fn identity(&self) -> Identity<'_> {
        Identity {
            rule: &self.rule,
            server: self.server.as_deref().unwrap_or_default(),
            kind: self.kind,
            entity: &self.entity,
            pointer: &self.pointer,
            discriminator: &self.discriminator,
        }
    }
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_true(value: &bool) -> bool {
    *value
}

/// A finding against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum State {
    /// Not in the baseline: may fail the build.
    New,
    /// In the baseline.
    Known,
}
