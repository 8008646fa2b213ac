//! Saved listings: in which form the tools stand in a document.

use crate::document::Value;
use crate::text::article;

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
    /// Tools of OpenAI's Chat Completions API: the function stands under `function`.
    OpenAiChat,
    /// Tools of OpenAI's Responses API.
    OpenAiResponses,
    /// OpenAI's legacy array of functions.
    OpenAiFunctions,
    /// Tools of Anthropic's Messages API.
    Anthropic,
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
            Self::OpenAiChat => "tools of OpenAI's Chat Completions API",
            Self::OpenAiResponses => "tools of OpenAI's Responses API",
            Self::OpenAiFunctions => "OpenAI's legacy functions",
            Self::Anthropic => "tools of Anthropic's Messages API",
        }
    }

    /// The client whose API the form belongs to; nothing where it is MCP's own.
    #[must_use]
    pub fn provider(self) -> Option<&'static str> {
        match self {
            Self::Response | Self::ListResult | Self::Array | Self::Tool => None,
            Self::OpenAiChat | Self::OpenAiResponses | Self::OpenAiFunctions => Some("openai"),
            Self::Anthropic => Some("claude"),
        }
    }

    /// The member that holds a tool's input schema.
    #[must_use]
    pub fn schema_key(self) -> &'static str {
        match self.provider() {
            None => "inputSchema",
            Some("openai") => "parameters",
            Some(_) => "input_schema",
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
    if root.get("functions").is_some() {
        return array(root.get("functions"), "`functions`")
            .map(|list| tools(Form::OpenAiFunctions, "/functions", list));
    }
    if let Some(form) = form_of(root) {
        return Ok(Listing { form, tools: vec![inner(form, String::new(), root)] });
    }
    if root.get("inputSchema").is_some() || root.get("name").is_some() {
        return Ok(Listing { form: Form::Tool, tools: vec![(String::new(), root)] });
    }
    Err("No tools here: expected a tools/list response, its result, an array of tools, one tool, or a request to OpenAI or Anthropic.".to_owned())
}

fn array<'a>(value: Option<Value<'a>>, what: &str) -> Result<Value<'a>, String> {
    match value {
        Some(list) if list.is_array() => Ok(list),
        Some(other) => Err(format!("{what} must be an array of tools; it is {}.", article(other.kind()))),
        None => Err(format!("There is no {what} in this document.")),
    }
}

fn tools<'a>(form: Form, place: &str, list: Value<'a>) -> Listing<'a> {
    // What came over the wire, or has MCP's own member, is MCP; another name for the schema is a mistake there.
    let is_mcp = form == Form::Response || list.items().any(|tool| tool.get("inputSchema").is_some());
    let form = list.items().find_map(form_of).filter(|_| !is_mcp).unwrap_or(form);
    let items = list.items().enumerate().filter(|(_, tool)| form.provider().is_none() || !is_hosted(form, *tool));
    let tools = items.map(|(nth, tool)| inner(form, format!("{place}/{nth}"), tool));
    Listing { form, tools: tools.collect() }
}

/// The provider's form that a single tool has; nothing for MCP's own.
fn form_of(tool: Value<'_>) -> Option<Form> {
    let is_function = tool.get("type").and_then(Value::as_str) == Some("function");
    if is_function && tool.get("function").is_some_and(Value::is_object) {
        Some(Form::OpenAiChat)
    } else if is_function {
        Some(Form::OpenAiResponses)
    } else if tool.get("input_schema").is_some() && tool.get("inputSchema").is_none() {
        Some(Form::Anthropic)
    } else if tool.get("parameters").is_some_and(Value::is_object) && tool.get("inputSchema").is_none() {
        Some(Form::OpenAiFunctions)
    } else {
        None
    }
}

/// Whether a provider runs the tool itself: then it is named by its type and has no schema to check.
fn is_hosted(form: Form, tool: Value<'_>) -> bool {
    let kind = tool.get("type").and_then(Value::as_str);
    match form {
        Form::Anthropic => kind.is_some_and(|kind| kind != "custom"),
        Form::OpenAiFunctions => false,
        _ => kind.is_some_and(|kind| kind != "function"),
    }
}

/// Where the definition itself stands.
fn inner<'a>(form: Form, place: String, tool: Value<'a>) -> (String, Value<'a>) {
    match tool.get("function") {
        Some(function) if form == Form::OpenAiChat => (place + "/function", function),
        _ => (place, tool),
    }
}
