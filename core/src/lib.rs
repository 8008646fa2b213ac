//! The pure half of mcp-lint.
//!
//! Everything here is a function of values: no file, process, clock, environment or terminal is
//! touched. What was read comes in as a [`judge::Subject`] or a [`config::ConfigFile`]; what goes out
//! is a [`report::Report`].

#![forbid(unsafe_code)]

pub mod baseline;
pub mod clients;
mod codes;
mod collisions;
pub mod comparison;
pub mod config;
pub mod contract;
pub mod document;
pub mod drift;
pub mod example;
pub mod finding;
pub mod fingerprint;
pub mod fixture;
pub mod infer;
pub mod instance;
pub mod judge;
pub mod keywords;
pub mod line_hash;
pub mod listing;

pub mod locate;
pub mod location;
pub mod merge;
pub mod page;
pub mod pattern;
pub mod policy;
pub mod protocol;
pub mod refs;
pub mod report;
pub mod rule;
pub mod rules;
pub mod schema;
pub mod settings;
pub mod site;
pub mod snapshot;
pub mod sse;
pub mod text;
pub mod tokens;
pub mod transcript;
pub mod view;
pub mod walk;
