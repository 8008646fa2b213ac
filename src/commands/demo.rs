//! `demo`: a real run against a sample server that is built into the binary.

use std::io::{BufRead, Write};

use anyhow::Context;
use mcp_lint_core::document::{Dialect, Document, Value};

use super::check::run_demo;
use crate::args::Output;
use crate::environment::{inherited, shed_runner_variables};
use crate::launch::Command;
use crate::output;

/// The sample server's tools: an order desk with a few defects in each.
const TOOLS: &str = include_str!("demo_tools.json");

/// Checks the sample server. The findings are the point of it, so they do not fail the command.
///
/// # Errors
/// When this program cannot be started again, or the report cannot be written.
pub(crate) fn run(output: &Output) -> anyhow::Result<u8> {
    shed_runner_variables().context("cannot start again without the runner's variables")?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let cwd = std::env::current_dir().context("cannot tell the current folder")?;
    let command = Command {
        program: program.into(),
        args: vec!["demo-server".into()],
        env: inherited(),
        cwd,
        shown: "mcp-lint".to_owned(),
        secrets: Vec::new(),
    };
    let report = run_demo(command, output)?;
    output::publish(&report, output)?;
    Ok(0)
}

/// Serves the sample tools until stdin ends.
///
/// # Errors
/// When stdin or stdout fails.
pub(crate) fn serve() -> anyhow::Result<u8> {
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(request) = Document::parse(line?, Dialect::STRICT) else { continue };
        if let Some(answer) = answer(request.root()) {
            writeln!(stdout, "{answer}")?;
            stdout.flush()?;
        }
    }
    Ok(0)
}

/// The answer to a request; nothing for a notification.
fn answer(request: Value<'_>) -> Option<String> {
    let id = request.get("id")?.raw();
    let body = match request.get("method").and_then(Value::as_str)? {
        "initialize" => {
            let info = r#"{"name":"orders","title":"Order desk","version":"1.2.0"}"#;
            format!(
                r#""result":{{"protocolVersion":"2025-11-25","capabilities":{{"tools":{{}}}},"serverInfo":{info}}}"#
            )
        }
        "tools/list" => format!(r#""result":{{"tools":{}}}"#, one_line(TOOLS)),
        "ping" => r#""result":{}"#.to_owned(),
        _ => r#""error":{"code":-32601,"message":"Method not found"}"#.to_owned(),
    };
    Some(format!(r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#))
}

/// A message must not span lines; the tools are kept in a file for people.
fn one_line(json: &str) -> String {
    json.lines().map(str::trim).collect()
}
