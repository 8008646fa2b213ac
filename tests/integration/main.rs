//! The real binary, run as a user runs it.

mod baselines;
mod configs;
mod environment;
mod harness;
mod results;
mod settings;
mod shape;
mod transcripts;
mod usage;
