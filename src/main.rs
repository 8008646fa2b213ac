//! mcp-lint: checks what an MCP server says on the wire, before an agent sees its tools.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

mod args;
mod client;
mod commands;
mod conversation;
mod declared;
mod discover;
mod environment;
mod expand;
mod github;
mod http;
mod launch;
mod output;
mod redact;
mod repository;
mod session;
mod signals;
mod sources;
mod standards;
mod status;
mod targets;
mod wire;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return ExitCode::from(answer_usage(&error));
        }
    };
    start_log();
    match commands::run(cli.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "{}", explained(&error));
            ExitCode::from(error.downcast_ref::<signals::Interrupted>().map_or(2, |signal| signal.exit_code()))
        }
    }
}

/// Prints help, or what is wrong with the command line; that quotes what was typed, so it is made safe.
/// Nobody may be left to read it; that changes nothing.
fn answer_usage(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        let _ = error.print();
        return 0;
    }
    for line in error.render().to_string().lines() {
        let _ = writeln!(anstream::stderr(), "{}", mcp_lint_core::text::visible(line));
    }
    2
}

/// Our own log goes to stderr, and only where someone asks for it.
fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("MCP_LINT_LOG");
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    // A stderr that takes nothing would be told of itself, with a panic.
    log.log_internal_errors(false).init();
}

/// A reader that has seen enough is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind =
        |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    error.chain().filter_map(kind).any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}

/// One line for a person: the error, then its causes.
fn explained(error: &anyhow::Error) -> String {
    let bold = anstyle::AnsiColor::Red.on_default().bold();
    let causes: Vec<String> = error.chain().map(|cause| mcp_lint_core::text::visible(&cause.to_string())).collect();
    format!("{bold}error:{bold:#} {}", causes.join(": "))
}
