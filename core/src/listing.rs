//! Saved listings: in which form the tools stand in a document.

use crate::document::Value;

/// The form of a saved listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A JSON-RPC response to `tools/list`.
    Response,
    /// The result of `tools/list`.
    ListResult,
    /// An array of tools.
    Array,
    /// One tool.
    Tool,
}

impl Form {
    /// The form in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Response => "a JSON-RPC response to tools/list",
            Self::ListResult => "a tools/list result",
            Self::Array => "an array of tools",
            Self::Tool => "one tool",
        }
    }
}

/// The tools of a document.
#[derive(Clone, Debug)]
pub struct Listing<'a> {
    /// How they were found.
    pub form: Form,
    /// Each tool with its JSON pointer in the document.
    pub tools: Vec<(String, Value<'a>)>,
}

/// Finds the tools in a document.
///
/// # Errors
/// When the document has none of the known forms; says what it has instead, as a sentence.
pub fn read(root: Value<'_>) -> Result<Listing<'_>, String> {
    if root.is_array() {
        return Ok(tools(Form::Array, "", root));
    }
    if !root.is_object() {
        return Err(format!("A listing is an object or an array of tools; this is {}.", article(root.kind())));
    }
    if let Some(result) = root.get("result") {
        return array(result.get("tools"), "`result.tools`").map(|list| tools(Form::Response, "/result/tools", list));
    }
    if let Some(error) = root.get("error").filter(|_| root.get("jsonrpc").is_some()) {
        let said = error.get("message").and_then(Value::as_str).unwrap_or("no message");
        return Err(format!("This is a JSON-RPC error, not a listing: {said:?}."));
    }
    if root.get("tools").is_some() {
        return array(root.get("tools"), "`tools`").map(|list| tools(Form::ListResult, "/tools", list));
    }
    if root.get("inputSchema").is_some() || root.get("name").is_some() {
        return Ok(Listing { form: Form::Tool, tools: vec![(String::new(), root)] });
    }
    Err("No tools here: expected a tools/list response, its result, an array of tools, or one tool.".to_owned())
}

fn array<'a>(value: Option<Value<'a>>, what: &str) -> Result<Value<'a>, String> {
    match value {
        Some(list) if list.is_array() => Ok(list),
        Some(other) => Err(format!("{what} must be an array of tools; it is {}.", article(other.kind()))),
        None => Err(format!("There is no {what} in this document.")),
    }
}

fn tools<'a>(form: Form, place: &str, list: Value<'a>) -> Listing<'a> {
    let tools = list.items().enumerate().map(|(nth, tool)| (format!("{place}/{nth}"), tool));
    Listing { form, tools: tools.collect() }
}

/// A JSON kind with its article.
#[must_use]
pub fn article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "array" | "object" => format!("an {kind}"),
        other => format!("a {other}"),
    }
}

/// Names of the tools of a `tools/list` result that promise to change nothing, return structured data and
/// need no argument.
#[must_use]
pub fn safe_calls(result: Value<'_>) -> Vec<String> {
    let limits = crate::policy::Limits::default();
    let tools = result.get("tools").into_iter().flat_map(Value::items).map(|tool| (String::new(), tool));
    let listing = Listing { form: Form::ListResult, tools: tools.collect() };
    let server = crate::view::Server::saved("", &listing, &limits);
    let safe = server.tools.iter().filter(|tool| tool.is_safe_to_call());
    safe.filter_map(|tool| tool.name).map(str::to_owned).collect()
}
