//! The report: a value, and one function per format that writes it.
//!
//! The value is also the JSON report, version 1. Fields are only ever added.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::baseline::{Absent, Entry};
use crate::clients::{ClientLoss, Effect};
use crate::finding::{Finding, Level, State, Text};
use crate::location::Location;
use crate::site::Kind;

pub mod agent;
pub mod check_run;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod junit;
pub mod markdown;
mod repository;
pub mod sarif;
pub mod text;

pub use repository::Repository;

/// Version of the shape that is written and read.
pub const VERSION: u64 = 1;

/// A whole report.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// Version of the shape: 1.
    pub version: u64,
    /// What wrote it.
    pub tool: Tool,
    /// Folder the paths start from.
    pub root: String,
    /// Client capabilities we declared to the servers.
    pub client_capabilities: Vec<String>,
    /// One row per server, in the order they were configured.
    pub servers: Vec<ServerReport>,
    /// Findings, in the order of the servers.
    pub findings: Vec<Finding>,
    /// Whether the findings were held against a baseline.
    #[serde(default)]
    pub has_baseline: bool,
    /// Findings of the baseline that are no longer there.
    pub gone: Vec<Entry>,
    /// Findings of the baseline that nobody looked for.
    pub not_judged: Vec<Entry>,
    /// All servers of the configuration files, checked here or left to other jobs; nothing where what to check
    /// was named by hand.
    #[serde(default)]
    pub configured: Option<Vec<String>>,
    /// Findings that the settings accept.
    #[serde(default)]
    pub ignored: usize,
    /// The same singly, sorted.
    #[serde(default)]
    pub accepted: Vec<Accepted>,
    /// Entries of the settings that accept nothing any more, in words.
    #[serde(default)]
    pub unused_ignores: Vec<String>,
    /// Counts.
    pub summary: Summary,
    /// From which level on new findings fail it.
    #[serde(default)]
    pub fail_on: FailOn,
    /// The exit code this report stands for.
    pub exit_code: u8,
}

/// A finding that the settings accept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accepted {
    /// The finding's fingerprint.
    pub fingerprint: String,
    /// Which entry of the settings accepts it, from 0.
    pub ignore: usize,
}

/// The program that wrote a report.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One server's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerReport {
    /// The config's key, or the name given to a command or file.
    pub name: String,
    /// Where it is configured.
    pub source: Option<Source>,
    /// The place that stands for it as a whole.
    pub place: Location,
    /// How it was reached.
    pub transport: Transport,
    /// What came of it.
    pub outcome: Outcome,
    /// Why it failed or was skipped.
    pub reason: Option<String>,
    /// The revision it answered with.
    pub protocol_version: Option<String>,
    /// Further revisions that it was seen to speak.
    #[serde(default)]
    pub also_speaks: Vec<String>,
    /// What it says of itself, as sent.
    pub server_info: Option<serde_json::Value>,
    /// How many tools it lists.
    pub tools: usize,
    /// Their names, as listed.
    pub tool_names: Vec<String>,
    /// Bytes of all definitions: names, titles, descriptions and input schemas.
    pub bytes: usize,
    /// The same in tokens.
    pub tokens: Tokens,
    /// Its prompts.
    #[serde(default)]
    pub prompts: ListSize,
    /// Its resources.
    #[serde(default)]
    pub resources: ListSize,
    /// Its templates of resources.
    #[serde(default)]
    pub resource_templates: ListSize,
    /// The longest description.
    pub longest_description: Option<LongestDescription>,
    /// Safe calls.
    pub calls: Calls,
    /// The form of a saved listing, in words.
    #[serde(default)]
    pub form: Option<String>,
    /// The tools that take the most bytes, the largest first.
    #[serde(default)]
    pub largest: Vec<ToolSize>,
    /// The matrix: what each client that loses something loses, client by tool.
    #[serde(default, rename = "matrix")]
    pub losses: Vec<ClientLosses>,
    /// How long it took, in milliseconds since the process started.
    pub timings_ms: Option<Timings>,
}

/// Where a server is configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Path from the root.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
}

/// How a server was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Transport {
    /// As a process.
    Stdio,
    /// Over HTTP.
    Http,
    /// Not at all: a saved listing.
    File,
}

/// What came of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Outcome {
    /// Its tools were read.
    Checked,
    /// Its tools could not be read.
    Failed,
    /// It was not looked at.
    Skipped,
}

/// A size in tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tokens {
    /// Bytes divided by four, rounded up.
    pub bytes_div_4: usize,
    /// Tokens of OpenAI's o200k vocabulary, where they were counted.
    pub o200k: Option<usize>,
}

/// The size of a list other than that of the tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListSize {
    /// How many entries it has.
    pub count: usize,
    /// Bytes of all entries together, without insignificant white space.
    pub bytes: usize,
}

/// The longest description of a listing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LongestDescription {
    /// The tool.
    pub tool: String,
    /// Length in characters.
    pub chars: usize,
}

/// Safe calls: tools that promise to change nothing, return structured data and need no argument.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calls {
    /// How many were made.
    pub tried: usize,
    /// How many tools promise that.
    pub eligible: usize,
}

/// The size of one tool's definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSize {
    /// The tool.
    pub tool: String,
    /// Bytes of its name, title, description and input schema.
    pub bytes: usize,
}

/// What one client loses of one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClientLosses {
    /// Id of the client.
    pub id: Text,
    /// Its name, for people.
    pub name: Text,
    /// What happens to the whole server or listing, the worst of it.
    pub whole: Option<Effect>,
    /// Rules that say so, sorted.
    pub rules: Vec<Text>,
    /// What happens to single tools, by name.
    pub tools: BTreeMap<String, ToolLoss>,
}

/// What a client loses of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolLoss {
    /// The worst of it.
    pub effect: Effect,
    /// Rules that say so, sorted.
    pub rules: Vec<Text>,
}

impl ClientLosses {
    pub(crate) fn new(loss: &ClientLoss) -> Self {
        Self { id: loss.id.clone(), name: loss.name.clone(), whole: None, rules: Vec::new(), tools: BTreeMap::new() }
    }

    /// Effects are ordered from the worst on.
    pub(crate) fn add_to_whole(&mut self, effect: Effect, rule: &Text) {
        self.whole = Some(self.whole.map_or(effect, |known| known.min(effect)));
        insert_sorted(&mut self.rules, rule);
    }

    pub(crate) fn add_to_tool(&mut self, tool: &str, effect: Effect, rule: &Text) {
        let loss = self.tools.entry(tool.to_owned()).or_insert(ToolLoss { effect, rules: Vec::new() });
        loss.effect = loss.effect.min(effect);
        insert_sorted(&mut loss.rules, rule);
    }
}

fn insert_sorted(rules: &mut Vec<Text>, rule: &Text) {
    if let Err(place) = rules.binary_search(rule) {
        rules.insert(place, rule.clone());
    }
}

/// Milliseconds since the process was started.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timings {
    /// Until `initialize` was answered.
    pub initialize: Option<u64>,
    /// Until the first page of the listing came.
    pub list: Option<u64>,
    /// Until the last line.
    pub total: u64,
}

/// Counts over a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Findings at level error.
    pub errors: usize,
    /// Findings at level warning.
    pub warnings: usize,
    /// Findings at level note.
    pub notes: usize,
    /// Findings that the baseline does not know.
    pub new: usize,
    /// Findings that it knows.
    pub known: usize,
    /// Entries of the baseline without a finding.
    pub gone: usize,
    /// Servers whose tools were read.
    pub servers_checked: usize,
    /// Servers whose tools could not be read.
    pub servers_failed: usize,
    /// Servers that were not looked at.
    pub servers_skipped: usize,
}

/// From which level on new findings fail a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FailOn {
    /// Nothing.
    Never,
    /// Findings at this level or above.
    #[serde(untagged)]
    Level(Level),
}

impl Default for FailOn {
    fn default() -> Self {
        Self::Level(Level::Error)
    }
}

impl Report {
    /// Puts a report together and takes its verdict.
    #[must_use]
    pub fn new(root: String, servers: Vec<ServerReport>, findings: Vec<Finding>, fail_on: FailOn) -> Self {
        Self::against(root, servers, findings, fail_on, Absent::default())
    }

    /// The same, with the findings held against a baseline: what became of its other entries.
    #[must_use]
    pub fn against(
        root: String,
        servers: Vec<ServerReport>,
        findings: Vec<Finding>,
        fail_on: FailOn,
        absent: Absent,
    ) -> Self {
        let mut summary = summarise(&servers, &findings);
        summary.gone = absent.gone.len();
        Self {
            version: VERSION,
            tool: Tool { name: "mcp-lint".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            root,
            client_capabilities: Vec::new(),
            fail_on,
            exit_code: u8::from(findings.iter().any(|finding| fails(finding, fail_on))),
            servers,
            findings,
            has_baseline: false,
            gone: absent.gone,
            not_judged: absent.not_judged,
            configured: None,
            ignored: 0,
            accepted: Vec::new(),
            unused_ignores: Vec::new(),
            summary,
        }
    }

    /// Takes the verdict anew, from another level on.
    pub fn judge(&mut self, fail_on: FailOn) {
        self.fail_on = fail_on;
        self.exit_code = u8::from(self.findings.iter().any(|finding| fails(finding, fail_on)));
    }

    /// Whether a finding of it is one that fails the check.
    #[must_use]
    pub fn is_failing(&self, finding: &Finding) -> bool {
        fails(finding, self.fail_on)
    }

    /// Past a bound, the findings of one rule on one server become one that counts the rest. Counts and the
    /// verdict stay those of all findings.
    pub fn cap(&mut self, most: usize) {
        let mut counts: HashMap<(Option<String>, Text), usize> = HashMap::new();
        let mut rest: BTreeMap<RestKey, (Finding, Vec<String>)> = BTreeMap::new();
        self.findings.retain(|finding| {
            let count = counts.entry((finding.server.clone(), finding.rule.clone())).or_default();
            // What already stands for a rest stays as it is.
            *count += usize::from(finding.covers.is_empty());
            if finding.covers.is_empty() && *count > most {
                let (_, covers) = rest.entry(rest_key(finding)).or_insert_with(|| (finding.clone(), Vec::new()));
                covers.push(finding.fingerprint.clone());
                return false;
            }
            true
        });
        self.findings.extend(rest.into_values().map(|(first, covers)| summed_up(first, covers)));
    }
}

/// What findings have in common that are summed up in one, in the order they are listed.
pub(crate) type RestKey = (Option<String>, Text, Level, bool, bool);

pub(crate) fn rest_key(finding: &Finding) -> RestKey {
    let Finding { server, rule, level, state, counts, .. } = finding;
    (server.clone(), rule.clone(), *level, *state == State::New, *counts)
}

fn summed_up(first: Finding, covers: Vec<String>) -> Finding {
    let more = covers.len();
    let places = if more == 1 { "place" } else { "places" };
    let mut finding = Finding {
        kind: if first.kind == Kind::Config { Kind::Config } else { Kind::Server },
        entity: String::new(),
        pointer: String::new(),
        path: String::new(),
        message: format!("The same in {more} more {places}, which are not listed."),
        discriminator: "rest".into(),
        measure: None,
        hint: None,
        covers,
        ..first
    };
    finding.fingerprint = finding.identity().fingerprint();
    finding
}

fn fails(finding: &Finding, fail_on: FailOn) -> bool {
    let FailOn::Level(least) = fail_on else { return false };
    finding.counts && finding.state == State::New && finding.level >= least
}

fn summarise(servers: &[ServerReport], findings: &[Finding]) -> Summary {
    let sum = |is_meant: &dyn Fn(&Finding) -> bool| {
        findings.iter().filter(|finding| is_meant(finding)).map(Finding::weight).sum()
    };
    let of_level = |level| sum(&|finding| finding.level == level);
    let of_state = |state| sum(&|finding| finding.state == state);
    let of_outcome = |outcome| servers.iter().filter(|server| server.outcome == outcome).count();
    Summary {
        errors: of_level(Level::Error),
        warnings: of_level(Level::Warning),
        notes: of_level(Level::Note),
        new: of_state(State::New),
        known: of_state(State::Known),
        gone: 0,
        servers_checked: of_outcome(Outcome::Checked),
        servers_failed: of_outcome(Outcome::Failed),
        servers_skipped: of_outcome(Outcome::Skipped),
    }
}
