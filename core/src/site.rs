//! Where a finding is, in the server's own terms.

use serde::{Deserialize, Serialize};

use crate::document::Span;

/// The sort of thing a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Kind {
    /// A configuration file or one entry of it.
    Config,
    /// What a server wrote to its stdout.
    Wire,
    /// A server as a whole.
    Server,
    /// One tool.
    Tool,
    /// One prompt.
    Prompt,
    /// One resource or resource template.
    Resource,
}

/// A place by names: reordering tools or members changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The sort of thing.
    pub kind: Kind,
    /// The thing's name: a tool's, an entry's, a method's; empty for a server as a whole.
    pub entity: String,
    /// JSON pointer inside the thing, by property names; empty for the whole.
    pub pointer: String,
    /// The pointer as people write it, `legs[].date`; empty where there is nothing to add to the entity.
    pub path: String,
    /// Byte range in the document the thing was read from, if that is a file.
    pub span: Option<Span>,
}

impl Site {
    /// The server as a whole.
    #[must_use]
    pub fn server() -> Self {
        Self::of(Kind::Server, "")
    }

    /// A thing as a whole.
    #[must_use]
    pub fn of(kind: Kind, entity: impl Into<String>) -> Self {
        Self { kind, entity: entity.into(), pointer: String::new(), path: String::new(), span: None }
    }
}
