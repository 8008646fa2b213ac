//! `check`: read configurations, run their servers, judge, report.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueEnum;
use mcp_lint_core::baseline::{Baseline, Judged};
use mcp_lint_core::clients::{self, Selection};
use mcp_lint_core::config::Entry;
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::judge::{Subject, Verdict, definitions_text, judge, judge_config, judge_run};
use mcp_lint_core::policy::{self, Policy};
use mcp_lint_core::report::{FailOn, Outcome, Report, ServerReport};
use mcp_lint_core::settings::{FailAt, Settings};
use mcp_lint_core::snapshot::{Launch, Snapshot};
use mcp_lint_core::text::closest;
use mcp_lint_core::tokens::o200k;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::args::{Check, FailLevel, Format, Output, seconds};
use crate::discover::{Surroundings, looked_for, read};
use crate::environment::{close_proc, shed_runner_variables};
use crate::launch::{Command, adopt_orphans, sweep};
use crate::output;
use crate::redact::{redact, redact_verdict};
use crate::session::{Plan, examine};
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
        let line = format!("Nothing to check: no MCP configuration at the root ({}).\n", looked_for());
        match output::printed(&check.output) {
            Format::Text => output::print(&line, check.output.color)?,
            _ => write!(anstream::stderr(), "{line}")?,
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
    shed_runner_variables().context("cannot start again without the runner's variables")?;
    if check.what.file.is_none() && !check.how.allow_privileged_event {
        refuse_privileged_event()?;
    }
    if let Some(url) = &check.url {
        bail!("{}", refused_url(url));
    }
    let root = std::path::absolute(&check.what.root).context("cannot tell the root folder")?;
    if !root.is_dir() {
        bail!("cannot check {}: it is not a folder", check.what.root.display());
    }
    let settings = read_settings(check, &root)?;
    let baseline = read_baseline(check)?;
    let home = check.how.fresh_home.then(tempfile::tempdir).transpose().context("cannot make a HOME folder")?;
    let surroundings =
        Surroundings { root: &root, extra: &check.how.env, home: home.as_ref().map(tempfile::TempDir::path) };
    let mut targets = Targets::find(check, &surroundings)?;
    targets.skip(&settings);
    let job = Job::new(check, targets, settings, baseline)?;
    let policy = job.policy.clone();
    Ok((job.carry_out()?, policy))
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

/// Name of the baseline at the root.
pub(super) const BASELINE: &str = ".mcp-lint-baseline.jsonl";

/// Where the baseline is.
pub(super) fn baseline_path(check: &Check) -> PathBuf {
    check.verdict.baseline.clone().unwrap_or_else(|| check.what.root.join(BASELINE))
}

/// The baseline named, else the one at the root, else none.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read_baseline(check: &Check) -> anyhow::Result<Option<Baseline>> {
    let path = baseline_path(check);
    if check.verdict.no_baseline || (check.verdict.baseline.is_none() && !path.is_file()) {
        return Ok(None);
    }
    Baseline::parse(&read(&path)?).map(Some).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))
}

fn refused_url(url: &str) -> String {
    match url.split_once("://") {
        Some(("http" | "https", _)) => {
            "this version checks stdio servers and saved listings; a server over HTTP cannot be checked yet".to_owned()
        }
        Some((scheme, _)) => format!("unknown scheme {scheme:?} in the address: expected http or https"),
        None => format!("{url:?} is not an address; to start a command, write: mcp-lint check -- {url}"),
    }
}

/// Everything a check needs to know, once the command line has been understood.
struct Job {
    root: String,
    targets: Targets,
    policy: Policy,
    settings: Arc<Settings>,
    plan: Plan,
    /// Whether the wait was set on the command line, which no setting for a single server overrules.
    own_timeout: bool,
    jobs: usize,
    wants_tokens: bool,
    fail_on: FailOn,
    baseline: Option<Baseline>,
    /// Whether everything that is configured is checked.
    is_complete: bool,
}

impl Job {
    fn new(check: &Check, targets: Targets, settings: Settings, baseline: Option<Baseline>) -> anyhow::Result<Self> {
        let line = usize::try_from(check.how.max_line).unwrap_or(usize::MAX);
        let own_timeout = check.how.timeout.or(variable("MCP_LINT_TIMEOUT", seconds)?);
        let timeout = own_timeout.or(settings.timeout).unwrap_or(DEFAULT_TIMEOUT);
        Ok(Self {
            root: check.what.root.to_string_lossy().replace('\\', "/"),
            policy: Policy { stand_in: targets.stand_in(&check.what.root), ..policy(check, &settings)? },
            plan: Plan {
                timeout: Duration::from_secs_f64(timeout),
                call: !check.how.no_call && settings.call.unwrap_or(true),
                probe: !check.how.no_probe,
                bounds: Bounds { line, ..Bounds::default() },
            },
            own_timeout: own_timeout.is_some(),
            jobs: check.how.jobs.or(variable("MCP_LINT_JOBS", jobs)?).map_or_else(default_jobs, usize::from),
            wants_tokens: output::wants_json(&check.output),
            fail_on: fail_on(check, &settings)?,
            is_complete: check.what.server.is_empty() && check.what.config.is_empty() && !targets.by_hand,
            baseline,
            targets,
            settings: Arc::new(settings),
        })
    }

    fn carry_out(mut self) -> anyhow::Result<Report> {
        let files = self.targets.files.iter();
        let mut findings: Vec<Finding> = files.flat_map(|file| judge_config(file, &self.policy)).collect();
        let frame = Frame {
            root: std::mem::take(&mut self.root),
            fail_on: self.fail_on,
            settings: Arc::clone(&self.settings),
            baseline: self.baseline.take(),
            is_complete: self.is_complete,
            policy: self.policy.clone(),
        };
        let mut servers: Vec<ServerReport> = Vec::new();
        let mut listed = Vec::new();
        let mut timings: BTreeMap<&str, u64> = BTreeMap::new();
        for verdict in self.verdicts()? {
            listed.push(verdict.listed);
            verdict.timings.into_iter().for_each(|(rule, time)| *timings.entry(rule).or_default() += time);
            servers.push(verdict.server);
            findings.extend(verdict.findings);
        }
        print_timings(timings)?;
        findings.extend(judge_run(&listed, &frame.policy));
        Ok(frame.report(servers, findings))
    }
}

/// What turns findings into a report.
struct Frame {
    root: String,
    fail_on: FailOn,
    settings: Arc<Settings>,
    baseline: Option<Baseline>,
    is_complete: bool,
    policy: Policy,
}

impl Frame {
    /// The report: without the findings that the settings accept, and with those marked that the baseline
    /// knows.
    fn report(self, servers: Vec<ServerReport>, mut findings: Vec<Finding>) -> Report {
        let before = findings.len();
        let mut used = vec![false; self.settings.ignore.len()];
        findings.retain(|finding| match self.settings.ignored_by(finding) {
            Some(entry) => {
                used[entry] = true;
                false
            }
            None => true,
        });
        let ignored = before - findings.len();
        // An entry is only known to be useless where every server was looked at.
        let all_seen = servers.iter().all(|server| server.outcome == Outcome::Checked);
        let unused = self.settings.ignore.iter().zip(used).filter(|(_, used)| all_seen && !used);
        let unused_ignores = unused.map(|(ignore, _)| ignore.words()).collect();
        let absent = self.baseline.as_ref().map(|baseline| {
            let off = |rule: &str| self.policy.levels.get(rule) == Some(&None);
            let today = jiff::Zoned::now().date().to_string();
            let judged = Judged { servers: &servers, is_complete: self.is_complete, off: &off, today: &today };
            baseline.compare(&mut findings, &judged)
        });
        let has_baseline = absent.is_some();
        let report = Report::against(self.root, servers, findings, self.fail_on, absent.unwrap_or_default());
        Report { ignored, unused_ignores, has_baseline, ..report }
    }
}

/// Levels and limits: the preset first, then the settings, then the command line.
fn policy(check: &Check, settings: &Settings) -> anyhow::Result<Policy> {
    let named = check.verdict.preset.or(variable("MCP_LINT_PRESET", choice)?);
    let preset = named.map(preset).or(settings.preset).unwrap_or(policy::Preset::Recommended);
    let mut policy = Policy::preset(preset);
    let listed = |text: &str| Ok(text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<String>>());
    let from_variable = variable("MCP_LINT_CLIENTS", listed)?.unwrap_or_default();
    let given = [&check.verdict.clients, &from_variable, &settings.clients];
    if let Some(names) = given.into_iter().find(|names| !names.is_empty()) {
        policy.clients = Selection::named(names).map_err(|name| anyhow::anyhow!("{}", unknown_client(&name)))?;
    }
    settings.apply(&mut policy);
    if let Some(most) = check.verdict.max_per_rule {
        policy.limits.max_per_rule = most as usize;
    }
    // The image sets it, so that advice fits where the servers run.
    policy.in_container = std::env::var_os("MCP_LINT_CONTAINER").is_some_and(|value| !value.is_empty());
    policy.clock = check.timings.then_some(nanoseconds as fn() -> u64);
    Ok(policy)
}

fn preset(named: crate::args::Preset) -> policy::Preset {
    match named {
        crate::args::Preset::Recommended => policy::Preset::Recommended,
        crate::args::Preset::EveryAgent => policy::Preset::EveryAgent,
        crate::args::Preset::Spec => policy::Preset::Spec,
    }
}

fn unknown_client(name: &str) -> String {
    let ids: Vec<&str> = clients::all().iter().map(|client| client.id.as_str()).collect();
    match closest(name, ids.iter().copied()) {
        Some(near) => format!("there is no client {name:?}; did you mean {near}?"),
        None => format!("there is no client {name:?}; known are {}", ids.join(", ")),
    }
}

/// The settings file named, else the one at the root, else none.
fn read_settings(check: &Check, root: &Path) -> anyhow::Result<Settings> {
    let usual = root.join("mcp-lint.toml");
    let path = match &check.verdict.settings {
        Some(path) => path.clone(),
        None if usual.is_file() => usual,
        None => return Ok(Settings::default()),
    };
    Settings::parse(&read(&path)?).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))
}

/// Nothing where no time was taken.
fn print_timings(timings: BTreeMap<&str, u64>) -> anyhow::Result<()> {
    let total: u64 = timings.values().sum();
    let mut rows: Vec<(&str, u64)> = timings.into_iter().collect();
    rows.sort_by_key(|(rule, time)| (std::cmp::Reverse(*time), *rule));
    for (rule, time) in rows {
        let share = 100.0 * time as f64 / total.max(1) as f64;
        writeln!(anstream::stderr(), "{:10.3} ms  {share:5.1} %  {rule}", time as f64 / 1e6)?;
    }
    Ok(())
}

/// Nanoseconds since the program first asked.
fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).max(LEAST_JOBS)
}

/// Checks one built-in server, with the defaults of everything.
pub(super) fn run_demo(command: Command, output: &Output) -> anyhow::Result<Report> {
    let job = Job {
        root: ".".to_owned(),
        targets: Targets::one("orders".to_owned(), Task::Run(Ok(command))),
        policy: Policy::default(),
        settings: Arc::default(),
        own_timeout: false,
        plan: Plan {
            timeout: Duration::from_secs_f64(DEFAULT_TIMEOUT),
            call: true,
            probe: true,
            bounds: Bounds::default(),
        },
        jobs: 1,
        wants_tokens: output::wants_json(output),
        fail_on: FailOn::Level(Level::Error),
        baseline: None,
        is_complete: false,
    };
    job.carry_out()
}

fn fail_on(check: &Check, settings: &Settings) -> anyhow::Result<FailOn> {
    let from_settings = settings.fail_on.map(|at| match at {
        FailAt::Error => FailLevel::Error,
        FailAt::Warning => FailLevel::Warning,
        FailAt::Note => FailLevel::Note,
        FailAt::Never => FailLevel::Never,
    });
    let given = if check.verdict.strict { Some(FailLevel::Warning) } else { check.verdict.fail_on };
    let level = given.or(variable("MCP_LINT_FAIL_ON", choice)?).or(from_settings);
    Ok(failing(level.unwrap_or(FailLevel::Error)))
}

/// A level of the command line.
pub(super) fn failing(level: FailLevel) -> FailOn {
    match level {
        FailLevel::Error => FailOn::Level(Level::Error),
        FailLevel::Warning => FailOn::Level(Level::Warning),
        FailLevel::Note => FailOn::Level(Level::Note),
        FailLevel::Never => FailOn::Never,
    }
}

/// A variable that stands for an option; set to nothing, it counts as unset, as CI systems leave it.
fn variable<T>(name: &str, read: impl Fn(&str) -> Result<T, String>) -> anyhow::Result<Option<T>> {
    match std::env::var(name) {
        Ok(text) if !text.is_empty() => {
            read(&text).map(Some).map_err(|what| anyhow::anyhow!("the variable {name}: {what}"))
        }
        _ => Ok(None),
    }
}

/// One of the values of an option.
fn choice<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, true).map_err(|_| format!("{text:?} is none of its values"))
}

fn jobs(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|jobs| *jobs > 0).ok_or_else(|| "expected a number of servers, from 1 on".to_owned())
}

impl Job {
    /// Runs what has to run, all at once within bounds, and judges each server as soon as it is done.
    fn verdicts(self) -> anyhow::Result<Vec<Verdict>> {
        close_proc();
        let before = adopt_orphans();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
        let verdicts = runtime.block_on(async {
            let (interrupt, listen) = watch::channel(false);
            let work = self.run_all(listen);
            tokio::pin!(work);
            tokio::select! {
                verdicts = &mut work => verdicts,
                signal = interrupted() => {
                    let _ = interrupt.send(true);
                    // The servers are stopped before we go, unless we are told again.
                    tokio::select! {
                        _ = &mut work => {},
                        _ = interrupted() => {},
                    }
                    Err(signal?.into())
                }
            }
        });
        runtime.shutdown_background();
        sweep(&before);
        verdicts
    }

    async fn run_all(self, interrupt: watch::Receiver<bool>) -> anyhow::Result<Vec<Verdict>> {
        let gate = Arc::new(Semaphore::new(self.jobs));
        let status = Arc::new(Mutex::new(Status::new(self.targets.targets.len())));
        let by_hand = self.targets.by_hand;
        let mut work = JoinSet::new();
        for (nth, target) in self.targets.targets.into_iter().enumerate() {
            let (gate, status) = (Arc::clone(&gate), Arc::clone(&status));
            let (wants_tokens, interrupt) = (self.wants_tokens, interrupt.clone());
            let key = target.entry.as_ref().map_or(target.name.as_str(), |entry| entry.name.as_str());
            let policy = self.settings.policy_for(key, &self.policy);
            let own = self.settings.servers.get(key).and_then(|server| server.timeout).filter(|_| !self.own_timeout);
            let plan = Plan { timeout: own.map_or(self.plan.timeout, Duration::from_secs_f64), ..self.plan };
            work.spawn(async move {
                let _turn = gate.acquire_owned().await;
                let Target { name, entry, task } = target;
                let secrets = match &task {
                    Task::Run(Ok(command)) => command.secrets.clone(),
                    _ => Vec::new(),
                };
                let subject = subject(&name, task, plan, interrupt, &status).await;
                if by_hand && let Some(failure) = never_started(&subject) {
                    bail!("cannot start {failure}");
                }
                let shown = name.clone();
                let judged = move || {
                    let mut verdict = verdict(&name, entry.as_ref(), &subject, &policy, wants_tokens)?;
                    redact_verdict(&mut verdict, &secrets);
                    Ok::<_, String>(verdict)
                };
                let verdict = tokio::task::spawn_blocking(judged).await.context("a check failed")?;
                if let Ok(mut status) = status.lock() {
                    status.done(&shown);
                }
                Ok((nth, verdict.map_err(anyhow::Error::msg)?))
            });
        }
        let mut done = Vec::new();
        while let Some(result) = work.join_next().await {
            done.push(result.context("a check failed")??);
        }
        done.sort_by_key(|(nth, _)| *nth);
        Ok(done.into_iter().map(|(_, verdict)| verdict).collect())
    }
}

/// We were told to stop.
#[derive(Debug, thiserror::Error)]
#[error("stopped by {name}; nothing was reported")]
pub(crate) struct Interrupted {
    name: &'static str,
    number: u8,
}

impl Interrupted {
    /// The exit code that shells expect: 128 and the signal's number.
    pub(crate) fn exit_code(&self) -> u8 {
        128 + self.number
    }
}

/// Waits for a signal that ends a program.
async fn interrupted() -> anyhow::Result<Interrupted> {
    use tokio::signal::unix::{SignalKind, signal};

    let listen = |kind| signal(kind).context("cannot listen for signals");
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    let (mut hangup, mut quit) = (listen(SignalKind::hangup())?, listen(SignalKind::quit())?);
    let (name, number) = tokio::select! {
        _ = interrupt.recv() => ("SIGINT", 2),
        _ = terminate.recv() => ("SIGTERM", 15),
        _ = hangup.recv() => ("SIGHUP", 1),
        _ = quit.recv() => ("SIGQUIT", 3),
    };
    Ok(Interrupted { name, number })
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
        Task::Run(Err(failure)) => {
            Subject::Live(Box::new(Snapshot { main: Launch::not_started(failure), probe: None }))
        }
        Task::Run(Ok(command)) => {
            let phase = |phase| {
                if let Ok(mut status) = status.lock() {
                    status.phase(name, phase);
                }
            };
            let mut snapshot = examine(&command, plan, interrupt, phase).await;
            redact(&mut snapshot, &command.secrets);
            Subject::Live(Box::new(snapshot))
        }
    }
}

/// Why a command given by hand did not come to be a process.
fn never_started(subject: &Subject) -> Option<String> {
    let Subject::Live(snapshot) = subject else { return None };
    match &snapshot.main.ending {
        mcp_lint_core::snapshot::Ending::NotStarted(failure) => {
            Some(format!("{:?}: {}", failure.program, failure.detail))
        }
        _ => None,
    }
}

fn verdict(
    name: &str,
    entry: Option<&Entry>,
    subject: &Subject,
    policy: &Policy,
    wants_tokens: bool,
) -> Result<Verdict, String> {
    let mut verdict = judge(name, entry, subject, policy)?;
    if wants_tokens && verdict.server.tools > 0 {
        verdict.server.tokens.o200k = Some(o200k(&definitions_text(subject)));
    }
    Ok(verdict)
}
