//! What servers are doing, on stderr while they run: on a terminal only, gone at the end.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use mcp_lint_core::text::excerpt;

use crate::conversation::Phase;

/// Columns of a server's name.
const NAME: usize = 32;

/// How often the seconds are looked at.
const TICK: Duration = Duration::from_millis(500);

/// Rows of a terminal that does not say how many it has.
const ROWS: usize = 24;

/// A line for each server that runs, as far as they fit, and one for all.
#[derive(Debug)]
pub(crate) struct Status {
    lines: Option<Lines>,
}

#[derive(Debug)]
struct Lines {
    all: MultiProgress,
    total: ProgressBar,
    running: HashMap<String, ProgressBar>,
}

impl Status {
    /// Lines about a number of servers; none where nobody watches, or where the log would tear them.
    pub(crate) fn new(total: usize) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some();
        let is_watched = std::io::stderr().is_terminal() && !is_set("CI") && !is_set("MCP_LINT_LOG");
        Self { lines: is_watched.then(|| Lines::new(total)) }
    }

    /// A server has come to a phase.
    pub(crate) fn phase(&mut self, server: &str, phase: Phase) {
        if let Some(lines) = &mut self.lines {
            lines.phase(server, phase);
        }
    }

    /// A server is done.
    pub(crate) fn done(&mut self, server: &str) {
        if let Some(lines) = &mut self.lines {
            lines.done(server);
        }
    }
}

impl Lines {
    fn new(total: usize) -> Self {
        let all = MultiProgress::new();
        let line = all.add(ProgressBar::new(u64::try_from(total).unwrap_or(u64::MAX)));
        line.set_style(style("{pos} of {len} done"));
        line.tick();
        Self { all, total: line, running: HashMap::new() }
    }

    /// A server that finds no room gets its line when another one is done.
    fn phase(&mut self, server: &str, phase: Phase) {
        if !self.running.contains_key(server) && self.running.len() < room() {
            let line = self.all.insert_before(&self.total, ProgressBar::no_length());
            line.set_style(style(&format!("  {{prefix:{NAME}!}}  {{msg:8}}  {{elapsed}}")));
            line.set_prefix(excerpt(server, NAME));
            line.enable_steady_tick(TICK);
            self.running.insert(server.to_owned(), line);
        }
        if let Some(line) = self.running.get(server) {
            line.set_message(words(phase));
        }
    }

    fn done(&mut self, server: &str) {
        if let Some(line) = self.running.remove(server) {
            line.finish_and_clear();
            self.all.remove(&line);
        }
        self.total.inc(1);
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        for line in self.running.values() {
            line.finish_and_clear();
        }
        self.total.finish_and_clear();
        // A terminal that went away takes the lines with it.
        let _ = self.all.clear();
    }
}

/// How many servers have a line: one row is for all, and one stays free for the cursor.
fn room() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    let rows = size.map_or(0, |size| usize::from(size.ws_row));
    if rows == 0 { ROWS - 2 } else { rows.saturating_sub(2) }
}

/// Templates are ours, so the one that is used where they are wrong is never seen.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn words(phase: Phase) -> &'static str {
    match phase {
        Phase::Starting => "starting",
        Phase::Listing => "listing",
        Phase::Calling => "calling",
        Phase::Stopping => "stopping",
        Phase::Probing => "probing",
        Phase::Comparing => "comparing",
    }
}
