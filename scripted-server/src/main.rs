//! A test-only MCP stdio server that plays a transcript byte for byte:
//! `scripted-server TRANSCRIPT.toml`. The format is described in [`transcript`].

#![forbid(unsafe_code)]

mod catalogue;
mod escape;
mod framing;
mod player;
mod process;
mod transcript;

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::transcript::Transcript;

/// The exit code for a transcript that cannot be played: none of the codes that
/// transcripts ask for, so that a faulty fixture is not taken for a fault it plays.
const UNPLAYABLE: u8 = 70;
/// First argument to read a transcript without playing it.
const CHECK: &str = "--check";

fn main() -> ExitCode {
    match run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(UNPLAYABLE)
        }
    }
}

fn run() -> Result<u8> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [process::LINGER, _] => process::descend(),
        [process::DETACH, path] => process::detach(Path::new(path)),
        [process::SIGTERM_IGNORED, path] => serve(Path::new(path), true),
        [CHECK, path] => Transcript::load(Path::new(path)).map(|_| 0),
        [path] => serve(Path::new(path), false),
        _ => bail!("usage: scripted-server TRANSCRIPT.toml"),
    }
}

fn serve(path: &Path, sigterm_ignored: bool) -> Result<u8> {
    let transcript = Transcript::load(path)?;
    if transcript.ignore_sigterm && !sigterm_ignored {
        return process::restart_without_sigterm(path);
    }
    if let Some(variable) = transcript.missing_variable() {
        complain(&format!("{variable} is not set"));
        return Ok(1);
    }
    player::play(&transcript, path)
}

/// Writes one line to stderr. A closed stderr is no reason to fail.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "scripted-server: {text}");
}
