//! Where a finding is, in a file of the repository.

use serde::{Deserialize, Serialize};

/// A range in a file; lines and columns count from 1, columns in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Location {
    /// Path from the root, with forward slashes.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// First column.
    pub start_column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column behind the last character.
    pub end_column: u32,
    /// How the place was found.
    pub found_by: FoundBy,
}

impl Location {
    /// A file as such: the place of its first character.
    #[must_use]
    pub fn file(path: impl Into<String>) -> Self {
        let path = path.into();
        Self { path, start_line: 1, start_column: 1, end_line: 1, end_column: 1, found_by: FoundBy::File }
    }
}

/// How a location was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FoundBy {
    /// The declaration in the repository's source.
    Definition,
    /// The server's entry in a configuration file.
    Entry,
    /// The file as such, or a place in the file that was checked.
    File,
}
