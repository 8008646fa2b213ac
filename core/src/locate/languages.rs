//! What is known of each language: how its text reads, and the idioms that declare a tool in it.

use crate::site::Kind;

/// How a language's text reads, as far as the outline needs it.
#[derive(Debug)]
pub(super) struct Lexis {
    /// What opens a comment up to the end of the line.
    pub(super) line: &'static [&'static str],
    /// What opens and closes a comment.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// `#[` is code although `#` opens a comment.
    pub(super) attributes: bool,
    /// Strings in three quotes.
    pub(super) triple: bool,
    /// Apostrophes hold one character.
    pub(super) characters: bool,
    /// `r"…"` and `r#"…"#`.
    pub(super) raw: bool,
    /// `@"…"` without escapes.
    pub(super) verbatim: bool,
    /// A string in plain quotes may hold line breaks.
    pub(super) long_strings: bool,
    /// Backticks hold text with `${…}` in it, and slashes may hold a pattern.
    pub(super) templates: bool,
    /// Backticks hold plain text.
    pub(super) backticks: bool,
}

const PLAIN: Lexis = Lexis {
    line: &["//"],
    block: Some(("/*", "*/")),
    attributes: false,
    triple: false,
    characters: false,
    raw: false,
    verbatim: false,
    long_strings: false,
    templates: false,
    backticks: false,
};

/// A way to declare something that has a name.
#[derive(Debug)]
pub(super) struct Idiom {
    pub(super) kind: Kind,
    pub(super) shape: Shape,
    /// How little it proves: 0 is a declaration for certain, 1 most likely, 2 where nothing else is found.
    pub(super) doubt: u8,
}

/// What stands around the name.
#[derive(Debug)]
pub(super) enum Shape {
    /// The quoted name is the first argument of one of these calls: `registerTool("NAME"`.
    Call(&'static [&'static str]),
    /// The same for any call whose name has this word in it and none that asks or acts.
    CallNamed(&'static str),
    /// The quoted name is a member: `name: "NAME"`.
    Member {
        /// Keys it may have.
        keys: &'static [&'static str],
        /// What the bracket around belongs to, if that matters: `Tool(`.
        of: &'static [&'static str],
        /// Other members, one of which has to be there, if that matters.
        beside: &'static [&'static str],
    },
    /// The name is itself the key of something that holds one of these: `NAME: { inputSchema: …`.
    Key(&'static [&'static str]),
    /// The unquoted name is declared below or behind a mark: `@mcp.tool()` and `def NAME(`.
    Marked {
        /// The word in front of the name; none for languages that put a type there.
        word: &'static str,
        /// How a line with a mark starts.
        sigil: &'static str,
        /// The marks; none for any that names a maker of tools.
        marks: &'static [&'static str],
    },
    /// The unquoted name is handed to one of these calls: `add_tool(NAME)`.
    Handed(&'static [&'static str]),
    /// The name in CamelCase is a class of this kind: `class NAME < MCP::Tool`.
    Class(&'static [&'static str]),
    /// The quoted name is what a getter returns: `getName() { return "NAME"`.
    Getter(&'static [&'static str]),
    /// The quoted name is the value of a constant that is called alike: `GET_ORDER = "NAME"`.
    Constant,
    /// The name behind a key of YAML, between others: `name: NAME`.
    Line {
        /// Keys it may have.
        keys: &'static [&'static str],
        /// Other keys of the same depth, one of which has to be there, if that matters.
        beside: &'static [&'static str],
    },
}

/// A language.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) extensions: &'static [&'static str],
    pub(super) lexis: Lexis,
    pub(super) idioms: &'static [Idiom],
    /// The scope of a class is told by indentation.
    pub(super) indents: bool,
}

const fn tool(doubt: u8, shape: Shape) -> Idiom {
    Idiom { kind: Kind::Tool, shape, doubt }
}

const fn prompt(doubt: u8, shape: Shape) -> Idiom {
    Idiom { kind: Kind::Prompt, shape, doubt }
}

const fn resource(doubt: u8, shape: Shape) -> Idiom {
    Idiom { kind: Kind::Resource, shape, doubt }
}

/// Members that only a tool has beside its name.
const SCHEMAS: &[&str] = &[
    "inputSchema",
    "input_schema",
    "InputSchema",
    "parameters",
    "Parameters",
    "paramsSchema",
    "inputs",
    "schema",
    "rawInputSchema",
    "RawInputSchema",
];

/// Members that a tool has, and other things too.
const WORDS: &[&str] = &["description", "Description", "handler", "Handler", "execute", "annotations", "properties"];

/// Members of what stands under a tool's name. A description alone may be that of an argument.
const UNDER: &[&str] = &["inputSchema", "input_schema", "InputSchema", "parameters", "handler", "execute"];

/// Members that tell something else than a tool, whatever is beside them: the argument of a request.
pub(super) const NEVER_BESIDE: &[&str] = &["in"];

/// Members that tell something else than a tool where only a description speaks for one.
pub(super) const RARELY_BESIDE: &[&str] = &["required", "version", "mimeType", "uri", "default"];

const NAMES: &[&str] = &["name", "Name"];

const GETTERS: &[&str] = &["name", "getName", "Name", "get_name", "tool_name", "toolName"];

/// Words of a call that does something with a tool, rather than declaring one.
pub(super) const NOT_DECLARING: &[&str] = &[
    "call",
    "invoke",
    "exec",
    "run",
    "get",
    "has",
    "find",
    "remove",
    "delete",
    "unregister",
    "enable",
    "disable",
    "is",
    "test",
    "mock",
    "expect",
    "handle",
    "use",
    "format",
    "log",
    "track",
    "should",
    "filter",
    "match",
    "assert",
    "render",
    "parse",
    "error",
    "result",
    "response",
    "report",
    "record",
    "measure",
    "with",
    "require",
    "check",
    "validate",
    "on",
    "list",
];

static SCRIPT: Language = Language {
    extensions: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
    lexis: Lexis { templates: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Call(&["registerTool", "tool", "addTool", "defineTool", "registerAppTool"])),
        tool(
            0,
            Shape::Member { keys: NAMES, of: &["Tool", "tool", "McpTool", "MCPTool", "registerTool"], beside: &[] },
        ),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(0, Shape::Marked { word: "", sigil: "@", marks: &["Tool", "McpTool", "MCPTool"] }),
        tool(0, Shape::Key(UNDER)),
        tool(
            1,
            Shape::Member { keys: &["name", "toolName"], of: &["addTool", "defineTool", "createTool"], beside: &[] },
        ),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Getter(GETTERS)),
        tool(2, Shape::Constant),
        prompt(0, Shape::Call(&["registerPrompt", "prompt", "addPrompt"])),
        prompt(0, Shape::Member { keys: NAMES, of: &[], beside: &["arguments", "argsSchema"] }),
        prompt(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        prompt(2, Shape::Constant),
        resource(0, Shape::Call(&["registerResource", "resource", "addResource"])),
        resource(0, Shape::Member { keys: &["name", "uri", "uriTemplate"], of: &[], beside: &["mimeType", "uri"] }),
    ],
    indents: false,
};

static PYTHON: Language = Language {
    extensions: &["py", "pyi"],
    lexis: Lexis { line: &["#"], block: None, triple: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Call(&["tool"])),
        tool(0, Shape::Member { keys: NAMES, of: &["tool", "Tool", "StructuredTool", "FunctionTool"], beside: &[] }),
        tool(0, Shape::Marked { word: "def", sigil: "@", marks: &["tool", "mcp_tool", "register_tool", "tool_plain"] }),
        tool(1, Shape::Marked { word: "def", sigil: "@", marks: &[] }),
        tool(0, Shape::Member { keys: NAMES, of: &["from_function", "add_tool", "register_tool"], beside: &[] }),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(0, Shape::Handed(&["add_tool", "register_tool", "tool", "from_function"])),
        tool(0, Shape::Key(UNDER)),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Getter(GETTERS)),
        tool(2, Shape::Constant),
        prompt(0, Shape::Call(&["prompt"])),
        prompt(0, Shape::Member { keys: NAMES, of: &["prompt", "Prompt"], beside: &[] }),
        prompt(0, Shape::Marked { word: "def", sigil: "@", marks: &["prompt"] }),
        prompt(2, Shape::Constant),
        resource(0, Shape::Call(&["resource"])),
        resource(0, Shape::Member { keys: &["name", "uri"], of: &["resource", "Resource"], beside: &[] }),
        resource(0, Shape::Marked { word: "def", sigil: "@", marks: &["resource"] }),
    ],
    indents: true,
};

static GO: Language = Language {
    extensions: &["go"],
    lexis: Lexis { characters: true, backticks: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Call(&["NewTool", "NewToolWithRawSchema", "NewServerTool", "MustTool", "RegisterTool"])),
        tool(0, Shape::Member { keys: &["Name"], of: &["Tool", "ServerTool"], beside: &[] }),
        tool(0, Shape::Member { keys: &["Name", "name"], of: &[], beside: SCHEMAS }),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: &["Name", "name"], of: &[], beside: WORDS }),
        tool(2, Shape::Getter(GETTERS)),
        tool(2, Shape::Constant),
        prompt(0, Shape::Call(&["NewPrompt"])),
        prompt(0, Shape::Member { keys: &["Name"], of: &["Prompt"], beside: &[] }),
        resource(0, Shape::Call(&["NewResource", "NewResourceTemplate"])),
        resource(0, Shape::Member { keys: &["Name", "URI"], of: &["Resource", "ResourceTemplate"], beside: &[] }),
    ],
    indents: false,
};

static RUST: Language = Language {
    extensions: &["rs"],
    lexis: Lexis { characters: true, raw: true, long_strings: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Member { keys: NAMES, of: &["tool", "mcp_tool", "Tool"], beside: &[] }),
        tool(0, Shape::Marked { word: "fn", sigil: "#[", marks: &["tool", "mcp_tool"] }),
        tool(0, Shape::Call(&["Tool::new", "ToolBuilder::new", "Tool::builder", "Tool::new_with_raw"])),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Getter(GETTERS)),
        tool(2, Shape::Constant),
        prompt(0, Shape::Member { keys: NAMES, of: &["prompt", "Prompt"], beside: &[] }),
        prompt(0, Shape::Marked { word: "fn", sigil: "#[", marks: &["prompt"] }),
        prompt(0, Shape::Call(&["Prompt::new"])),
    ],
    indents: false,
};

static JVM: Language = Language {
    extensions: &["java", "kt", "kts", "scala", "groovy"],
    lexis: Lexis { triple: true, characters: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Member { keys: NAMES, of: &["Tool", "McpTool", "addTool", "ToolDef"], beside: &[] }),
        tool(0, Shape::Marked { word: "", sigil: "@", marks: &["Tool", "McpTool"] }),
        tool(0, Shape::Call(&["Tool", "addTool", "Tool.builder().name", "McpTool"])),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Call(&["builder().name"])),
        tool(2, Shape::Getter(GETTERS)),
        tool(2, Shape::Constant),
        prompt(0, Shape::Member { keys: NAMES, of: &["Prompt", "McpPrompt", "addPrompt"], beside: &[] }),
        prompt(0, Shape::Marked { word: "", sigil: "@", marks: &["Prompt", "McpPrompt"] }),
    ],
    indents: false,
};

static CSHARP: Language = Language {
    extensions: &["cs", "fs", "vb"],
    lexis: Lexis { triple: true, characters: true, verbatim: true, ..PLAIN },
    idioms: &[
        tool(
            0,
            Shape::Member {
                keys: NAMES,
                of: &["McpServerTool", "McpServerToolCreateOptions", "Tool", "McpTool"],
                beside: &[],
            },
        ),
        tool(0, Shape::Marked { word: "", sigil: "[", marks: &["McpServerTool", "McpTool", "McpPluginTool"] }),
        tool(0, Shape::Call(&["McpPluginTool", "McpTool", "McpForUnityTool"])),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(1, Shape::CallNamed("tool")),
        tool(2, Shape::Getter(GETTERS)),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Constant),
        prompt(0, Shape::Member { keys: NAMES, of: &["McpServerPrompt"], beside: &[] }),
        prompt(0, Shape::Marked { word: "", sigil: "[", marks: &["McpServerPrompt"] }),
    ],
    indents: false,
};

static PHP: Language = Language {
    extensions: &["php"],
    lexis: Lexis { line: &["//", "#"], attributes: true, long_strings: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Member { keys: NAMES, of: &["McpTool", "Tool", "AsTool", "addTool", "withTool"], beside: &[] }),
        tool(0, Shape::Call(&["McpTool", "AsTool", "Tool::make", "addTool"])),
        tool(0, Shape::Marked { word: "function", sigil: "#[", marks: &["McpTool", "Tool"] }),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(0, Shape::Key(UNDER)),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Getter(GETTERS)),
        tool(2, Shape::Constant),
        prompt(0, Shape::Member { keys: NAMES, of: &["McpPrompt"], beside: &[] }),
        prompt(0, Shape::Marked { word: "function", sigil: "#[", marks: &["McpPrompt"] }),
    ],
    indents: false,
};

static RUBY: Language = Language {
    extensions: &["rb"],
    lexis: Lexis { line: &["#"], block: None, long_strings: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Call(&["tool_name", "define_tool", "tool"])),
        tool(0, Shape::Member { keys: NAMES, of: &["Tool.define", "Tool.new", "define_tool"], beside: &[] }),
        tool(
            0,
            Shape::Class(&["MCP::Tool", "Tool", "FastMcp::Tool", "ApplicationTool", "ActionTool::Base", "BaseTool"]),
        ),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Constant),
        prompt(0, Shape::Call(&["prompt_name"])),
    ],
    indents: false,
};

static SWIFT: Language = Language {
    extensions: &["swift", "dart", "ex", "exs", "lua", "zig"],
    lexis: Lexis { triple: true, ..PLAIN },
    idioms: &[
        tool(0, Shape::Member { keys: NAMES, of: &["Tool"], beside: &[] }),
        tool(0, Shape::Call(&["Tool", "registerTool"])),
        tool(0, Shape::Member { keys: NAMES, of: &[], beside: SCHEMAS }),
        tool(1, Shape::CallNamed("tool")),
        tool(1, Shape::Member { keys: NAMES, of: &[], beside: WORDS }),
        tool(2, Shape::Constant),
    ],
    indents: false,
};

static JSON: Language = Language {
    extensions: &["json", "jsonc", "json5"],
    lexis: PLAIN,
    idioms: &[
        tool(0, Shape::Member { keys: &["name"], of: &[], beside: SCHEMAS }),
        tool(0, Shape::Member { keys: &["operationId"], of: &[], beside: &[] }),
        tool(0, Shape::Key(&["inputSchema", "input_schema"])),
        prompt(0, Shape::Member { keys: &["name"], of: &[], beside: &["arguments"] }),
        resource(0, Shape::Member { keys: &["uri", "uriTemplate"], of: &[], beside: &[] }),
    ],
    indents: false,
};

static YAML: Language = Language {
    extensions: &["yaml", "yml"],
    lexis: Lexis { line: &["#"], block: None, ..PLAIN },
    idioms: &[
        tool(0, Shape::Line { keys: &["operationId"], beside: &[] }),
        tool(0, Shape::Line { keys: &["name"], beside: SCHEMAS }),
        tool(1, Shape::Line { keys: &["name"], beside: &["description", "args", "arguments", "properties"] }),
        prompt(1, Shape::Line { keys: &["name"], beside: &["arguments", "template", "messages"] }),
        resource(0, Shape::Line { keys: &["uri", "uriTemplate"], beside: &[] }),
    ],
    indents: true,
};

static LANGUAGES: &[&Language] = &[&SCRIPT, &PYTHON, &GO, &RUST, &JVM, &CSHARP, &PHP, &RUBY, &SWIFT, &JSON, &YAML];

/// The language of a file, by the end of its name.
pub(super) fn language(path: &str) -> Option<&'static Language> {
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    LANGUAGES.iter().copied().find(|language| language.extensions.contains(&extension))
}

impl Language {
    pub(super) fn is_csharp(&self) -> bool {
        std::ptr::eq(self, &raw const CSHARP)
    }

    pub(super) fn is_yaml(&self) -> bool {
        std::ptr::eq(self, &raw const YAML)
    }
}
