//! `rules`: the list, or one rule's page.

use std::fmt::Write;

use anyhow::bail;
use mcp_lint_core::example;
use mcp_lint_core::finding::Level;
use mcp_lint_core::rule::Rule;
use mcp_lint_core::rules;
use mcp_lint_core::text::closest;

use crate::args::Color;
use crate::output;

/// Prints the list of rules, or explains one.
///
/// # Errors
/// When there is no rule of that id.
pub(crate) fn run(id: Option<&str>) -> anyhow::Result<u8> {
    let text = match id {
        None => list(),
        Some(id) => explain(id)?,
    };
    output::print(&text, Color::Auto)?;
    Ok(0)
}

fn list() -> String {
    let width = rules::ALL.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for level in [Level::Error, Level::Warning, Level::Note] {
        for rule in rules::ALL.iter().filter(|rule| rule.level == level) {
            let _ = writeln!(text, "{:7}  {:width$}  {}", level.word(), rule.id, rule.summary);
        }
    }
    text
}

fn explain(id: &str) -> anyhow::Result<String> {
    let Some(rule) = rules::find(id) else { bail!("{}", unknown(id)) };
    let Rule { page, level, since, .. } = rule;
    let title = page.lines().next().unwrap_or_default();
    Ok(format!("{title}\n\n{}, since {since}\n{}", level.word(), explanation(rule)))
}

/// The page of a rule behind its title, with what is known of clients.
pub(crate) fn explanation(rule: &Rule) -> String {
    body(rule.page) + &evidence(rule)
}

/// What is known of each client, with its source and the day it was checked.
fn evidence(rule: &Rule) -> String {
    let losses = example::evidence(rule);
    let mut text = String::new();
    if !losses.is_empty() {
        text.push_str("\n## Clients\n\n");
    }
    for loss in losses {
        let (happens, how, versions) = (loss.effect.happens(), loss.confidence.word(), loss.versions());
        let versions = if versions.is_empty() { versions } else { format!(" ({versions})") };
        let (name, id, source, checked) = (&loss.name, &loss.id, &loss.source, &loss.checked);
        let _ = writeln!(text, "- {name} ({id}): {happens}{versions}; {source}; {how}, checked {checked}");
    }
    text
}

/// The page without its title, and without the markers that only its tests read.
fn body(page: &str) -> String {
    let lines = page.lines().skip(1).map(|line| match line.strip_prefix("```") {
        Some(info) if !info.is_empty() => format!("```{}", info.split(' ').next().unwrap_or_default()),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn unknown(id: &str) -> String {
    match closest(id, rules::ALL.iter().map(|rule| rule.id)) {
        Some(near) => format!("there is no rule {id:?}; did you mean {near}?"),
        None => format!("there is no rule {id:?}; `mcp-lint rules` lists them"),
    }
}
