//! The command line: what can be said, no logic.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use mcp_lint_core::settings::Capability;

use crate::declared::Protocol;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The usual category of code scanning, and what check runs are called after.
pub(crate) const CATEGORY: &str = "mcp-lint";

/// Checks what an MCP server says on the wire, before an agent sees its tools.
///
/// mcp-lint starts the stdio servers that a repository configures, speaks to them as a client does, and
/// reports what the protocol forbids and what Claude, OpenAI, Gemini, Cursor, VS Code, Codex and others
/// refuse, drop, rename or cut.
#[derive(Debug, Parser)]
#[command(name = "mcp-lint", version, styles = STYLES, disable_help_subcommand = true, max_term_width = 100)]
#[command(after_help = "\
Try it:
  mcp-lint demo                         a first look that needs nothing installed
  mcp-lint check                        every server in .mcp.json, .vscode/mcp.json and mcp.json
  mcp-lint check -- node dist/server.js one server, started by hand
  mcp-lint check --file tools.json      a saved tools/list answer

Exit codes:
  0  nothing new at or above --fail-on (an error, if you do not say)
  1  new findings at or above it; a server that does not start or answer is one
  2  the check could not be carried out")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check servers, or a saved listing
    Check(Box<Check>),
    /// Keep the file of known findings
    #[command(subcommand)]
    Baseline(Baseline),
    /// Compare two saved listings of one server: what would whoever calls its tools notice?
    Diff(Diff),
    /// Put the reports of several jobs together
    Merge(Box<Merge>),
    /// Publish a report on GitHub: a check run or annotations, a job summary, code scanning, the baseline
    Report(Box<Report>),
    /// Check one tools/call result against its tool's outputSchema, or infer a schema from it
    Result(CallResult),
    /// Check a sample server that is built in
    Demo(Output),
    /// List the rules, or explain one
    Rules {
        /// The rule to explain
        id: Option<String>,
    },
    /// The sample server itself, on stdin and stdout
    #[command(hide = true)]
    DemoServer,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mcp-lint check
  mcp-lint check --config .cursor/mcp.json --server parcels
  mcp-lint check -- uv run server.py
  mcp-lint check --command 'node src/server.ts' --env API_KEY=dummy
  mcp-lint check --file tools.json --json
  mcp-lint check --strict --output json=report.json")]
pub(crate) struct Check {
    /// Address of a server that is already running, over Streamable HTTP
    pub(crate) url: Option<String>,

    /// Command that starts one stdio server; it gets your environment, without a CI runner's tokens
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["url", "command", "file", "config", "server", "shard"])]
    pub(crate) words: Vec<String>,

    #[command(flatten)]
    pub(crate) what: What,
    #[command(flatten)]
    pub(crate) how: How,
    #[command(flatten)]
    pub(crate) verdict: Verdict,
    #[command(flatten)]
    pub(crate) output: Output,

    /// Print on stderr how long each rule took, the slowest first
    #[arg(long)]
    pub(crate) timings: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Baseline {
    /// Write a baseline of everything that is found now
    Create {
        #[command(flatten)]
        check: Box<Check>,
        /// Write it even where a server could not be checked
        #[arg(long)]
        allow_partial: bool,
        /// Write the contract as well: what the servers list now, in .mcp-lint-contract.json; checks then
        /// report what changed since
        #[arg(long)]
        snapshot: bool,
    },
    /// Take out what is gone and lower what got better; add nothing
    Update {
        #[command(flatten)]
        check: Box<Check>,
        /// Write the contract anew: what the servers list now holds, and nothing has changed
        #[arg(long)]
        snapshot: bool,
    },
    /// Add findings that are new, for a reason
    Accept {
        #[command(flatten)]
        check: Box<Check>,
        /// Only findings of this rule; may be repeated
        #[arg(long, value_name = "RULE")]
        rule: Vec<String>,
        /// Every new finding
        #[arg(long)]
        all: bool,
        /// Why they are accepted
        #[arg(long, required_unless_present = "all")]
        reason: Option<String>,
        /// Until when they are accepted
        #[arg(long, value_name = "YYYY-MM-DD", value_parser = date)]
        until: Option<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
What only adds is no finding: a new tool, a new argument that may be left out, a wider type.

Examples:
  mcp-lint diff before.json after.json
  git show main:tools.json | mcp-lint diff - tools.json --strict")]
pub(crate) struct Diff {
    /// Former listing, in any form that check --file reads; - reads stdin
    pub(crate) old: PathBuf,
    /// Present listing, in any such form
    pub(crate) new: PathBuf,
    /// Lowest level that makes the exit code 1
    #[arg(long, value_name = "LEVEL", value_enum, default_value = "error")]
    pub(crate) fail_on: FailLevel,
    /// Fail on warnings too
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The reports are those of one run in several jobs, made with --shard or --server: of one version, root and
baseline. What comes out is what one job would have found that checked everything.

Examples:
  mcp-lint check --shard 1/3 --json > one.json
  mcp-lint merge one.json two.json three.json --output sarif=all.sarif")]
pub(crate) struct Merge {
    /// Reports that checks wrote as JSON
    #[arg(required = true, value_name = "REPORT")]
    pub(crate) reports: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) verdict: Verdict,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "\
It starts no server, so it is the one command that may hold a token: MCP_LINT_TOKEN or GITHUB_TOKEN. What
the token may not do is left out with a line that says why, and findings are annotated in the log instead.

Examples:
  mcp-lint check --output json=report.json
  mcp-lint report report.json
  mcp-lint report report.json --upload-sarif false --refresh-baseline pull-request
  mcp-lint report report.json --output sarif=report.sarif --output markdown=report.md")]
pub(crate) struct Report {
    /// Report that a check wrote as JSON
    pub(crate) report: PathBuf,
    /// Make a check run on the commit
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) check_run: When,
    /// Annotate findings in the log; auto: where there is no check run
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) annotations: When,
    /// Send the findings to code scanning; auto: in public repositories, unless a fork's pull request runs
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) upload_sarif: When,
    /// After a push to the default branch, take what is gone out of the baseline there
    #[arg(long, value_enum, value_name = "HOW", default_value_t = RefreshBaseline::Off)]
    pub(crate) refresh_baseline: RefreshBaseline,
    /// Lowest level that counts as failure [default: as the check was told]
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<FailLevel>,
    /// Folder that was checked [default: as the report says, within the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Baseline of known findings [default: .mcp-lint-baseline.jsonl in the folder that was checked]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// What tells this check run and this upload apart from others for the same commit
    #[arg(long, value_name = "NAME", default_value = CATEGORY, value_parser = category)]
    pub(crate) category: String,
    /// Write the report to a file in another format; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output_file)]
    pub(crate) output: Vec<(Format, PathBuf)>,
    /// Longest wait for an answer of GitHub
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    pub(crate) api_timeout: f64,
}

/// Whether to do something that may not be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it can work
    Auto,
    /// Always: if it cannot be done, the exit code is 2
    True,
    /// Never
    False,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RefreshBaseline {
    /// Not at all
    Off,
    /// By a commit
    Commit,
    /// By a pull request
    PullRequest,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Where the tool declares an outputSchema, the result is checked against it: exit 1 when it does not match.
Where it declares none, a schema that fits this result is printed, ready to paste and to be reviewed.

Examples:
  mcp-lint result --tools tools.json --tool get_order result.json
  mcp-lint result --tools tools.json --tool list_orders result.json > schema.json")]
pub(crate) struct CallResult {
    /// The result: a JSON-RPC response, its result, or the structured content alone; - reads stdin
    pub(crate) result: PathBuf,
    /// Saved listing that declares the tool
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// The tool that was called
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,
    /// Protocol revision of the connection; from 2026-07-28 on structured content may be any JSON
    #[arg(long, value_name = "REVISION", default_value = "2025-11-25")]
    pub(crate) protocol: String,
    /// Print findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What to check")]
pub(crate) struct What {
    /// Folder to look for configuration files in; servers start there
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) root: PathBuf,
    /// Configuration file to read instead of those found; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["url", "command", "file"])]
    pub(crate) config: Vec<PathBuf>,
    /// Check only this server of the configuration files; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with_all = ["url", "command", "file"])]
    pub(crate) server: Vec<String>,
    /// Check one part of the configured servers: the I-th of N, for the jobs of a matrix
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["url", "command", "file", "server"])]
    pub(crate) shard: Option<Shard>,
    /// Check the configuration's servers over HTTP as well
    #[arg(long, conflicts_with_all = ["url", "command", "file"])]
    pub(crate) http: bool,
    /// Header for the server at the address; may be repeated
    #[arg(long, value_name = "NAME: VALUE", requires = "url")]
    pub(crate) header: Vec<String>,
    /// The server at the address speaks the older transport, HTTP+SSE
    #[arg(long, requires = "url")]
    pub(crate) sse: bool,
    /// Command that starts one stdio server, as one text that is split as a shell splits words
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["url", "file"])]
    pub(crate) command: Option<String>,
    /// Saved listing: a tools/list response, its result, an array of tools, one tool, or a request to OpenAI
    /// or Anthropic; - reads stdin
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "How to run servers")]
pub(crate) struct How {
    /// Variable to set for the servers; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) env: Vec<(String, String)>,
    /// Give each server a new, empty HOME
    #[arg(long)]
    pub(crate) fresh_home: bool,
    /// Longest wait in each phase of a conversation [default: 30; variable MCP_LINT_TIMEOUT]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// Servers to run at once, or fewer if more files may not be open [default: one per core, at least 4;
    /// variable MCP_LINT_JOBS]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Longest line to read from a server, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1024..1 << 31))]
    pub(crate) max_line: u64,
    /// Never call a tool, not even one that promises to change nothing and needs no argument
    #[arg(long)]
    pub(crate) no_call: bool,
    /// Revision to speak: auto speaks 2025-11-25 and looks how the server takes 2026-07-28, which is judged
    /// where it is all the server knows; legacy, modern, or a date [default: auto; variable
    /// MCP_LINT_PROTOCOL]
    #[arg(long, value_name = "auto|legacy|modern|DATE", hide_possible_values = true)]
    pub(crate) protocol: Option<Protocol>,
    /// Client capabilities to declare: elicitation, roots, sampling; what is listed only then is named
    #[arg(long, value_name = "LIST", value_parser = capability, value_delimiter = ',')]
    pub(crate) capabilities: Vec<Capability>,
    /// Skip the second launch, which sends server/discover as newer clients do
    #[arg(long)]
    pub(crate) no_probe: bool,
    /// Start servers even where a workflow's token can write while the code may be a stranger's
    /// (pull_request_target, workflow_run, issue_comment)
    #[arg(long)]
    pub(crate) allow_privileged_event: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What fails")]
pub(crate) struct Verdict {
    /// Clients to judge for, by id or family (mcp, claude, openai, cursor, ...); what one of them refuses
    /// or drops is then an error [default: all but strict modes; variable MCP_LINT_CLIENTS]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) clients: Vec<String>,
    /// Named set of levels [default: recommended; variable MCP_LINT_PRESET]
    #[arg(long, value_enum)]
    pub(crate) preset: Option<Preset>,
    /// Lowest level that makes the check fail [default: error; variable MCP_LINT_FAIL_ON]
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<FailLevel>,
    /// Fail on warnings too
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) strict: bool,
    /// Findings of one rule on one server that are listed singly; the rest are counted [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_per_rule: Option<u32>,
    /// Baseline of known findings: only new ones fail [default: .mcp-lint-baseline.jsonl at the root, if
    /// there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Judge everything as new, without baseline and contract
    #[arg(long, conflicts_with = "baseline")]
    pub(crate) no_baseline: bool,
    /// Contract, which says what the servers listed: what changed since is reported [default:
    /// .mcp-lint-contract.json beside the baseline, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) contract: Option<PathBuf>,
    /// Settings file [default: mcp-lint.toml at the root, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// The level of each rule as documented
    Recommended,
    /// What any agent trips over fails
    EveryAgent,
    /// The protocol alone: nothing that rests on what some client does
    Spec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailLevel {
    Error,
    Warning,
    Note,
    Never,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Write the report to a file as well; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output_file)]
    pub(crate) output: Vec<(Format, PathBuf)>,
    /// What tells this upload to code scanning apart from others for the same commit
    #[arg(long, value_name = "NAME", default_value = CATEGORY, value_parser = category)]
    pub(crate) category: String,
    /// Colour on the terminal
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs: the whole report, version 1
    Json,
    /// For a job summary or a pull request
    Markdown,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For a GitHub Actions log: new findings as annotations, at most ten of a level
    Github,
    /// For GitLab's Code Quality: a JSON array of all findings
    Gitlab,
    /// For CI servers that show tests: JUnit XML, a suite per server
    Junit,
    /// For a browser: one page that loads nothing
    Html,
    /// For a coding agent: new findings, one a line
    Agent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// One of several parts of the servers, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) part: usize,
    pub(crate) parts: usize,
}

fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match numbers {
        Some((part, parts)) if 1 <= part && part <= parts => Ok(Shard { part, parts }),
        _ => Err("expected I/N, such as 1/3 for the first of three parts".to_owned()),
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn capability(text: &str) -> Result<Capability, String> {
    match text {
        "elicitation" => Ok(Capability::Elicitation),
        "roots" => Ok(Capability::Roots),
        "sampling" => Ok(Capability::Sampling),
        _ => Err("expected elicitation, roots or sampling".to_owned()),
    }
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds, from 0.001 to 86400".to_owned()),
    }
}

fn date(text: &str) -> Result<String, String> {
    let date: jiff::civil::Date = text.parse().map_err(|_| "expected a day as YYYY-MM-DD")?;
    Ok(date.to_string())
}

/// A part of a path: what stands behind its last slash would not be read as category.
fn category(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':' | '/');
    match text.trim_matches('/') {
        "" => Err("expected a name".to_owned()),
        name if name.len() <= 200 && name.chars().all(is_plain) => Ok(name.to_owned()),
        _ => Err("expected letters, digits, `-`, `_`, `.`, `:` and `/`, at most 200".to_owned()),
    }
}

fn format_names() -> Vec<String> {
    let formats = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    formats.map(|format| format.get_name().to_owned()).collect()
}

fn output_file(text: &str) -> Result<(Format, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("expected FORMAT=FILE, such as json=report.json")?;
    let format = Format::from_str(format, true)
        .map_err(|_| format!("unknown format {format:?}; there are {}", format_names().join(", ")))?;
    if file.is_empty() { Err("the file's name is missing".to_owned()) } else { Ok((format, file.into())) }
}
