//! Text that stands for bytes: a transcript can spell any byte, also those TOML cannot hold.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// Bytes written in a transcript as text.
///
/// `\xHH`, `\r`, `\n`, `\t` and `\\` are escapes. Every other backslash stays as it is, so that
/// the escapes of JSON (`\"`, `\ud800`) can be written the way JSON writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Bytes(Vec<u8>);

impl Bytes {
    /// The bytes with `{id}` and `{n}` filled in.
    pub(crate) fn filled(&self, id: &str, run: u64) -> Vec<u8> {
        let with_id = replace(&self.0, b"{id}", id.as_bytes());
        replace(&with_id, b"{n}", run.to_string().as_bytes())
    }

    /// The bytes as they are.
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// The same bytes with a line feed behind them.
    pub(crate) fn with_line_feed(mut self) -> Self {
        self.0.push(b'\n');
        self
    }
}

impl TryFrom<String> for Bytes {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        unescape(&text).map(Self)
    }
}

fn unescape(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let (byte, length) = match (first, tail) {
            (b'\\', [b'x', tail @ ..]) => (hex_byte(tail)?, 4),
            (b'\\', [b'r', ..]) => (b'\r', 2),
            (b'\\', [b'n', ..]) => (b'\n', 2),
            (b'\\', [b't', ..]) => (b'\t', 2),
            (b'\\', [b'\\', ..]) => (b'\\', 2),
            (byte, _) => (*byte, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    Ok(bytes)
}

fn hex_byte(digits: &[u8]) -> Result<u8> {
    let [high, low, ..] = digits else {
        bail!("\\x needs two hexadecimal digits");
    };
    let digits = [*high, *low];
    let digits = std::str::from_utf8(&digits).context("\\x needs two hexadecimal digits")?;
    u8::from_str_radix(digits, 16).context("\\x needs two hexadecimal digits")
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix(from) {
            replaced.extend_from_slice(to);
            rest = tail;
        } else {
            replaced.push(rest[0]);
            rest = &rest[1..];
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::{Bytes, unescape};

    #[test]
    fn every_byte_can_be_spelled() -> anyhow::Result<()> {
        let bytes = unescape(r"a\xFF\x00\r\n\t\\n")?;
        assert_eq!(bytes, b"a\xFF\x00\r\n\t\\n");
        Ok(())
    }

    #[test]
    fn escapes_of_json_stay() -> anyhow::Result<()> {
        assert_eq!(unescape(r#"\"\ud800"#)?, br#"\"\ud800"#);
        Ok(())
    }

    #[test]
    fn half_an_escape_is_refused() {
        assert!(unescape(r"\xF").is_err());
        assert!(unescape(r"\xZZ").is_err());
    }

    #[test]
    fn placeholders_are_filled() -> anyhow::Result<()> {
        let bytes = Bytes::try_from(r#"{"id":{id},"n":{n}}"#.to_owned())?;
        assert_eq!(bytes.filled("\"a\"", 3), br#"{"id":"a","n":3}"#);
        Ok(())
    }
}
