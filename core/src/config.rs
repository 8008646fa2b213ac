//! Configuration files that name MCP servers, each read as its own client reads it.
//!
//! Variables stay unexpanded here: expanding them needs the environment, which is the shell's.

use std::collections::HashSet;

use crate::document::{Dialect, Document, Span, SyntaxError, Value, push_token};
use crate::location::{FoundBy, Location};
use crate::site::{Kind, Site};
use crate::text::article;
use crate::text::fold;

/// How one client reads its configuration file.
#[derive(Debug, PartialEq, Eq)]
pub struct Reader {
    /// End of the path that marks a file as this client's.
    pub file: &'static str,
    /// The client, in words.
    pub client: &'static str,
    /// The member that holds the servers; the first one is the usual one.
    pub keys: &'static [&'static str],
    /// Comments and trailing commas.
    pub dialect: Dialect,
    /// Which variables it replaces.
    pub variables: Variables,
    /// Whether the file is looked for at the root without being named.
    pub discovered: bool,
}

/// Which variables a client replaces in a configuration file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// `${NAME}` and `${NAME:-default}`.
    pub braces: bool,
    /// `$NAME`.
    pub bare: bool,
    /// `${env:NAME}`.
    pub env: bool,
    /// `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}`.
    pub workspace: bool,
    /// `${input:id}`.
    pub inputs: bool,
}

const NONE: Variables = Variables { braces: false, bare: false, env: false, workspace: false, inputs: false };

/// The known readers. The first whose `file` ends the path counts.
pub static READERS: &[Reader] = &[
    Reader {
        file: ".vscode/mcp.json",
        client: "VS Code",
        keys: &["servers"],
        dialect: Dialect::COMMENTS,
        variables: Variables { env: true, workspace: true, inputs: true, ..NONE },
        discovered: true,
    },
    Reader {
        file: ".cursor/mcp.json",
        client: "Cursor",
        keys: &["mcpServers"],
        dialect: Dialect::STRICT,
        variables: Variables { env: true, workspace: true, ..NONE },
        discovered: false,
    },
    Reader {
        file: ".gemini/settings.json",
        client: "Gemini CLI",
        keys: &["mcpServers"],
        dialect: Dialect { comments: true, trailing_commas: false },
        variables: Variables { braces: true, bare: true, ..NONE },
        discovered: false,
    },
    Reader {
        file: "claude_desktop_config.json",
        client: "Claude Desktop",
        keys: &["mcpServers"],
        dialect: Dialect::STRICT,
        variables: NONE,
        discovered: false,
    },
    Reader {
        file: ".mcp.json",
        client: "Claude Code",
        keys: &["mcpServers"],
        dialect: Dialect::STRICT,
        variables: Variables { braces: true, ..NONE },
        discovered: true,
    },
    Reader {
        file: "mcp.json",
        client: "several clients",
        keys: &["mcpServers", "servers"],
        dialect: Dialect::STRICT,
        variables: Variables { braces: true, env: true, workspace: true, inputs: true, ..NONE },
        discovered: true,
    },
];

/// Reads files whose name says nothing.
static ANY: Reader = Reader {
    file: "",
    client: "MCP clients",
    keys: &["mcpServers", "servers"],
    dialect: Dialect::COMMENTS,
    variables: Variables { braces: true, env: true, workspace: true, inputs: true, ..NONE },
    discovered: false,
};

/// The reader of the file at a path; paths use forward slashes.
#[must_use]
pub fn reader_of(path: &str) -> &'static Reader {
    let ends =
        |reader: &&Reader| path.strip_suffix(reader.file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    READERS.iter().find(ends).unwrap_or(&ANY)
}

/// A configuration file as read.
#[derive(Debug)]
pub struct ConfigFile {
    /// Path from the root, with forward slashes.
    pub path: String,
    /// How it is read.
    pub reader: &'static Reader,
    /// Whether a byte order mark stands in front.
    pub has_bom: bool,
    /// The text and its values.
    pub document: Result<Document, SyntaxError>,
    /// The servers it names, in file order.
    pub entries: Vec<Entry>,
    /// What keeps it, or one of its entries, from being used.
    pub faults: Vec<Fault>,
    /// Variables that are not set and have no default; filled by whoever expands them.
    pub unset: Vec<Unset>,
}

/// A part of a file that does not have the shape its reader expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Name of the server it belongs to; empty for the file.
    pub server: String,
    /// JSON pointer in the file.
    pub pointer: String,
    /// Where it is.
    pub span: Option<Span>,
    /// What is wrong, as a sentence.
    pub message: String,
}

/// A variable without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unset {
    /// Name of the server that uses it.
    pub server: String,
    /// The variable as it is written.
    pub variable: String,
    /// The environment variable that would fill it.
    pub from: String,
}

/// One server of a configuration file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The server's key.
    pub name: String,
    /// JSON pointer of the entry in the file.
    pub pointer: String,
    /// Where the entry's value is.
    pub span: Span,
    /// How to reach the server.
    pub transport: Transport,
    /// Whether the file switches it off.
    pub disabled: bool,
    location: Location,
}

/// How an entry says its server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A command that speaks over stdin and stdout.
    Stdio(Command),
    /// Streamable HTTP.
    Http(Remote),
    /// The older transport of an event stream and a second endpoint.
    Sse(Remote),
    /// The entry is unusable; a fault of the file says why.
    Unusable,
}

/// A server that runs elsewhere, variables unexpanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its address.
    pub url: String,
    /// Headers for every request.
    pub headers: Vec<(String, String)>,
}

/// A command to start, variables unexpanded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables to set.
    pub env: Vec<(String, String)>,
    /// A file with more variables.
    pub env_file: Option<String>,
    /// Working directory.
    pub cwd: Option<String>,
}

impl Command {
    /// What is started in the end, by its plain name: without folder, `.exe` and a wrapping `cmd /c`. The
    /// number is how many arguments went into the wrapping.
    #[must_use]
    pub fn effective(&self) -> (&str, &[String], usize) {
        let program = plain_name(&self.program);
        let is_switch = self.args.first().is_some_and(|first| first.eq_ignore_ascii_case("/c"));
        match self.args.get(1) {
            Some(inner) if program.eq_ignore_ascii_case("cmd") && is_switch => {
                (plain_name(inner), self.args.get(2..).unwrap_or_default(), 2)
            }
            _ => (program, &self.args, 0),
        }
    }
}

/// A program without its folder and the `.exe` behind it.
fn plain_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let stem = name.len().checked_sub(4).and_then(|at| name.split_at_checked(at));
    stem.filter(|(_, end)| end.eq_ignore_ascii_case(".exe")).map_or(name, |(stem, _)| stem)
}

impl Entry {
    /// The command, where the entry has one.
    #[must_use]
    pub fn command(&self) -> Option<&Command> {
        match &self.transport {
            Transport::Stdio(command) => Some(command),
            _ => None,
        }
    }

    /// The place of the entry in its file.
    #[must_use]
    pub fn location(&self) -> Location {
        self.location.clone()
    }

    /// The entry's site, or that of a member of it.
    #[must_use]
    pub fn site(&self, file: &ConfigFile, keys: &[&str]) -> Site {
        let mut pointer = self.pointer.clone();
        keys.iter().for_each(|key| push_token(&mut pointer, key));
        let span = file.value(&pointer).map_or(self.span, Value::span);
        Site { pointer, path: keys.join("."), span: Some(span), ..Site::of(Kind::Config, self.name.clone()) }
    }
}

impl ConfigFile {
    /// Notes variables of a server that have no value: each as it is written, with the environment variable that
    /// would fill it.
    pub fn note_unset(&mut self, server: &str, unset: impl IntoIterator<Item = (String, String)>) {
        // Those of one server stand together at the end.
        let own = self.unset.iter().rev().take_while(|known| known.server == server);
        let mut known: HashSet<(String, String)> =
            own.map(|known| (known.variable.clone(), known.from.clone())).collect();
        for (variable, from) in unset {
            if known.insert((variable.clone(), from.clone())) {
                self.unset.push(Unset { server: server.to_owned(), variable, from });
            }
        }
    }

    /// Reads a file's text.
    #[must_use]
    pub fn read(path: &str, text: &str) -> Self {
        let reader = reader_of(path);
        let bare = text.strip_prefix('\u{feff}');
        let document = Document::parse(bare.unwrap_or(text), reader.dialect);
        let mut file = Self {
            path: path.to_owned(),
            reader,
            has_bom: bare.is_some(),
            document,
            entries: Vec::new(),
            faults: Vec::new(),
            unset: Vec::new(),
        };
        let (entries, faults) = file.read_entries();
        file.entries = entries;
        file.faults = faults;
        file
    }

    /// A value of the file by pointer.
    #[must_use]
    pub fn value(&self, pointer: &str) -> Option<Value<'_>> {
        self.document.as_ref().ok()?.root().pointer(pointer)
    }

    /// The object that holds the servers, and its key.
    #[must_use]
    pub fn servers(&self) -> Option<(&'static str, Value<'_>)> {
        let root = self.document.as_ref().ok()?.root();
        self.reader.keys.iter().find_map(|key| Some((*key, root.get(key)?)))
    }

    /// The file as a whole.
    #[must_use]
    pub fn site(&self) -> Site {
        Site::of(Kind::Config, self.path.clone())
    }

    /// A member of the file that is about no server.
    #[must_use]
    pub fn site_at(&self, keys: &[&str]) -> Site {
        let mut pointer = String::new();
        keys.iter().for_each(|key| push_token(&mut pointer, key));
        let span = self.value(&pointer).map(Value::span);
        Site { pointer, path: keys.join("."), span, ..self.site() }
    }

    /// Servers under a key that this file's reader does not look at, where it finds none: the keys down to
    /// them.
    #[must_use]
    pub fn misplaced(&self) -> Option<Vec<&str>> {
        let root = self.document.as_ref().ok()?.root();
        if self.servers().is_some() {
            return None;
        }
        let looks_right = |key: &str| matches!(fold(key).as_str(), "mcpservers" | "mcpserver" | "servers" | "server");
        let direct = root.members().find(|(key, value)| looks_right(key) && value.is_object());
        if let Some((key, _)) = direct {
            return Some(vec![key]);
        }
        let nested = root.members().filter(|(key, _)| matches!(*key, "mcp" | "context_servers"));
        let mut nested = nested.flat_map(|(outer, value)| value.members().map(move |(key, value)| (outer, key, value)));
        nested.find(|(_, key, value)| looks_right(key) && value.is_object()).map(|(outer, key, _)| vec![outer, key])
    }

    fn read_entries(&self) -> (Vec<Entry>, Vec<Fault>) {
        let (mut entries, mut faults) = (Vec::new(), Vec::new());
        let root = match &self.document {
            Ok(document) => document.root(),
            Err(error) => {
                faults.push(file_fault(Some(error.offset), format!("Not valid JSON: {error}.")));
                return (entries, faults);
            }
        };
        if !root.is_object() {
            faults.push(file_fault(None, format!("The file must hold an object; it holds {}.", article(root.kind()))));
            return (entries, faults);
        }
        let Some((key, servers)) = self.servers() else { return (entries, faults) };
        if !servers.is_object() {
            let message = format!("`{key}` must be an object of servers; it is {}.", article(servers.kind()));
            faults.push(Fault { pointer: format!("/{key}"), span: Some(servers.span()), ..file_fault(None, message) });
            return (entries, faults);
        }
        for (name, value) in servers.members() {
            entries.push(self.entry(key, name, value, &mut faults));
        }
        (entries, faults)
    }

    fn entry(&self, key: &str, name: &str, value: Value<'_>, faults: &mut Vec<Fault>) -> Entry {
        let mut pointer = format!("/{key}");
        push_token(&mut pointer, name);
        let mut shape = Shape { name, pointer: &pointer, value, faults };
        let transport = shape.transport();
        let disabled = value.get("disabled").and_then(Value::as_bool) == Some(true)
            || value.get("enabled").and_then(Value::as_bool) == Some(false);
        let (start, end) = (value.position(), value.document().position(value.span().end));
        let location = Location {
            path: self.path.clone(),
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            found_by: FoundBy::Entry,
        };
        Entry { name: name.to_owned(), pointer, span: value.span(), transport, disabled, location }
    }
}

fn file_fault(offset: Option<u32>, message: String) -> Fault {
    let span = offset.map(|at| Span { start: at, end: at });
    Fault { server: String::new(), pointer: String::new(), span, message }
}

/// Reads one entry, noting every member of the wrong kind.
struct Shape<'s, 'a> {
    name: &'s str,
    pointer: &'s str,
    value: Value<'a>,
    faults: &'s mut Vec<Fault>,
}

impl<'a> Shape<'_, 'a> {
    fn transport(&mut self) -> Transport {
        if !self.value.is_object() {
            let what = article(self.value.kind());
            self.fault(&[], format!("The entry of a server must be an object; this is {what}."));
            return Transport::Unusable;
        }
        let before = self.faults.len();
        let kind = self.string("type").map(|kind| kind.to_ascii_lowercase());
        let url = self.string("url").or_else(|| self.string("serverUrl"));
        let http_url = self.string("httpUrl");
        let command = self.string("command");
        let transport = match (kind.as_deref(), command, http_url.or(url)) {
            (Some("sse"), _, Some(url)) => Transport::Sse(self.remote(url)),
            (Some("http" | "streamable-http" | "streamablehttp"), _, Some(url)) => Transport::Http(self.remote(url)),
            (Some("sse" | "http" | "streamable-http" | "streamablehttp"), _, None) => {
                self.fault(&[], "An entry of this type needs a `url`.".to_owned());
                Transport::Unusable
            }
            (None | Some("stdio"), Some(program), _) => Transport::Stdio(self.command(program)),
            (None, None, Some(url)) => Transport::Http(self.remote(url)),
            (Some("stdio") | None, None, _) => {
                if self.faults.len() == before {
                    self.fault(&[], "The entry has neither a `command` nor a `url`.".to_owned());
                }
                Transport::Unusable
            }
            (Some(other), _, _) => {
                self.fault(&["type"], format!("Unknown type {other:?}: expected stdio, http or sse."));
                Transport::Unusable
            }
        };
        if self.faults.len() == before { transport } else { Transport::Unusable }
    }

    fn command(&mut self, program: &str) -> Command {
        if program.trim().is_empty() {
            self.fault(&["command"], "The `command` is empty.".to_owned());
        }
        Command {
            program: program.to_owned(),
            args: self.args(),
            env: self.env(),
            env_file: self.string("envFile").map(str::to_owned),
            cwd: self.string("cwd").map(str::to_owned),
        }
    }

    /// Headers that are no strings are left out: clients differ in what they make of them.
    fn remote(&mut self, url: &str) -> Remote {
        let headers = self.value.get("headers").into_iter().flat_map(Value::members);
        let texts = headers.filter_map(|(name, value)| Some((name.to_owned(), value.as_str()?.to_owned())));
        Remote { url: url.to_owned(), headers: texts.collect() }
    }

    fn args(&mut self) -> Vec<String> {
        let Some(list) = self.value.get("args") else { return Vec::new() };
        if !list.is_array() {
            self.fault(&["args"], format!("`args` must be an array of strings; it is {}.", article(list.kind())));
        }
        let mut args = Vec::new();
        for (nth, item) in list.items().enumerate() {
            match item.as_str() {
                Some(text) => args.push(text.to_owned()),
                None => {
                    let message = format!("Argument {} must be a string; it is {}.", nth + 1, article(item.kind()));
                    self.fault(&["args", &nth.to_string()], message);
                }
            }
        }
        args
    }

    fn env(&mut self) -> Vec<(String, String)> {
        let Some(map) = self.value.get("env").filter(|map| !map.is_null()) else { return Vec::new() };
        if !map.is_object() {
            self.fault(&["env"], format!("`env` must be an object of strings; it is {}.", article(map.kind())));
        }
        let mut env = Vec::new();
        for (name, value) in map.members() {
            if name.is_empty() || name.contains(['=', '\0']) {
                self.fault(&["env", name], "The name of a variable must not be empty and holds no `=`.".to_owned());
            }
            match value.as_str() {
                Some(text) => env.push((name.to_owned(), text.to_owned())),
                // VS Code takes numbers and null here; Claude Code and most others do not.
                None => {
                    let message = format!("The variable {name} must be a string; it is {}.", article(value.kind()));
                    self.fault(&["env", name], message);
                }
            }
        }
        env
    }

    /// A member that has to be a string where it is there.
    fn string(&mut self, key: &str) -> Option<&'a str> {
        let value = self.value.get(key)?;
        let text = value.as_str();
        if text.is_none() {
            self.fault(&[key], format!("`{key}` must be a string; it is {}.", article(value.kind())));
        }
        text
    }

    fn fault(&mut self, keys: &[&str], message: String) {
        let mut pointer = self.pointer.to_owned();
        let mut place = self.value;
        for key in keys {
            push_token(&mut pointer, key);
            let inner = if place.is_array() { place.item(key.parse().unwrap_or(0)) } else { place.get(key) };
            place = inner.unwrap_or(place);
        }
        self.faults.push(Fault { server: self.name.to_owned(), pointer, span: Some(place.span()), message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_faults_and_variables_take_no_more_than_linear_time() {
        let args = vec!["1"; 100_000].join(",");
        let mut file =
            ConfigFile::read(".mcp.json", &format!(r#"{{"mcpServers":{{"a":{{"command":"x","args":[{args}]}}}}}}"#));
        assert_eq!(file.faults.len(), 100_000);
        assert_eq!(file.faults[7].pointer, "/mcpServers/a/args/7");
        let unset = (0..100_000).map(|nth| (format!("${{V{nth}}}"), format!("V{}", nth % 50_000)));
        let all: Vec<_> = unset.collect();
        file.note_unset("a", all.clone());
        file.note_unset("a", all);
        assert_eq!(file.unset.len(), 100_000);
    }
}
