//! The real binary, run as a user runs it.

mod baselines;
mod configs;
mod contract;
mod environment;
mod eras;
#[cfg(target_os = "linux")]
mod faults;
mod formats;
mod github;
mod github_api;
mod harness;
mod http;
mod merging;
mod publishing;
mod results;
mod runner;
mod sarif;
mod settings;
mod shape;
mod terminal;
mod transcripts;
mod usage;
