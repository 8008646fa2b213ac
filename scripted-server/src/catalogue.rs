//! Tools that a transcript can name instead of writing them out.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

const CATALOGUE: &str = include_str!("catalogue.json");

/// A tool definition: either written out in the transcript, or the name of one in the catalogue.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Tool(Value);

impl Tool {
    /// The definition as it goes on the wire.
    pub(crate) fn definition(&self) -> &Value {
        &self.0
    }
}

impl TryFrom<Value> for Tool {
    type Error = anyhow::Error;

    fn try_from(value: Value) -> Result<Self> {
        match value {
            Value::String(name) => find(&name).map(Self),
            definition => Ok(Self(definition)),
        }
    }
}

fn find(name: &str) -> Result<Value> {
    let tools: Vec<Value> = serde_json::from_str(CATALOGUE).context("the catalogue")?;
    tools.into_iter().find(|tool| tool["name"] == name).with_context(|| format!("no tool `{name}` in the catalogue"))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_tool_is_found_by_its_name() -> anyhow::Result<()> {
        assert_eq!(find("track_parcel")?["inputSchema"]["type"], "object");
        assert!(find("walk_dog").is_err());
        Ok(())
    }
}
