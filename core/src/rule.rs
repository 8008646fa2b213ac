//! What a rule is, and how it reports.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::clients::{ClientLoss, Selection};
use crate::config::{ConfigFile, Entry};
use crate::document::{Document, Position};
use crate::drift::{Change, What};
use crate::finding::{Finding, Level, State, Text};
use crate::location::{FoundBy, Location};
use crate::page::Page;
use crate::policy::{Limits, Policy};
use crate::site::Site;
use crate::text::bounded;
use crate::transcript::Transcript;
use crate::view::{Call, Listed, Run, Server, Tool};
use crate::walk::{Argument, SchemaNode};

/// One rule: a row of data and a function.
#[derive(Debug)]
pub struct Rule {
    /// The id, kebab-case: public, never reused.
    pub id: &'static str,
    /// One line on what makes it fire.
    pub summary: &'static str,
    /// Level where nothing else is set.
    pub level: Level,
    /// What its findings rest on.
    pub basis: Basis,
    /// First version that has it.
    pub since: &'static str,
    /// The page beside the rule, in Markdown.
    pub page: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// What the findings of a rule rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The protocol, JSON Schema, or plain judgement: it holds whoever the client is.
    General,
    /// Facts about clients: without a client that counts there is no finding.
    Clients,
}

/// The level at which a rule looks, with its function.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Lines of the launch that lists.
    Wire(fn(&Transcript<'_>, &mut Out<'_>)),
    /// The lines that a process wrote: how its stdout is made up.
    Stdio(fn(&Transcript<'_>, &mut Out<'_>)),
    /// A configuration file with its entries.
    Config(fn(&ConfigFile, &mut Out<'_>)),
    /// A server as a whole: its life, its listing.
    Server(fn(&Server<'_>, &mut Out<'_>)),
    /// One tool.
    Tool(fn(&Tool<'_>, &mut Out<'_>)),
    /// One argument, at any depth.
    Argument(fn(&Argument<'_, '_>, &mut Out<'_>)),
    /// One sub-schema, at any depth, of input and output schemas.
    Schema(fn(&SchemaNode<'_, '_>, &mut Out<'_>)),
    /// One safe call with its answer.
    Result(fn(&Call<'_>, &mut Out<'_>)),
    /// One change against a former listing.
    Change(fn(&Change, &mut Out<'_>)),
    /// Every server of a run together.
    Run(fn(&Run<'_>, &mut Out<'_>)),
}

/// The levels at which rules look, as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Wire,
    Config,
    Server,
    Tool,
    Argument,
    Schema,
    Result,
    Change,
    Run,
}

/// How many groups there are.
pub(crate) const GROUPS: usize = Group::Run as usize + 1;

impl Check {
    pub(crate) fn group(self) -> Group {
        match self {
            Self::Wire(_) | Self::Stdio(_) => Group::Wire,
            Self::Config(_) => Group::Config,
            Self::Server(_) => Group::Server,
            Self::Tool(_) => Group::Tool,
            Self::Argument(_) => Group::Argument,
            Self::Schema(_) => Group::Schema,
            Self::Result(_) => Group::Result,
            Self::Change(_) => Group::Change,
            Self::Run(_) => Group::Run,
        }
    }
}

/// What all findings of one server or file have in common.
#[derive(Debug)]
pub struct Context<'a> {
    /// The server's name, where the findings are about one.
    pub server: Option<&'a str>,
    /// The server's entry in a configuration file.
    pub entry: Option<&'a Entry>,
    /// The file the sites' spans are places in, by its path, or the place where it could not be read on.
    pub file: Option<(&'a str, Result<&'a Document, Position>)>,
    /// The client that the form of a saved listing is made for.
    pub provider: Option<&'static str>,
    /// Levels and limits.
    pub policy: &'a Policy,
}

/// Where rules report to: adds what a rule need not know.
#[derive(Debug)]
pub struct Out<'a> {
    context: &'a Context<'a>,
    rule: &'static Rule,
    level: Level,
    findings: Vec<Finding>,
    page: OnceCell<Page>,
}

impl<'a> Out<'a> {
    /// A collector for one rule; nothing if the rule is switched off.
    #[must_use]
    pub fn new(rule: &'static Rule, context: &'a Context<'a>) -> Option<Self> {
        let level = context.policy.levels.get(rule.id).copied().unwrap_or(Some(rule.level))?;
        Some(Self { context, rule, level, findings: Vec::new(), page: OnceCell::new() })
    }

    /// Bounds to judge by.
    #[must_use]
    pub fn limits(&self) -> &'a Limits {
        &self.context.policy.limits
    }

    /// The clients that count.
    #[must_use]
    pub fn clients(&self) -> &'a Selection {
        &self.context.policy.clients
    }

    /// Whether anything that any agent trips over is to be found, opt-in modes included.
    #[must_use]
    pub fn every_agent(&self) -> bool {
        self.context.policy.every_agent
    }

    /// Whether the servers run in the image of this program.
    #[must_use]
    pub fn in_container(&self) -> bool {
        self.context.policy.in_container
    }

    /// Reports a fault: what is wrong, as a sentence. Why and fix come from the rule's page unless the
    /// draft says otherwise.
    pub fn report(&mut self, site: Site, message: impl Into<String>) -> Draft<'_> {
        let page = self.page.get_or_init(|| Page::parse(self.rule.page));
        let (why, fix) = (Cow::Borrowed(page.why()), Cow::Borrowed(page.fix()));
        let finding = Finding {
            rule: self.rule.id.into(),
            level: self.level,
            counts: true,
            server: self.context.server.map(str::to_owned),
            kind: site.kind,
            location: self.context.locate(&site),
            related: Vec::new(),
            entity: bounded(&site.entity).into_owned(),
            pointer: bounded(&site.pointer).into_owned(),
            path: bounded(&site.path).into_owned(),
            message: message.into(),
            why,
            fix,
            clients: Vec::new(),
            discriminator: Cow::Borrowed(""),
            measure: None,
            fingerprint: String::new(),
            state: State::New,
            covers: Vec::new(),
            hint: None,
        };
        self.findings.push(finding);
        let finding = self.findings.len() - 1;
        Draft {
            finding: &mut self.findings[finding],
            default: self.rule.level,
            clients: &self.context.policy.clients,
            provider: self.context.provider,
        }
    }

    /// Reports a change, if it is of a sort; where it could not be proved that something breaks, at most as a
    /// warning.
    pub fn change(&mut self, what: What, change: &Change) {
        if change.what == what {
            let level = change.certainty.level(self.rule.level);
            let draft = self.report(change.site.clone(), change.message.clone()).discriminator(change.aspect);
            drop(draft.level(level));
        }
    }

    /// Whether further findings will only be counted: time to stop looking for the best words.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.findings.len() >= self.context.policy.limits.max_per_rule
    }

    /// The findings reported so far.
    #[must_use]
    pub fn into_findings(mut self) -> Vec<Finding> {
        if self.rule.basis == Basis::Clients {
            self.findings.retain(|finding| !finding.clients.is_empty());
        }
        self.findings
    }
}

impl Context<'_> {
    fn locate(&self, site: &Site) -> Location {
        match (self.file, site.span) {
            (Some((path, Ok(document))), Some(span)) => {
                in_file(path, document.position(span.start), document.position(span.end))
            }
            (Some((path, Err(broken))), Some(_)) => in_file(path, broken, broken),
            (Some((path, _)), None) => Location::file(path),
            (None, _) => self.place(),
        }
    }

    /// The place of the server as a whole.
    #[must_use]
    pub fn place(&self) -> Location {
        match (self.file, self.entry) {
            (Some((path, _)), _) => Location::file(path),
            (None, Some(entry)) => entry.location(),
            (None, None) => Location::file(self.policy.stand_in.as_str()),
        }
    }
}

fn in_file(path: &str, start: Position, end: Position) -> Location {
    Location {
        path: path.to_owned(),
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
        found_by: FoundBy::File,
    }
}

/// A finding being written. It is complete as it is; every method adds to it.
#[derive(Debug)]
pub struct Draft<'f> {
    finding: &'f mut Finding,
    default: Level,
    clients: &'f Selection,
    provider: Option<&'static str>,
}

impl Draft<'_> {
    /// Who is hurt and how, instead of the page's words.
    #[must_use = "a draft is only finished when it is dropped"]
    pub fn why(self, why: impl Into<Text>) -> Self {
        self.finding.why = why.into();
        self
    }

    /// What to do, instead of the page's words.
    pub fn fix(self, fix: impl Into<Text>) -> Self {
        self.finding.fix = fix.into();
        self
    }

    /// Names a fault of the client data: every client with a fact about it is listed, with its loss.
    pub fn fault(self, fault: &str) -> Self {
        self.finding.clients.extend(self.clients.losses(fault));
        self
    }

    /// Adds clients that the rule found out about itself.
    pub fn clients(self, losses: impl IntoIterator<Item = ClientLoss>) -> Self {
        self.finding.clients.extend(losses);
        self
    }

    /// The server it is about, where the rule looks at several.
    pub fn server(self, server: &Listed) -> Self {
        self.finding.server = Some(server.name.clone());
        self.finding.location = server.place.clone();
        self
    }

    /// A lower or higher level for this one finding, unless the settings chose a level for the rule.
    pub fn level(self, level: Level) -> Self {
        if self.finding.level == self.default {
            self.finding.level = level;
        }
        self
    }

    /// Tells apart two faults of one rule at one site; names, never texts that change.
    pub fn discriminator(self, discriminator: impl Into<Text>) -> Self {
        self.finding.discriminator = match discriminator.into() {
            Cow::Owned(long) => Cow::Owned(bounded(&long).into_owned()),
            short @ Cow::Borrowed(_) => short,
        };
        self
    }

    /// What was counted: a baseline accepts it up to that number.
    pub fn measure(self, number: usize) -> Self {
        self.finding.measure = Some(number as u64);
        self
    }

    /// The finding never changes the exit code, whatever its level.
    pub fn never_fails(self) -> Self {
        self.finding.counts = false;
        self
    }
}

impl Drop for Draft<'_> {
    /// The identity is taken last, when everything that belongs to it is known.
    fn drop(&mut self) {
        let is_asked =
            |loss: &ClientLoss| matches!(self.clients, Selection::Named(_)) || self.provider == Some(&*loss.id);
        if self.finding.clients.iter().any(|loss| is_asked(loss) && loss.effect.is_loss()) {
            self.finding.level = Level::Error;
        }
        self.finding.fingerprint = self.finding.identity().fingerprint();
    }
}
