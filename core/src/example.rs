//! The examples on rule pages, run: tests assert on them, and the documentation shows what they print.

use crate::clients::{ClientLoss, Selection};
use crate::config::ConfigFile;
use crate::document::{Dialect, Document};
use crate::finding::{Finding, Level};
use crate::fixture;
use crate::judge::{Subject, judge_against, judge_config, judge_listed};
use crate::page::{Block, Page};
use crate::policy::{Limits, Policy};
use crate::report::{FailOn, Report, ServerReport};
use crate::rule::Rule;

/// The name that servers of examples go by.
pub const SERVER: &str = "parcels";

/// Judges a block by its language: `json` is a saved listing, `wire` a conversation, `config PATH` a
/// configuration file, `run` several servers by the names of their tools, `skipped` the reason why a server
/// was not looked at, `change` a former listing and, behind a line `--- now`, the present one. A word such as `max_tools=4`
/// sets a limit, for examples that would be too long otherwise, and `key=NAME` says what a configuration
/// file calls the server.
///
/// # Errors
/// When the block is none of these; says what is wrong with it.
pub fn report(block: &Block, only: Option<&str>) -> Result<Report, String> {
    let (servers, mut findings) = judged(block.info, block.text, &policy(block.info)?)?;
    findings.retain(|finding| only.is_none_or(|rule| finding.rule == rule));
    Ok(Report::new(".".to_owned(), servers, findings, FailOn::Level(Level::Error)))
}

/// The settings that the words of a block ask for.
///
/// # Errors
/// When they name a client that there is not.
pub fn policy(info: &str) -> Result<Policy, String> {
    Ok(Policy { limits: limits(info), clients: clients(info)?, ..Policy::default() })
}

/// Judges the text of a block by its language and by any settings.
///
/// # Errors
/// When the block is of no known kind, or its text is not of that kind.
pub fn judged(info: &str, text: &str, policy: &Policy) -> Result<(Vec<ServerReport>, Vec<Finding>), String> {
    let mut words = info.split(' ');
    let mut before = None;
    let subject = match words.next() {
        Some("json") => saved(text)?,
        Some("change") => {
            let (former, now) = text.split_once("\n--- now\n").ok_or("a change has a line `--- now`")?;
            before = Some(Document::parse(former, Dialect::STRICT).map_err(|error| error.to_string())?);
            saved(now)?
        }
        Some("wire") => Subject::Live(Box::new(fixture::snapshot(text)?)),
        Some("skipped") => Subject::Skipped(text.trim().to_owned()),
        Some("config") => {
            let path = words.next().ok_or("a config block names its file")?;
            return Ok((Vec::new(), judge_config(&fixture::config(path, text)?, policy)));
        }
        Some("run") => return Ok((Vec::new(), judge_listed(&fixture::run(text)?, policy))),
        other => return Err(format!("no such kind of block: {other:?}")),
    };
    let file = info.split(' ').find_map(|word| word.strip_prefix("key=")).map(configured).transpose()?;
    let entry = file.as_ref().and_then(|file| file.entries.first());
    let before = before.as_ref().map(Document::root);
    let verdict = judge_against(entry.map_or(SERVER, |entry| &entry.name), entry, &subject, before, policy)?;
    Ok((vec![verdict.server], verdict.findings))
}

/// What is known of clients about a rule: everyone that its bad examples name, each effect once, sorted.
#[must_use]
pub fn evidence(rule: &Rule) -> Vec<ClientLoss> {
    let blocks = Page::parse(rule.page).blocks("Bad");
    let reports = blocks.iter().filter_map(|block| report(block, Some(rule.id)).ok());
    let losses = reports.flat_map(|report| report.findings).flat_map(|finding| finding.clients);
    let mut losses: Vec<ClientLoss> = losses.collect();
    losses.sort_by(|left, right| {
        (&left.name, left.effect, &left.source).cmp(&(&right.name, right.effect, &right.source))
    });
    losses.dedup();
    losses
}

fn saved(text: &str) -> Result<Subject, String> {
    let document = Document::parse(text, Dialect::STRICT).map_err(|error| error.to_string())?;
    Ok(Subject::File { path: "tools.json".to_owned(), document })
}

/// A configuration file that names one server by a key.
fn configured(key: &str) -> Result<ConfigFile, String> {
    fixture::config(".mcp.json", &format!(r#"{{ "mcpServers": {{ "{key}": {{ "command": "parcels" }} }} }}"#))
}

fn clients(info: &str) -> Result<Selection, String> {
    let named = info.split(' ').find_map(|word| word.strip_prefix("clients="));
    let Some(named) = named else { return Ok(Selection::All) };
    let names: Vec<String> = named.split(',').map(str::to_owned).collect();
    Selection::named(&names).map_err(|unknown| format!("no such client: {unknown}"))
}

fn limits(info: &str) -> Limits {
    let mut limits = Limits::default();
    for (name, value) in info.split(' ').filter_map(|word| word.split_once('=')) {
        let Ok(value) = value.parse() else { continue };
        match name {
            "max_tools" => limits.max_tools = value,
            "listing_tokens" => limits.listing_tokens = value,
            "description_long" => limits.description_long = value,
            _ => {}
        }
    }
    limits
}
