//! `result`: one tools/call result against its tool's outputSchema, or a schema inferred from it.

use std::io::Write;

use anyhow::{Context, bail};
use mcp_lint_core::document::{Dialect, Document, Value};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::infer;
use mcp_lint_core::judge::judge_result;
use mcp_lint_core::listing;
use mcp_lint_core::policy::{Limits, Policy};
use mcp_lint_core::report::text;
use mcp_lint_core::text::closest;
use mcp_lint_core::view::{Server, Tool};

use crate::args::{CallResult, Color};
use crate::output;
use crate::targets::read_json;

/// Checks a result, or infers a schema; gives the exit code.
///
/// # Errors
/// When a file cannot be read, or does not hold what it should.
pub(crate) fn run(options: &CallResult) -> anyhow::Result<u8> {
    if [&options.tools, &options.result].iter().all(|path| path.as_os_str() == "-") {
        bail!("only one of the two files can be stdin");
    }
    let (tools_name, tools) = read_json(&options.tools)?;
    let listing = listing::read(tools.root()).map_err(|what| anyhow::anyhow!("{tools_name}: {what}"))?;
    let limits = Limits::default();
    let server = Server::saved("tools", &listing, &limits);
    let tool = find(&server, &options.tool)?;
    let (result_name, result) = read_json(&options.result)?;
    let answer = as_answer(result.root()).with_context(|| format!("cannot use {result_name}"))?;
    if tool.output_schema().is_none() {
        return infer(answer.root());
    }
    report(&judge_result(tool, answer.root(), &options.protocol, &Policy::default()), options)
}

fn find<'s, 'a>(server: &'s Server<'a>, name: &str) -> anyhow::Result<&'s Tool<'a>> {
    if let Some(tool) = server.tools.iter().find(|tool| tool.name == Some(name)) {
        return Ok(tool);
    }
    match closest(name, server.tools.iter().filter_map(|tool| tool.name)) {
        Some(near) => bail!("there is no tool {name:?} in the listing; did you mean {near:?}?"),
        None => bail!("there is no tool {name:?} in the listing"),
    }
}

/// The result as a whole JSON-RPC message, whichever part of it was saved.
fn as_answer(root: Value<'_>) -> anyhow::Result<Document> {
    let is_result = root.get("content").is_some_and(Value::is_array) || root.get("structuredContent").is_some();
    let result = if root.get("jsonrpc").is_some() {
        if root.get("result").is_none() {
            bail!("it is an error, not a result");
        }
        root.get("result").map(Value::raw).unwrap_or_default().to_owned()
    } else if is_result {
        root.raw().to_owned()
    } else {
        // Structured content alone says nothing about the text that came with it.
        let text = serde_json::Value::String(root.to_json().to_string());
        format!(r#"{{"structuredContent":{},"content":[{{"type":"text","text":{text}}}]}}"#, root.raw())
    };
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
    Ok(Document::parse(message, Dialect::STRICT)?)
}

/// The schema goes to stdout, ready to paste; what to do with it goes to stderr.
fn infer(answer: Value<'_>) -> anyhow::Result<u8> {
    let result = answer.get("result").context("there is no result")?;
    let Some(value) = structured(result) else {
        bail!(
            "the tool declares no outputSchema, and the result has neither structuredContent nor JSON in its text to infer one from"
        );
    };
    let schema = serde_json::to_string_pretty(&infer::schema(&value))?;
    output::print(&format!("{schema}\n"), Color::Never)?;
    let hint = "The tool declares no outputSchema. This one fits the result: review what is required, then paste it.";
    let _ = writeln!(anstream::stderr(), "{hint}");
    Ok(0)
}

fn structured(result: Value<'_>) -> Option<serde_json::Value> {
    if let Some(content) = result.get("structuredContent").filter(|content| !content.is_null()) {
        return Some(content.to_json());
    }
    let texts =
        result.get("content").into_iter().flat_map(Value::items).filter_map(|block| block.get("text")?.as_str());
    let values = texts.filter_map(|text| serde_json::from_str::<serde_json::Value>(text).ok());
    values.into_iter().find(|value| value.is_object() || value.is_array())
}

fn report(findings: &[Finding], options: &CallResult) -> anyhow::Result<u8> {
    if options.json {
        output::print(&(serde_json::to_string_pretty(findings)? + "\n"), Color::Never)?;
    } else if findings.is_empty() {
        output::print(&format!("The result matches the outputSchema of {}.\n", options.tool), Color::Auto)?;
    } else {
        output::print(&text::findings(findings), Color::Auto)?;
    }
    Ok(u8::from(findings.iter().any(|finding| finding.level == Level::Error)))
}
