//! What clients do with a definition: dated facts with a source, as data.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::finding::ClientLoss;

/// What a client does when it meets a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Effect {
    /// It cannot connect, or drops the session.
    LosesServer,
    /// It shows none of the server's tools.
    LosesList,
    /// The model's API refuses the whole request, with every tool in it.
    RefusesRequest,
    /// It leaves the tool out.
    DropsTool,
    /// It shows the tool under another name.
    Renames,
    /// It leaves an argument out.
    DropsArgument,
    /// It leaves a keyword out, and with it what the keyword said.
    DropsKeyword,
    /// It cuts text.
    CutsText,
    /// It works less well.
    Degrades,
}

impl Effect {
    /// What is lost, as the start of a phrase that ends with the clients' names.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::LosesServer => "whole server lost in",
            Self::LosesList => "whole tool list lost in",
            Self::RefusesRequest => "whole request refused by",
            Self::DropsTool => "tool left out by",
            Self::Renames => "tool renamed by",
            Self::DropsArgument => "argument left out by",
            Self::DropsKeyword => "keyword ignored by",
            Self::CutsText => "text cut by",
            Self::Degrades => "degraded in",
        }
    }
}

/// How well a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Seen by running the client.
    Measured,
    /// Read in the client's source.
    Source,
    /// Read in the vendor's documentation.
    Documented,
    /// Reported by users.
    Reported,
}

/// One client, as its TOML file describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Id, as `--clients` takes it.
    pub id: String,
    /// Name for people, with versions.
    pub name: String,
    /// Facts, in file order.
    #[serde(default, rename = "fact")]
    pub facts: Vec<Fact>,
}

/// One thing a client does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// What it is about.
    pub kind: FactKind,
    /// The kind's parameter: a fault's name, a number.
    pub value: toml::Value,
    /// What the client does.
    pub effect: Effect,
    /// Where it is known from.
    pub source: String,
    /// When it was last checked, as `YYYY-MM-DD`.
    pub checked: String,
    /// How well it is known.
    pub confidence: Confidence,
    /// First version it holds for.
    pub since: Option<String>,
    /// First version it no longer holds for.
    pub until: Option<String>,
}

/// The closed set of things a fact can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// A fault by the name rules give it; the value is that name.
    Fault,
    /// The most tools it takes; the value is that number.
    ToolCap,
    /// The longest name it takes, in characters.
    NameLength,
}

macro_rules! client_files {
    ($($name:literal),* $(,)?) => {
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("clients/", $name, ".toml")))),*];
    };
}

client_files![
    "mcp-typescript-1",
    "mcp-typescript-2",
    "mcp-python-1",
    "mcp-python-2",
    "mcp-rust",
    "claude",
    "openai",
    "claude-code",
    "claude-desktop",
    "codex",
    "copilot-cli",
    "vscode",
    "cursor",
    "windsurf",
    "gemini-cli",
    "gemini-python",
    "gemini-js",
    "bedrock",
    "mistral",
    "junie",
    "roo",
    "cline",
    "opencode",
    "continue",
    "goose",
    "strands",
];

/// Every known client, in the order reports name them.
///
/// # Panics
/// Never in a released build: a test loads every file.
#[must_use]
pub fn all() -> &'static [Client] {
    static CLIENTS: OnceLock<Vec<Client>> = OnceLock::new();
    CLIENTS.get_or_init(|| FILES.iter().map(|(name, text)| load(name, text)).collect())
}

fn load(name: &str, text: &str) -> Client {
    toml::from_str(text).unwrap_or_else(|error| panic!("clients/{name}.toml: {error}"))
}

/// Which clients lose what by a named fault.
#[must_use]
pub fn losses(fault: &str) -> Vec<ClientLoss> {
    let facts = all().iter().flat_map(|client| client.facts.iter().map(move |fact| (client, fact)));
    let concerned = facts.filter(|(_, fact)| fact.kind == FactKind::Fault && fact.value.as_str() == Some(fault));
    concerned.map(|(client, fact)| client.loss(fact)).collect()
}

/// Which clients take less than a number of something, with the most that each takes.
#[must_use]
pub fn exceeded(kind: FactKind, number: usize) -> Vec<(ClientLoss, usize)> {
    let facts = all().iter().flat_map(|client| client.facts.iter().map(move |fact| (client, fact)));
    let bounds = facts.filter(|(_, fact)| fact.kind == kind).filter_map(|(client, fact)| {
        let most = usize::try_from(fact.value.as_integer()?).ok()?;
        (number > most).then(|| (client.loss(fact), most))
    });
    bounds.collect()
}

impl Client {
    /// This client's loss by one of its facts.
    #[must_use]
    pub fn loss(&'static self, fact: &'static Fact) -> ClientLoss {
        ClientLoss {
            id: Cow::Borrowed(&self.id),
            name: Cow::Borrowed(&self.name),
            effect: fact.effect,
            source: Cow::Borrowed(&fact.source),
            checked: Cow::Borrowed(&fact.checked),
        }
    }
}
