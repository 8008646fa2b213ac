//! Real servers, installed from pinned lock files by `tests/servers/install`.
//!
//! Each has a file `expected.txt` beside its lock file, and one for every other way it is checked: every finding,
//! one a line. A server whose runtime or
//! packages are missing counts as ignored, and says so; with `CI` set that is a failure. Run with
//! `UPDATE_EXPECTED=1` to write the files anew, and read the difference before it is committed.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

struct Server {
    /// Folder in tests/servers.
    name: &'static str,
    /// Program that has to be on the PATH.
    runtime: &'static str,
    /// The command, relative to the server's folder.
    command: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
    exit: i32,
    /// Further words of `check`.
    options: &'static [&'static str],
    way: Way,
}

/// How the server is spoken to.
#[derive(Clone, Copy)]
enum Way {
    /// The check starts it.
    Stdio,
    /// It is started here with a free `PORT`, and reached at this path once it says that it listens.
    Http(&'static str),
}

const SERVERS: &[Server] = &[
    Server {
        name: "everything",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-everything", "stdio"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "filesystem",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-filesystem", "."],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "github",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-github"],
        env: &[("GITHUB_PERSONAL_ACCESS_TOKEN", "dummy")],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "gitlab",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-gitlab"],
        env: &[("GITLAB_PERSONAL_ACCESS_TOKEN", "dummy")],
        exit: 1,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "time-mcp",
        runtime: "node",
        command: &["node_modules/.bin/time-mcp"],
        env: &[],
        exit: 1,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "airbnb",
        runtime: "node",
        command: &["node", "--require", "./offline.cjs", "node_modules/.bin/mcp-server-airbnb"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "consult-llm",
        runtime: "node",
        command: &["node_modules/.bin/consult-llm-mcp"],
        env: &[("OPENAI_API_KEY", "dummy")],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "mcp-server-time",
        runtime: "python3",
        command: &[".venv/bin/mcp-server-time"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "office-word",
        runtime: "python3",
        command: &[".venv/bin/word_mcp_server"],
        env: &[("FASTMCP_CHECK_FOR_UPDATES", "off")],
        exit: 1,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "everything",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-everything", "stdio"],
        env: &[],
        exit: 0,
        options: &["--capabilities", "elicitation,roots,sampling"],
        way: Way::Stdio,
    },
    Server {
        name: "everything",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-everything", "streamableHttp"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "everything",
        runtime: "node",
        command: &["node_modules/.bin/mcp-server-everything", "sse"],
        env: &[],
        exit: 0,
        options: &["--sse"],
        way: Way::Http("/sse"),
    },
    Server {
        name: "mcp-server-time",
        runtime: "python3",
        command: &[".venv/bin/mcp-server-time"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Stdio,
    },
    Server {
        name: "typescript-sdk",
        runtime: "node",
        command: &["node", "server.mjs", "stdio"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "typescript-sdk",
        runtime: "node",
        command: &["node", "server.mjs", "stdio"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Stdio,
    },
    Server {
        name: "typescript-sdk",
        runtime: "node",
        command: &["node", "server.mjs", "http"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "typescript-sdk",
        runtime: "node",
        command: &["node", "server.mjs", "http"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "python-sdk",
        runtime: "python3",
        command: &[".venv/bin/python", "server.py", "stdio"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "python-sdk",
        runtime: "python3",
        command: &[".venv/bin/python", "server.py", "stdio"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Stdio,
    },
    Server {
        name: "python-sdk",
        runtime: "python3",
        command: &[".venv/bin/python", "server.py", "http"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "python-sdk",
        runtime: "python3",
        command: &[".venv/bin/python", "server.py", "http"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "rust-sdk",
        runtime: "cargo",
        command: &["target/debug/rust-sdk", "stdio"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "rust-sdk",
        runtime: "cargo",
        command: &["target/debug/rust-sdk", "stdio"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Stdio,
    },
    Server {
        name: "rust-sdk",
        runtime: "cargo",
        command: &["target/debug/rust-sdk", "http"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "rust-sdk",
        runtime: "cargo",
        command: &["target/debug/rust-sdk", "http"],
        env: &[],
        exit: 0,
        options: &["--protocol", "modern"],
        way: Way::Http("/mcp"),
    },
    Server {
        name: "typescript-sdk",
        runtime: "node",
        command: &["node", "server.mjs", "stdio", "reject"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Stdio,
    },
    Server {
        name: "typescript-sdk",
        runtime: "node",
        command: &["node", "server.mjs", "http", "reject"],
        env: &[],
        exit: 0,
        options: &[],
        way: Way::Http("/mcp"),
    },
];

fn main() {
    let arguments = Arguments::from_args();
    let trials = SERVERS.iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// A trial, ignored where the server cannot be there.
fn trial(server: &'static Server) -> Trial {
    let title = server.title();
    match missing(server) {
        None => Trial::test(title, move || check(server)),
        Some(what) if std::env::var_os("CI").is_some() => Trial::test(title, move || Err(what.into())),
        Some(what) => Trial::test(format!("{title} ({what})"), || Ok(())).with_ignored_flag(true),
    }
}

impl Server {
    /// What tells the ways of checking one server apart; part of the file's name too.
    fn suffix(&self) -> String {
        let last =
            self.command.iter().skip(1).filter(|word| matches!(**word, "reject" | "streamableHttp" | "sse" | "http"));
        let option =
            self.options.iter().filter_map(|word| word.split(',').next()).filter(|word| !word.starts_with("--"));
        last.copied().chain(option).map(|word| format!("-{word}")).collect()
    }

    fn title(&self) -> String {
        format!("{}{}", self.name, self.suffix())
    }
}

fn missing(server: &Server) -> Option<String> {
    let found = Command::new(server.runtime).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        return Some(format!("{} is missing", server.runtime));
    }
    let packages = match server.runtime {
        "node" => "node_modules",
        "cargo" => "target",
        _ => ".venv",
    };
    (!folder(server).join(packages).is_dir()).then(|| "not installed: run tests/servers/install".to_owned())
}

fn folder(server: &Server) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers").join(server.name)
}

/// Runs the check in the server's folder, with nothing of the caller's environment but PATH.
fn check(server: &Server) -> Result<(), Failed> {
    let home = tempfile::tempdir()?;
    let clean = |program: &OsStr| {
        let mut command = Command::new(program);
        command.current_dir(folder(server)).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", home.path()).envs(server.env.iter().copied()).stdin(Stdio::null());
        command
    };
    let mut lint = clean(env!("CARGO_BIN_EXE_mcp-lint").as_ref());
    lint.args(["check", "--format", "json", "--timeout", "60"]).args(server.options);
    let _running = match server.way {
        Way::Stdio => {
            lint.arg("--").args(server.command);
            None
        }
        Way::Http(path) => {
            let (program, words) = server.command.split_first().ok_or("no command")?;
            let program = if program.contains('/') { folder(server).join(program) } else { program.into() };
            let running = Running::start(clean(program.as_ref()).args(words))?;
            lint.arg(format!("http://127.0.0.1:{}{path}", running.port));
            Some(running)
        }
    };
    let output = lint.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {said}"))?;
    let found = listed(&report);
    compare(&folder(server).join(format!("expected{}.txt", server.suffix())), &found)?;
    match output.status.code() {
        Some(code) if code == server.exit => Ok(()),
        code => Err(format!("exit {code:?}, expected {}: {said}", server.exit).into()),
    }
}

/// A server over HTTP, until it goes out of scope.
struct Running {
    process: Child,
    port: u16,
}

impl Running {
    /// Starts it, and waits until it says that it listens.
    fn start(command: &mut Command) -> Result<Self, Failed> {
        // The port is free for as long as nobody else is as quick.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut process = command.env("PORT", port.to_string()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut said = BufReader::new(process.stderr.take().ok_or("no stderr")?);
        let running = Self { process, port };
        let mut line = String::new();
        while !["listening", "running on port"].iter().any(|words| line.to_lowercase().contains(words)) {
            line.clear();
            if said.read_line(&mut line)? == 0 {
                return Err("the server ended before it listened".into());
            }
        }
        // What it goes on to say must not block it.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Ok(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Every finding: level, rule, kind, entity, pointer.
fn listed(report: &Value) -> String {
    let mut text = String::new();
    for finding in report["findings"].as_array().into_iter().flatten() {
        let words = ["level", "rule", "kind", "entity", "pointer"].map(|key| finding[key].as_str().unwrap_or_default());
        text.push_str(words.join(" ").trim_end());
        text.push('\n');
    }
    text
}

fn compare(path: &Path, found: &str) -> Result<(), Failed> {
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, found)?;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    let missing =
        expected.lines().filter(|line| !found.lines().any(|other| other == *line)).map(|line| format!("- {line}\n"));
    let added =
        found.lines().filter(|line| !expected.lines().any(|other| other == *line)).map(|line| format!("+ {line}\n"));
    Err(missing.chain(added).collect::<String>().into())
}
