//! docs/rules and the README's table, written from the rules' pages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use mcp_lint_core::example;
use mcp_lint_core::finding::Level;
use mcp_lint_core::page::Page;
use mcp_lint_core::report::{Report, text};
use mcp_lint_core::rule::Rule;
use mcp_lint_core::rules;
use mcp_lint_core::settings::Settings;

const TABLE_START: &str = "<!-- rules: written by `cargo xtask docs` -->\n";
const TABLE_END: &str = "<!-- rules end -->";

/// Writes everything, and removes pages of rules that are gone.
pub(crate) fn write() -> Result<()> {
    let wanted = generate()?;
    for path in stale(&wanted)? {
        std::fs::remove_file(path)?;
    }
    for (path, text) in wanted {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// Compares, and fails on a difference.
pub(crate) fn check() -> Result<()> {
    let wanted = generate()?;
    let mut different: Vec<PathBuf> = stale(&wanted)?;
    different.extend(
        wanted
            .into_iter()
            .filter(|(path, text)| std::fs::read_to_string(path).ok().as_deref() != Some(text))
            .map(|(path, _)| path),
    );
    if different.is_empty() {
        return Ok(());
    }
    let mut out = std::io::stderr().lock();
    for path in &different {
        writeln!(out, "out of date: {}", path.strip_prefix(crate::root()).unwrap_or(path).display())?;
    }
    bail!("run `cargo xtask docs` and commit the result");
}

fn generate() -> Result<BTreeMap<PathBuf, String>> {
    let root = crate::root();
    let mut files = BTreeMap::new();
    for rule in rules::ALL {
        files.insert(root.join(format!("docs/rules/{}.md", rule.id)), page(rule)?);
    }
    files.insert(root.join("docs/report.schema.json"), schema(&schemars::schema_for!(Report))?);
    files.insert(root.join("docs/settings.schema.json"), schema(&schemars::schema_for!(Settings))?);
    let readme = root.join("README.md");
    let text = std::fs::read_to_string(&readme).context("cannot read README.md")?;
    files.insert(readme, with_demo(&with_table(&text)?)?);
    Ok(files)
}

fn stale(wanted: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>> {
    let folder = crate::root().join("docs/rules");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let present: std::io::Result<Vec<PathBuf>> = std::fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect();
    Ok(present?.into_iter().filter(|path: &PathBuf| !wanted.contains_key(Path::new(path))).collect())
}

/// A rule's page with what the check prints under each bad block.
fn page(rule: &Rule) -> Result<String> {
    let parsed = Page::parse(rule.page);
    let mut text = format!("# {}\n\n`{}` since {}: {}.\n", rule.id, rule.level.word(), rule.since, rule.summary);
    for heading in ["What", "Why", "Fix", "Bad", "Good", "Sources"] {
        let _ = write!(text, "\n## {heading}\n\n");
        text.push_str(&section(rule, &parsed, heading)?);
        text.push('\n');
    }
    text.push_str(&evidence(rule));
    Ok(text)
}

/// What is known of each client, with its source.
fn evidence(rule: &Rule) -> String {
    let losses = example::evidence(rule);
    if losses.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## Clients\n\n| client | what happens | versions | known from | checked |\n| --- | --- | --- | --- | --- |\n",
    );
    for loss in losses {
        let source = loss.source.replace('|', "\\|");
        let (happens, versions, how) = (loss.effect.happens(), loss.versions(), loss.confidence.word());
        let (name, id, checked) = (&loss.name, &loss.id, &loss.checked);
        let _ = writeln!(text, "| {name} (`{id}`) | {happens} | {versions} | {source} ({how}) | {checked} |");
    }
    text
}

fn section(rule: &Rule, page: &Page, heading: &str) -> Result<String> {
    let mut text = page.section(heading).to_owned();
    for block in page.blocks(heading) {
        let language = match block.info.split(' ').next().unwrap_or_default() {
            "json" | "config" | "run" => "json",
            _ => "text",
        };
        let whole = format!("```{}\n{}\n```", block.info, block.text);
        let mut shown = format!("```{language}\n{}\n```", block.text);
        if heading == "Bad" {
            let report =
                example::report(&block, Some(rule.id)).map_err(|what| anyhow::anyhow!("{}: {what}", rule.id))?;
            let printed = anstream::adapter::strip_str(&text::findings(&report.findings)).to_string();
            let _ = write!(shown, "\n\n```text\n{}\n```", printed.trim_end());
        }
        text = text.replace(&whole, &shown);
    }
    Ok(text)
}

fn schema(schema: &schemars::Schema) -> Result<String> {
    Ok(serde_json::to_string_pretty(schema)? + "\n")
}

/// The README shows what the demo prints, so that nobody has to run it to see.
fn with_demo(readme: &str) -> Result<String> {
    const START: &str = "<!-- demo -->\n";
    const END: &str = "<!-- demo end -->";
    let (before, rest) = readme.split_once(START).context("README.md lacks the start of the demo")?;
    let (_, after) = rest.split_once(END).context("README.md lacks the end of the demo")?;
    let mut demo = program();
    let run =
        demo.current_dir(crate::root()).args(["demo", "--color", "never"]).output().context("cannot run the demo")?;
    let printed = String::from_utf8(run.stdout)?;
    if !run.status.success() || printed.is_empty() {
        bail!("the demo failed: {}", String::from_utf8_lossy(&run.stderr));
    }
    Ok(format!("{before}{START}\n```text\n{}\n```\n\n{END}{after}", printed.trim_end()))
}

/// The program: built first, or that of the test run, which is as new as the test.
fn program() -> Command {
    if cfg!(test) {
        let own = std::env::current_exe().unwrap_or_default();
        return Command::new(own.ancestors().nth(2).unwrap_or(&own).join("mcp-lint"));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package", "mcp-lint", "--"]);
    command
}

fn with_table(readme: &str) -> Result<String> {
    let (before, rest) = readme.split_once(TABLE_START).context("README.md lacks the start of the rules' table")?;
    let (_, after) = rest.split_once(TABLE_END).context("README.md lacks the end of the rules' table")?;
    let mut table = String::new();
    for level in [Level::Error, Level::Warning, Level::Note] {
        let _ = write!(table, "\n| {} | fires when |\n| --- | --- |\n", level.word());
        for rule in rules::ALL.iter().filter(|rule| rule.level == level) {
            let _ = writeln!(table, "| [{0}](docs/rules/{0}.md) | {1} |", rule.id, rule.summary.replace('|', "\\|"));
        }
    }
    Ok(format!("{before}{TABLE_START}{table}\n{TABLE_END}{after}"))
}

#[cfg(test)]
mod tests {
    /// Here and not in a step of CI, since a build of this package alone would build everything once more.
    /// Run with the whole workspace: the demo is that of the program which is built along.
    #[test]
    fn what_is_generated_is_up_to_date() {
        super::check().expect("`cargo xtask docs` was run");
    }
}
