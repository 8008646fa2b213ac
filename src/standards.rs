//! What a run is judged by, and what becomes of its findings: settings, levels, the baseline, the verdict.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use mcp_lint_core::baseline::{Baseline, Judged};
use mcp_lint_core::clients::{self, Selection};
use mcp_lint_core::contract::Contract;
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::policy::{self, Policy};
use mcp_lint_core::report::{Accepted, FailOn, Outcome, Report, ServerReport};
use mcp_lint_core::rules;
use mcp_lint_core::settings::{FailAt, Settings};
use mcp_lint_core::text::closest;

use crate::args::{FailLevel, Verdict};
use crate::discover::read;

/// Name of the baseline at the root.
pub(crate) const BASELINE: &str = ".mcp-lint-baseline.jsonl";

/// Name of the contract, beside the baseline.
const CONTRACT: &str = ".mcp-lint-contract.json";

/// What listings are held against.
pub(crate) enum Terms {
    /// Nothing: changes are not judged.
    None,
    /// What the servers listed before.
    Contract(Arc<Contract>),
    /// What they list now, which is about to be written down: nothing has changed.
    Anew,
}

impl Terms {
    /// The contract named, else the one beside the baseline, else none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn read(verdict: &Verdict, root: &Path) -> anyhow::Result<Self> {
        let is_named = verdict.contract.is_some();
        if !is_named && (verdict.no_baseline || !contract_path(verdict, root).is_file()) {
            return Ok(Self::None);
        }
        read_contract(&contract_path(verdict, root)).map(|contract| Self::Contract(Arc::new(contract)))
    }
}

/// Where the contract is.
pub(crate) fn contract_path(verdict: &Verdict, root: &Path) -> PathBuf {
    verdict.contract.clone().unwrap_or_else(|| baseline_path(verdict, root).with_file_name(CONTRACT))
}

/// A contract.
///
/// # Errors
/// When it cannot be read, or is none.
pub(crate) fn read_contract(path: &Path) -> anyhow::Result<Contract> {
    Contract::parse(&read(path)?).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))
}

/// What a run is judged by.
pub(crate) struct Standards {
    pub(crate) settings: Arc<Settings>,
    pub(crate) policy: Policy,
    pub(crate) baseline: Option<Baseline>,
    pub(crate) terms: Terms,
    pub(crate) fail_on: FailOn,
}

impl Standards {
    /// Reads what the command line, the variables and the files at the root say, but for the contract.
    ///
    /// # Errors
    /// When a file cannot be read, or something in it or in a variable is not known.
    pub(crate) fn read(verdict: &Verdict, root: &Path) -> anyhow::Result<Self> {
        let settings = read_settings(verdict, root)?;
        Ok(Self {
            policy: policy(verdict, &settings)?,
            baseline: read_baseline(verdict, root)?,
            terms: Terms::None,
            fail_on: fail_on(verdict, &settings)?,
            settings: Arc::new(settings),
        })
    }
}

/// Where the baseline is.
pub(crate) fn baseline_path(verdict: &Verdict, root: &Path) -> PathBuf {
    verdict.baseline.clone().unwrap_or_else(|| root.join(BASELINE))
}

/// The baseline named, else the one at the root, else none.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_baseline(verdict: &Verdict, root: &Path) -> anyhow::Result<Option<Baseline>> {
    let path = baseline_path(verdict, root);
    if verdict.no_baseline || (verdict.baseline.is_none() && !path.is_file()) {
        return Ok(None);
    }
    Baseline::parse(&read(&path)?).map(Some).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))
}

/// Levels and limits: the preset first, then the settings, then the command line.
fn policy(verdict: &Verdict, settings: &Settings) -> anyhow::Result<Policy> {
    let named = verdict.preset.or(variable("MCP_LINT_PRESET", choice)?);
    let preset = named.map(preset).or(settings.preset).unwrap_or(policy::Preset::Recommended);
    let mut policy = Policy::preset(preset);
    let listed = |text: &str| Ok(text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<String>>());
    let from_variable = variable("MCP_LINT_CLIENTS", listed)?.unwrap_or_default();
    let given = [&verdict.clients, &from_variable, &settings.clients];
    if let Some(names) = given.into_iter().find(|names| !names.is_empty()) {
        policy.clients = Selection::named(names).map_err(|name| anyhow::anyhow!("{}", unknown_client(&name)))?;
    }
    settings.apply(&mut policy);
    if let Some(most) = verdict.max_per_rule {
        policy.limits.max_per_rule = most as usize;
    }
    // The image sets it, so that advice fits where the servers run.
    policy.in_container = std::env::var_os("MCP_LINT_CONTAINER").is_some_and(|value| !value.is_empty());
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
fn read_settings(verdict: &Verdict, root: &Path) -> anyhow::Result<Settings> {
    let usual = root.join("mcp-lint.toml");
    let path = match &verdict.settings {
        Some(path) => path.clone(),
        None if usual.is_file() => usual,
        None => return Ok(Settings::default()),
    };
    Settings::parse(&read(&path)?).map_err(|what| anyhow::anyhow!("{}: {what}", path.display()))
}

fn fail_on(verdict: &Verdict, settings: &Settings) -> anyhow::Result<FailOn> {
    let from_settings = settings.fail_on.map(|at| match at {
        FailAt::Error => FailLevel::Error,
        FailAt::Warning => FailLevel::Warning,
        FailAt::Note => FailLevel::Note,
        FailAt::Never => FailLevel::Never,
    });
    let given = if verdict.strict { Some(FailLevel::Warning) } else { verdict.fail_on };
    let level = given.or(variable("MCP_LINT_FAIL_ON", choice)?).or(from_settings);
    Ok(failing(level.unwrap_or(FailLevel::Error)))
}

/// A level of the command line.
pub(crate) fn failing(level: FailLevel) -> FailOn {
    match level {
        FailLevel::Error => FailOn::Level(Level::Error),
        FailLevel::Warning => FailOn::Level(Level::Warning),
        FailLevel::Note => FailOn::Level(Level::Note),
        FailLevel::Never => FailOn::Never,
    }
}

/// A variable that stands for an option; set to nothing, it counts as unset, as CI systems leave it.
pub(crate) fn variable<T>(name: &str, read: impl Fn(&str) -> Result<T, String>) -> anyhow::Result<Option<T>> {
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

/// What turns findings into a report.
pub(crate) struct Frame {
    pub(crate) root: String,
    pub(crate) client_capabilities: Vec<String>,
    /// All servers that are configured; nothing where what to check was named by hand.
    pub(crate) configured: Option<Vec<String>>,
    /// What was accepted before.
    pub(crate) accepted: Vec<Accepted>,
    pub(crate) standards: Standards,
}

impl Frame {
    /// The report: without the findings that the settings accept, and with those marked that the baseline
    /// knows.
    pub(crate) fn report(self, servers: Vec<ServerReport>, mut findings: Vec<Finding>) -> Report {
        let Standards { settings, policy, baseline, terms, fail_on } = self.standards;
        let mut accepted = self.accepted;
        findings.retain(|finding| {
            let entry = settings.ignored_by(finding).filter(|_| finding.covers.is_empty());
            accepted.extend(entry.map(|ignore| Accepted { fingerprint: finding.fingerprint.clone(), ignore }));
            entry.is_none()
        });
        accepted.sort();
        let is_here = |name: &String| servers.iter().any(|server| server.name == *name);
        let is_complete = self.configured.as_ref().is_some_and(|all| all.iter().all(is_here));
        let absent = baseline.as_ref().map(|baseline| {
            let has_no_terms = matches!(terms, Terms::None);
            let off =
                |rule: &str| policy.levels.get(rule) == Some(&None) || (has_no_terms && rules::is_of_changes(rule));
            #[expect(clippy::disallowed_methods, reason = "what is accepted until a day ends with that day")]
            let today = jiff::Zoned::now().date().to_string();
            baseline.compare(
                &mut findings,
                &Judged { servers: &servers, is_complete, off: &off, of_run: &rules::is_of_run, today: &today },
            )
        });
        // An entry is only known to be useless where every server was looked at.
        let all_seen = servers.iter().all(|server| server.outcome == Outcome::Checked)
            && (is_complete || self.configured.is_none());
        let is_used = |nth: usize| accepted.iter().any(|accepted| accepted.ignore == nth);
        let ignores = settings.ignore.iter().enumerate();
        let unused = ignores.filter(|(nth, _)| all_seen && !is_used(*nth)).map(|(_, ignore)| ignore.words()).collect();
        let has_baseline = absent.is_some();
        Report {
            client_capabilities: self.client_capabilities,
            configured: self.configured,
            has_baseline,
            ignored: accepted.len(),
            accepted,
            unused_ignores: unused,
            ..Report::against(self.root, servers, findings, fail_on, absent.unwrap_or_default())
        }
    }
}
