//! The process ends before it has answered.

use super::prelude::*;
use crate::snapshot::{Ending, Exit, LineEnd, Outcome};

pub static RULE: Rule = Rule {
    id: "server-exited",
    summary: "the server exits before it answers",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("server_exited.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    let launch = main.launch;
    let phase = match main.unanswered() {
        Some(exchange) if exchange.outcome == Outcome::Ended => format!("it answered {}", request_words(exchange)),
        Some(_) => return,
        None if launch.exchanges.is_empty() && matches!(launch.ending, Ending::Early(_)) => {
            "it was asked anything".to_owned()
        }
        None => return,
    };
    let how = match launch.ending {
        Ending::Early(exit) => exited(exit),
        _ => "closed its stdout".to_owned(),
    };
    let last = main.messages.last().filter(|message| message.line.end == LineEnd::Stream);
    let mut message = format!("The server {how} before {phase}");
    message.push_str(match last.map(|message| &message.shape) {
        Some(Shape::Half) => ", in the middle of a message.",
        Some(Shape::Message) => ": its last message has no line feed behind it.",
        _ => ".",
    });
    let quoted = quote(main);
    if let Some((stream, words)) = &quoted {
        message.push_str(&format!(" Its {stream} ends with: \"{words}\"."));
    } else {
        message.push_str(" It wrote nothing to stderr.");
    }
    let all = everything(main);
    let placed = out.in_container().then(|| in_container(&all)).flatten();
    let draft = out.report(Site::server(), message);
    if let Some(fix) = placed.or_else(|| hint(&all)).or_else(|| launch.exit().and_then(exit_hint)) {
        draft.fix(fix);
    }
}

/// The end of stderr, or of stdout where stderr is empty.
fn quote(main: &Transcript<'_>) -> Option<(&'static str, String)> {
    if let Some(words) = last_words(&main.launch.stderr) {
        return Some(("stderr", words));
    }
    let mut lines: Vec<String> = main
        .messages
        .iter()
        .rev()
        .filter(|message| message.shape == Shape::Text)
        .take(3)
        .map(|message| excerpt(message.bare(), 200))
        .collect();
    lines.reverse();
    (!lines.is_empty()).then(|| ("stdout", lines.join(" / ")))
}

/// Where the cause may be named: the end of stderr, and text on stdout.
fn everything(main: &Transcript<'_>) -> String {
    let mut all = String::from_utf8_lossy(&main.launch.stderr.bytes).into_owned();
    for message in main.messages.iter().filter(|message| message.shape == Shape::Text).take(50) {
        all.push('\n');
        all.push_str(message.bare());
    }
    all
}

/// What to do about them in our image, where it is not what one does on a machine of one's own.
fn in_container(text: &str) -> Option<&'static str> {
    const HINTS: &[(&[&str], &str)] = &[
        (
            &["NODE_MODULE_VERSION", "was compiled against a different Node.js version"],
            "A native module was built for another Node.js than the container's. Install the dependencies in the action's `setup` (`npm ci`), use the same version of Node.js, or check on the runner itself, with `runtime: host`.",
        ),
        (
            &["GLIBC_", "GLIBCXX_"],
            "The binary was built on a newer system than the container's (Debian 13). Build it in the action's `setup`, link it statically, or check on the runner itself, with `runtime: host`.",
        ),
        (
            &["command not found", ": not found", "bad interpreter"],
            "The program that is named is not in the container. Let the action's `setup` install it, or check on the runner itself, with `runtime: host`.",
        ),
    ];
    first(HINTS, text)
}

/// What to do about words that many servers die with.
fn hint(text: &str) -> Option<&'static str> {
    const HINTS: &[(&[&str], &str)] = &[
        (
            &["NODE_MODULE_VERSION", "was compiled against a different Node.js version"],
            "Install the dependencies with the Node.js that starts the server: a native module was built for another version (`npm rebuild`).",
        ),
        (
            &["GLIBC_", "GLIBCXX_"],
            "The binary needs a newer C library than this system has: build it on an older system or for musl, or use a newer image.",
        ),
        (
            &["error while loading shared libraries", "cannot open shared object file"],
            "Install the shared library that is named; slim images leave many out.",
        ),
        (
            &["Exec format error", "exec format error", "Bad CPU type"],
            "The program was built for another processor: build it for this one, or use an image for its platform.",
        ),
        (
            &["Cannot find module", "ERR_MODULE_NOT_FOUND", "Cannot find package"],
            "Install the dependencies and build the server before the check (`npm ci && npm run build`): what is named is not there.",
        ),
        (
            &["ModuleNotFoundError", "No module named"],
            "Install the server with its dependencies into the Python that the command starts (`pip install -e .`, or `uv run`).",
        ),
        (
            &["ImportError: cannot import name", "AttributeError: module", "AttributeError: type object"],
            "A dependency has another version than the server was written for: pin it, and install from a lock file.",
        ),
        (
            &["could not determine executable to run"],
            "The package has no program of that name: name it, `npx -p PACKAGE PROGRAM`.",
        ),
        (&["E404", "404 Not Found - GET"], "The registry has no such package or version: correct its name."),
        (
            &["EAI_AGAIN", "ENOTFOUND", "getaddrinfo", "Temporary failure in name resolution", "ECONNREFUSED"],
            "The server needs the network or another service before it answers: let it answer first, and connect when a tool is called.",
        ),
        (&["EADDRINUSE", "Address already in use"], "The server opens a port that is taken: over stdio it needs none."),
        (
            &["EACCES", "EROFS", "Permission denied", "Read-only file system"],
            "Let the server write where it may: in a container that is seldom the home directory or the checkout.",
        ),
        (
            &["heap out of memory", "Cannot allocate memory", "MemoryError"],
            "The server needs more memory than there is here.",
        ),
        (
            &["command not found", ": not found"],
            "Install the program that is named: the script that starts the server needs it on the PATH.",
        ),
        (
            &["nvironment variable", "NVIRONMENT VARIABLE", "API key", "API_KEY", "api key", "API token", "_TOKEN"],
            "Give the server the variable that it asks for in the entry's `env`, a dummy value is mostly enough to list tools; better still, let it ask when a tool is called.",
        ),
    ];
    first(HINTS, text)
}

fn first(hints: &[(&[&str], &'static str)], text: &str) -> Option<&'static str> {
    hints.iter().find(|(needles, _)| needles.iter().any(|needle| text.contains(needle))).map(|(_, fix)| *fix)
}

fn exit_hint(exit: Exit) -> Option<&'static str> {
    match (exit.signal, exit.code) {
        (Some(9), _) | (_, Some(137)) => {
            Some("Something killed the process, in a container mostly for want of memory: give it more, or need less.")
        }
        (Some(4), _) => {
            Some("The program uses instructions that this processor lacks: build it for a more general one.")
        }
        (_, Some(126)) => Some("The shell found the program but may not execute it: set its executable bit."),
        (_, Some(127)) => Some("The shell did not find the program: install it, or give its path."),
        (_, Some(0)) => Some(
            "Look whether the command starts a server at all: it may need an argument (`stdio`, `serve`), or it stops when nothing keeps it alive.",
        ),
        _ => None,
    }
}
