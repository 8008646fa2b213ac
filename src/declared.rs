//! What we say of ourselves: name, revision, capabilities, and the answers to a server's own requests.

use mcp_lint_core::protocol::{MODERN, NEWEST_WITH_HANDSHAKE, REVISIONS};
use mcp_lint_core::settings::Capability;
use mcp_lint_core::snapshot::Line;
use mcp_lint_core::transcript::{Body, Role, role};
use serde_json::{Value, json};

/// Client capabilities that are declared to a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) elicitation: bool,
    pub(crate) roots: bool,
    pub(crate) sampling: bool,
}

impl Declared {
    /// What the command line or the settings name.
    pub(crate) fn new(capabilities: &[Capability]) -> Self {
        let has = |capability| capabilities.contains(&capability);
        Self {
            elicitation: has(Capability::Elicitation),
            roots: has(Capability::Roots),
            sampling: has(Capability::Sampling),
        }
    }

    /// Their names, sorted.
    pub(crate) fn names(self) -> Vec<String> {
        let all = [("elicitation", self.elicitation), ("roots", self.roots), ("sampling", self.sampling)];
        all.into_iter().filter(|(_, is_declared)| *is_declared).map(|(name, _)| name.to_owned()).collect()
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    fn json(self) -> Value {
        self.names().into_iter().map(|name| (name, json!({}))).collect()
    }

    /// Parameters of `initialize`.
    pub(crate) fn greeting(self, revision: &str) -> Value {
        json!({ "protocolVersion": revision, "capabilities": self.json(), "clientInfo": client_info() })
    }

    /// What every request says where there is no handshake.
    pub(crate) fn meta(self, revision: &str) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientInfo": client_info(),
            "io.modelcontextprotocol/clientCapabilities": self.json(),
        })
    }

    /// The answer to a line that is a request: `ping`, and what a user who declines would let through.
    pub(crate) fn reply(self, line: &Line) -> Option<String> {
        let Body::Json(document) = Body::parse(&line.bytes) else { return None };
        let Role::Request(method) = role(document.root()) else { return None };
        let id = document.root().get("id")?.raw();
        let answer = match method {
            "ping" => r#""result":{}"#,
            "roots/list" if self.roots => r#""result":{"roots":[]}"#,
            "elicitation/create" if self.elicitation => r#""result":{"action":"decline"}"#,
            "sampling/createMessage" if self.sampling => {
                r#""error":{"code":-1,"message":"The user rejected the request"}"#
            }
            _ => r#""error":{"code":-32601,"message":"Method not found"}"#,
        };
        Some(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#))
    }
}

fn client_info() -> Value {
    json!({ "name": "mcp-lint", "version": env!("CARGO_PKG_VERSION") })
}

/// How the revision of a conversation is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// With a handshake, and without one where the server knows none or both.
    Auto,
    /// With a handshake that offers this revision.
    Legacy(&'static str),
    /// Without a handshake.
    Modern,
}

impl Protocol {
    /// The revision that a handshake offers.
    pub(crate) fn offered(self) -> &'static str {
        match self {
            Self::Legacy(revision) => revision,
            Self::Auto | Self::Modern => NEWEST_WITH_HANDSHAKE,
        }
    }
}

impl std::str::FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "legacy" => Ok(Self::Legacy(NEWEST_WITH_HANDSHAKE)),
            "modern" | MODERN => Ok(Self::Modern),
            other => REVISIONS
                .iter()
                .find(|revision| **revision == other)
                .map(|revision| Self::Legacy(revision))
                .ok_or_else(|| format!("expected auto, legacy, modern or a revision: {}", REVISIONS.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use mcp_lint_core::snapshot::{LineEnd, Peer};

    use super::*;

    fn reply(declared: Declared, method: &str) -> Option<String> {
        let bytes = format!(r#"{{"jsonrpc":"2.0","id":"a","method":"{method}"}}"#).into_bytes();
        declared.reply(&Line { at: 0, from: Peer::Server, bytes, end: LineEnd::Feed })
    }

    #[test]
    fn only_what_was_declared_is_served() {
        let all = Declared { elicitation: true, roots: true, sampling: true };
        for method in ["roots/list", "elicitation/create", "sampling/createMessage"] {
            let refused = reply(Declared::default(), method).expect("an answer");
            assert!(refused.contains("-32601"), "{refused}");
            let served = reply(all, method).expect("an answer");
            assert!(!served.contains("-32601") && served.starts_with(r#"{"jsonrpc":"2.0","id":"a","#), "{served}");
        }
        assert_eq!(reply(all, "ping").as_deref(), Some(r#"{"jsonrpc":"2.0","id":"a","result":{}}"#));
    }

    #[test]
    fn a_revision_is_chosen_by_kind_or_by_date() {
        assert_eq!("auto".parse(), Ok(Protocol::Auto));
        assert_eq!("legacy".parse(), Ok(Protocol::Legacy(NEWEST_WITH_HANDSHAKE)));
        assert_eq!("2025-03-26".parse(), Ok(Protocol::Legacy("2025-03-26")));
        assert_eq!(("modern".parse(), MODERN.parse()), (Ok(Protocol::Modern), Ok(Protocol::Modern)));
        assert!("2099-01-01".parse::<Protocol>().is_err_and(|error| error.contains("2024-11-05")));
    }
}
