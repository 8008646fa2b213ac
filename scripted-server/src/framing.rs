//! How a message becomes bytes.

use anyhow::Result;
use serde::Deserialize;
use serde_json::Value;

/// The ways to write one message to stdout. Only [`Frame::Lf`] is right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Frame {
    /// Compact JSON and a line feed.
    #[default]
    Lf,
    /// Compact JSON, carriage return, line feed.
    Crlf,
    /// Compact JSON and nothing behind it.
    None,
    /// JSON over several lines, and a line feed.
    Pretty,
    /// A `Content-Length` header in front of compact JSON, as language servers do.
    ContentLength,
    /// Compact JSON inside an array, and a line feed.
    Array,
}

impl Frame {
    /// The bytes of `message`.
    pub(crate) fn encode(self, message: &Value) -> Result<Vec<u8>> {
        let compact = serde_json::to_string(message)?;
        let text = match self {
            Self::Lf => format!("{compact}\n"),
            Self::Crlf => format!("{compact}\r\n"),
            Self::None => compact,
            Self::Pretty => format!("{}\n", serde_json::to_string_pretty(message)?),
            Self::ContentLength => format!("Content-Length: {}\r\n\r\n{compact}", compact.len()),
            Self::Array => format!("[{compact}]\n"),
        };
        Ok(text.into_bytes())
    }
}
