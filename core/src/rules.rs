//! The rules. Adding one is two files in `rules/` and one word in the list below.

use crate::finding::Level;
use crate::rule::{Check, Rule};

/// What most rules need.
mod prelude {
    pub(super) use std::collections::{BTreeMap, HashMap, HashSet};

    pub(super) use crate::config::{ConfigFile, Transport};
    pub(super) use crate::document::{Oddity, Value};
    pub(super) use crate::finding::Level;
    pub(super) use crate::refs::{Resolution, Resolver};
    pub(super) use crate::rule::{Check, Out, Rule};
    pub(super) use crate::site::{Kind, Site};
    pub(super) use crate::text::{closest, count, excerpt, list, visible, words};
    pub(super) use crate::transcript::{Body, Message, Role, Transcript, role};
    pub(super) use crate::view::{Call, Server, Tool};
    pub(super) use crate::walk::{Argument, Root, SchemaNode};
}

macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(
            #[allow(unreachable_pub, reason = "a rule file reads alike wherever it stands")]
            mod $name;
        )*
        /// Every rule, in the order of the catalogue.
        pub static ALL: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules![required_unknown, stdout_not_jsonrpc,];

/// Stands for a rule that failed; not in the list, since nothing can make it look.
pub(crate) static INTERNAL: Rule = Rule {
    id: "internal-error",
    summary: "a rule of mcp-lint itself failed",
    level: Level::Warning,
    since: "0.1.0",
    page: "# internal-error\n\n## Why\n\nThe other rules are not affected, but this server was not judged by this one.\n\n## Fix\n\nPlease report it, with the tool definition that caused it.\n",
    check: Check::Server(|_, _| {}),
};

/// A rule by its id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}
