//! The real binary, run as a user runs it.

mod configs;
mod environment;
mod harness;
mod results;
mod settings;
mod transcripts;
mod usage;
