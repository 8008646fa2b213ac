//! Where reports go: stdout in one format, files in others.

use std::fs::Metadata;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use mcp_lint_core::page::Page;
use mcp_lint_core::report::{Report, Repository, agent, github, gitlab, html, junit, markdown, sarif, text};
use mcp_lint_core::rule::Check;
use mcp_lint_core::rules;
use mcp_lint_core::text::{is_hidden, visible};

use crate::args::{Color, Format, Output};
use crate::commands::explanation;
use crate::repository::Checkout;

/// Prints a report and writes it to the files asked for. Files come first, so that a closed pipe loses none; one
/// that cannot be written costs neither the others nor what is printed.
///
/// # Errors
/// When a file or stdout cannot be written.
pub(crate) fn publish(report: &Report, output: &Output) -> anyhow::Result<()> {
    let repository = Checkout::around(report);
    let written = write_files(report, &output.output, &output.category, &repository);
    print(&render(report, printed(output), &output.category, &repository), output.color)?;
    written
}

/// Writes a report to files: all that can be written.
///
/// # Errors
/// When one cannot be written; gives the first of these, and says the others.
pub(crate) fn write_files(
    report: &Report,
    files: &[(Format, PathBuf)],
    category: &str,
    repository: &dyn Repository,
) -> anyhow::Result<()> {
    let mut written = Ok(());
    for (format, path) in files {
        let text = render(report, *format, category, repository);
        // Only the reports for people hold colours, and taking them out of a long report takes time.
        let text = if is_coloured(*format) { anstream::adapter::strip_str(&text).to_string() } else { text };
        let now = write_file(path, &text);
        if let (Err(_), Err(error)) = (&written, &now) {
            tracing::error!("{}", visible(&format!("{error:#}")));
        }
        written = written.and(now);
    }
    written
}

/// The format that goes to stdout.
pub(crate) fn printed(output: &Output) -> Format {
    if output.json { Format::Json } else { output.format }
}

/// Whether any of the reports is for programs.
pub(crate) fn wants_json(output: &Output) -> bool {
    printed(output) == Format::Json || output.output.iter().any(|(format, _)| *format == Format::Json)
}

fn is_coloured(format: Format) -> bool {
    matches!(format, Format::Text | Format::Github)
}

fn render(report: &Report, format: Format, category: &str, repository: &dyn Repository) -> String {
    match format {
        Format::Text => text::render(report),
        Format::Markdown => markdown::render(report),
        Format::Json => json(report),
        Format::Sarif => sarif(report, category, repository),
        Format::Github => github::render(report, repository),
        Format::Gitlab => inert(&gitlab::render(report, repository)),
        Format::Junit => junit::render(report),
        Format::Html => html::render(report),
        Format::Agent => agent::render(report),
    }
}

fn json(report: &Report) -> String {
    let json = serde_json::to_string_pretty(report).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    inert(&json) + "\n"
}

/// The report as SARIF, for one category of code scanning.
pub(crate) fn sarif(report: &Report, category: &str, repository: &dyn Repository) -> String {
    inert(&sarif::render(report, &sarif::Surroundings { category, repository, rule: &rule_text }))
}

/// What a SARIF file says of a rule: the text of `mcp-lint rules ID`.
fn rule_text(id: &str) -> Option<sarif::RuleText> {
    let rule = rules::find(id)?;
    let page = Page::parse(rule.page);
    let what = page.section("What").split("\n\n").next().unwrap_or_default();
    Some(sarif::RuleText {
        summary: rule.summary.into(),
        what: what.into(),
        help: format!("{}\n\nFix: {}", page.why(), page.fix()).into(),
        markdown: explanation(rule).into(),
        level: rule.level,
        tags: vec![subject(rule.check).into()],
    })
}

/// What a rule looks at, in a word.
fn subject(check: Check) -> &'static str {
    match check {
        Check::Wire(_) | Check::Stdio(_) => "wire",
        Check::Config(_) => "configuration",
        Check::Server(_) | Check::Run(_) => "server",
        Check::Tool(_) => "tool",
        Check::Argument(_) | Check::Schema(_) => "schema",
        Check::Result(_) => "result",
        Check::Change(_) => "contract",
    }
}

/// JSON that does nothing to who shows it. Inside a string `##[` would be a command to a CI runner that reads
/// the log, and a control character one to the terminal; written with escapes they are the same string, and
/// nothing else.
fn inert(json: &str) -> String {
    let mut safe = String::with_capacity(json.len() + 1);
    let mut copied = 0;
    let mut after_hash = false;
    for (at, character) in json.char_indices() {
        let is_plain = matches!(character, ' '..='~' | '\n') || !is_hidden(character);
        if !is_plain || (after_hash && character == '#') {
            safe.push_str(&json[copied..at]);
            copied = at + character.len_utf8();
            for unit in character.encode_utf16(&mut [0; 2]) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        }
        after_hash = character == '#';
    }
    safe.push_str(&json[copied..]);
    safe
}

/// Prints a text with colours where they are wanted. A reader that has seen enough is no failure.
///
/// # Errors
/// When stdout cannot be written.
pub(crate) fn print(text: &str, color: Color) -> anyhow::Result<()> {
    let choice = match color {
        Color::Auto => anstream::AutoStream::choice(&std::io::stdout()),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    let mut stdout = anstream::AutoStream::new(std::io::stdout(), choice).lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to stdout"),
        _ => Ok(()),
    }
}

/// Held while a file is written, from its first byte until it is in its place.
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is half written, and lets no other one be begun.
pub(crate) fn no_file_is_half_written() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// When it cannot be written; names it.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    write_whole(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file by way of a temporary one beside it, so that it is never half there. What is no file, such as a
/// pipe or `/dev/null`, is written to as it is. A link is replaced and not followed: someone whose code ran here
/// before may have laid it.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let before = std::fs::metadata(path).ok();
    let is_special = |before: &Metadata| !before.is_file() && !before.is_dir();
    let is_stream = ["/dev", "/dev/fd"].iter().any(|folder| path.parent() == Some(Path::new(folder)));
    if before.as_ref().is_some_and(is_special) || is_stream {
        return std::fs::OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _whole = no_file_is_half_written();
    // Opened here, so that it has the permissions of any other file, and errors do not speak of its passing name.
    let open = |path: &Path| std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = tempfile::Builder::new().make_in(folder, open)?;
    file.as_file_mut().write_all(text.as_bytes())?;
    if let Some(before) = std::fs::symlink_metadata(path).ok().filter(Metadata::is_file) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
