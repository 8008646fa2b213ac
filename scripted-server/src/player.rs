//! Plays a transcript on stdin and stdout.

use std::convert::Infallible;
use std::fs;
use std::io::{self, BufRead, BufReader, Stdin, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Error, Result};
use serde_json::{Value, json};

use crate::catalogue::Tool;
use crate::framing::Frame;
use crate::process;
use crate::transcript::{Action, Output, Shape, Step, Transcript};

/// The exit code of a server whose reader is gone, as a shell shows a death by SIGPIPE.
const READER_GONE: u8 = 141;
const CHUNK: u64 = 64 * 1024;

/// Plays `transcript` to its end; the result is the exit code.
pub(crate) fn play(transcript: &Transcript, path: &Path) -> Result<u8> {
    let mut player = Player { transcript, path, input: BufReader::new(io::stdin()), in_hand: None };
    let stop = match player.converse() {
        Err(Stop::InputClosed) => player.finish().err(),
        Err(stop) => Some(stop),
    };
    match stop {
        None | Some(Stop::InputClosed) => Ok(0),
        Some(Stop::Exit(code)) => Ok(code),
        Some(Stop::Failed(error)) => Err(error),
    }
}

/// Why the play is over.
enum Stop {
    InputClosed,
    Exit(u8),
    Failed(Error),
}

type Played<T = ()> = std::result::Result<T, Stop>;

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Exit(READER_GONE),
            _ => Self::Failed(error.into()),
        }
    }
}

/// A request or notification of the client.
#[derive(Debug, Clone)]
struct Call {
    method: String,
    /// None for a notification.
    id: Option<Value>,
}

struct Player<'a> {
    transcript: &'a Transcript,
    path: &'a Path,
    input: BufReader<Stdin>,
    /// The call that an answer answers.
    in_hand: Option<Call>,
}

impl Player<'_> {
    fn converse(&mut self) -> Played<Infallible> {
        let transcript = self.transcript;
        thread::sleep(Duration::from_millis(transcript.start_ms));
        for step in &transcript.steps {
            self.take_step(step)?;
        }
        loop {
            self.serve_next()?;
        }
    }

    fn finish(&mut self) -> Played {
        let transcript = self.transcript;
        for step in &transcript.at_eof {
            self.run(step)?;
        }
        if transcript.stay_after_eof {
            return Err(Stop::Exit(process::linger()));
        }
        Ok(())
    }

    fn take_step(&mut self, step: &Step) -> Played {
        if let Some(method) = &step.on {
            self.wait_for(method)?;
        }
        self.run(step)
    }

    /// Serves what comes until `method` does, and takes that in hand.
    fn wait_for(&mut self, method: &str) -> Played {
        loop {
            let message = self.read()?;
            match call_in(&message) {
                Some(call) if call.method == method => {
                    self.in_hand = Some(call);
                    return Ok(());
                }
                Some(call) => self.serve(call)?,
                None => {}
            }
        }
    }

    /// Serves what comes until a request of our own is answered.
    fn wait_for_reply(&mut self, id: &Value) -> Played {
        loop {
            let message = self.read()?;
            match call_in(&message) {
                Some(call) => self.serve(call)?,
                None if message.get("id") == Some(id) => return Ok(()),
                None => {}
            }
        }
    }

    fn serve_next(&mut self) -> Played {
        let message = self.read()?;
        call_in(&message).map_or(Ok(()), |call| self.serve(call))
    }

    /// Answers a call that no step waits for, without losing the one in hand.
    fn serve(&mut self, call: Call) -> Played {
        let transcript = self.transcript;
        let answer = transcript.answers.get(&call.method);
        let earlier = self.in_hand.replace(call);
        match answer {
            Some(step) => self.run(step)?,
            None => self.answer_as_usual(&Shape::plain())?,
        }
        self.in_hand = earlier;
        Ok(())
    }

    fn run(&mut self, step: &Step) -> Played {
        let mut left = step.repeat;
        while left != Some(0) {
            thread::sleep(step.delay);
            self.act(step, step.count_run())?;
            left = left.map(|times| times - 1);
        }
        Ok(())
    }

    fn act(&mut self, step: &Step, run: u64) -> Played {
        let shape = &step.shape;
        match &step.action {
            Action::Usual => self.answer_as_usual(shape),
            Action::Silent => Ok(()),
            Action::Result(result) => self.answer("result", numbered(result, run), shape),
            Action::Error(error) => self.answer("error", numbered(error, run), shape),
            Action::List { tools, next } => {
                let page = numbered(&page(tools, next.as_deref()), run);
                self.answer("result", page, shape)
            }
            Action::Send { message, wait_reply } => self.send(&numbered(message, run), *wait_reply, shape),
            Action::Write { bytes, to } => write(*to, &bytes.filled(&self.id_in_hand(), run)),
            Action::Fill { size, with, to } => fill(*to, *size, with.as_slice()),
            Action::Exit(code) => Err(Stop::Exit(*code)),
            Action::Signal(signal) => Ok(process::die_by(*signal)?),
            Action::Close(stream) => Ok(process::close(*stream)?),
            Action::Spawn { descendant, keeps_stdout } => Ok(process::spawn(*descendant, *keeps_stdout, self.path)?),
            Action::Mark(name) => Ok(fs::write(self.path.with_file_name(name), "")?),
            Action::Hang => Err(Stop::Exit(process::linger())),
        }
    }

    fn answer_as_usual(&self, shape: &Shape) -> Played {
        let Some(call) = &self.in_hand else {
            return Ok(());
        };
        let tools = self.transcript.tools.as_deref();
        match (call.method.as_str(), tools) {
            ("initialize", _) => self.answer("result", self.transcript.greeting(), shape),
            ("tools/list", Some(tools)) => self.answer("result", page(tools, None), shape),
            ("ping", _) => self.answer("result", json!({}), shape),
            _ => self.answer("error", method_not_found(), shape),
        }
    }

    /// Answers the request in hand; a notification gets no answer.
    fn answer(&self, outcome: &str, value: Value, shape: &Shape) -> Played {
        let Some(right_id) = self.in_hand.as_ref().and_then(|call| call.id.as_ref()) else {
            return Ok(());
        };
        let id = shape.id.as_ref().unwrap_or(right_id);
        let message = json!({ "jsonrpc": "2.0", "id": id, outcome: value });
        self.emit(&message, shape)
    }

    fn send(&mut self, message: &Value, wait_reply: bool, shape: &Shape) -> Played {
        let mut whole = json!({ "jsonrpc": "2.0" });
        if let (Value::Object(whole), Value::Object(message)) = (&mut whole, message) {
            whole.extend(message.clone());
        }
        self.emit(&whole, shape)?;
        match whole.get("id") {
            Some(id) if wait_reply => self.wait_for_reply(id),
            _ => Ok(()),
        }
    }

    fn emit(&self, message: &Value, shape: &Shape) -> Played {
        let frame: Frame = shape.frame.unwrap_or(self.transcript.frame);
        let framed = frame.encode(message)?;
        let bytes = [shape.before.as_slice(), &framed, shape.after.as_slice()].concat();
        write(Output::Stdout, &bytes)
    }

    fn id_in_hand(&self) -> String {
        let id = self.in_hand.as_ref().and_then(|call| call.id.as_ref());
        id.map_or_else(|| "null".to_owned(), Value::to_string)
    }

    /// The next line that is JSON.
    fn read(&mut self) -> Played<Value> {
        loop {
            let mut line = Vec::new();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                return Err(Stop::InputClosed);
            }
            if let Ok(message) = serde_json::from_slice(&line) {
                return Ok(message);
            }
        }
    }
}

impl Shape {
    fn plain() -> Self {
        Self { frame: None, before: Default::default(), after: Default::default(), id: None }
    }
}

fn call_in(message: &Value) -> Option<Call> {
    let method = message.get("method")?.as_str()?.to_owned();
    let id = message.get("id").cloned();
    Some(Call { method, id })
}

fn method_not_found() -> Value {
    json!({ "code": -32601, "message": "Method not found" })
}

fn page(tools: &[Tool], next: Option<&str>) -> Value {
    let definitions: Vec<&Value> = tools.iter().map(Tool::definition).collect();
    let mut result = json!({ "tools": definitions });
    if let Some(cursor) = next {
        result["nextCursor"] = json!(cursor);
    }
    result
}

/// `value` with `{n}` filled in wherever a string has it.
fn numbered(value: &Value, run: u64) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("{n}", &run.to_string())),
        Value::Array(items) => items.iter().map(|item| numbered(item, run)).collect(),
        Value::Object(members) => {
            let fill = |(name, member): (&String, &Value)| (name.clone(), numbered(member, run));
            members.iter().map(fill).collect()
        }
        plain => plain.clone(),
    }
}

fn write(to: Output, bytes: &[u8]) -> Played {
    match to {
        Output::Stdout => write_all(&mut io::stdout().lock(), bytes),
        Output::Stderr => write_all(&mut io::stderr().lock(), bytes),
    }
}

fn write_all(out: &mut impl Write, bytes: &[u8]) -> Played {
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes `size` bytes of the repeated `pattern`, in chunks that fit a pipe.
fn fill(to: Output, size: u64, pattern: &[u8]) -> Played {
    let whole_chunk: Vec<u8> = pattern.iter().copied().cycle().take(chunk_length(pattern)).collect();
    let mut left = size;
    while left > 0 {
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(whole_chunk.len());
        write(to, &whole_chunk[..length])?;
        left -= length as u64;
    }
    Ok(())
}

/// A chunk holds whole patterns, so that the pattern goes on across chunks.
fn chunk_length(pattern: &[u8]) -> usize {
    let patterns = (CHUNK as usize / pattern.len()).max(1);
    patterns * pattern.len()
}
