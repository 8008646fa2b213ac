//! What is shown on a terminal while servers run, and that nothing of it is anywhere else.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::json;

use crate::harness::{command, folder, write};

const COLUMNS: usize = 80;

/// What a terminal of some rows is sent as stderr of a check, until the check is done.
fn sent(folder: &Path, rows: u16, variables: &[(&str, &str)]) -> String {
    let control = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&control).and_then(|()| unlockpt(&control)).expect("the other end");
    let path = ptsname(&control, Vec::new()).expect("its name").into_string().expect("UTF-8");
    let terminal = OpenOptions::new().read(true).write(true).open(path).expect("the other end");
    let columns = u16::try_from(COLUMNS).expect("a number");
    tcsetwinsize(&terminal, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).expect("a size");
    let mut command = command(folder);
    command.args(["check", "--json", "--no-probe", "--timeout", "0.5"]).env("TERM", "xterm");
    command.envs(variables.iter().copied()).stdout(Stdio::null()).stderr(terminal);
    let mut child = command.spawn().expect("the binary starts");
    // The terminal ends once nobody holds its other end.
    drop(command);
    let mut bytes = Vec::new();
    let _ = File::from(control).read_to_end(&mut bytes);
    child.wait().expect("an end");
    String::from_utf8(bytes).expect("UTF-8")
}

/// A terminal's rows, as far as our own output needs one.
#[derive(Default)]
struct Screen {
    rows: Vec<Vec<char>>,
    row: usize,
    column: usize,
    highest: usize,
}

impl Screen {
    /// Shows a text; panics at a sequence that is not for erasing or moving.
    fn show(&mut self, text: &str) {
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\r' => self.column = 0,
                '\n' => self.row += 1,
                '\u{1b}' => {
                    assert_eq!(letters.next(), Some('['), "{text:?}");
                    let sequence: String = letters.by_ref().take_while(|letter| letter.is_ascii_digit()).collect();
                    // What ended the number was taken with it.
                    let end = text[..text.len() - letters.as_str().len()].chars().last();
                    self.act(end.unwrap_or_default(), sequence.parse().unwrap_or(1));
                }
                plain => self.put(plain),
            }
        }
    }

    fn act(&mut self, action: char, number: usize) {
        match action {
            'A' => self.row -= number,
            'B' => self.row += number,
            'K' => self.line().clear(),
            'm' => {}
            other => panic!("an unknown sequence: {other:?}"),
        }
    }

    fn put(&mut self, letter: char) {
        assert!(!letter.is_control(), "{letter:?}");
        if self.column == COLUMNS {
            (self.row, self.column) = (self.row + 1, 0);
        }
        let column = self.column;
        let line = self.line();
        if line.len() <= column {
            line.resize(column + 1, ' ');
        }
        line[column] = letter;
        self.column += 1;
    }

    fn line(&mut self) -> &mut Vec<char> {
        if self.rows.len() <= self.row {
            self.rows.resize(self.row + 1, Vec::new());
        }
        self.highest = self.highest.max(self.row + 1);
        &mut self.rows[self.row]
    }

    fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect::<String>().trim().to_owned()
    }
}

/// A folder whose servers never answer.
fn silent_servers(names: &[&str]) -> tempfile::TempDir {
    let entries = names.iter().map(|name| ((*name).to_owned(), json!({ "command": "sleep", "args": ["60"] })));
    let config = json!({ "mcpServers": serde_json::Map::from_iter(entries) });
    let folder = folder();
    write(folder.path(), ".mcp.json", &config.to_string());
    folder
}

#[test]
fn servers_have_a_line_each_that_is_gone_at_the_end() {
    let folder = silent_servers(&["parcels", "depots"]);
    let sent = sent(folder.path(), 24, &[]);
    for words in ["parcels", "depots", "starting", "0 of 2 done", "1 of 2 done"] {
        assert!(sent.contains(words), "{words}: {sent:?}");
    }
    let mut screen = Screen::default();
    screen.show(&sent);
    assert_eq!(screen.text(), "", "{sent:?}");
    assert_eq!(screen.highest, 3, "{sent:?}");
}

#[test]
fn there_are_no_more_lines_than_fit() {
    let names: Vec<String> = (0..12).map(|nth| format!("server-{nth}")).collect();
    let folder = silent_servers(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let sent = sent(folder.path(), 6, &[("MCP_LINT_JOBS", "12")]);
    let mut screen = Screen::default();
    screen.show(&sent);
    assert_eq!(screen.text(), "", "{sent:?}");
    assert!((3..=6).contains(&screen.highest), "{}: {sent:?}", screen.highest);
}

#[test]
fn names_cannot_act_on_the_terminal() {
    let folder = silent_servers(&["\u{1b}]0;owned\u{7}\u{202e}\r\n\u{9b}2J", &"界".repeat(100)]);
    let sent = sent(folder.path(), 24, &[]);
    assert!(sent.contains("owned") && sent.contains('界'), "{sent:?}");
    Screen::default().show(&sent.replace('界', "=="));
}

#[test]
fn nothing_is_shown_where_nobody_watches() {
    let folder = silent_servers(&["parcels"]);
    for variables in [[("CI", "true")], [("TERM", "dumb")], [("MCP_LINT_LOG", "warn")]] {
        assert_eq!(sent(folder.path(), 24, &variables), "", "{variables:?}");
    }
    let mut command = command(folder.path());
    command.args(["check", "--no-probe", "--timeout", "0.5"]).env("TERM", "xterm");
    let output = command.output().expect("the binary starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(!String::from_utf8_lossy(&output.stdout).contains(" done"));
}
