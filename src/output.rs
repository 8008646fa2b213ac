//! Where reports go: stdout in one format, files in others.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use mcp_lint_core::report::{Report, markdown, text};
use mcp_lint_core::text::is_hidden;

use crate::args::{Color, Format, Output};

/// Prints a report and writes it to the files asked for. Files come first, so that a closed pipe loses none.
///
/// # Errors
/// When a file or stdout cannot be written.
pub(crate) fn publish(report: &Report, output: &Output) -> anyhow::Result<()> {
    for (format, path) in &output.output {
        let text = anstream::adapter::strip_str(&render(report, *format)).to_string();
        write_file(path, &text)?;
    }
    print(&render(report, printed(output)), output.color)
}

/// The format that goes to stdout.
pub(crate) fn printed(output: &Output) -> Format {
    if output.json { Format::Json } else { output.format }
}

/// Whether any of the reports is for programs.
pub(crate) fn wants_json(output: &Output) -> bool {
    printed(output) == Format::Json || output.output.iter().any(|(format, _)| *format == Format::Json)
}

fn render(report: &Report, format: Format) -> String {
    match format {
        Format::Text => text::render(report),
        Format::Markdown => markdown::render(report),
        Format::Json => json(report),
    }
}

/// The report as JSON. Inside a string `##[` would be a command to a CI runner that reads the log, and a
/// control character one to the terminal; written with escapes they are the same string, and nothing else.
fn json(report: &Report) -> String {
    let json = serde_json::to_string_pretty(report).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    let mut safe = String::with_capacity(json.len() + 1);
    for character in json.replace("##", "\\u0023\\u0023").chars() {
        if character == '\n' || !is_hidden(character) {
            safe.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    safe.push('\n');
    safe
}

/// Prints a text with colours where they are wanted.
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
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// When it cannot be written; names it.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    write_whole(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file by way of a temporary one beside it, so that it is never half there.
fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
