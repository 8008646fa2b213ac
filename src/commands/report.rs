//! `report`: publish a report that a check has made. It starts no server, so it may hold a token; the report
//! is the work of strangers, so nothing in it is taken for more than text.

use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use mcp_lint_core::baseline::{Baseline, Entry};
use mcp_lint_core::report::{self, Report, Repository, check_run, github, markdown};
use mcp_lint_core::text::{count, list, visible};
use serde_json::Value;

use crate::args::{self, CATEGORY, RefreshBaseline, When};
use crate::discover::read;
use crate::environment::close_proc;
use crate::github::api::{Api, Refusal};
use crate::github::baseline::{Failure, Refresh, Way, growth, refresh};
use crate::github::check_run::CheckRun;
use crate::github::code_scanning::{Upload, upload};
use crate::github::event::{self, Event, Subject};
use crate::output;
use crate::repository::Claimed;
use crate::standards::{BASELINE, failing};

/// Longest text of a check run, in bytes; GitHub's bound is 65,535 characters.
const LONGEST_TEXT: usize = 65_000;

/// Room that is left in it for a word on the baseline.
const LONGEST_GROWTH: usize = 8_000;

/// Where GitHub's API is, unless the runner says otherwise.
const API: &str = "https://api.github.com";

/// Publishes a report; gives the exit code that it stands for.
///
/// # Errors
/// When the report cannot be read, a file cannot be written, or something that was demanded cannot be published.
pub(crate) fn run(args: &args::Report) -> anyhow::Result<u8> {
    close_proc();
    let mut report = load(&args.report)?;
    report.root = root(args, &report);
    if let Some(level) = args.fail_on {
        report.judge(failing(level));
    }
    let checkout = Claimed::by(&report);
    let written = output::write_files(&report, &args.output, &args.category, &checkout);
    let Some(event) = current_event()? else {
        say("Not on GitHub: there is no GITHUB_REPOSITORY, so nothing is published.");
        return written.map(|()| report.exit_code);
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let missed = runtime.block_on(async {
        let api = connect(args, &event)?;
        Publication { args, report: &report, event: &event, checkout: &checkout, api }.publish().await
    })?;
    if !missed.is_empty() {
        bail!("{} was demanded and could not be published", list(&missed, 3));
    }
    written.map(|()| report.exit_code)
}

/// The folder that was checked: as given, else as the report claims, if that is inside the current folder.
fn root(args: &args::Report, report: &Report) -> String {
    if let Some(root) = &args.root {
        return root.to_string_lossy().into_owned();
    }
    let claimed = Path::new(&report.root);
    let is_plain = claimed.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if is_plain && !claimed.exists() {
        // A job that only publishes has checked out nothing.
        return report.root.clone();
    }
    let inside = || {
        let (here, claimed) = (Path::new(".").canonicalize().ok()?, claimed.canonicalize().ok()?);
        Some(claimed.strip_prefix(here).ok()?.to_string_lossy().into_owned())
    };
    inside().filter(|root| !root.is_empty()).unwrap_or_else(|| ".".to_owned())
}

fn baseline_file(args: &args::Report, report: &Report) -> PathBuf {
    args.baseline.clone().unwrap_or_else(|| Path::new(&report.root).join(BASELINE))
}

/// The same in the repository.
fn baseline_in(checkout: &Claimed, args: &args::Report) -> Option<String> {
    checkout.path(&args.baseline.as_ref().map_or(BASELINE.into(), |path| path.to_string_lossy()))
}

/// Several checks of one commit have a run each.
fn check_run_name(category: &str) -> String {
    if category == CATEGORY { "mcp-lint findings".to_owned() } else { format!("mcp-lint findings: {category}") }
}

/// Reads a report and holds it to what a check writes.
///
/// # Errors
/// When it is none, or of another version.
pub(super) fn load(path: &Path) -> anyhow::Result<Report> {
    let shown = path.display();
    let text = read(path)?;
    let value: Value = serde_json::from_str(&text).with_context(|| format!("{shown} is no report: not JSON"))?;
    match value.get("version").and_then(Value::as_u64) {
        Some(report::VERSION) => {}
        Some(other) => bail!("{shown} is a report of version {other}; this program reads version {}", report::VERSION),
        None => bail!("{shown} is no report: it names no version"),
    }
    serde_json::from_value(value).with_context(|| format!("{shown} is no report"))
}

/// The event of this run; nothing outside GitHub.
fn current_event() -> anyhow::Result<Option<Event>> {
    let variable = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    if variable("GITHUB_REPOSITORY").is_none() {
        return Ok(None);
    }
    let payload = match variable("GITHUB_EVENT_PATH") {
        Some(path) => {
            let text = read(Path::new(&path))?;
            serde_json::from_str(&text).with_context(|| format!("the event in {path} is not JSON"))?
        }
        None => Value::Null,
    };
    event::read(&variable, &payload).map(Some).map_err(|what| anyhow::anyhow!("cannot tell the event: {what}"))
}

/// A report on its way to GitHub.
struct Publication<'a> {
    args: &'a args::Report,
    report: &'a Report,
    event: &'a Event,
    checkout: &'a Claimed,
    /// Nothing where there is no token.
    api: Option<Api>,
}

impl Publication<'_> {
    /// Publishes all that is wanted; gives what was demanded and could not be done.
    async fn publish(&self) -> anyhow::Result<Vec<&'static str>> {
        let Self { args, report, checkout, .. } = self;
        let note = check_run::growth(&self.growth().await?);
        summarise(&note, report)?;
        set_outputs(report)?;
        let has_check_run = self.check_run(&note).await?;
        if args.annotations == When::True || (args.annotations == When::Auto && !has_check_run) {
            output::print(&github::render(report, *checkout), args::Color::Never)?;
        }
        let has_sarif = self.code_scanning().await;
        self.refresh_baseline().await;
        let demanded = [
            (args.check_run == When::True && !has_check_run, "the check run"),
            (args.upload_sarif == When::True && !has_sarif, "the SARIF file"),
        ];
        Ok(demanded.into_iter().filter(|(is_missed, _)| *is_missed).map(|(_, what)| what).collect())
    }

    /// Entries that the baseline of a pull request has more than that of its base, or that go further.
    async fn growth(&self) -> anyhow::Result<Vec<Entry>> {
        let (Some(api), Subject::PullRequest { base_sha, .. }) = (&self.api, &self.event.subject) else {
            return Ok(Vec::new());
        };
        let local = baseline_file(self.args, self.report);
        let Some(path) = baseline_in(self.checkout, self.args).filter(|_| local.is_file()) else {
            return Ok(Vec::new());
        };
        let now = Baseline::parse(&read(&local)?).map_err(|what| anyhow::anyhow!("{}: {what}", local.display()))?;
        match growth(api, self.event, &path, base_sha, &now).await {
            Ok(entries) => Ok(entries),
            Err(failure) => {
                say(&format!("What the baseline accepts anew is not known: {failure}."));
                Ok(Vec::new())
            }
        }
    }

    /// Makes the check run; tells whether it is there, and shows the new findings.
    async fn check_run(&self, note: &str) -> anyhow::Result<bool> {
        if self.args.check_run == When::False {
            return Ok(false);
        }
        if self.event.is_from_fork() {
            say(
                "This pull request comes from a fork, whose token can only read: there is no check run, findings are annotated here.",
            );
            return Ok(false);
        }
        let Some(api) = &self.api else { return Ok(false) };
        let (annotations, rest) = check_run::annotations(self.report, self.checkout);
        let annotations: Result<Vec<Value>, _> = annotations.iter().map(serde_json::to_value).collect();
        let note = if note.len() > LONGEST_GROWTH { "" } else { note };
        let run = CheckRun {
            name: check_run_name(&self.args.category),
            conclusion: check_run::conclusion(self.report),
            title: check_run::title(self.report),
            summary: format!("{note}{}", markdown::within(self.report, LONGEST_TEXT - note.len())),
            annotations: annotations.context("an annotation cannot be written")?,
        };
        let published = match run.publish(api, self.event).await {
            Ok(published) => published,
            Err(refusal) => {
                say(&format!("There is no check run: {}", explained(&refusal, "checks: write")));
                return Ok(false);
            }
        };
        say(&format!("Check run: {}", published.url));
        if rest > 0 {
            say(&format!("{} more are in its summary only.", count(rest, "finding")));
        }
        if let Some((missing, refusal)) = published.missing {
            say(&format!("{} could not be added: {refusal}.", count(missing, "annotation")));
        }
        Ok(true)
    }

    /// Uploads the SARIF file where that can work; tells whether code scanning has it.
    async fn code_scanning(&self) -> bool {
        let is_hopeless = self.event.is_private || self.event.is_from_fork();
        let wanted = self.args.upload_sarif;
        if wanted == When::False || (wanted == When::Auto && is_hopeless) {
            return false;
        }
        let Some(api) = &self.api else { return false };
        let sarif = output::sarif(self.report, &self.args.category, self.checkout);
        let pace = Duration::from_secs(1).min(Duration::from_secs_f64(self.args.api_timeout / 10.0));
        let (is_there, line) = match upload(api, self.event, &sarif, pace).await {
            Ok(Upload::Processed) => (true, "Code scanning has the findings.".to_owned()),
            Ok(Upload::Pending) => {
                (true, "Code scanning took the findings and has not said what came of them.".to_owned())
            }
            Ok(Upload::Failed(reasons)) => {
                (false, format!("Code scanning threw the findings away: {}", reasons.join("; ")))
            }
            Ok(Upload::TooLarge(bytes)) => {
                (false, format!("The SARIF file is too large for code scanning: {bytes} bytes, packed"))
            }
            Err(refusal) => {
                (false, format!("Code scanning has no findings: {}", explained(&refusal, "security-events: write")))
            }
        };
        say(&line);
        is_there
    }

    /// Takes out of the baseline on the default branch what is gone.
    async fn refresh_baseline(&self) {
        let way = match self.args.refresh_baseline {
            RefreshBaseline::Off => return,
            RefreshBaseline::Commit => Way::Commit,
            RefreshBaseline::PullRequest => Way::PullRequest,
        };
        let Some(branch) = self.event.pushed_default_branch() else { return };
        let (Some(api), Some(path)) = (&self.api, baseline_in(self.checkout, self.args)) else { return };
        let done = refresh(api, self.event, &path, branch, self.report, way).await;
        say(&refreshed(done, way, branch));
    }
}

/// The connection to the API, where there is a token.
fn connect(args: &args::Report, event: &Event) -> anyhow::Result<Option<Api>> {
    let variable = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    let Some(token) = variable("MCP_LINT_TOKEN").or_else(|| variable("GITHUB_TOKEN")) else {
        if !event.is_from_fork() {
            say("There is no token (GITHUB_TOKEN), so nothing is sent to GitHub.");
        }
        return Ok(None);
    };
    let address = variable("GITHUB_API_URL").unwrap_or_else(|| API.to_owned());
    Api::new(&address, token, Duration::from_secs_f64(args.api_timeout)).map(Some)
}

/// Adds the report to the job's summary.
fn summarise(note: &str, report: &Report) -> anyhow::Result<()> {
    let text = format!("{note}{}\n", markdown::within(report, 900_000 - note.len()));
    append("GITHUB_STEP_SUMMARY", &text)
}

/// Counts for later steps. They are numbers, so none can be more than one line.
fn set_outputs(report: &Report) -> anyhow::Result<()> {
    let summary = report.summary;
    let outputs = [
        ("errors", summary.errors),
        ("warnings", summary.warnings),
        ("notes", summary.notes),
        ("new", summary.new),
        ("known", summary.known),
        ("gone", summary.gone),
        ("servers-checked", summary.servers_checked),
        ("servers-failed", summary.servers_failed),
        ("exit-code", usize::from(report.exit_code)),
    ];
    let lines: String = outputs.iter().map(|(name, number)| format!("{name}={number}\n")).collect();
    append("GITHUB_OUTPUT", &lines)
}

/// Appends to a file that the runner names, if it names one.
fn append(variable: &str, text: &str) -> anyhow::Result<()> {
    let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) else { return Ok(()) };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write to {variable}"))
}

/// What came of a refresh, in words.
fn refreshed(done: Result<Refresh, Failure>, way: Way, branch: &str) -> String {
    match done {
        Ok(Refresh::Unchanged) => "The baseline is as it should be.".to_owned(),
        Ok(Refresh::Overtaken) => format!("{branch} has moved on: the run for its new commit refreshes the baseline."),
        Ok(Refresh::Committed(fewer)) => format!("The baseline was refreshed: {} fewer.", count(fewer, "entry")),
        Ok(Refresh::Proposed(url, fewer)) => format!("A pull request takes out {}: {url}", count(fewer, "entry")),
        Err(Failure::Refused(refusal))
            if way == Way::Commit && refusal.status().is_some_and(|status| status != 404) =>
        {
            format!(
                "The baseline was not refreshed: {}. Where the branch is protected, let a pull request do it (pull-request).",
                explained(&refusal, "contents: write")
            )
        }
        Err(Failure::Refused(refusal)) => {
            let permission = "contents: write and pull-requests: write";
            format!("The baseline was not refreshed: {}", explained(&refusal, permission))
        }
        Err(failure) => format!("The baseline was not refreshed: {failure}."),
    }
}

/// A refusal with the permission that it is most often for.
fn explained(refusal: &Refusal, permission: &str) -> String {
    match refusal.status() {
        Some(401) => format!("{refusal} (the token is not valid)."),
        Some(403 | 404) => format!("{refusal} (the job may lack the permission `{permission}`)."),
        _ => format!("{refusal}."),
    }
}

/// One line on stderr, safe to show. Nobody may be left to read it; that keeps nothing from being published.
fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{}", visible(line));
}
