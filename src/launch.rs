//! Processes: started in a group of their own, stopped as the protocol asks, and never left behind.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_lint_core::snapshot::{Ending, Exit, StartFailure, StartFault, Tail};
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use rustix::process::Signal;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::wire::{Bounds, Seen, Writer, tail, tap};

/// How long a server gets to end after its stdin closed, and again after SIGTERM: what the SDKs' own
/// clients grant.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// The same when we were told to stop, or are done with a server that does not end its output.
const HURRIED_GRACE: Duration = Duration::from_millis(500);

/// How long output may still trickle in once the process and its group are gone: only a process that
/// left the group can keep the stream open then.
const DRAIN_TIME: Duration = Duration::from_millis(300);

/// How long an exit may lag behind the end of stdout.
const EXIT_LAG: Duration = Duration::from_millis(500);

/// A command, ready to start.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    /// The program, looked up in the PATH of `env`.
    pub(crate) program: OsString,
    /// Its arguments.
    pub(crate) args: Vec<OsString>,
    /// The whole environment.
    pub(crate) env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub(crate) cwd: PathBuf,
    /// The program as it is written, its variables unexpanded: what messages call it.
    pub(crate) shown: String,
    /// Values that came from the environment or a variable file, to be kept out of every message.
    pub(crate) secrets: Vec<String>,
}

/// A running server.
#[derive(Debug)]
pub(crate) struct Process {
    child: Box<dyn ChildWrapper>,
    stdin: Option<Writer>,
    lines: mpsc::Receiver<Seen>,
    stderr: Arc<Mutex<Tail>>,
    stderr_task: JoinHandle<()>,
    start: Instant,
    stdout_ended: bool,
}

impl Process {
    /// Starts a command in a process group of its own, with exactly the given environment.
    pub(crate) fn start(command: &Command, bounds: Bounds) -> Result<Self, StartFailure> {
        let start = Instant::now();
        let mut wrap = CommandWrap::with_new(&command.program, |inner| {
            inner.args(&command.args).env_clear().envs(command.env.iter().cloned()).current_dir(&command.cwd);
            inner.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            die_with_us(inner);
        });
        let mut child = wrap
            .wrap(ProcessGroup::leader())
            .wrap(KillOnDrop)
            .spawn()
            .map_err(|error| start_failure(command, &error))?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(start_failure(command, &ErrorKind::BrokenPipe.into()));
        };
        let keep = Arc::new(Mutex::new(Tail::default()));
        let stderr_task = tokio::spawn({
            let keep = Arc::clone(&keep);
            async move { tail(stderr, bounds.stderr_tail, &keep).await }
        });
        Ok(Self {
            child,
            stdin: Some(Writer::new(stdin)),
            lines: tap(stdout, start, bounds),
            stderr: keep,
            stderr_task,
            start,
            stdout_ended: false,
        })
    }

    /// When the process was started.
    pub(crate) fn started(&self) -> Instant {
        self.start
    }

    /// Sends a line, the line feed included.
    pub(crate) fn send(&self, line: Vec<u8>) {
        if let Some(stdin) = &self.stdin {
            stdin.send(line);
        }
    }

    /// The next thing seen on stdout; nothing at its end.
    pub(crate) async fn next(&mut self) -> Option<Seen> {
        let seen = self.lines.recv().await;
        self.stdout_ended |= seen.is_none();
        seen
    }

    /// Stops the server: close stdin, wait, SIGTERM, wait, SIGKILL; reads stdout to its end meanwhile and
    /// hands over what comes. The whole group is dead afterwards.
    pub(crate) async fn stop(mut self, hurry: bool, mut take: impl FnMut(Seen)) -> (Ending, Tail) {
        let ending = self.end(hurry, &mut take).await;
        // Whatever the leader left behind in its group goes with it; an empty group is no error.
        let _ = self.child.start_kill();
        if timeout(GRACE, self.child.wait()).await.is_err() {
            tracing::warn!("a process group did not end on SIGKILL");
        }
        let drain = async {
            while let Some(seen) = self.next().await {
                take(seen);
            }
        };
        let _ = timeout(DRAIN_TIME, drain).await;
        let _ = timeout(DRAIN_TIME, &mut self.stderr_task).await;
        self.stderr_task.abort();
        let stderr = self.stderr.lock().map(|tail| tail.clone()).unwrap_or_default();
        (ending, stderr)
    }

    async fn end(&mut self, hurry: bool, take: &mut impl FnMut(Seen)) -> Ending {
        let grace = if hurry { HURRIED_GRACE } else { GRACE };
        let lag = if self.stdout_ended { EXIT_LAG } else { Duration::ZERO };
        if let Some(exit) = self.exit_within(lag, take).await {
            return Ending::Early(exit);
        }
        if let Some(stdin) = self.stdin.take() {
            stdin.close().await;
        }
        if !hurry && let Some(exit) = self.exit_within(grace, take).await {
            return Ending::AfterClose(exit);
        }
        let _ = self.child.signal(Signal::TERM.as_raw());
        if let Some(exit) = self.exit_within(grace, take).await {
            return Ending::AfterTerminate(exit);
        }
        let _ = self.child.start_kill();
        self.exit_within(GRACE, take).await;
        Ending::Killed
    }

    /// Waits for the group's leader while reading on.
    async fn exit_within(&mut self, time: Duration, take: &mut impl FnMut(Seen)) -> Option<Exit> {
        let deadline = tokio::time::Instant::now() + time;
        loop {
            tokio::select! {
                biased;
                status = self.child.inner_mut().wait() => return status.ok().map(exit),
                seen = self.lines.recv(), if !self.stdout_ended => match seen {
                    Some(seen) => take(seen),
                    None => self.stdout_ended = true,
                },
                () = tokio::time::sleep_until(deadline) => return None,
            }
        }
    }
}

/// Has the kernel kill the server when we die without a chance to stop it. It does so when the thread dies that
/// started the server: here that is the main one. What the server started itself only sees its pipes close.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "only the new process can ask for this, between fork and exec")]
fn die_with_us(command: &mut tokio::process::Command) {
    let us = rustix::process::getpid();
    let ask = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // We may have died before the kernel was asked.
        let is_orphan = rustix::process::getppid() != Some(us);
        if is_orphan { Err(rustix::io::Errno::SRCH.into()) } else { Ok(()) }
    };
    // SAFETY: after the fork of a program with threads only calls that are safe in a signal handler are allowed;
    // these are two bare system calls, and an error made of a number allocates nothing.
    unsafe { command.pre_exec(ask) };
}

#[cfg(not(target_os = "linux"))]
fn die_with_us(_command: &mut tokio::process::Command) {}

fn exit(status: ExitStatus) -> Exit {
    Exit { code: status.code(), signal: status.signal() }
}

fn start_failure(command: &Command, error: &std::io::Error) -> StartFailure {
    let program = command.program.to_string_lossy();
    let is_path = program.contains('/');
    let kind = match error.kind() {
        ErrorKind::NotFound if !command.cwd.is_dir() => StartFault::NoDirectory,
        ErrorKind::NotFound if is_path && command.cwd.join(program.as_ref()).exists() => StartFault::NoInterpreter,
        ErrorKind::NotFound if is_path && let Ok(target) = command.cwd.join(program.as_ref()).read_link() => {
            let detail = target.to_string_lossy().into_owned();
            return StartFailure { kind: StartFault::BrokenLink, program: command.shown.clone(), detail };
        }
        ErrorKind::NotFound => StartFault::NotFound,
        ErrorKind::NotADirectory if !command.cwd.is_dir() => StartFault::NoDirectory,
        ErrorKind::PermissionDenied => StartFault::NotExecutable,
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => StartFault::NotExecutable,
        _ => StartFault::Other,
    };
    StartFailure { kind, program: command.shown.clone(), detail: error.to_string() }
}

/// Makes this process the parent of descendants that lose theirs, so that [`sweep`] can find those that
/// left their group. Gives the children that were there before, which are not ours to kill.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() -> Vec<i32> {
    if let Err(error) = rustix::process::set_child_subreaper(Some(rustix::process::getpid())) {
        tracing::warn!("processes that leave their group cannot be found: {error}");
    }
    children()
}

/// Kills every process that is still a child of ours, and those that become one by it, but for those that
/// were there before. To be called when no server is running any more.
#[cfg(target_os = "linux")]
pub(crate) fn sweep(before: &[i32]) {
    // Each round can only free the next generation; a chain longer than this is someone forking against us.
    const MOST_ROUNDS: usize = 64;
    for _ in 0..MOST_ROUNDS {
        let ours = children().into_iter().filter(|pid| !before.contains(pid));
        let ours: Vec<rustix::process::Pid> = ours.filter_map(rustix::process::Pid::from_raw).collect();
        if ours.is_empty() {
            return;
        }
        for pid in ours {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
        }
    }
    tracing::warn!("some processes could not be killed");
}

#[cfg(target_os = "linux")]
fn children() -> Vec<i32> {
    let own = rustix::process::getpid().as_raw_nonzero().get().to_string();
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| parent_of(*pid).as_deref() == Some(own.as_str())).collect()
}

/// The parent's number, from `/proc/PID/stat`: the second field behind the name in parentheses.
#[cfg(target_os = "linux")]
fn parent_of(pid: i32) -> Option<String> {
    let stat = std::fs::read(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    stat.rsplit_once(") ")?.1.split(' ').nth(1).map(str::to_owned)
}

/// How many servers can run at once with the file descriptors that we may open. The limit is not raised: servers
/// inherit it, and some walk through all descriptors that there may be.
pub(crate) fn room() -> usize {
    // Three pipes and a handle on the process, and two more while it starts.
    const PER_SERVER: usize = 6;
    // What we open beside: files that are read and written, `/proc`, connections.
    const OTHERS: usize = 16;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    // Where they cannot be counted, there are those that every program has.
    let open = std::fs::read_dir("/dev/fd").map_or(3, Iterator::count);
    (limit.saturating_sub(open + OTHERS) / PER_SERVER).max(1)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() -> Vec<i32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn sweep(_before: &[i32]) {}
