//! Being told to end, by a signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use tokio::sync::watch;

use crate::output;

/// We were told to end.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("stopped by {name}; nothing was reported")]
pub(crate) struct Interrupted {
    name: &'static str,
    number: u8,
}

impl Interrupted {
    /// The exit code that shells expect: 128 and the signal's number.
    pub(crate) fn exit_code(self) -> u8 {
        128 + self.number
    }
}

/// Listens for the signals that end a program, from now on: the kernel hands them to us for good then, so they
/// are listened for to the very end, by a thread of their own.
pub(crate) struct Signals {
    told: watch::Receiver<Vec<Interrupted>>,
    is_idle: Arc<AtomicBool>,
}

impl Signals {
    /// Begins to listen; every later signal is noticed.
    ///
    /// # Errors
    /// When the system does not let us.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
        let mut ears = {
            let _here = runtime.enter();
            Ears::open().context("cannot listen for signals")?
        };
        let (tell, told) = watch::channel(Vec::new());
        let is_idle = Arc::new(AtomicBool::new(false));
        let ends_at_once = Arc::clone(&is_idle);
        let listen = move || loop {
            let signal = runtime.block_on(ears.next());
            tell.send_modify(|told| told.push(signal));
            if ends_at_once.load(Ordering::SeqCst) {
                end(signal);
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(listen).context("cannot listen for signals")?;
        Ok(Self { told, is_idle })
    }

    /// Waits until we have been told so many times.
    pub(crate) async fn told(&mut self, times: usize) -> Interrupted {
        match self.told.wait_for(|told| told.len() >= times).await.map(|told| told.last().copied()) {
            Ok(Some(signal)) => signal,
            // The thread only ends with the program.
            _ => std::future::pending().await,
        }
    }

    /// No process has to be stopped any more: a signal ends the program at once, also while it waits for someone
    /// to read. One that came before is given back.
    pub(crate) fn end_at_once(self) -> Option<Interrupted> {
        self.is_idle.store(true, Ordering::SeqCst);
        self.told.borrow().last().copied()
    }
}

/// Ends the program; a file that is being written is finished first.
#[expect(clippy::exit, reason = "the main thread may wait for a reader for ever")]
fn end(signal: Interrupted) -> ! {
    use std::io::Write;

    let _whole = output::no_file_is_half_written();
    let _ = writeln!(anstream::stderr(), "stopped by {}; the report may be incomplete", signal.name);
    std::process::exit(signal.exit_code().into())
}

struct Ears([(tokio::signal::unix::Signal, Interrupted); 4]);

impl Ears {
    /// To be called within a runtime.
    fn open() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        // A file that may not grow further is an error, as on a full disk, and no reason to die while it is written.
        // Nobody has to listen for that: it is enough that the signal has a handler.
        drop(signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?);
        let ear = |kind, name, number| signal(kind).map(|ear| (ear, Interrupted { name, number }));
        Ok(Self([
            ear(SignalKind::interrupt(), "SIGINT", 2)?,
            ear(SignalKind::terminate(), "SIGTERM", 15)?,
            ear(SignalKind::hangup(), "SIGHUP", 1)?,
            ear(SignalKind::quit(), "SIGQUIT", 3)?,
        ]))
    }

    async fn next(&mut self) -> Interrupted {
        let [(first, a), (second, b), (third, c), (fourth, d)] = &mut self.0;
        tokio::select! {
            _ = first.recv() => *a,
            _ = second.recv() => *b,
            _ = third.recv() => *c,
            _ = fourth.recv() => *d,
        }
    }
}
