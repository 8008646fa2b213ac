//! The transcript format.
//!
//! ```toml
//! start_ms = 300                 # wait before the first byte is read or written
//! require_env = "PARCEL_KEY"     # without it: one line on stderr, exit code 1
//! ignore_sigterm = true
//! stay_after_eof = true          # live on when stdin closes
//! frame = "lf"                   # of every message: lf crlf none pretty content-length array
//! tools = ["track_parcel", { name = "…" }]   # from the catalogue, or written out
//!
//! [initialize]                   # all optional
//! name = "parcels"
//! version = "1.0.0"
//! protocol = "2025-11-25"
//! capabilities = { tools = {} }  # left out: tools if there are `tools`, else none
//! instructions = "…"
//!
//! [answers."tools/call"]         # a step to run for each request of a method
//! result = { content = [] }
//!
//! [[step]]                       # played in order
//! on = "tools/list"              # first wait for this request or notification
//! delay_ms = 50                  # then, each time, pause
//! repeat = 3                     # or "forever"
//! result = {}                    # and do one thing, see below
//!
//! [[at_eof]]                     # steps for when stdin has closed
//! line = "bye"
//! ```
//!
//! One thing to do per step:
//!
//! - nothing named: the usual answer to the request in hand
//! - `silent = true`: no answer
//! - `result = {…}`, `error = {…}`: that answer
//! - `list = […]`, with `next = "…"`: a page of tools and its `nextCursor`
//! - `send = {…}`: a message of the server's own, with `wait_reply = true` until it is answered
//! - `raw = '…'`, `line = '…'`: bytes, as they are or with a line feed; see [`Bytes`]
//! - `fill = 1000`, with `with = 'x'`: that many bytes of a repeated pattern
//! - `exit = 3`, `signal = "SIGKILL"`
//! - `close = "stdout"` or `"stdin"`
//! - `spawn = "child"` or `"daemon"`, with `keeps_stdout = true`: a descendant that lives on
//! - `mark = "NAME"`: an empty file beside the transcript, which shows how far the play has come
//! - `hang = true`: read and write nothing more
//!
//! Answers and messages take `frame`, `before = '…'` and `after = '…'` (bytes on the same line)
//! and, for answers, `id = …` in place of the right one. `raw`, `line` and `fill` take
//! `stderr = true`. In strings `{n}` is the count of the step's runs, from 1; in bytes `{id}` is
//! the id of the request in hand.
//!
//! A request that no step waits for is answered from `answers`, then as usual: `initialize`,
//! `tools/list` when there are tools, `ping`, and error -32601 for the rest. When stdin closes,
//! `at_eof` is played and the server exits with 0.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Error, Result, bail, ensure};
use rustix::process::Signal;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::catalogue::Tool;
use crate::escape::Bytes;
use crate::framing::Frame;
use crate::process::{Descendant, Stream, signal_named};

/// A whole transcript.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Transcript {
    pub(crate) start_ms: u64,
    pub(crate) require_env: Option<String>,
    pub(crate) ignore_sigterm: bool,
    pub(crate) stay_after_eof: bool,
    pub(crate) frame: Frame,
    pub(crate) tools: Option<Vec<Tool>>,
    pub(crate) initialize: Greeting,
    pub(crate) answers: BTreeMap<String, Step>,
    #[serde(rename = "step")]
    pub(crate) steps: Vec<Step>,
    pub(crate) at_eof: Vec<Step>,
}

/// What the usual answer to `initialize` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Greeting {
    name: String,
    version: String,
    protocol: String,
    capabilities: Option<Value>,
    instructions: Option<String>,
}

/// One step: when, how often, and what.
#[derive(Debug, Deserialize)]
#[serde(try_from = "StepTable")]
pub(crate) struct Step {
    pub(crate) on: Option<String>,
    pub(crate) delay: Duration,
    /// How often the step is played; none for ever.
    pub(crate) repeat: Option<u64>,
    pub(crate) action: Action,
    pub(crate) shape: Shape,
    runs: Cell<u64>,
}

/// What a step does.
#[derive(Debug)]
pub(crate) enum Action {
    Usual,
    Silent,
    Result(Value),
    Error(Value),
    List { tools: Vec<Tool>, next: Option<String> },
    Send { message: Value, wait_reply: bool },
    Write { bytes: Bytes, to: Output },
    Fill { size: u64, with: Bytes, to: Output },
    Exit(u8),
    Signal(Signal),
    Close(Stream),
    Spawn { descendant: Descendant, keeps_stdout: bool },
    Mark(String),
    Hang,
}

/// Where bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Stdout,
    Stderr,
}

/// How a message is written.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) frame: Option<Frame>,
    pub(crate) before: Bytes,
    pub(crate) after: Bytes,
    pub(crate) id: Option<Value>,
}

/// A step as the file has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct StepTable {
    on: Option<String>,
    delay_ms: u64,
    repeat: Option<Repeat>,

    silent: bool,
    result: Option<Value>,
    error: Option<Value>,
    list: Option<Vec<Tool>>,
    next: Option<String>,
    send: Option<Value>,
    wait_reply: bool,
    raw: Option<Bytes>,
    line: Option<Bytes>,
    fill: Option<u64>,
    with: Option<Bytes>,
    stderr: bool,
    exit: Option<u8>,
    signal: Option<String>,
    close: Option<Stream>,
    spawn: Option<Descendant>,
    keeps_stdout: bool,
    mark: Option<String>,
    hang: bool,

    frame: Option<Frame>,
    before: Bytes,
    after: Bytes,
    id: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Repeat {
    Times(u64),
    Word(String),
}

impl Transcript {
    /// Reads a transcript.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Self> {
        let transcript: Self = toml::from_str(text)?;
        let unasked = transcript.answers.values().chain(&transcript.at_eof);
        for step in unasked {
            ensure!(step.on.is_none(), "`on` belongs in a `[[step]]` only");
        }
        Ok(transcript)
    }

    /// The variable that the server needs and has not got.
    pub(crate) fn missing_variable(&self) -> Option<&str> {
        let variable = self.require_env.as_deref()?;
        env::var_os(variable).is_none().then_some(variable)
    }

    /// The usual answer to `initialize`.
    pub(crate) fn greeting(&self) -> Value {
        let greeting = &self.initialize;
        let capabilities = match (&greeting.capabilities, &self.tools) {
            (Some(declared), _) => declared.clone(),
            (None, Some(_)) => json!({ "tools": {} }),
            (None, None) => json!({}),
        };
        let mut result = json!({
            "protocolVersion": greeting.protocol,
            "capabilities": capabilities,
            "serverInfo": { "name": greeting.name, "version": greeting.version },
        });
        if let Some(instructions) = &greeting.instructions {
            result["instructions"] = json!(instructions);
        }
        result
    }
}

impl Default for Greeting {
    fn default() -> Self {
        Self {
            name: "scripted".to_owned(),
            version: "1.0.0".to_owned(),
            protocol: "2025-11-25".to_owned(),
            capabilities: None,
            instructions: None,
        }
    }
}

impl Step {
    /// Counts one more run and returns its number, from 1.
    pub(crate) fn count_run(&self) -> u64 {
        let run = self.runs.get() + 1;
        self.runs.set(run);
        run
    }
}

impl TryFrom<StepTable> for Step {
    type Error = Error;

    fn try_from(mut table: StepTable) -> Result<Self> {
        Ok(Self {
            on: table.on.take(),
            delay: Duration::from_millis(table.delay_ms),
            repeat: table.repetitions()?,
            shape: table.shape(),
            action: table.action()?,
            runs: Cell::new(0),
        })
    }
}

impl StepTable {
    fn repetitions(&self) -> Result<Option<u64>> {
        match &self.repeat {
            None => Ok(Some(1)),
            Some(Repeat::Times(times)) => Ok(Some(*times)),
            Some(Repeat::Word(word)) if word == "forever" => Ok(None),
            Some(Repeat::Word(word)) => {
                bail!("repeat = \"{word}\" is neither a number nor forever")
            }
        }
    }

    fn shape(&mut self) -> Shape {
        Shape {
            frame: self.frame.take(),
            before: std::mem::take(&mut self.before),
            after: std::mem::take(&mut self.after),
            id: self.id.take(),
        }
    }

    fn action(self) -> Result<Action> {
        let named = self.named_actions()?;
        ensure!(named.len() <= 1, "a step does one thing, here there are {}", named.len());
        Ok(named.into_iter().next().unwrap_or(Action::Usual))
    }

    fn named_actions(self) -> Result<Vec<Action>> {
        let to = if self.stderr { Output::Stderr } else { Output::Stdout };
        let (next, wait_reply, keeps_stdout) = (self.next, self.wait_reply, self.keeps_stdout);
        let with = self.with.map_or_else(|| Bytes::try_from("x".to_owned()), Ok)?;
        ensure!(!with.as_slice().is_empty(), "`with` must not be empty");
        let signal = self.signal.as_deref().map(known_signal).transpose()?;
        let line = self.line.map(Bytes::with_line_feed);

        let candidates = [
            self.silent.then_some(Action::Silent),
            self.result.map(Action::Result),
            self.error.map(Action::Error),
            self.list.map(|tools| Action::List { tools, next }),
            self.send.map(|message| Action::Send { message, wait_reply }),
            self.raw.map(|bytes| Action::Write { bytes, to }),
            line.map(|bytes| Action::Write { bytes, to }),
            self.fill.map(|size| Action::Fill { size, with, to }),
            self.exit.map(Action::Exit),
            signal.map(Action::Signal),
            self.close.map(Action::Close),
            self.spawn.map(|descendant| Action::Spawn { descendant, keeps_stdout }),
            self.mark.map(Action::Mark),
            self.hang.then_some(Action::Hang),
        ];
        Ok(candidates.into_iter().flatten().collect())
    }
}

fn known_signal(name: &str) -> Result<Signal> {
    signal_named(name).with_context(|| format!("no signal `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::{Action, Transcript};

    #[test]
    fn a_usual_server_is_two_lines() -> anyhow::Result<()> {
        let text = "start_ms = 300\ntools = [\"track_parcel\", \"list_depots\"]";
        let transcript = Transcript::parse(text)?;
        assert_eq!(transcript.greeting()["capabilities"]["tools"], serde_json::json!({}));
        Ok(())
    }

    #[test]
    fn a_step_does_one_thing() {
        let text = "[[step]]\nexit = 1\nhang = true";
        assert!(Transcript::parse(text).is_err());
    }

    #[test]
    fn an_unknown_key_is_refused() {
        assert!(Transcript::parse("[[step]]\nexti = 1").is_err());
        assert!(Transcript::parse("[[at_eof]]\non = \"ping\"").is_err());
    }

    #[test]
    fn forever_has_no_count() -> anyhow::Result<()> {
        let transcript = Transcript::parse("[[step]]\nrepeat = \"forever\"\nline = 'x'")?;
        assert_eq!(transcript.steps[0].repeat, None);
        assert!(matches!(transcript.steps[0].action, Action::Write { .. }));
        Ok(())
    }
}
