//! `check`: read configurations, run their servers, judge, report.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, bail};
use mcp_lint_core::config::{ConfigFile, Entry, Transport};
use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::judge::{Subject, Verdict, definitions_text, judge, judge_config};
use mcp_lint_core::policy::{Limits, Policy};
use mcp_lint_core::report::{FailOn, Report, ServerReport};
use mcp_lint_core::snapshot::{Launch, Snapshot};
use mcp_lint_core::text::list;
use mcp_lint_core::tokens::o200k;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::args::{Check, FailLevel, Output};
use crate::discover::{Prepared, Surroundings, config_files, looked_for, read};
use crate::environment::shed_runner_variables;
use crate::launch::{Command, adopt_orphans, sweep};
use crate::output;
use crate::session::{Plan, examine};
use crate::status::Status;
use crate::wire::Bounds;

/// Fewest servers run at once: they mostly wait, so a small machine need not run them one by one.
const LEAST_JOBS: usize = 4;

/// Runs the check; gives the exit code.
///
/// # Errors
/// When the check cannot be carried out.
pub(crate) fn run(check: &Check) -> anyhow::Result<u8> {
    shed_runner_variables().context("cannot start again without the runner's variables")?;
    if let Some(url) = &check.url {
        bail!("{}", refused_url(url));
    }
    let root = std::path::absolute(&check.what.root).context("cannot tell the root folder")?;
    if !root.is_dir() {
        bail!("cannot check {}: it is not a folder", check.what.root.display());
    }
    let home = check.how.fresh_home.then(tempfile::tempdir).transpose().context("cannot make a HOME folder")?;
    let surroundings =
        Surroundings { root: &root, extra: &check.how.env, home: home.as_ref().map(tempfile::TempDir::path) };
    let targets = Targets::find(check, &surroundings)?;
    if targets.is_empty() {
        output::print(
            &format!("Nothing to check: no MCP configuration at the root ({}).\n", looked_for()),
            check.output.color,
        )?;
    }
    let report = Job::new(check, targets).carry_out()?;
    output::publish(&report, &check.output)?;
    Ok(report.exit_code)
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

/// What is to be checked.
struct Targets {
    files: Vec<ConfigFile>,
    targets: Vec<Target>,
    /// A single target given by hand: if it cannot be read at all, that is no finding but exit 2.
    by_hand: bool,
}

struct Target {
    name: String,
    entry: Option<Entry>,
    task: Task,
}

enum Task {
    Run(Prepared),
    Read { path: String, document: Document },
    Skip(String),
}

impl Targets {
    fn find(check: &Check, surroundings: &Surroundings<'_>) -> anyhow::Result<Self> {
        if let Some(file) = &check.what.file {
            return Ok(Self::one(file_name(file), read_listing(file)?));
        }
        let words = match &check.what.command {
            Some(text) => shlex::split(text).context("the command has a quote that is never closed")?,
            None => check.words.clone(),
        };
        if check.what.command.is_some() || !words.is_empty() {
            let command = surroundings.by_hand(&words)?;
            return Ok(Self::one(command_name(&words), Task::Run(Ok(command))));
        }
        Self::configured(check, surroundings)
    }

    fn one(name: String, task: Task) -> Self {
        Self { files: Vec::new(), targets: vec![Target { name, entry: None, task }], by_hand: true }
    }

    fn configured(check: &Check, surroundings: &Surroundings<'_>) -> anyhow::Result<Self> {
        let mut files = config_files(surroundings.root, &check.what.config)?;
        let mut targets = Vec::new();
        for file in &mut files {
            for entry in file.entries.clone() {
                if let Some(task) = task(file, &entry, &check.what.server, surroundings) {
                    targets.push(Target { name: entry.name.clone(), entry: Some(entry), task });
                }
            }
        }
        tell_apart(&mut targets);
        let missing: Vec<&String> = check
            .what
            .server
            .iter()
            .filter(|name| {
                !targets.iter().any(|target| target.entry.as_ref().is_some_and(|entry| entry.name == **name))
            })
            .collect();
        if !missing.is_empty() {
            bail!("no configuration file names the server {}", list(&missing, 5));
        }
        Ok(Self { files, targets, by_hand: false })
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.targets.is_empty()
    }
}

fn task(file: &mut ConfigFile, entry: &Entry, only: &[String], surroundings: &Surroundings<'_>) -> Option<Task> {
    if !only.is_empty() && !only.contains(&entry.name) {
        return None;
    }
    Some(match &entry.transport {
        Transport::Unusable => return None,
        _ if entry.disabled => Task::Skip("its entry is disabled".to_owned()),
        Transport::Stdio(command) => Task::Run(surroundings.prepare(file, entry, command)),
        Transport::Http { .. } | Transport::Sse { .. } => {
            Task::Skip("it is reached over HTTP, and this check starts only stdio servers".to_owned())
        }
    })
}

/// Two files may name a server alike: then the file is part of the name.
fn tell_apart(targets: &mut [Target]) {
    let names: Vec<String> = targets.iter().map(|target| target.name.clone()).collect();
    for target in targets {
        let times = names.iter().filter(|name| **name == target.name).count();
        if let (2.., Some(entry)) = (times, &target.entry) {
            target.name = format!("{} ({})", target.name, entry.location().path);
        }
    }
}

fn read_listing(path: &Path) -> anyhow::Result<Task> {
    let (shown, text) = if path == Path::new("-") {
        ("stdin".to_owned(), std::io::read_to_string(std::io::stdin()).context("cannot read stdin")?)
    } else {
        (path.to_string_lossy().replace('\\', "/"), read(path)?)
    };
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let document = Document::parse(bare, Dialect::STRICT)
        .map_err(|error| anyhow::anyhow!("{shown} is not valid JSON: {error}"))?;
    mcp_lint_core::listing::read(document.root()).map_err(|what| anyhow::anyhow!("{shown}: {what}"))?;
    Ok(Task::Read { path: shown, document })
}

fn file_name(path: &Path) -> String {
    let stem = path.file_stem().filter(|_| path != Path::new("-"));
    stem.map_or_else(|| "stdin".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// What a server started by hand is called until it says its own name: its script, else its program.
fn command_name(words: &[String]) -> String {
    let is_script = |word: &&String| !word.starts_with('-') && (word.contains('/') || word.contains('.'));
    let word = words.iter().skip(1).find(is_script).or(words.first());
    let name = word.map(|word| word.rsplit('/').next().unwrap_or(word)).unwrap_or("server");
    name.to_owned()
}

/// Everything a check needs to know, once the command line has been understood.
struct Job {
    root: String,
    targets: Targets,
    policy: Arc<Policy>,
    plan: Plan,
    jobs: usize,
    wants_tokens: bool,
    fail_on: FailOn,
}

impl Job {
    fn new(check: &Check, targets: Targets) -> Self {
        let limits = Limits { max_per_rule: check.verdict.max_per_rule as usize, ..Limits::default() };
        let line = usize::try_from(check.how.max_line).unwrap_or(usize::MAX);
        Self {
            root: check.what.root.to_string_lossy().replace('\\', "/"),
            targets,
            policy: Arc::new(Policy { limits, ..Policy::default() }),
            plan: Plan {
                timeout: Duration::from_secs_f64(check.how.timeout),
                call: !check.how.no_call,
                probe: !check.how.no_probe,
                bounds: Bounds { line, ..Bounds::default() },
            },
            jobs: check.how.jobs.map_or_else(default_jobs, usize::from),
            wants_tokens: output::wants_json(&check.output),
            fail_on: fail_on(check),
        }
    }

    fn carry_out(self) -> anyhow::Result<Report> {
        let files = self.targets.files.iter();
        let mut findings: Vec<Finding> = files.flat_map(|file| judge_config(file, &self.policy)).collect();
        let (root, fail_on) = (self.root.clone(), self.fail_on);
        let mut servers: Vec<ServerReport> = Vec::new();
        for verdict in self.verdicts()? {
            servers.push(verdict.server);
            findings.extend(verdict.findings);
        }
        Ok(Report::new(root, servers, findings, fail_on))
    }
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).max(LEAST_JOBS)
}

/// Checks one built-in server, with the defaults of everything.
pub(super) fn run_demo(command: Command, output: &Output) -> anyhow::Result<Report> {
    let job = Job {
        root: ".".to_owned(),
        targets: Targets::one("orders".to_owned(), Task::Run(Ok(command))),
        policy: Arc::default(),
        plan: Plan { timeout: Duration::from_secs(30), call: true, probe: true, bounds: Bounds::default() },
        jobs: 1,
        wants_tokens: output::wants_json(output),
        fail_on: FailOn::Level(Level::Error),
    };
    job.carry_out()
}

fn fail_on(check: &Check) -> FailOn {
    match check.verdict.fail_on {
        _ if check.verdict.strict => FailOn::Level(Level::Warning),
        FailLevel::Error => FailOn::Level(Level::Error),
        FailLevel::Warning => FailOn::Level(Level::Warning),
        FailLevel::Note => FailOn::Level(Level::Note),
        FailLevel::Never => FailOn::Never,
    }
}

impl Job {
    /// Runs what has to run, all at once within bounds, and judges each server as soon as it is done.
    fn verdicts(self) -> anyhow::Result<Vec<Verdict>> {
        adopt_orphans();
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
                    Err(Interrupted(signal?).into())
                }
            }
        });
        runtime.shutdown_background();
        sweep();
        verdicts
    }

    async fn run_all(self, interrupt: watch::Receiver<bool>) -> anyhow::Result<Vec<Verdict>> {
        let gate = Arc::new(Semaphore::new(self.jobs));
        let status = Arc::new(Mutex::new(Status::new(self.targets.targets.len())));
        let by_hand = self.targets.by_hand;
        let mut work = JoinSet::new();
        for (nth, target) in self.targets.targets.into_iter().enumerate() {
            let (gate, status, policy) = (Arc::clone(&gate), Arc::clone(&status), Arc::clone(&self.policy));
            let (plan, wants_tokens, interrupt) = (self.plan, self.wants_tokens, interrupt.clone());
            work.spawn(async move {
                let _turn = gate.acquire_owned().await;
                let Target { name, entry, task } = target;
                let subject = subject(&name, task, plan, interrupt, &status).await;
                if by_hand && let Some(failure) = never_started(&subject) {
                    bail!("cannot start {failure}");
                }
                let shown = name.clone();
                let judged = move || verdict(&name, entry.as_ref(), &subject, &policy, wants_tokens);
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
#[error("stopped by {0}; nothing was reported")]
struct Interrupted(&'static str);

async fn interrupted() -> anyhow::Result<&'static str> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    tokio::select! {
        result = tokio::signal::ctrl_c() => result.map(|()| "SIGINT").context("cannot listen for SIGINT"),
        _ = terminate.recv() => Ok("SIGTERM"),
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
        Task::Run(Err(failure)) => {
            Subject::Live(Box::new(Snapshot { main: Launch::not_started(failure), probe: None }))
        }
        Task::Run(Ok(command)) => {
            let phase = |phase| {
                if let Ok(mut status) = status.lock() {
                    status.phase(name, phase);
                }
            };
            Subject::Live(Box::new(examine(&command, plan, interrupt, phase).await))
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
