//! Borrowed looks at what a server said: servers, tools, results of calls.
//!
//! Getters give `Option` and nothing is turned into a struct of known fields, so that rules see what
//! is there and not what a type expects.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::config::Entry;
use crate::document::{Span, Value};
use crate::listing::{Form, Listing};
use crate::location::Location;
use crate::policy::Limits;
use crate::site::{Kind, Site};
use crate::snapshot::{Ending, Exchange, Launch, Outcome, Purpose, StartFailure};
use crate::text::bounded;
use crate::transcript::{Transcript, Transcripts, error_of};

/// A server under check.
#[derive(Debug)]
pub struct Server<'a> {
    /// The config's key, or the name given to a command or file.
    pub name: &'a str,
    /// The configuration entry, where there is one.
    pub entry: Option<&'a Entry>,
    /// What was read.
    pub evidence: Evidence<'a>,
    /// Every tool that could be read, in listing order.
    pub tools: Vec<Tool<'a>>,
    /// Bounds that rules judge by.
    pub limits: &'a Limits,
}

/// Where the view's facts come from.
#[derive(Debug)]
pub enum Evidence<'a> {
    /// A process was started, or was meant to be.
    Live(&'a Transcripts<'a>),
    /// A saved listing.
    File {
        /// Its form.
        form: Form,
    },
    /// Nothing was read; the reason, as the end of a sentence.
    Skipped(&'a str),
}

/// One tool of a listing.
#[derive(Clone, Debug)]
pub struct Tool<'a> {
    /// The definition as sent.
    pub value: Value<'a>,
    /// Position in the listing, from 0, over all pages.
    pub index: usize,
    /// JSON pointer of the definition in the document it came from.
    pub place: String,
    /// The name, where it is a string.
    pub name: Option<&'a str>,
    /// What reports call it: the name, `#3` without one, `name#2` for the second of one name.
    pub label: Cow<'a, str>,
    /// The form it is written in: MCP's own, or that of a model API.
    pub form: Form,
    /// Whether spans of the value are places in a file.
    pub in_file: bool,
}

/// A prompt, a resource or a template of resources, as listed.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// Which of these it is: templates are resources too.
    pub kind: Kind,
    /// The definition.
    pub value: Value<'a>,
    /// What reports call it: its name or address, `#3` without one.
    pub label: Cow<'a, str>,
}

impl Item<'_> {
    /// The whole definition, or a member of it down a chain of keys.
    #[must_use]
    pub fn site(&self, keys: &[&str]) -> Site {
        let mut pointer = String::new();
        keys.iter().for_each(|key| crate::document::push_token(&mut pointer, key));
        Site { pointer, path: keys.join("."), ..Site::of(self.kind, self.label.clone()) }
    }
}

/// The second of each label that several items have, in the order they are listed.
#[must_use]
pub fn seconds_of_a_label(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let is_second = |item: &Item<'_>| {
        let nth = times.entry(item.label.to_string()).or_default();
        *nth += 1;
        *nth == 2
    };
    items.into_iter().filter(is_second).collect()
}

/// All servers of a run.
#[derive(Debug)]
pub struct Run<'a> {
    /// In the order they were configured.
    pub servers: &'a [Listed],
}

/// What one server adds to a run.
#[derive(Debug)]
pub struct Listed {
    /// The server's name.
    pub name: String,
    /// Names of its tools, as listed.
    pub tools: Vec<String>,
    /// The place of the server as a whole.
    pub place: Location,
}

/// A safe call and its answer.
#[derive(Debug)]
pub struct Call<'a> {
    /// The tool that was called.
    pub tool: &'a Tool<'a>,
    /// The answer: the whole JSON-RPC message, where one came.
    pub answer: Option<Value<'a>>,
    /// What became of the request.
    pub outcome: Outcome,
    /// The negotiated revision.
    pub revision: Option<&'a str>,
}

impl<'a> Server<'a> {
    /// The view of a launched server.
    #[must_use]
    pub fn live(name: &'a str, entry: Option<&'a Entry>, transcripts: &'a Transcripts<'a>, limits: &'a Limits) -> Self {
        Self { name, entry, evidence: Evidence::Live(transcripts), tools: listed(&transcripts.main), limits }
    }

    /// The view of a saved listing.
    #[must_use]
    pub fn saved(name: &'a str, listing: &Listing<'a>, limits: &'a Limits) -> Self {
        let values = listing.tools.iter().map(|(place, value)| (place.clone(), *value));
        Self {
            name,
            entry: None,
            evidence: Evidence::File { form: listing.form },
            tools: label(values, listing.form, true),
            limits,
        }
    }

    /// The view of a server that was not looked at.
    #[must_use]
    pub fn skipped(name: &'a str, entry: Option<&'a Entry>, reason: &'a str, limits: &'a Limits) -> Self {
        Self { name, entry, evidence: Evidence::Skipped(reason), tools: Vec::new(), limits }
    }

    /// Whether the tools are written in MCP's own form, and not in that of a model API.
    #[must_use]
    pub fn is_mcp(&self) -> bool {
        !matches!(self.evidence, Evidence::File { form } if form.provider().is_some())
    }

    /// The transcript of the launch that lists.
    #[must_use]
    pub fn main(&self) -> Option<&'a Transcript<'a>> {
        self.transcripts().map(|transcripts| &transcripts.main)
    }

    /// The transcript of the launch that got `server/discover` first, where that is not the one that is judged.
    #[must_use]
    pub fn probe(&self) -> Option<&'a Transcript<'a>> {
        self.transcripts()?.probe.as_ref()
    }

    /// The transcript of the launch without a handshake, where the server understands one.
    #[must_use]
    pub fn modern(&self) -> Option<&'a Transcript<'a>> {
        let transcripts = self.transcripts()?;
        [Some(&transcripts.main), transcripts.probe.as_ref()].into_iter().flatten().find(|it| it.understands_modern())
    }

    /// The transcripts of all launches.
    #[must_use]
    pub fn transcripts(&self) -> Option<&'a Transcripts<'a>> {
        match self.evidence {
            Evidence::Live(transcripts) => Some(transcripts),
            _ => None,
        }
    }

    /// Why no process came to be, if that is so.
    #[must_use]
    pub fn start_failure(&self) -> Option<&'a StartFailure> {
        match &self.main()?.launch.ending {
            Ending::NotStarted(failure) => Some(failure),
            _ => None,
        }
    }

    /// The result of `initialize`.
    #[must_use]
    pub fn initialize(&self) -> Option<Value<'a>> {
        let main = self.main()?;
        main.answer(main.exchange(&Purpose::Initialize)?)?.get("result")
    }

    /// What the server says of itself: the result of `initialize`, or without a handshake that of
    /// `server/discover`.
    #[must_use]
    pub fn about(&self) -> Option<Value<'a>> {
        self.main()?.about()
    }

    /// Its name and version, as sent.
    #[must_use]
    pub fn info(&self) -> Option<Value<'a>> {
        let about = self.about()?;
        about.get("serverInfo").or_else(|| about.get("_meta")?.get("io.modelcontextprotocol/serverInfo"))
    }

    /// The revision the server speaks.
    #[must_use]
    pub fn revision(&self) -> Option<&'a str> {
        self.main()?.revision()
    }

    /// Whether a capability is declared, as an object.
    #[must_use]
    pub fn declares(&self, capability: &str) -> bool {
        let declared = self.about().and_then(|result| result.get("capabilities")?.get(capability));
        declared.is_some_and(Value::is_object)
    }

    /// The prompts it lists.
    #[must_use]
    pub fn prompts(&self) -> Vec<Item<'a>> {
        self.items(Kind::Prompt, "prompts", "name", |purpose| is_listing_of(purpose, "prompts"))
    }

    /// The resources it lists.
    #[must_use]
    pub fn resources(&self) -> Vec<Item<'a>> {
        self.items(Kind::Resource, "resources", "uri", |purpose| is_listing_of(purpose, "resources"))
    }

    /// The templates of resources it lists.
    #[must_use]
    pub fn templates(&self) -> Vec<Item<'a>> {
        self.items(Kind::Resource, "resourceTemplates", "uriTemplate", |purpose| is_listing_of(purpose, TEMPLATES))
    }

    fn items(&self, kind: Kind, list: &str, key: &str, belongs: fn(&Purpose) -> bool) -> Vec<Item<'a>> {
        let Some(main) = self.main() else { return Vec::new() };
        let listed = main.results(belongs).filter_map(|result| result.get(list)).flat_map(Value::items);
        let label = |(nth, value): (usize, Value<'a>)| {
            let name = value.get(key).and_then(Value::as_str).filter(|name| !name.is_empty());
            let label = name.map_or_else(|| format!("#{}", nth + 1).into(), Cow::Borrowed);
            Item { kind, value, label }
        };
        listed.enumerate().map(label).collect()
    }

    /// The results of the pages of the first listing.
    #[must_use]
    pub fn pages(&self) -> Vec<Value<'a>> {
        self.main().map(|main| main.results(is_first_listing).collect()).unwrap_or_default()
    }

    /// Whether the tools could be read: only then do rules about them have a verdict.
    #[must_use]
    pub fn was_listed(&self) -> bool {
        match self.evidence {
            Evidence::File { .. } => true,
            Evidence::Skipped(_) => false,
            Evidence::Live(_) => {
                self.pages().iter().any(|result| result.get("tools").is_some_and(Value::is_array))
                    || self.offers_no_tools()
            }
        }
    }

    /// Whether every tool that it has was read: only then is a tool that is not there gone.
    #[must_use]
    pub fn was_listed_whole(&self) -> bool {
        match self.main() {
            Some(main) => {
                self.offers_no_tools() || (is_whole(main, is_first_listing) && self.endless_cursor().is_none())
            }
            None => self.was_listed(),
        }
    }

    /// Whether the capability of tools is left out, in a result that has capabilities.
    #[must_use]
    pub fn leaves_tools_undeclared(&self) -> bool {
        let capabilities = self.about().and_then(|result| result.get("capabilities"));
        capabilities.is_some_and(|all| all.is_object() && all.get("tools").is_none())
    }

    /// Whether the server says that it has no tools, by capability and by answer.
    #[must_use]
    pub fn offers_no_tools(&self) -> bool {
        let refused = self.main().and_then(|main| error_of(main.answer(main.exchange(&Purpose::Tools(0))?)?));
        let code = refused.and_then(|error| error.get("code"));
        // Older servers in Python refuse a method that they do not know as an invalid parameter.
        self.leaves_tools_undeclared() && code.is_some_and(|code| matches!(code.raw(), "-32601" | "-32602"))
    }

    /// What is wrong with the cursors of the listing, if its pages have no end.
    #[must_use]
    pub fn endless_cursor(&self) -> Option<EndlessCursor<'a>> {
        let main = self.main()?;
        let mut seen = HashSet::new();
        let mut last = None;
        for exchange in main.launch.exchanges.iter().filter(|exchange| is_first_listing(&exchange.purpose)) {
            let result = main.answer(exchange)?.get("result")?;
            last = next_cursor(result, main.is_modern());
            if let Some(cursor) = last
                && !seen.insert(cursor)
            {
                return Some(EndlessCursor::Repeated(cursor));
            }
        }
        // Nobody asked for the page behind the last one, although there is one.
        last.filter(|_| !main.was_cut_short()).map(|_| EndlessCursor::NeverEnds(seen.len()))
    }

    /// The tools of both listings, where both were made and are whole.
    #[must_use]
    pub fn both_listings(&self) -> Option<(&[Tool<'a>], Vec<Tool<'a>>)> {
        let main = self.main()?;
        let is_second = |purpose: &Purpose| matches!(purpose, Purpose::ToolsAgain(_));
        if !is_whole(main, is_first_listing) || !is_whole(main, is_second) || self.endless_cursor().is_some() {
            return None;
        }
        let again = main.results(|purpose| matches!(purpose, Purpose::ToolsAgain(_)));
        Some((&self.tools, label(tools_of(again), Form::ListResult, false)))
    }

    /// The safe calls that were made.
    #[must_use]
    pub fn calls(&'a self) -> Vec<Call<'a>> {
        let Some(main) = self.main() else { return Vec::new() };
        let calls = main.launch.exchanges.iter().filter_map(|exchange| match &exchange.purpose {
            Purpose::Call(name) => Some((name, exchange)),
            _ => None,
        });
        calls
            .filter_map(|(name, exchange)| {
                let tool = self.tools.iter().find(|tool| tool.name == Some(name))?;
                Some(Call { tool, answer: main.answer(exchange), outcome: exchange.outcome, revision: self.revision() })
            })
            .collect()
    }

    /// The cursors of every page, in a conversation or in a saved result.
    #[must_use]
    pub fn cursors(&self) -> Vec<Value<'a>> {
        let saved = self.tools.first().filter(|tool| tool.in_file).map(|tool| tool.value.document().root());
        let results = saved.map(|root| root.get("result").unwrap_or(root));
        self.pages().into_iter().chain(results).filter_map(|result| result.get("nextCursor")).collect()
    }

    /// Bytes of all definitions together, as [`Tool::size`] counts them.
    #[must_use]
    pub fn size(&self) -> usize {
        self.tools.iter().map(Tool::size).sum()
    }
}

impl<'a> Call<'a> {
    /// The result, where the call was answered with one that is no failure.
    #[must_use]
    pub fn success(&self) -> Option<Value<'a>> {
        let result = self.answer?.get("result").filter(|result| result.is_object())?;
        (result.get("isError").and_then(Value::as_bool) != Some(true)).then_some(result)
    }

    /// The structured content of a successful call.
    #[must_use]
    pub fn structured(&self) -> Option<Value<'a>> {
        self.success()?.get("structuredContent").filter(|content| !content.is_null())
    }
}

/// Whether a request belongs to the listing that rules look at.
#[must_use]
pub fn is_first_listing(purpose: &Purpose) -> bool {
    matches!(purpose, Purpose::Tools(_))
}

/// Whether every page of a listing was answered with tools.
fn is_whole(main: &Transcript<'_>, belongs: fn(&Purpose) -> bool) -> bool {
    let mut pages = main.launch.exchanges.iter().filter(|exchange| belongs(&exchange.purpose)).peekable();
    let is_page = |exchange: &Exchange| {
        main.answer(exchange).and_then(|answer| answer.get("result")?.get("tools")).is_some_and(Value::is_array)
    };
    pages.peek().is_some() && pages.all(is_page)
}

/// What the listing of resource templates is called among the listings of capabilities; it has none of its own.
pub const TEMPLATES: &str = "templates";

fn is_listing_of(purpose: &Purpose, what: &str) -> bool {
    matches!(purpose, Purpose::Listing(capability) if capability == what)
}

/// The cursor of the next page. Before 2026-07-28 an empty one is a server's way of saying that there is none.
#[must_use]
pub fn next_cursor(result: Value<'_>, is_modern: bool) -> Option<&str> {
    result.get("nextCursor").and_then(Value::as_str).filter(|cursor| is_modern || !cursor.is_empty())
}

/// What keeps the pages of a listing from ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndlessCursor<'a> {
    /// This cursor came twice.
    Repeated(&'a str),
    /// After this many pages there was still a next one.
    NeverEnds(usize),
}

/// A member of the answer to a request about the server as a whole.
#[must_use]
pub fn answer_site(method: &str, keys: &[&str]) -> Site {
    let mut pointer = String::new();
    keys.iter().for_each(|key| crate::document::push_token(&mut pointer, key));
    Site { pointer, path: keys.join("."), ..Site::of(Kind::Server, method) }
}

/// The tools of a launch's first listing.
#[must_use]
pub fn listed<'a>(transcript: &'a Transcript<'a>) -> Vec<Tool<'a>> {
    label(tools_of(transcript.results(is_first_listing)), Form::ListResult, false)
}

fn tools_of<'a>(pages: impl Iterator<Item = Value<'a>>) -> impl Iterator<Item = (String, Value<'a>)> {
    // A page that is sent twice, as by a server that takes no notice of cursors, counts once.
    let mut seen = HashSet::new();
    pages.enumerate().filter(move |(_, result)| seen.insert(result.raw())).flat_map(|(page, result)| {
        let tools = result.get("tools").into_iter().flat_map(Value::items).enumerate();
        tools.map(move |(nth, value)| (format!("/page/{page}/result/tools/{nth}"), value))
    })
}

fn label<'a>(values: impl Iterator<Item = (String, Value<'a>)>, form: Form, in_file: bool) -> Vec<Tool<'a>> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut tool = |(index, (place, value)): (usize, (String, Value<'a>))| {
        let name = name_of(value);
        let label = match name {
            None => Cow::Owned(format!("#{}", index + 1)),
            Some(name) => {
                let times = seen.entry(name).and_modify(|times| *times += 1).or_insert(1);
                if *times == 1 { bounded(name) } else { Cow::Owned(format!("{}#{times}", bounded(name))) }
            }
        };
        Tool { value, index, place, name, label, form, in_file }
    };
    values.enumerate().map(&mut tool).collect()
}

fn name_of(value: Value<'_>) -> Option<&str> {
    value.get("name")?.as_str()
}

impl<'a> Tool<'a> {
    /// A member of the definition, by MCP's name for it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.value.get(self.key(key))
    }

    /// What the tool's own form calls a member.
    #[must_use]
    pub fn key<'k>(&self, key: &'k str) -> &'k str {
        if key == "inputSchema" { self.form.schema_key() } else { key }
    }

    /// Whether it is written in MCP's own form.
    #[must_use]
    pub fn is_mcp(&self) -> bool {
        self.form.provider().is_none()
    }

    /// Whether it asks for its provider's strict mode.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.get("strict").and_then(Value::as_bool) == Some(true)
    }

    /// The client whose strict mode it asks for.
    #[must_use]
    pub fn strict_client(&self) -> Option<&'static str> {
        match self.form.provider().filter(|_| self.is_strict())? {
            "openai" => Some("openai-strict"),
            "claude" => Some("claude-strict"),
            _ => None,
        }
    }

    /// The description, where it is a string.
    #[must_use]
    pub fn description(&self) -> Option<&'a str> {
        self.get("description")?.as_str()
    }

    /// The input schema, where it is an object.
    #[must_use]
    pub fn input_schema(&self) -> Option<Value<'a>> {
        self.get("inputSchema").filter(|schema| schema.is_object())
    }

    /// The output schema, where it is an object.
    #[must_use]
    pub fn output_schema(&self) -> Option<Value<'a>> {
        self.get("outputSchema").filter(|schema| schema.is_object())
    }

    /// A hint of the annotations, where it is a boolean.
    #[must_use]
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.get("annotations")?.get(name)?.as_bool()
    }

    /// Whether calling it without arguments promises to change nothing and to return structured data.
    #[must_use]
    pub fn is_safe_to_call(&self) -> bool {
        let needs_nothing =
            self.input_schema().is_some_and(|schema| schema.get("required").is_none_or(Value::is_empty));
        self.hint("readOnlyHint") == Some(true) && self.output_schema().is_some() && needs_nothing
    }

    /// Bytes of name, title, description and input schema, the schema without insignificant white space.
    #[must_use]
    pub fn size(&self) -> usize {
        let text = |key| self.get(key).and_then(Value::as_str).map_or(0, str::len);
        text("name") + text("title") + text("description") + self.get("inputSchema").map_or(0, compact_size)
    }

    /// The tool as a whole.
    #[must_use]
    pub fn site(&self) -> Site {
        Site { span: self.file_span(self.value), ..Site::of(Kind::Tool, self.label.clone()) }
    }

    /// A member of the definition, down a chain of keys.
    #[must_use]
    pub fn site_at(&self, keys: &[&str]) -> Site {
        let mut pointer = String::new();
        let mut value = Some(self.value);
        let keys: Vec<&str> = keys.iter().map(|key| self.key(key)).collect();
        for key in &keys {
            crate::document::push_token(&mut pointer, key);
            value = value.and_then(|value| value.get(key));
        }
        let span = self.file_span(value.unwrap_or(self.value));
        Site { pointer, path: keys.join("."), span, ..self.site() }
    }

    /// The span of a value, where spans are places in a file.
    #[must_use]
    pub fn file_span(&self, value: Value<'a>) -> Option<Span> {
        self.in_file.then(|| value.span())
    }
}

/// Names of the tools of a `tools/list` result that promise to change nothing, return structured data and
/// need no argument.
#[must_use]
pub fn safe_calls(result: Value<'_>) -> Vec<String> {
    let limits = Limits::default();
    let tools = result.get("tools").into_iter().flat_map(Value::items).map(|tool| (String::new(), tool));
    let listing = Listing { form: Form::ListResult, tools: tools.collect() };
    let server = Server::saved("", &listing, &limits);
    let safe = server.tools.iter().filter(|tool| tool.is_safe_to_call());
    safe.filter_map(|tool| tool.name).map(str::to_owned).collect()
}

/// Length of a value written without insignificant white space, in bytes.
#[must_use]
pub fn compact_size(value: Value<'_>) -> usize {
    let separators = value.len().saturating_sub(1) + 2;
    if value.is_object() {
        separators + value.members().map(|(key, value)| key.len() + 3 + compact_size(value)).sum::<usize>()
    } else if value.is_array() {
        separators + value.items().map(compact_size).sum::<usize>()
    } else {
        value.raw().len()
    }
}

/// Whether the launch got as far as a process.
#[must_use]
pub fn has_started(launch: &Launch) -> bool {
    !matches!(launch.ending, Ending::NotStarted(_))
}
