//! `check`: read configurations, run their servers, judge, report.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use mcp_lint_core::contract::{Contract, listing_of};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::judge::{Subject, Verdict, definitions_text, judge_against, judge_config, judge_run};
use mcp_lint_core::policy::Policy;
use mcp_lint_core::report::{FailOn, Report, ServerReport};
use mcp_lint_core::settings::Settings;
use mcp_lint_core::snapshot::{Ending, HttpFault, Launch};
use mcp_lint_core::tokens::o200k;
use tempfile::TempDir;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::args::{Check, Format, Output, seconds};
use crate::conversation::{Plan, Server};
use crate::declared::{Declared, Protocol};
use crate::discover::{Surroundings, looked_for};
use crate::environment::{close_proc, shed_runner_variables};
use crate::http::Reach;
use crate::launch::{Command, adopt_orphans, room, sweep};
use crate::output;
use crate::redact::{long, redact, redact_verdict};
use crate::session::examine;
use crate::signals::Signals;
use crate::sources::Sources;
use crate::standards::{Frame, Standards, Terms, variable};
use crate::status::Status;
use crate::targets::{Target, Targets, Task};
use crate::wire::Bounds;

/// Longest wait in each phase, in seconds.
const DEFAULT_TIMEOUT: f64 = 30.0;

/// Fewest servers run at once: they mostly wait, so a small machine need not run them one by one.
const LEAST_JOBS: usize = 4;

/// Runs the check; gives the exit code.
///
/// # Errors
/// When the check cannot be carried out.
pub(crate) fn run(check: &Check) -> anyhow::Result<u8> {
    let (mut report, policy) = carry_out(check)?;
    report.cap(policy.limits.max_per_rule);
    if report.servers.is_empty() && report.findings.is_empty() {
        // Never silent, and never in the way of a report for programs.
        let is_part = report.configured.as_ref().is_some_and(|configured| !configured.is_empty());
        let line = if is_part {
            "Nothing to check: no server falls to this part.\n".to_owned()
        } else {
            format!("Nothing to check: no MCP configuration at the root ({}).\n", looked_for())
        };
        match output::printed(&check.output) {
            Format::Text => output::print(&line, check.output.color)?,
            // A stderr that is gone must not cost the report.
            _ => drop(write!(anstream::stderr(), "{line}")),
        }
    }
    output::publish(&report, &check.output)?;
    Ok(report.exit_code)
}

/// Carries a check out; every finding is in the report, however many there are. Gives the policy too.
///
/// # Errors
/// When the check cannot be carried out.
pub(super) fn carry_out(check: &Check) -> anyhow::Result<(Report, Policy)> {
    let (report, _, policy) = carry_out_under(check, Terms::read(&check.verdict, &check.what.root)?)?;
    Ok((report, policy))
}

/// The tools that each server listed, as a contract holds them.
pub(super) type Listings = BTreeMap<String, String>;

/// The same under other terms than the contract; where it is to be written anew, with what belongs in it.
///
/// # Errors
/// When the check cannot be carried out.
pub(super) fn carry_out_under(check: &Check, terms: Terms) -> anyhow::Result<(Report, Listings, Policy)> {
    shed_runner_variables().context("cannot start again without the runner's variables")?;
    if check.what.file.is_none() && check.url.is_none() && !check.how.allow_privileged_event {
        refuse_privileged_event()?;
    }
    let root = std::path::absolute(&check.what.root).context("cannot tell the root folder")?;
    if !root.is_dir() {
        bail!("cannot check {}: it is not a folder", check.what.root.display());
    }
    let mut standards = Standards::read(&check.verdict, &check.what.root)?;
    standards.terms = terms;
    standards.policy.clock = check.timings.then_some(nanoseconds as fn() -> u64);
    let home = check.how.fresh_home.then(tempfile::tempdir).transpose().context("cannot make a HOME folder")?;
    let surroundings = Surroundings { root: &root, extra: &check.how.env, home: home.as_ref().map(TempDir::path) };
    let mut targets = Targets::find(check, &surroundings)?;
    targets.skip(&standards.settings);
    standards.policy.stand_in = targets.stand_in(&root);
    let policy = standards.policy.clone();
    let job = Job { home, ..Job::new(check, &root, targets, standards)? };
    let (report, listings) = job.carry_out()?;
    Ok((report, listings, policy))
}

/// Events of a workflow whose token can write, and that may have a stranger's code checked out.
const PRIVILEGED_EVENTS: &[&str] = &["issue_comment", "pull_request_target", "workflow_run"];

/// Starting servers is running what is checked out.
fn refuse_privileged_event() -> anyhow::Result<()> {
    match std::env::var("GITHUB_EVENT_NAME") {
        Ok(name) if PRIVILEGED_EVENTS.contains(&name.as_str()) => bail!(
            "servers are not started under {name}: the job's token can write, and the code may be a stranger's; check under pull_request and publish the report from a second workflow, or say --allow-privileged-event"
        ),
        _ => Ok(()),
    }
}

/// Everything a check needs to know, once the command line has been understood.
struct Job {
    frame: Frame,
    targets: Targets,
    plan: Plan,
    /// Whether the wait was set on the command line, which no setting for a single server overrules.
    own_timeout: bool,
    jobs: usize,
    wants_tokens: bool,
    /// The repository, where the servers may be its own.
    sources: Option<Sources>,
    /// The HOME of the servers, where that is a new one.
    home: Option<TempDir>,
}

impl Job {
    fn new(check: &Check, root: &Path, targets: Targets, standards: Standards) -> anyhow::Result<Self> {
        let settings = Arc::clone(&standards.settings);
        let line = usize::try_from(check.how.max_line).unwrap_or(usize::MAX);
        let own_timeout = check.how.timeout.or(variable("MCP_LINT_TIMEOUT", seconds)?);
        let timeout = own_timeout.or(settings.timeout).unwrap_or(DEFAULT_TIMEOUT);
        let protocol = match check.how.protocol.or(variable("MCP_LINT_PROTOCOL", str::parse)?) {
            Some(protocol) => protocol,
            None => settings
                .protocol
                .as_deref()
                .map_or(Ok(Protocol::Auto), str::parse)
                .map_err(|error| anyhow::anyhow!("`protocol` in the settings: {error}"))?,
        };
        let named = Some(&check.how.capabilities).filter(|named| !named.is_empty());
        let declared = Declared::new(named.unwrap_or(&settings.capabilities));
        Ok(Self {
            frame: Frame {
                root: check.what.root.to_string_lossy().replace('\\', "/"),
                client_capabilities: declared.names(),
                configured: targets.configured.clone(),
                accepted: Vec::new(),
                standards,
            },
            sources: Some(Sources::new(root, &targets)),
            plan: Plan {
                timeout: Duration::from_secs_f64(timeout),
                call: !check.how.no_call && settings.call.unwrap_or(true),
                probe: !check.how.no_probe,
                protocol,
                declared,
                bounds: Bounds { line, ..Bounds::default() },
            },
            own_timeout: own_timeout.is_some(),
            jobs: at_once(check.how.jobs.or(variable("MCP_LINT_JOBS", jobs)?).map(usize::from), &targets),
            wants_tokens: output::wants_json(&check.output),
            home: None,
            targets,
        })
    }

    fn carry_out(self) -> anyhow::Result<(Report, Listings)> {
        let Self { frame, targets, plan, own_timeout, jobs, wants_tokens, sources, home } = self;
        let Standards { policy, settings, terms, .. } = &frame.standards;
        let mut findings: Vec<Finding> = targets.files.iter().flat_map(|file| judge_config(file, policy)).collect();
        let work = Work {
            targets,
            policy: policy.clone(),
            settings: Arc::clone(settings),
            plan,
            own_timeout,
            jobs,
            wants_tokens,
            contract: match terms {
                Terms::Contract(contract) => Some(Arc::clone(contract)),
                _ => None,
            },
            wants_listings: matches!(terms, Terms::Anew),
            home,
        };
        let mut listings = Listings::new();
        let mut servers: Vec<ServerReport> = Vec::new();
        let mut timings: BTreeMap<&str, u64> = BTreeMap::new();
        for (verdict, listing) in work.verdicts()? {
            listings.extend(listing.map(|listing| (verdict.server.name.clone(), listing)));
            verdict.timings.into_iter().for_each(|(rule, time)| *timings.entry(rule).or_default() += time);
            servers.push(verdict.server);
            findings.extend(verdict.findings);
        }
        print_timings(timings);
        if let Some(sources) = sources {
            let names: Vec<String> = servers.iter().map(|server| server.name.clone()).collect();
            sources.locate(&names, &mut findings);
        }
        findings.extend(judge_run(&servers, &frame.standards.policy));
        Ok((frame.report(servers, findings), listings))
    }
}

/// Nothing where no time was taken.
fn print_timings(timings: BTreeMap<&str, u64>) {
    let total: u64 = timings.values().sum();
    let mut rows: Vec<(&str, u64)> = timings.into_iter().collect();
    rows.sort_by_key(|(rule, time)| (std::cmp::Reverse(*time), *rule));
    for (rule, time) in rows {
        let share = 100.0 * time as f64 / total.max(1) as f64;
        let _ = writeln!(anstream::stderr(), "{:10.3} ms  {share:5.1} %  {rule}", time as f64 / 1e6);
    }
}

/// Nanoseconds since the program first asked.
fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).max(LEAST_JOBS)
}

/// How many servers to run at once. One that finds no descriptor left would look as if it could not be started.
fn at_once(wanted: Option<usize>, targets: &Targets) -> usize {
    let room = room();
    if let Some(wanted) = wanted.filter(|wanted| targets.targets.len().min(*wanted) > room) {
        tracing::warn!("only {room} servers run at once and not {wanted}: more files may not be open (ulimit -n)");
    }
    wanted.unwrap_or_else(default_jobs).min(room)
}

/// Checks one built-in server, with the defaults of everything.
pub(super) fn run_demo(command: Command, output: &Output) -> anyhow::Result<Report> {
    let job = Job {
        frame: Frame {
            root: ".".to_owned(),
            client_capabilities: Vec::new(),
            configured: None,
            accepted: Vec::new(),
            standards: Standards {
                settings: Arc::default(),
                policy: Policy::default(),
                baseline: None,
                terms: Terms::None,
                fail_on: FailOn::Level(Level::Error),
            },
        },
        targets: Targets::one("orders".to_owned(), Task::Run(Ok(command))),
        own_timeout: false,
        plan: Plan {
            timeout: Duration::from_secs_f64(DEFAULT_TIMEOUT),
            call: true,
            probe: true,
            protocol: Protocol::Auto,
            declared: Declared::default(),
            bounds: Bounds::default(),
        },
        jobs: 1,
        wants_tokens: output::wants_json(output),
        sources: None,
        home: None,
    };
    Ok(job.carry_out()?.0)
}

fn jobs(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|jobs| *jobs > 0).ok_or_else(|| "expected a number of servers, from 1 on".to_owned())
}

/// The servers of a check, and how to run and judge them.
struct Work {
    targets: Targets,
    policy: Policy,
    settings: Arc<Settings>,
    plan: Plan,
    own_timeout: bool,
    jobs: usize,
    wants_tokens: bool,
    /// What the servers listed before.
    contract: Option<Arc<Contract>>,
    /// Whether what they list now is to be kept.
    wants_listings: bool,
    /// The HOME of the servers, where that is a new one.
    home: Option<TempDir>,
}

/// A server's part of the report, and what it listed, where that is to be kept.
type Done = (Verdict, Option<String>);

impl Work {
    /// Runs what has to run, all at once within bounds, and judges each server as soon as it is done.
    fn verdicts(mut self) -> anyhow::Result<Vec<Done>> {
        close_proc();
        let before = adopt_orphans();
        let mut signals = Signals::listen()?;
        // Gone with this function: when no server is running any more.
        let _home = self.home.take();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
        let verdicts = runtime.block_on(async {
            let (interrupt, listen) = watch::channel(false);
            let work = self.run_all(listen);
            tokio::pin!(work);
            tokio::select! {
                verdicts = &mut work => verdicts,
                signal = signals.told(1) => {
                    let _ = interrupt.send(true);
                    // The servers are stopped before we go, unless we are told again.
                    tokio::select! {
                        _ = &mut work => {},
                        _ = signals.told(2) => {},
                    }
                    Err(signal.into())
                }
            }
        });
        runtime.shutdown_background();
        sweep(&before);
        match signals.end_at_once() {
            Some(signal) if verdicts.is_ok() => Err(signal.into()),
            _ => verdicts,
        }
    }

    async fn run_all(self, interrupt: watch::Receiver<bool>) -> anyhow::Result<Vec<Done>> {
        let gate = Arc::new(Semaphore::new(self.jobs));
        let status = Arc::new(Mutex::new(Status::new(self.targets.targets.len())));
        let by_hand = self.targets.by_hand;
        let mut work = JoinSet::new();
        for (nth, target) in self.targets.targets.into_iter().enumerate() {
            let (gate, status) = (Arc::clone(&gate), Arc::clone(&status));
            let (wants_tokens, wants_listings, interrupt) = (self.wants_tokens, self.wants_listings, interrupt.clone());
            let contract = self.contract.clone();
            let key = target.entry.as_ref().map_or(target.name.as_str(), |entry| entry.name.as_str());
            let policy = self.settings.policy_for(key, &self.policy);
            let own = self.settings.servers.get(key).and_then(|server| server.timeout).filter(|_| !self.own_timeout);
            let plan = Plan { timeout: own.map_or(self.plan.timeout, Duration::from_secs_f64), ..self.plan };
            work.spawn(async move {
                let _turn = gate.acquire_owned().await;
                if *interrupt.borrow() {
                    return Ok(None);
                }
                let Target { name, entry, task } = target;
                let secrets = match &task {
                    Task::Run(Ok(command)) => command.secrets.clone(),
                    Task::Reach(reach) => reach.secrets.clone(),
                    _ => Vec::new(),
                };
                let subject = subject(&name, task, plan, interrupt, &status).await;
                if by_hand && let Some(failure) = never_met(&subject) {
                    bail!("{failure}");
                }
                let shown = name.clone();
                let judged = move || {
                    let before = contract.as_ref().and_then(|contract| contract.tools(&name));
                    let mut verdict = judge_against(&name, entry.as_ref(), &subject, before, &policy)?;
                    if wants_tokens && verdict.server.tools > 0 {
                        verdict.server.tokens.o200k = Some(o200k(&definitions_text(&subject)));
                    }
                    redact_verdict(&mut verdict, &secrets);
                    Ok::<_, String>((
                        verdict,
                        wants_listings.then(|| listing_of(&subject, &long(&secrets).collect::<Vec<_>>())).flatten(),
                    ))
                };
                let verdict = tokio::task::spawn_blocking(judged).await.context("a check failed")?;
                if let Ok(mut status) = status.lock() {
                    status.done(&shown);
                }
                Ok(Some((nth, verdict.map_err(anyhow::Error::msg)?)))
            });
        }
        let mut done = Vec::new();
        while let Some(result) = work.join_next().await {
            done.extend(result.context("a check failed")??);
        }
        done.sort_by_key(|(nth, _)| *nth);
        Ok(done.into_iter().map(|(_, verdict)| verdict).collect())
    }
}

async fn subject(
    name: &str,
    task: Task,
    plan: Plan,
    interrupt: watch::Receiver<bool>,
    status: &Mutex<Status>,
) -> Subject {
    match task {
        Task::Skip(reason) => Subject::Skipped(reason),
        Task::Read { path, document } => Subject::File { path, document },
        Task::Run(Err(failure)) => Subject::Live(Box::new(Launch::not_started(failure).into())),
        Task::Reach(Reach { address: Err(what), .. }) => Subject::Live(Box::new(Launch::not_reached(what).into())),
        Task::Run(Ok(command)) => {
            let secrets = command.secrets.clone();
            met(name, &Server::Start(command), &secrets, plan, interrupt, status).await
        }
        Task::Reach(Reach { address: Ok(address), secrets }) => {
            met(name, &Server::Reach(address), &secrets, plan, interrupt, status).await
        }
    }
}

async fn met(
    name: &str,
    server: &Server,
    secrets: &[String],
    plan: Plan,
    interrupt: watch::Receiver<bool>,
    status: &Mutex<Status>,
) -> Subject {
    let phase = |phase| {
        if let Ok(mut status) = status.lock() {
            status.phase(name, phase);
        }
    };
    let mut snapshot = examine(server, plan, interrupt, phase).await;
    redact(&mut snapshot, secrets);
    Subject::Live(Box::new(snapshot))
}

/// Why a server given by hand could not even be spoken to: a process that did not come to be, or an address where
/// nobody answers.
fn never_met(subject: &Subject) -> Option<String> {
    let Subject::Live(snapshot) = subject else { return None };
    if let Ending::NotStarted(failure) = &snapshot.main.ending {
        return Some(format!("cannot start {:?}: {}", failure.program, failure.detail));
    }
    let first = snapshot.main.http.as_ref()?.answers.first()?;
    let what = match first.fault? {
        HttpFault::NoAddress => "the host is not known",
        HttpFault::NoConnection => "nobody listens there",
        HttpFault::Tls => "TLS does not trust who answers",
        _ => return None,
    };
    Some(format!("cannot reach the server: {what} ({})", first.detail))
}
