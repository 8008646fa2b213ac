//! The contract: what each server listed when it was last agreed to, so that a check can tell what changed.
//!
//! Servers and tools are sorted by name, members too, each on its own line, and what callers do not see is left
//! out: the file changes only where the contract does, and reads as a list of changes when it is reviewed.

use std::collections::BTreeMap;

use crate::document::{Dialect, Document, Value};
use crate::judge::Subject;
use crate::listing;
use crate::policy::Limits;
use crate::text::{REDACTED, excerpt, is_hidden, list as named};
use crate::transcript::Transcripts;
use crate::view::{Server, Tool};

/// Version of the file's shape.
const VERSION: u64 = 1;

/// The member that names the version.
const HEADER: &str = "mcp-lint-contract";

/// Members of a tool that callers rely on, by MCP's names, in the order of the file.
const MEMBERS: &[&str] = &["name", "description", "inputSchema", "outputSchema", "annotations"];

/// A contract as it was read.
#[derive(Debug)]
pub struct Contract {
    document: Document,
}

impl Contract {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no JSON, has a conflict marker, lacks a part or is of an unknown version; says which.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_marker = |line: &&str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
        if let Some((nth, _)) = text.lines().enumerate().find(|(_, line)| is_marker(line)) {
            return Err(format!(
                "line {} is a conflict marker: take one side, or write the contract anew with `mcp-lint baseline create --snapshot`",
                nth + 1
            ));
        }
        let document = Document::parse(text.trim_start_matches('\u{feff}'), Dialect::STRICT)
            .map_err(|error| format!("this is not JSON: {error}"))?;
        check(document.root())?;
        Ok(Self { document })
    }

    /// The tools that a server listed; nothing for a server that the contract does not know.
    #[must_use]
    pub fn tools(&self, server: &str) -> Option<Value<'_>> {
        self.servers().get(server)
    }

    /// The tools of every server, as [`render`] takes them.
    #[must_use]
    pub fn listings(&self) -> BTreeMap<String, String> {
        self.servers().members().map(|(name, tools)| (name.to_owned(), written(tools))).collect()
    }

    fn servers(&self) -> Value<'_> {
        let root = self.document.root();
        root.get("servers").unwrap_or(root)
    }
}

fn check(root: Value<'_>) -> Result<(), String> {
    let version = root.get(HEADER).ok_or_else(|| format!("this is no contract: it lacks \"{HEADER}\": {VERSION}"))?;
    if version.as_u64() != Some(VERSION) {
        return Err(format!(
            "version {} of the contract is unknown; this program reads version {VERSION}",
            excerpt(version.raw(), 40)
        ));
    }
    let servers = root.get("servers").filter(|servers| servers.is_object());
    let servers = servers.ok_or("\"servers\" has to be an object of servers by name")?;
    match servers.members().find(|(_, tools)| !tools.is_array()) {
        Some((name, _)) => Err(format!("{} has to have an array of tools", named(&[name], 1))),
        None => Ok(()),
    }
}

/// Writes the file, from the tools of each server.
#[must_use]
pub fn render(listings: &BTreeMap<String, String>) -> String {
    let mut text = format!("{{\n  \"{HEADER}\": {VERSION},\n  \"servers\": {{");
    for (nth, (name, tools)) in listings.iter().enumerate() {
        text.push_str(if nth == 0 { "\n    " } else { ",\n    " });
        text.push_str(&quoted(name));
        text.push_str(": ");
        text.push_str(tools);
    }
    text.push_str(if listings.is_empty() { "}\n}\n" } else { "\n  }\n}\n" });
    text
}

/// The tools that were read of a server, for [`render`]; nothing where not all of them were read. Values of
/// variables are taken out of what is written for people: the file is shared. A word that a schema needs stays.
#[must_use]
pub fn listing_of(subject: &Subject, secrets: &[&str]) -> Option<String> {
    let limits = Limits::default();
    match subject {
        Subject::Live(snapshot) => {
            let transcripts = Transcripts::read(snapshot);
            let server = Server::live("", None, &transcripts, &limits);
            server.was_listed_whole().then(|| sorted(&server.tools, secrets))
        }
        Subject::File { document, .. } => {
            let listing = listing::read(document.root()).ok()?;
            Some(sorted(&Server::saved("", &listing, &limits).tools, secrets))
        }
        Subject::Skipped(_) => None,
    }
}

fn sorted(tools: &[Tool<'_>], secrets: &[&str]) -> String {
    let definition = |tool: &Tool<'_>| {
        let members = MEMBERS.iter().filter_map(|key| Some((*key, tool.get(key)?)));
        let mut writer = Writer { secrets, ..Writer::default() };
        writer.object(members.collect(), TOOL_DEPTH);
        (tool.name.unwrap_or_default().to_owned(), writer.text)
    };
    let mut texts: Vec<(String, String)> = tools.iter().map(definition).collect();
    // Those of one name keep an order of their own, whatever that of the listing.
    texts.sort();
    list(&texts.into_iter().map(|(_, text)| text).collect::<Vec<_>>())
}

/// The tools of a contract that was read, as they stand in it.
fn written(tools: Value<'_>) -> String {
    let text = |tool: Value<'_>| {
        let mut writer = Writer::default();
        writer.value(tool, TOOL_DEPTH);
        writer.text
    };
    list(&tools.items().map(text).collect::<Vec<_>>())
}

/// How deep a tool stands in the file.
const TOOL_DEPTH: usize = 3;

/// From this depth on lines start in the same column.
const DEEPEST_MARGIN: usize = 40;

/// Members written for people.
const PROSE: &[&str] = &["description", "title", "default", "examples", "$comment"];

fn list(tools: &[String]) -> String {
    if tools.is_empty() {
        return "[]".to_owned();
    }
    let (outer, inner) = (margin(TOOL_DEPTH - 1), margin(TOOL_DEPTH));
    format!("[{inner}{}{outer}]", tools.join(&format!(",{inner}")))
}

fn margin(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth.min(DEEPEST_MARGIN)))
}

#[derive(Default)]
struct Writer<'s> {
    text: String,
    secrets: &'s [&'s str],
    /// Whether what is being written is for people.
    is_prose: bool,
}

impl Writer<'_> {
    /// A value over several lines. Members are sorted, so that a server which shuffles them changes nothing.
    fn value(&mut self, of: Value<'_>, depth: usize) {
        if of.is_object() {
            // Of a repeated key the last one counts.
            let members: BTreeMap<&str, Value<'_>> = of.members().collect();
            let place = |key: &str| MEMBERS.iter().position(|member| depth == TOOL_DEPTH && *member == key);
            let mut members: Vec<(&str, Value<'_>)> = members.into_iter().collect();
            members.sort_by_key(|(key, _)| place(key).unwrap_or(MEMBERS.len()));
            self.object(members, depth);
        } else if of.is_array() {
            self.array(of, depth);
        } else {
            match of.as_str() {
                Some(text) if self.is_prose => {
                    let bare = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, REDACTED));
                    self.text.push_str(&quoted(&bare));
                }
                Some(text) => self.text.push_str(&quoted(text)),
                None => self.text.push_str(of.raw()),
            }
        }
    }

    fn array(&mut self, of: Value<'_>, depth: usize) {
        let is_short = of.items().all(|item| !item.is_object() && !item.is_array());
        let (start, between, end) = if is_short {
            (String::new(), ", ".to_owned(), String::new())
        } else {
            (margin(depth + 1), format!(",{}", margin(depth + 1)), margin(depth))
        };
        self.text.push('[');
        for (nth, item) in of.items().enumerate() {
            self.text.push_str(if nth == 0 { &start } else { &between });
            self.value(item, depth + 1);
        }
        self.text.extend([&end, "]"]);
    }

    fn object(&mut self, members: Vec<(&str, Value<'_>)>, depth: usize) {
        if members.is_empty() {
            self.text.push_str("{}");
            return;
        }
        let inner = margin(depth + 1);
        for (nth, (key, member)) in members.into_iter().enumerate() {
            self.text.extend([if nth == 0 { "{" } else { "," }, &inner, &quoted(key), ": "]);
            let around = self.is_prose;
            // A property may be called like a keyword, and is an object then; a default may be one as well.
            self.is_prose |= PROSE.contains(&key) && !(member.is_object() && key != "default");
            self.value(member, depth + 1);
            self.is_prose = around;
        }
        self.text.extend([&margin(depth), "}"]);
    }
}

/// A string in which nothing is hidden from who reviews the file.
fn quoted(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    let escaped = |character: char| {
        let units = character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        if is_hidden(character) { units } else { character.to_string() }
    };
    if json.chars().any(is_hidden) { json.chars().map(escaped).collect() } else { json }
}
