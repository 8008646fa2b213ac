//! A status line on stderr while servers run: on a terminal only, gone at the end.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};

use mcp_lint_core::text::excerpt;

use crate::conversation::Phase;

/// The line.
#[derive(Debug)]
pub(crate) struct Status {
    is_terminal: bool,
    total: usize,
    done: usize,
    running: BTreeMap<String, Phase>,
}

impl Status {
    /// A line about a number of servers.
    pub(crate) fn new(total: usize) -> Self {
        let is_terminal = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        Self { is_terminal, total, done: 0, running: BTreeMap::new() }
    }

    /// A server has come to a phase.
    pub(crate) fn phase(&mut self, server: &str, phase: Phase) {
        self.running.insert(server.to_owned(), phase);
        self.draw();
    }

    /// A server is done.
    pub(crate) fn done(&mut self, server: &str) {
        self.running.remove(server);
        self.done += 1;
        self.draw();
    }

    fn draw(&self) {
        const WIDTH: usize = 76;
        if !self.is_terminal {
            return;
        }
        let running: Vec<String> =
            self.running.iter().map(|(server, phase)| format!("{} ({})", excerpt(server, 24), words(*phase))).collect();
        let line = format!("{}/{} checked · {}", self.done, self.total, running.join(", "));
        let cut: String = line.chars().take(WIDTH).collect();
        // A terminal that went away takes the line with it.
        let _ = write!(std::io::stderr(), "\r\x1b[2K{cut}");
        let _ = std::io::stderr().flush();
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        if self.is_terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
            let _ = std::io::stderr().flush();
        }
    }
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
