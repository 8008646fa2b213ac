//! Generates what is committed but not written by hand, and measures.
//!
//! - `cargo xtask docs` writes docs/rules and the table in the README; `--check` only compares.
//! - `cargo xtask listing N` prints a listing of N tools, the same one every time.
//! - `cargo xtask bench` measures whole runs of the release binary and prints a table; it starts itself as
//!   `measured`, `parse` and `converse`, to measure one run at a time.
//! - `cargo xtask new-rule ID` lays the two files of a new rule.
//! - `cargo xtask schemas DIR` cuts the protocol's official schemas, one folder per revision, to what a server sends.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

mod bench;
mod docs;
mod listing;
mod new_rule;
mod schemas;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["listing", count] => listing::print(count.parse()?),
        ["bench"] => bench::run(),
        ["measured", words @ ..] => bench::measured(words),
        ["parse", file] => bench::parse(Path::new(file)),
        ["converse", server, transcript] => bench::converse(Path::new(server), Path::new(transcript)),
        ["new-rule", id] => new_rule::lay(id),
        ["schemas", folder] => schemas::cut(Path::new(folder)),
        _ => bail!("usage: cargo xtask docs [--check] | listing N | bench | new-rule ID | schemas DIR"),
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}
