//! What clients do with a definition: dated facts with a source, as data.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::text::is_in_set;

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
    /// What happens, as a phrase of its own.
    #[must_use]
    pub fn happens(self) -> &'static str {
        match self {
            Self::LosesServer => "server lost",
            Self::LosesList => "tool list lost",
            Self::RefusesRequest => "request refused",
            Self::DropsTool => "left out",
            Self::Renames => "renamed",
            Self::DropsArgument => "argument left out",
            Self::DropsKeyword => "keyword ignored",
            Self::CutsText => "text cut",
            Self::Degrades => "degraded",
        }
    }

    /// Whether something is refused or left out, and not only changed.
    #[must_use]
    pub fn is_loss(self) -> bool {
        matches!(
            self,
            Self::LosesServer | Self::LosesList | Self::RefusesRequest | Self::DropsTool | Self::DropsArgument
        )
    }

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

/// What one client does about a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClientLoss {
    /// Id of the client.
    pub id: Cow<'static, str>,
    /// Its name, for people.
    pub name: Cow<'static, str>,
    /// What is lost there.
    pub effect: Effect,
    /// Where that is known from.
    pub source: Cow<'static, str>,
    /// When that was last checked, as `YYYY-MM-DD`.
    pub checked: Cow<'static, str>,
    /// How well it is known.
    pub confidence: Confidence,
    /// First version it holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Cow<'static, str>>,
    /// First version it no longer holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Cow<'static, str>>,
}

/// How well a fact is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl Confidence {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Source => "read in its source",
            Self::Documented => "documented",
            Self::Reported => "reported",
        }
    }
}

impl ClientLoss {
    /// The versions it holds for, in words; empty where they are not known to differ.
    #[must_use]
    pub fn versions(&self) -> String {
        let since = self.since.as_ref().map(|since| format!("since {since}"));
        let until = self.until.as_ref().map(|until| format!("until {until}"));
        since.into_iter().chain(until).collect::<Vec<_>>().join(", ")
    }
}

/// One client, as its TOML file describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Id, as `--clients` takes it.
    pub id: String,
    /// Name for people, with versions.
    pub name: String,
    /// A name for several clients at once.
    pub family: Option<String>,
    /// Whether it is an opt-in mode that counts only where it is named.
    #[serde(default)]
    pub strict: bool,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// A fault by the name rules give it; the value is that name.
    Fault,
    /// The most tools it takes; the value is that number.
    ToolCap,
    /// The longest name it takes, in characters.
    NameLength,
    /// How it puts the server's name in front: `form` with `{server}` and `{tool}`, the `most` characters
    /// that the result may have, and `server_most` of the server's name that it takes.
    NamePrefix,
    /// What it makes of a server's key: characters outside `allowed` are replaced, what is over `most`
    /// characters is cut, and a name is split again where the key has `splits`.
    ServerKey,
    /// How it cleans names: characters outside `allowed` (a set such as `A-Za-z0-9_-`) become `with`, what
    /// is over `most` characters is cut, and `fold` says whether case and separators then count.
    NameClean,
    /// The characters it takes in the names of arguments, `allowed`, and the `most` of them; `deep` says
    /// whether that holds below the top level too.
    ArgumentName,
    /// How much of a description it shows, in characters.
    DescriptionCut,
    /// How much of a server's instructions it shows, in characters.
    InstructionsCut,
    /// From how many bytes on it throws parts of a schema away: over `most`, reduced to what it `keeps`.
    SchemaCliff,
    /// How deep a schema may nest, in levels.
    Depth,
    /// A keyword, or several, that it drops or refuses; of a `keyword` with `is`, only that boolean.
    Keyword,
    /// The same in a strict mode; a `keyword` with `most` is taken up to that number.
    StrictKeyword,
    /// The only formats that a strict mode takes.
    StrictFormats,
    /// A limit of a strict mode: `what` is counted `per` request or tool, `most` is allowed.
    StrictLimit,
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
    "claude-strict",
    "openai",
    "openai-strict",
    "claude-code",
    "claude-desktop",
    "chatgpt",
    "codex",
    "copilot-cli",
    "vscode",
    "cursor",
    "windsurf",
    "gemini-cli",
    "gemini",
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
    "zed",
    "langchain",
    "litellm",
    "kimi",
    "llama-cpp",
    "deepseek",
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

/// Which clients count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Every client but the strict ones.
    #[default]
    All,
    /// Only these, by id or family. What they refuse or drop is an error.
    Named(BTreeSet<String>),
}

impl Selection {
    /// Reads a list of ids and families.
    ///
    /// # Errors
    /// At a name that no client has; gives the name.
    pub fn named(names: &[String]) -> Result<Self, String> {
        let known = |name: &&String| !all().iter().any(|client| client.goes_by(name));
        match names.iter().find(known) {
            Some(unknown) => Err(unknown.clone()),
            None => Ok(Self::Named(names.iter().cloned().collect())),
        }
    }

    /// Whether a client counts.
    #[must_use]
    pub fn includes(&self, client: &Client) -> bool {
        match self {
            Self::All => !client.strict,
            Self::Named(names) => names.iter().any(|name| client.goes_by(name)),
        }
    }

    /// Facts of a kind, of the clients that count.
    pub fn facts(&self, kind: FactKind) -> impl Iterator<Item = (&'static Client, &'static Fact)> {
        index().get(&(kind, "")).into_iter().flatten().copied().filter(|(client, _)| self.includes(client))
    }

    /// Which clients lose what by a named fault.
    #[must_use]
    pub fn losses(&self, fault: &str) -> Vec<ClientLoss> {
        self.losses_of(FactKind::Fault, fault)
    }

    /// Which clients lose what by a value that facts of a kind name.
    #[must_use]
    pub fn losses_of(&self, kind: FactKind, value: &str) -> Vec<ClientLoss> {
        let facts = index().get(&(kind, value)).into_iter().flatten();
        facts.filter(|(client, _)| self.includes(client)).map(|(client, fact)| client.loss(fact)).collect()
    }

    /// Facts of a kind that hold in strict mode: of the strict clients that count, and of the one that a tool
    /// itself asks for.
    pub fn strict_facts(
        &self,
        kind: FactKind,
        asked: Option<&str>,
    ) -> impl Iterator<Item = (&'static Client, &'static Fact)> {
        let facts = index().get(&(kind, "")).into_iter().flatten().copied();
        facts.filter(move |(client, _)| client.strict && (self.includes(client) || asked == Some(&*client.id)))
    }

    /// Which strict clients lose what by a named fault.
    #[must_use]
    pub fn strict_losses(&self, fault: &str, asked: Option<&str>) -> Vec<ClientLoss> {
        let facts = self.strict_facts(FactKind::Fault, asked).filter(|(_, fact)| fact.names(fault));
        facts.map(|(client, fact)| client.loss(fact)).collect()
    }

    /// Which clients take less than a number of something, with the most that each takes.
    #[must_use]
    pub fn exceeded(&self, kind: FactKind, number: usize) -> Vec<(ClientLoss, usize)> {
        let bounds = self.facts(kind).filter_map(|(client, fact)| {
            let most = usize::try_from(fact.value.as_integer()?).ok()?;
            (number > most).then(|| (client.loss(fact), most))
        });
        bounds.collect()
    }
}

type Index = HashMap<(FactKind, &'static str), Vec<(&'static Client, &'static Fact)>>;

/// What every client there is loses by a named fault, opt-in modes included.
#[must_use]
pub fn known_losses(fault: &str) -> Vec<ClientLoss> {
    let facts = index().get(&(FactKind::Fault, fault)).into_iter().flatten();
    facts.map(|(client, fact)| client.loss(fact)).collect()
}

/// Losses by several faults, every client once, with the worst of them.
#[must_use]
pub fn worst(losses: impl IntoIterator<Item = ClientLoss>) -> Vec<ClientLoss> {
    let mut worst: Vec<ClientLoss> = Vec::new();
    for loss in losses {
        match worst.iter_mut().find(|known| known.id == loss.id) {
            Some(known) if loss.effect < known.effect => *known = loss,
            Some(_) => {}
            None => worst.push(loss),
        }
    }
    worst
}

/// Every fact by its kind, and by its kind and the text it names.
fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index::new();
        for (client, fact) in all().iter().flat_map(|client| client.facts.iter().map(move |fact| (client, fact))) {
            index.entry((fact.kind, "")).or_default().push((client, fact));
            for value in fact.texts() {
                index.entry((fact.kind, value)).or_default().push((client, fact));
            }
        }
        index
    })
}

impl Fact {
    /// The texts a fact names: its value, or the items of its value.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let items = self.value.as_array().into_iter().flatten().filter_map(toml::Value::as_str);
        self.value.as_str().into_iter().chain(items)
    }

    /// Whether the value is a text, or lists it.
    #[must_use]
    pub fn names(&self, text: &str) -> bool {
        self.texts().any(|one| one == text)
    }

    /// The texts that a member of the value lists.
    pub fn list(&self, member: &str) -> impl Iterator<Item = &str> {
        let items = self.value.get(member).and_then(toml::Value::as_array);
        items.into_iter().flatten().filter_map(toml::Value::as_str)
    }

    /// A number that the value, or a member of it, is.
    #[must_use]
    pub fn number(&self, member: &str) -> Option<usize> {
        usize::try_from(self.value.get(member)?.as_integer()?).ok()
    }

    /// Whether a member of the value is true.
    #[must_use]
    pub fn is(&self, member: &str) -> bool {
        self.value.get(member).and_then(toml::Value::as_bool) == Some(true)
    }

    /// Whether a name consists of the characters of `allowed`; so does every name where that is not said.
    #[must_use]
    pub fn allows(&self, name: &str) -> bool {
        let Some(set) = self.text("allowed") else { return true };
        name.chars().all(|character| is_in_set(set, character))
    }

    /// A server's key and a tool's name as the `form` puts them together.
    #[must_use]
    pub fn prefixed(&self, server: &str, tool: &str) -> Option<String> {
        let most = self.number("server_most").unwrap_or(usize::MAX);
        let server: String = server.chars().take(most).collect();
        // The tool's name last: it must not be taken for a form.
        let (front, behind) = self.text("form")?.split_once("{tool}")?;
        Some(format!("{}{tool}{}", front.replace("{server}", &server), behind.replace("{server}", &server)))
    }

    /// A text that a member of the value is.
    #[must_use]
    pub fn text(&self, member: &str) -> Option<&str> {
        self.value.get(member)?.as_str()
    }
}

impl Client {
    /// Whether a name means this client: its id or its family.
    #[must_use]
    pub fn goes_by(&self, name: &str) -> bool {
        self.id == name || self.family.as_deref() == Some(name)
    }

    /// This client's loss by one of its facts.
    #[must_use]
    pub fn loss(&'static self, fact: &'static Fact) -> ClientLoss {
        ClientLoss {
            id: Cow::Borrowed(&self.id),
            name: Cow::Borrowed(&self.name),
            effect: fact.effect,
            source: Cow::Borrowed(&fact.source),
            checked: Cow::Borrowed(&fact.checked),
            confidence: fact.confidence,
            since: fact.since.as_deref().map(Cow::Borrowed),
            until: fact.until.as_deref().map(Cow::Borrowed),
        }
    }
}
