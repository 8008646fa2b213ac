use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::snapshot::{Ending, Exit, Launch, Line, LineEnd, Peer, Tail};
use mcp_lint_core::transcript::{Body, Message, Shape, Transcript, answer_in, role};

use crate::growth::is_linear;

/// What a server may write to its stdout: every line is one thing, and what is said of it is so.
pub fn wire(data: &[u8]) {
    let launch = launch(data);
    let transcript = Transcript::read(&launch);
    assert_eq!(transcript.messages.len(), launch.lines.len());
    let mut open = 0_usize;
    for message in &transcript.messages {
        match message.shape {
            Shape::Continued => assert!(open > 0, "continues nothing"),
            _ => assert_eq!(open, 0, "cut short by {message:?}"),
        }
        open = continued(&transcript, message).unwrap_or(open.saturating_sub(1));
        is_what_it_is(message);
    }
    assert_eq!(open, 0, "more lines than there are");
    is_linear(data, |data| drop(Transcript::read(&self::launch(data))));
}

/// How many lines a message goes on for, where it starts here.
fn continued(transcript: &Transcript<'_>, message: &Message<'_>) -> Option<usize> {
    let behind = &transcript.messages[message.number..];
    match message.shape {
        Shape::Spread(lines) => {
            assert!(lines > 0);
            Some(lines - 1)
        }
        // A log entry over several lines has the same form.
        Shape::NotMessage(_) => Some(behind.iter().take_while(|message| message.shape == Shape::Continued).count()),
        _ => None,
    }
}

fn is_what_it_is(message: &Message<'_>) {
    let is_json = matches!(message.body, Body::Json(_));
    match &message.shape {
        Shape::Message => assert!(is_json && message.meant().is_some()),
        Shape::Glued(range) => {
            let inside = message.bare().get(range.clone()).unwrap_or_else(|| panic!("{range:?} is no piece of it"));
            let document = Document::parse(inside.trim_end(), Dialect::STRICT);
            let document = document.unwrap_or_else(|error| panic!("{inside:?}: {error}"));
            assert!(document.root().get("jsonrpc").is_some());
        }
        Shape::Blank => assert!(matches!(message.body, Body::Blank)),
        Shape::NotUtf8 => assert!(matches!(message.body, Body::NotUtf8(_))),
        _ => {}
    }
    if let Some(value) = message.meant() {
        let _ = role(value);
    }
    for id in [0, 1, 2, 10] {
        let Some(answer) = answer_in(message.line, id) else { continue };
        assert_eq!(message.line.end, LineEnd::Feed, "nobody gets a line that does not end");
        assert!(answer.root().get("method").is_none());
        let meant = message.meant().unwrap_or_else(|| panic!("an answer, and no message: {message:?}"));
        assert!(answer.root().same_as(meant), "two readings of a line");
    }
}

fn launch(data: &[u8]) -> Launch {
    let mut pieces: Vec<&[u8]> = data.split(|byte| *byte == b'\n').collect();
    let last = pieces.pop().filter(|last| !last.is_empty());
    let line = |bytes: &[u8], end| Line { at: 0, from: Peer::Server, bytes: bytes.to_vec(), end };
    let ended = pieces.into_iter().map(|bytes| line(bytes, LineEnd::Feed));
    Launch {
        lines: ended.chain(last.map(|bytes| line(bytes, LineEnd::Stream))).collect(),
        exchanges: Vec::new(),
        stderr: Tail { bytes: data.to_vec(), dropped: 0 },
        ending: Ending::AfterClose(Exit { code: Some(0), signal: None }),
        overflow: None,
        http: None,
    }
}
