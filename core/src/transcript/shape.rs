//! What a line of stdout is as a piece of the conversation.

use std::ops::Range;

use super::{Body, Message, Role, Shape, bare, role};
use crate::document::{Dialect, Document, MAX_DEPTH};
use crate::snapshot::{Line, LineEnd};

/// What a line is, looked at alone.
pub(super) fn shape(line: &Line, body: &Body) -> Shape {
    if line.end == LineEnd::Cut {
        return Shape::Cut;
    }
    let is_last = line.end == LineEnd::Stream;
    match body {
        Body::Blank => Shape::Blank,
        Body::NotUtf8(_) => {
            let error = std::str::from_utf8(&line.bytes).err();
            let is_cut_short = error.is_some_and(|error| error.error_len().is_none());
            if is_last && is_cut_short { Shape::Half } else { Shape::NotUtf8 }
        }
        Body::Json(document) => match role(document.root()) {
            Role::Fault(what) => Shape::NotMessage(what),
            _ => Shape::Message,
        },
        Body::NotJson(error) => {
            let text = bare(line);
            if is_header(text) {
                Shape::Header
            } else if error.too_deep {
                Shape::TooDeep
            } else if let Some(range) = message_within(text) {
                Shape::Glued(range)
            } else if is_last && error.truncated && text.trim_start().starts_with('{') {
                Shape::Half
            } else {
                Shape::Text
            }
        }
    }
}

/// Whether a line is a header, or ends with one behind a message that has no line end of its own.
fn is_header(text: &str) -> bool {
    const LENGTH: &str = "Content-Length:";
    let trimmed = text.trim();
    let starts = |prefix: &str| trimmed.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let is_number = |text: &str| !text.trim().is_empty() && text.trim().bytes().all(|byte| byte.is_ascii_digit());
    if starts(LENGTH) {
        return trimmed.get(LENGTH.len()..).is_some_and(is_number);
    }
    if starts("Content-Type: application/vscode-jsonrpc") {
        return true;
    }
    let Some((before, number)) = trimmed.rsplit_once(LENGTH) else { return false };
    is_number(number) && before.starts_with('{') && before.ends_with('}')
}

/// The place of a whole message inside a line that holds more than that.
pub(super) fn message_within(text: &str) -> Option<Range<usize>> {
    // Text in front of a message rarely holds braces of its own; more would cost time on hostile lines.
    const MOST_TRIES: usize = 8;
    if !text.contains("\"jsonrpc\"") {
        return None;
    }
    let opens = text.match_indices('{').map(|(at, _)| at);
    let objects = opens.filter(|at| text.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with('"')));
    objects.take(MOST_TRIES).find_map(|start| {
        let rest = text.get(start..)?;
        let (end, document) = match Document::parse(rest, Dialect::STRICT) {
            Ok(document) => (text.len(), document),
            Err(error) => {
                let end = start + error.offset as usize;
                (end, Document::parse(text.get(start..end)?.trim_end(), Dialect::STRICT).ok()?)
            }
        };
        document.root().get("jsonrpc").map(|_| start..end)
    })
}

/// Finds JSON that takes several lines, and says so at each of them.
pub(super) fn join_spread(messages: &mut [Message<'_>]) {
    // Looking for the end of what never ends must not become quadratic.
    let mut budget = 8 * messages.iter().map(|message| message.line.bytes.len()).sum::<usize>();
    let mut at = 0;
    while let Some(message) = messages.get(at) {
        let text = message.bare().trim_start();
        let opens = matches!(&message.body, Body::NotJson(error) if error.truncated)
            && message.shape == Shape::Text
            && text.starts_with(['{', '[']);
        let found = if opens { messages.get(at..).and_then(|rest| spread(rest, &mut budget)) } else { None };
        let Some((length, first)) = found else {
            at += 1;
            continue;
        };
        for (nth, part) in messages.iter_mut().skip(at).take(length).enumerate() {
            part.shape = if nth == 0 { first.clone() } else { Shape::Continued };
        }
        at += length;
    }
}

/// How many lines the JSON takes that the first line opens, and what the first line then is.
fn spread(lines: &[Message<'_>], budget: &mut usize) -> Option<(usize, Shape)> {
    let mut brackets = Brackets::default();
    let mut joined = String::new();
    for (nth, message) in lines.iter().enumerate() {
        if nth > 0 && matches!(message.shape, Shape::Message | Shape::NotUtf8 | Shape::Cut | Shape::Glued(_)) {
            return None;
        }
        *budget = budget.checked_sub(message.line.bytes.len())?;
        let text = message.bare();
        let text = text.strip_suffix('\r').unwrap_or(text);
        joined.push_str(if nth == 0 {
            ""
        } else if brackets.in_string {
            "\\n"
        } else {
            "\n"
        });
        joined.push_str(text);
        if !brackets.feed(text) {
            return None;
        }
        if brackets.depth == 0 && !brackets.in_string {
            let document = Document::parse(joined, Dialect::STRICT).ok()?;
            return match role(document.root()) {
                Role::Fault(what) if document.root().get("jsonrpc").is_none() => {
                    Some((nth + 1, Shape::NotMessage(what)))
                }
                _ => Some((nth + 1, Shape::Spread(nth + 1))),
            };
        }
    }
    joined.contains("\"jsonrpc\"").then_some((lines.len(), Shape::Spread(lines.len())))
}

/// Keeps count of what is open in JSON that comes piece by piece.
#[derive(Default)]
struct Brackets {
    depth: usize,
    in_string: bool,
}

impl Brackets {
    /// Reads a piece; says whether it can still become JSON.
    fn feed(&mut self, text: &str) -> bool {
        let mut bytes = text.bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' => self.in_string = !self.in_string,
                b'\\' if self.in_string => drop(bytes.next()),
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => match self.depth.checked_sub(1) {
                    Some(depth) => self.depth = depth,
                    None => return false,
                },
                _ => {}
            }
        }
        self.depth <= MAX_DEPTH
    }
}
