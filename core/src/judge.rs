//! Runs every rule over what was read.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::clients::{Effect, Selection};
use crate::config::{ConfigFile, Entry};
use crate::document::{Document, Value};
use crate::drift;
use crate::finding::{Finding, Level};
use crate::listing;
use crate::location::Location;
use crate::policy::Policy;
use crate::report::{
    Calls, ClientLosses, ListSize, LongestDescription, Outcome, ServerReport, Source, Tokens, ToolSize,
};
use crate::rule::{Check, Context, GROUPS, Group, Out, Rule};
use crate::rules;
use crate::site::{Kind, Site};
use crate::snapshot::{self, Purpose, Snapshot};
use crate::transcript::{Transcript, Transcripts};
use crate::view::{Call, Evidence, Item, Listed, Run, Server, Tool, compact_size};
use crate::walk::{Root, Visit, walk};

/// What was read of one server.
#[derive(Debug)]
pub enum Subject {
    /// What a launched server did.
    Live(Box<Snapshot>),
    /// A saved listing, with its path.
    File {
        /// Path as given.
        path: String,
        /// The text.
        document: Document,
    },
    /// Nothing, and why: the end of a sentence.
    Skipped(String),
}

/// One server's part of a report, with its findings.
#[derive(Debug)]
pub struct Verdict {
    /// The server's row.
    pub server: ServerReport,
    /// Findings, sorted.
    pub findings: Vec<Finding>,
    /// Nanoseconds that each rule took, where the policy has a clock.
    pub timings: BTreeMap<&'static str, u64>,
}

/// Judges one configuration file.
#[must_use]
pub fn judge_config(file: &ConfigFile, policy: &Policy) -> Vec<Finding> {
    let document = file.document.as_ref().map_err(|error| error.position);
    let context = Context { server: None, entry: None, file: Some((&file.path, document)), provider: None, policy };
    let mut desk = Desk::new(&context);
    desk.each(Group::Config, |check, out| {
        if let Check::Config(look) = check {
            look(file, out);
        }
    });
    let mut findings = desk.close();
    sort_by_place(&mut findings);
    findings
}

/// Order of findings about configuration files.
pub(crate) fn sort_by_place(findings: &mut [Finding]) {
    findings.sort_by(|left, right| {
        let key = |finding: &Finding| {
            let at = &finding.location;
            (at.path.clone(), at.start_line, at.start_column, finding.rule.clone(), finding.fingerprint.clone())
        };
        key(left).cmp(&key(right))
    });
}

/// Judges one server.
///
/// # Errors
/// When a saved listing holds no tools in any known form; says what it holds, as a sentence.
pub fn judge(name: &str, entry: Option<&Entry>, subject: &Subject, policy: &Policy) -> Result<Verdict, String> {
    judge_against(name, entry, subject, None, policy)
}

/// Judges one server, and what changed since a former listing of it.
///
/// # Errors
/// When a listing holds no tools in any known form; says what it holds, as a sentence.
pub fn judge_against(
    name: &str,
    entry: Option<&Entry>,
    subject: &Subject,
    before: Option<Value<'_>>,
    policy: &Policy,
) -> Result<Verdict, String> {
    let before = before.map(listing::read).transpose()?;
    let before = before.as_ref().map(|listing| Server::saved(name, listing, &policy.limits));
    match subject {
        Subject::Live(snapshot) => {
            let transcripts = Transcripts::read(snapshot);
            let server = Server::live(name, entry, &transcripts, &policy.limits);
            let context = Context { server: Some(name), entry, file: None, provider: None, policy };
            Ok(verdict(&server, before.as_ref(), &context))
        }
        Subject::File { path, document } => {
            let listing = listing::read(document.root())?;
            let provider = listing.form.provider();
            let policy = &for_provider(provider, policy);
            let server = Server::saved(name, &listing, &policy.limits);
            let file = Some((path.as_str(), Ok(document)));
            let context = Context { server: Some(name), entry, file, provider, policy };
            Ok(verdict(&server, before.as_ref(), &context))
        }
        Subject::Skipped(reason) => {
            let server = Server::skipped(name, entry, reason, &policy.limits);
            let context = Context { server: Some(name), entry, file: None, provider: None, policy };
            Ok(verdict(&server, None, &context))
        }
    }
}

/// Judges what changed between two saved listings, and nothing else.
///
/// # Errors
/// When one holds no tools in any known form; says which and what it holds.
pub fn judge_changes(before: (&str, &Document), now: (&str, &Document), policy: &Policy) -> Result<Verdict, String> {
    let named = |path: &str, what: String| format!("{path}: {what}");
    let former = listing::read(before.1.root()).map_err(|what| named(before.0, what))?;
    let present = listing::read(now.1.root()).map_err(|what| named(now.0, what))?;
    let former = Server::saved(before.0, &former, &policy.limits);
    let server = Server::saved(now.0, &present, &policy.limits);
    let context = Context { server: Some(now.0), entry: None, file: Some((now.0, Ok(now.1))), provider: None, policy };
    let mut desk = Desk::new(&context);
    look_at_changes(&former, &server, &mut desk);
    Ok(closed(&server, &context, desk))
}

/// A request to a provider's API is judged for that provider, unless clients were named.
fn for_provider(provider: Option<&str>, policy: &Policy) -> Policy {
    let mut own = policy.clone();
    if let (Some(provider), Selection::All) = (provider, &policy.clients) {
        own.clients = Selection::Named([provider.to_owned()].into());
    }
    own
}

/// Judges all servers of a run together, by what was found of each.
#[must_use]
pub fn judge_run(servers: &[ServerReport], policy: &Policy) -> Vec<Finding> {
    let listed = |server: &ServerReport| Listed {
        name: server.name.clone(),
        tools: server.tool_names.clone(),
        place: server.place.clone(),
    };
    let servers: Vec<Listed> = servers.iter().map(listed).collect();
    judge_listed(&servers, policy)
}

/// The same, by what was listed.
pub(crate) fn judge_listed(servers: &[Listed], policy: &Policy) -> Vec<Finding> {
    let context = Context { server: None, entry: None, file: None, provider: None, policy };
    let mut desk = Desk::new(&context);
    let run = Run { servers };
    desk.each(Group::Run, |check, out| {
        if let Check::Run(look) = check {
            look(&run, out);
        }
    });
    desk.close()
}

/// Judges one result of a tool: the whole JSON-RPC message of the answer, under a revision.
#[must_use]
pub fn judge_result(tool: &Tool<'_>, answer: Value<'_>, revision: &str, policy: &Policy) -> Vec<Finding> {
    let context = Context { server: None, entry: None, file: None, provider: None, policy };
    let mut desk = Desk::new(&context);
    let call = Call { tool, answer: Some(answer), outcome: snapshot::Outcome::Answered(0), revision: Some(revision) };
    desk.each(Group::Result, |check, out| {
        if let Check::Result(look) = check {
            look(&call, out);
        }
    });
    let mut findings = desk.close();
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.level), finding.pointer.clone()));
    findings
}

fn verdict(server: &Server<'_>, before: Option<&Server<'_>>, context: &Context<'_>) -> Verdict {
    let mut desk = Desk::new(context);
    look_at_server(server, &mut desk);
    for tool in &server.tools {
        look_at_tool(tool, &mut desk);
    }
    if let Some(before) = before.filter(|_| server.was_listed_whole()) {
        look_at_changes(before, server, &mut desk);
    }
    closed(server, context, desk)
}

fn closed(server: &Server<'_>, context: &Context<'_>, mut desk: Desk<'_>) -> Verdict {
    let timings = std::mem::take(&mut desk.timings);
    let mut findings = desk.close();
    yield_to_others(&mut findings);
    sort(&mut findings, server);
    let losses = losses(&findings);
    Verdict { server: row(server, context.place(), &findings, losses), findings, timings }
}

/// The rule that holds every message against the schema says nothing where another one says it in its own words.
fn yield_to_others(findings: &mut Vec<Finding>) {
    const NET: &str = "message-invalid";
    if !findings.iter().any(|finding| finding.rule == NET) {
        return;
    }
    let mut told: HashMap<(Kind, String), Vec<String>> = HashMap::new();
    for finding in findings.iter().filter(|finding| finding.rule != NET && finding.level == Level::Error) {
        let place = told.entry((finding.kind, finding.entity.clone())).or_default();
        place.push(finding.pointer.clone());
    }
    findings.retain(|finding| {
        let is_within = |inner: &str, outer: &str| {
            inner == outer || (!outer.is_empty() && inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/')))
        };
        let told = told.get(&(finding.kind, finding.entity.clone())).filter(|_| finding.rule == NET);
        !told.is_some_and(|pointers| {
            let whole = finding.pointer.rsplit_once('/').map_or("", |(whole, _)| whole);
            let is_told = |other: &str| {
                is_within(&finding.pointer, other) || is_within(other, &finding.pointer) || other == whole
            };
            pointers.iter().any(|other| is_told(other))
        })
    });
}

fn look_at_server(server: &Server<'_>, desk: &mut Desk<'_>) {
    if let Some(main) = server.main() {
        desk.each(Group::Wire, |check, out| match check {
            Check::Wire(look) => look(main, out),
            Check::Stdio(look) if main.launch.http.is_none() => look(main, out),
            _ => {}
        });
    }
    desk.each(Group::Server, |check, out| {
        if let Check::Server(look) = check {
            look(server, out);
        }
    });
    for call in server.calls() {
        desk.each(Group::Result, |check, out| {
            if let Check::Result(look) = check {
                look(&call, out);
            }
        });
    }
}

fn look_at_tool(tool: &Tool<'_>, desk: &mut Desk<'_>) {
    desk.each(Group::Tool, |check, out| {
        if let Check::Tool(look) = check {
            look(tool, out);
        }
    });
    for root in [Root::Input, Root::Output] {
        walk(tool, root, &mut |visit| match &visit {
            Visit::Schema(node) => desk.each(Group::Schema, |check, out| {
                if let Check::Schema(look) = check {
                    look(node, out);
                }
            }),
            Visit::Argument(argument) => desk.each(Group::Argument, |check, out| {
                if let Check::Argument(look) = check {
                    look(argument, out);
                }
            }),
        });
    }
}

fn look_at_changes(before: &Server<'_>, server: &Server<'_>, desk: &mut Desk<'_>) {
    // The comparison is as likely to fail as a rule, and must cost no more than one.
    match catch_unwind(AssertUnwindSafe(|| drift::between(&before.tools, &server.tools))) {
        Ok(changes) => changes.iter().for_each(|change| {
            desk.each(Group::Change, |check, out| {
                if let Check::Change(look) = check {
                    look(change, out);
                }
            });
        }),
        Err(_) => desk.set_aside(Group::Change),
    }
}

/// The rules at work, one collector each, grouped by what they look at.
struct Desk<'a> {
    groups: [Vec<(&'static Rule, Out<'a>)>; GROUPS],
    broken: Vec<&'static Rule>,
    timings: BTreeMap<&'static str, u64>,
    context: &'a Context<'a>,
}

impl<'a> Desk<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        let mut groups = [const { Vec::new() }; GROUPS];
        for rule in rules::ALL {
            if let Some(out) = Out::new(rule, context) {
                groups[rule.check.group() as usize].push((*rule, out));
            }
        }
        Self { groups, broken: Vec::new(), timings: BTreeMap::new(), context }
    }

    /// Lets every rule of a group look. A rule that panics is set aside: its fault must not cost the
    /// others' findings.
    fn each(&mut self, group: Group, mut look: impl FnMut(Check, &mut Out<'a>)) {
        let (broken, timings, clock) = (&mut self.broken, &mut self.timings, self.context.policy.clock);
        self.groups[group as usize].retain_mut(|(rule, out)| {
            let start = clock.map(|now| now());
            let survived = catch_unwind(AssertUnwindSafe(|| look(rule.check, out))).is_ok();
            if let (Some(now), Some(start)) = (clock, start) {
                *timings.entry(rule.id).or_default() += now().saturating_sub(start);
            }
            if !survived {
                broken.push(rule);
            }
            survived
        });
    }

    /// Takes the rules of a group for broken.
    fn set_aside(&mut self, group: Group) {
        self.broken.extend(self.groups[group as usize].drain(..).map(|(rule, _)| rule));
    }

    fn close(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> =
            self.groups.into_iter().flatten().flat_map(|(_, out)| out.into_findings()).collect();
        for rule in self.broken {
            if let Some(mut out) = Out::new(&rules::INTERNAL, self.context) {
                let message = format!("The rule {} failed on this server; its findings are missing.", rule.id);
                out.report(Site::server(), message).discriminator(rule.id);
                findings.extend(out.into_findings());
            }
        }
        // A member that is given twice has two faults at one place.
        let mut seen = HashSet::new();
        findings.retain(|finding| seen.insert(finding.fingerprint.clone()));
        findings
    }
}

/// Order of a report: the wire, the server, its tools as listed; the worst first within each.
fn sort(findings: &mut [Finding], server: &Server<'_>) {
    let order: HashMap<&str, usize> = server.tools.iter().map(|tool| (tool.label.as_ref(), tool.index)).collect();
    findings.sort_by_cached_key(|finding| {
        let tool = (finding.kind == Kind::Tool).then(|| order.get(finding.entity.as_str()).copied());
        (
            finding.kind,
            tool.flatten(),
            std::cmp::Reverse(finding.level),
            finding.rule.clone(),
            finding.pointer.clone(),
            finding.fingerprint.clone(),
        )
    });
}

fn row(server: &Server<'_>, place: Location, findings: &[Finding], losses: Vec<ClientLosses>) -> ServerReport {
    let bytes = server.size();
    let longest = server.tools.iter().filter_map(|tool| {
        let chars = tool.description()?.chars().count();
        Some(LongestDescription { tool: tool.label.clone().into_owned(), chars })
    });
    let (outcome, reason) = outcome(server, findings);
    ServerReport {
        name: server.name.to_owned(),
        source: source(server),
        place,
        transport: transport(server),
        outcome,
        reason,
        protocol_version: server.revision().map(str::to_owned),
        also_speaks: server.probe().and_then(Transcript::revision).map(str::to_owned).into_iter().collect(),
        server_info: server.info().map(crate::document::Value::to_json),
        tools: server.tools.len(),
        tool_names: server.tools.iter().filter_map(|tool| tool.name.map(str::to_owned)).collect(),
        bytes,
        tokens: Tokens { bytes_div_4: bytes.div_ceil(4), o200k: None },
        prompts: list_size(&server.prompts()),
        resources: list_size(&server.resources()),
        resource_templates: list_size(&server.templates()),
        // The first of the longest, so that equal lengths do not depend on the iterator.
        longest_description: longest.reduce(|best, next| if next.chars > best.chars { next } else { best }),
        calls: Calls {
            tried: server.calls().len(),
            eligible: server.tools.iter().filter(|tool| tool.is_safe_to_call()).count(),
        },
        form: match server.evidence {
            Evidence::File { form } => Some(form.words().to_owned()),
            _ => None,
        },
        largest: largest(server),
        losses,
        timings_ms: server.main().map(|main| timings(main)),
    }
}

fn list_size(items: &[Item<'_>]) -> ListSize {
    ListSize { count: items.len(), bytes: items.iter().map(|item| compact_size(item.value)).sum() }
}

/// The tools that take the most bytes, the largest first.
fn largest(server: &Server<'_>) -> Vec<ToolSize> {
    const MOST: usize = 5;
    let sizes = server.tools.iter().map(|tool| (std::cmp::Reverse(tool.size()), tool.index));
    let mut sizes: Vec<_> = sizes.collect();
    sizes.sort_unstable();
    let tools = sizes.into_iter().take(MOST).filter_map(|(size, index)| Some((size.0, server.tools.get(index)?)));
    tools.map(|(bytes, tool)| ToolSize { tool: tool.label.clone().into_owned(), bytes }).collect()
}

/// What each client loses of a server: the whole of it by the worst finding, else tool by tool.
fn losses(findings: &[Finding]) -> Vec<ClientLosses> {
    let mut clients: BTreeMap<&str, ClientLosses> = BTreeMap::new();
    for (finding, loss) in findings.iter().flat_map(|finding| finding.clients.iter().map(move |loss| (finding, loss))) {
        let entry = clients.entry(&loss.id).or_insert_with(|| ClientLosses::new(loss));
        let takes_all = matches!(loss.effect, Effect::LosesServer | Effect::LosesList | Effect::RefusesRequest);
        if takes_all || finding.kind != Kind::Tool {
            entry.add_to_whole(loss.effect, &finding.rule);
        } else {
            entry.add_to_tool(&finding.entity, loss.effect, &finding.rule);
        }
    }
    clients.into_values().collect()
}

fn outcome(server: &Server<'_>, findings: &[Finding]) -> (Outcome, Option<String>) {
    match server.evidence {
        Evidence::Skipped(reason) => (Outcome::Skipped, Some(reason.to_owned())),
        _ if server.was_listed() => (Outcome::Checked, None),
        _ => {
            let of_the_whole = |finding: &&Finding| matches!(finding.kind, Kind::Server | Kind::Wire);
            let worst = findings.iter().filter(of_the_whole).find(|finding| finding.level == Level::Error);
            (Outcome::Failed, worst.map(|finding| finding.message.clone()))
        }
    }
}

fn source(server: &Server<'_>) -> Option<Source> {
    let location = server.entry?.location();
    Some(Source { path: location.path, line: location.start_line })
}

fn transport(server: &Server<'_>) -> crate::report::Transport {
    use crate::report::Transport as Kind;
    match (&server.evidence, server.entry.map(|entry| &entry.transport)) {
        (Evidence::File { .. }, _) => Kind::File,
        (_, Some(crate::config::Transport::Http(_) | crate::config::Transport::Sse(_))) => Kind::Http,
        (Evidence::Live(transcripts), _) if transcripts.main.launch.http.is_some() => Kind::Http,
        _ => Kind::Stdio,
    }
}

fn timings(main: &Transcript<'_>) -> crate::report::Timings {
    let launch = main.launch;
    let answered = |purpose: &Purpose| match main.exchange(purpose)?.outcome {
        snapshot::Outcome::Answered(at) => launch.lines.get(at).map(|line| line.at / 1_000),
        _ => None,
    };
    crate::report::Timings {
        initialize: answered(&Purpose::Initialize).or_else(|| answered(&Purpose::Discover)),
        list: answered(&Purpose::Tools(0)),
        total: launch.lines.last().map_or(0, |line| line.at / 1_000),
    }
}

/// The text whose tokens a report counts: what a model is shown of every tool.
#[must_use]
pub fn definitions_text(subject: &Subject) -> String {
    let collect = |server: &Server<'_>| {
        let texts = server.tools.iter().flat_map(|tool| {
            let strings = ["name", "title", "description"].map(|key| tool.get(key).and_then(|value| value.as_str()));
            let schema = tool.get("inputSchema").map(|schema| schema.to_json().to_string());
            strings.into_iter().flatten().map(str::to_owned).chain(schema)
        });
        texts.collect::<Vec<_>>().join("\n")
    };
    let limits = crate::policy::Limits::default();
    match subject {
        Subject::Live(snapshot) => {
            let transcripts = Transcripts::read(snapshot);
            collect(&Server::live("", None, &transcripts, &limits))
        }
        Subject::File { document, .. } => listing::read(document.root())
            .map(|listing| collect(&Server::saved("", &listing, &limits)))
            .unwrap_or_default(),
        Subject::Skipped(_) => String::new(),
    }
}
