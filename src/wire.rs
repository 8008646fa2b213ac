//! The tap on a server's streams: bytes, lines and times. No JSON.

use std::time::{Duration, Instant};

use mcp_lint_core::snapshot::{Line, LineEnd, Peer, Tail};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How much of a server's output is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Longest line of stdout, in bytes.
    pub(crate) line: usize,
    /// All of stdout, in bytes.
    pub(crate) stdout: usize,
    /// All of stdout, in lines.
    pub(crate) lines: usize,
    /// What is kept of the end of stderr, in bytes.
    pub(crate) stderr_tail: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { line: 16 << 20, stdout: 64 << 20, lines: 50_000, stderr_tail: 8 << 10 }
    }
}

/// What the tap saw.
#[derive(Debug)]
pub(crate) enum Seen {
    /// A line.
    Line(Line),
    /// A bound was passed and reading has stopped; says which, as the end of a sentence.
    Overflow(String),
    /// No more comes of the HTTP request with this number.
    Done(usize),
    /// The HTTP request with this number came to nothing.
    Refused(usize),
}

/// Lines wait here until the session takes them; a server that writes faster has to wait.
const WAITING_LINES: usize = 256;

const CHUNK: usize = 64 << 10;

/// How long a server gets to take what was already sent before its stdin is closed.
const FLUSH_TIME: Duration = Duration::from_millis(200);

/// Reads stdout to its end, or to a bound, as lines.
pub(crate) fn tap(
    stdout: impl AsyncRead + Send + Unpin + 'static,
    start: Instant,
    bounds: Bounds,
) -> mpsc::Receiver<Seen> {
    let (send, receive) = mpsc::channel(WAITING_LINES);
    tokio::spawn(async move {
        let mut tap = Tap { start, bounds, line: Vec::new(), total: 0, count: 0, send };
        tap.run(stdout).await;
    });
    receive
}

struct Tap {
    start: Instant,
    bounds: Bounds,
    line: Vec<u8>,
    total: usize,
    count: usize,
    send: mpsc::Sender<Seen>,
}

impl Tap {
    async fn run(&mut self, mut stdout: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; CHUNK];
        // A read error is the end of the stream to us: what came before it is what there is.
        while let Ok(length @ 1..) = stdout.read(&mut chunk).await {
            if self.take(&chunk[..length]).await.is_none() {
                return;
            }
        }
        if !self.line.is_empty() {
            self.pass(LineEnd::Stream).await;
        }
    }

    /// Splits a chunk into lines; nothing when reading is to stop.
    async fn take(&mut self, mut chunk: &[u8]) -> Option<()> {
        self.total += chunk.len();
        while let Some(at) = chunk.iter().position(|byte| *byte == b'\n') {
            self.line.extend_from_slice(&chunk[..at]);
            chunk = &chunk[at + 1..];
            self.check_line().await?;
            self.pass(LineEnd::Feed).await?;
            self.count += 1;
            if self.count == self.bounds.lines {
                self.overflow(format!("{} lines on stdout", self.bounds.lines)).await;
                return None;
            }
        }
        self.line.extend_from_slice(chunk);
        self.check_line().await?;
        if self.total > self.bounds.stdout {
            self.overflow(format!("more than {} on stdout", mebibytes(self.bounds.stdout))).await;
            return None;
        }
        Some(())
    }

    async fn check_line(&mut self) -> Option<()> {
        if self.line.len() <= self.bounds.line {
            return Some(());
        }
        // The start of the line is evidence enough; keeping all of it would only cost memory.
        self.line.truncate(CHUNK);
        self.pass(LineEnd::Cut).await?;
        self.overflow(format!("a line of more than {} on stdout", mebibytes(self.bounds.line))).await;
        None
    }

    async fn pass(&mut self, end: LineEnd) -> Option<()> {
        let at = u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX);
        let line = Line { at, from: Peer::Server, bytes: std::mem::take(&mut self.line), end };
        self.send.send(Seen::Line(line)).await.ok()
    }

    async fn overflow(&mut self, what: String) {
        // Nobody listening any more is as good as being told.
        let _ = self.send.send(Seen::Overflow(what)).await;
    }
}

fn mebibytes(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// Reads stderr to its end and keeps the tail.
pub(crate) async fn tail(mut stderr: impl AsyncRead + Unpin, most: usize, keep: &std::sync::Mutex<Tail>) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(length @ 1..) = stderr.read(&mut chunk).await {
        let Ok(mut tail) = keep.lock() else { return };
        tail.bytes.extend_from_slice(&chunk[..length]);
        let excess = tail.bytes.len().saturating_sub(most);
        tail.bytes.drain(..excess);
        tail.dropped += excess as u64;
    }
}

/// The way to a server's stdin. Lines queue up, so that a server which does not read cannot stall us.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::UnboundedSender<Vec<u8>>,
    task: JoinHandle<()>,
}

impl Writer {
    /// Takes over a stdin.
    pub(crate) fn new(mut stdin: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (queue, mut receive) = mpsc::unbounded_channel::<Vec<u8>>();
        let task = tokio::spawn(async move {
            while let Some(line) = receive.recv().await {
                // A server that closed its stdin will answer no more; the session notices that by itself.
                if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
                    return;
                }
            }
        });
        Self { queue, task }
    }

    /// Queues a line; the line feed is part of it.
    pub(crate) fn send(&self, line: Vec<u8>) {
        // The task is gone only when stdin is; then there is nobody to tell.
        let _ = self.queue.send(line);
    }

    /// Closes stdin once what is queued has been written, or after a moment in any case.
    pub(crate) async fn close(self) {
        drop(self.queue);
        let abort = self.task.abort_handle();
        if tokio::time::timeout(FLUSH_TIME, self.task).await.is_err() {
            abort.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &'static [u8], bounds: Bounds) -> (Vec<(Vec<u8>, LineEnd)>, Option<String>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let mut receive = tap(input, Instant::now(), bounds);
            let (mut lines, mut overflow) = (Vec::new(), None);
            while let Some(seen) = receive.recv().await {
                match seen {
                    Seen::Line(line) => lines.push((line.bytes, line.end)),
                    Seen::Overflow(what) => overflow = Some(what),
                    Seen::Done(_) | Seen::Refused(_) => panic!("that is for HTTP"),
                }
            }
            (lines, overflow)
        })
    }

    #[test]
    fn lines_keep_every_byte_but_the_line_feed() {
        let (seen, overflow) = lines(b"a\r\n\n\xff\xfeb\nend", Bounds::default());
        let expected: Vec<(Vec<u8>, LineEnd)> = vec![
            (b"a\r".to_vec(), LineEnd::Feed),
            (Vec::new(), LineEnd::Feed),
            (b"\xff\xfeb".to_vec(), LineEnd::Feed),
            (b"end".to_vec(), LineEnd::Stream),
        ];
        assert_eq!(seen, expected);
        assert_eq!(overflow, None);
    }

    #[test]
    fn a_long_line_is_cut_and_reading_stops() {
        let bounds = Bounds { line: 4, ..Bounds::default() };
        let (seen, overflow) = lines(b"abc\nabcdef\nx\n", bounds);
        assert_eq!(seen, vec![(b"abc".to_vec(), LineEnd::Feed), (b"abcdef".to_vec(), LineEnd::Cut)]);
        assert_eq!(overflow.as_deref(), Some("a line of more than 4 bytes on stdout"));
    }

    #[test]
    fn the_total_is_bounded() {
        let bounds = Bounds { stdout: 5, ..Bounds::default() };
        let (seen, overflow) = lines(b"ab\ncd\nef\n", bounds);
        assert_eq!(seen.len(), 3);
        assert_eq!(overflow.as_deref(), Some("more than 5 bytes on stdout"));
    }

    #[test]
    fn the_number_of_lines_is_bounded() {
        let bounds = Bounds { lines: 2, ..Bounds::default() };
        let (seen, overflow) = lines(b"\n\n\n\n", bounds);
        assert_eq!((seen.len(), overflow.as_deref()), (2, Some("2 lines on stdout")));
    }

    #[test]
    fn the_tail_of_stderr_is_kept() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let keep = std::sync::Mutex::new(Tail::default());
        runtime.block_on(tail(&b"0123456789"[..], 4, &keep));
        assert_eq!(keep.into_inner().expect("no panic"), Tail { bytes: b"6789".to_vec(), dropped: 6 });
    }
}
