//! What a server does as a process rather than as a speaker.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::process::{Signal, getpid, kill_process, setsid};
use rustix::stdio::{dup2_stdin, dup2_stdout};
use serde::Deserialize;

/// First argument of a process that only stays alive.
pub(crate) const LINGER: &str = "--linger";
/// First argument of a process that leaves its session, starts a lingering child, and ends.
pub(crate) const DETACH: &str = "--detach";
/// First argument of a server that was started with SIGTERM ignored.
pub(crate) const SIGTERM_IGNORED: &str = "--sigterm-ignored";

/// "For ever", but not past a test run that failed to clean up.
const LINGER_FOR: Duration = Duration::from_secs(600);

/// A descendant that outlives the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Descendant {
    /// A child in the server's own process group.
    Child,
    /// A grandchild in a session of its own, whose parent has ended.
    Daemon,
}

/// A standard stream that the server can close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stream {
    /// Nothing more is read.
    Stdin,
    /// Nothing more is written.
    Stdout,
}

/// A descendant: says on stderr that it runs, then stays alive.
pub(crate) fn descend() -> Result<u8> {
    io::stderr().write_all(b"\n").context("say that it runs")?;
    Ok(linger())
}

/// Stays alive and does nothing; the result is an exit code.
pub(crate) fn linger() -> u8 {
    thread::sleep(LINGER_FOR);
    0
}

/// Starts a descendant and returns once it runs. The transcript's path is on its command line,
/// so that a test can find it.
pub(crate) fn spawn(descendant: Descendant, keeps_stdout: bool, path: &Path) -> Result<()> {
    match descendant {
        Descendant::Child => {
            spawn_lingering(path, keeps_stdout)?;
        }
        Descendant::Daemon => {
            let status = self_in_mode(DETACH, path, keeps_stdout)?.status()?;
            ensure!(status.success(), "the daemon was not started: {status}");
        }
    }
    Ok(())
}

/// The middle process of a daemon; the result is an exit code.
pub(crate) fn detach(path: &Path) -> Result<u8> {
    setsid().context("setsid")?;
    spawn_lingering(path, true)?;
    Ok(0)
}

/// Starts a lingering process and waits for its word: when `spawn` returns, the process exists but has no
/// command line yet.
fn spawn_lingering(path: &Path, keeps_stdout: bool) -> Result<()> {
    let mut child = self_in_mode(LINGER, path, keeps_stdout)?.stderr(Stdio::piped()).spawn()?;
    let mut stderr = child.stderr.take().context("its stderr")?;
    stderr.read_exact(&mut [0]).context("the descendant did not start")
}

fn self_in_mode(mode: &str, path: &Path, keeps_stdout: bool) -> Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(mode).arg(path).stdin(Stdio::null()).stderr(Stdio::null());
    if !keeps_stdout {
        command.stdout(Stdio::null());
    }
    Ok(command)
}

/// Replaces this process by one that ignores SIGTERM. A handler would need unsafe code here; an
/// ignored signal stays ignored across exec, so a shell can set it.
pub(crate) fn restart_without_sigterm(path: &Path) -> Result<u8> {
    let failure = Command::new("/bin/sh")
        .args(["-c", r#"trap '' TERM; exec "$0" "$@""#])
        .arg(env::current_exe()?)
        .arg(SIGTERM_IGNORED)
        .arg(path)
        .exec();
    Err(failure).context("/bin/sh")
}

/// Closes a standard stream for the other side: ours then leads to the null device.
pub(crate) fn close(stream: Stream) -> io::Result<()> {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    match stream {
        Stream::Stdin => dup2_stdin(&null)?,
        Stream::Stdout => dup2_stdout(&null)?,
    }
    Ok(())
}

/// Ends this process by a signal. The second one counts where the runtime takes the first.
pub(crate) fn die_by(signal: Signal) -> io::Result<()> {
    kill_process(getpid(), signal)?;
    kill_process(getpid(), signal)?;
    Ok(())
}

/// The signal of a name such as `SIGKILL`.
pub(crate) fn signal_named(name: &str) -> Option<Signal> {
    match name {
        "SIGABRT" => Some(Signal::ABORT),
        "SIGHUP" => Some(Signal::HUP),
        "SIGINT" => Some(Signal::INT),
        "SIGKILL" => Some(Signal::KILL),
        "SIGSEGV" => Some(Signal::SEGV),
        "SIGTERM" => Some(Signal::TERM),
        _ => None,
    }
}
