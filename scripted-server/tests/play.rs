//! Runs the real binary and looks at its bytes.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":7,"result":{}}"#;

/// A transcript in a file of its own, removed at the end.
struct Transcript(PathBuf);

impl Transcript {
    fn new(name: &str, text: &str) -> Self {
        // Tests run side by side, and two of them may choose one name.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{number}.toml"));
        fs::write(&path, text).expect("the transcript is written");
        Self(path)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scripted-server"));
        command.arg(&self.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self) -> Child {
        self.command().spawn().expect("the server starts")
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Plays a transcript against the given input lines and an end of input.
fn play(name: &str, text: &str, input: &[&str]) -> Output {
    let transcript = Transcript::new(name, text);
    let mut server = transcript.start();
    let lines: String = input.iter().map(|line| format!("{line}\n")).collect();
    let mut stdin = server.stdin.take().expect("stdin is piped");
    // A server that ends early does not read it all.
    let _ = stdin.write_all(lines.as_bytes());
    drop(stdin);
    server.wait_with_output().expect("the server ends")
}

fn stdout(name: &str, text: &str, input: &[&str]) -> String {
    let output = play(name, text, input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("stdout is UTF-8")
}

#[test]
fn messages_are_compact_lines() {
    let said = stdout("lf", "", &[INITIALIZE, PING]);
    let greeting = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"scripted","version":"1.0.0"}}}"#;
    assert_eq!(said, format!("{greeting}\n{PONG}\n"));
}

#[test]
fn every_frame_has_its_bytes() {
    let frames = [
        ("lf", format!("{PONG}\n")),
        ("crlf", format!("{PONG}\r\n")),
        ("none", PONG.to_owned()),
        ("array", format!("[{PONG}]\n")),
        ("content-length", format!("Content-Length: 36\r\n\r\n{PONG}")),
        ("pretty", "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 7,\n  \"result\": {}\n}\n".to_owned()),
    ];
    for (frame, expected) in frames {
        let said = stdout(frame, &format!("frame = \"{frame}\""), &[PING]);
        assert_eq!(said, expected, "{frame}");
    }
}

#[test]
fn text_can_stand_around_a_message() {
    let text = r"
[answers.ping]
frame = 'none'
before = 'a\r'
after = 'b\n'
";
    assert_eq!(stdout("around", text, &[PING]), format!("a\r{PONG}b\n"));
}

#[test]
fn bytes_are_written_as_they_are() {
    let text = r"
[[step]]
raw = '\xEF\xBB\xBF\xFF\x00'

[[step]]
on = 'tools/list'
line = '[{id},{n}]'
repeat = 2
";
    let output = play("bytes", text, &[LIST]);
    assert_eq!(output.stdout, b"\xEF\xBB\xBF\xFF\x00[\"a\",1]\n[\"a\",2]\n");
}

#[test]
fn a_filler_keeps_its_pattern_and_size() {
    let text = "[[step]]\nfill = 200_001\nwith = 'abc'";
    let said = stdout("filler", text, &[]);
    assert_eq!(said.len(), 200_001);
    assert_eq!(said, "abc".repeat(66_667));
}

#[test]
fn tools_come_in_pages() {
    let text = r"
tools = []

[answers.'tools/list']
list = [{ name = 'shelf_{n}' }]
next = 'page {n}'
";
    let said = stdout("pages", text, &[LIST, LIST]);
    let page = |n| {
        format!(r#"{{"jsonrpc":"2.0","id":"a","result":{{"tools":[{{"name":"shelf_{n}"}}],"nextCursor":"page {n}"}}}}"#)
    };
    assert_eq!(said, format!("{}\n{}\n", page(1), page(2)));
}

#[test]
fn a_held_request_is_answered_after_the_servers_own() {
    let text = r"
[[step]]
on = 'tools/list'
silent = true

[[step]]
send = { id = 'roots-{n}', method = 'roots/list' }
wait_reply = true
repeat = 2

[[step]]
error = { code = -1, message = 'no' }
";
    let replies = [
        r#"{"jsonrpc":"2.0","id":"roots-1","result":{"roots":[]}}"#,
        r#"{"jsonrpc":"2.0","id":"roots-2","result":{"roots":[]}}"#,
    ];
    let said = stdout("held", text, &[LIST, PING, replies[0], replies[1]]);
    let expected = [
        r#"{"jsonrpc":"2.0","id":"roots-1","method":"roots/list"}"#,
        PONG,
        r#"{"jsonrpc":"2.0","id":"roots-2","method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"no"}}"#,
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn an_unknown_method_is_refused_and_a_notification_is_not_answered() {
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let said = stdout("refused", "", &[notification, LIST]);
    let refusal = r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"Method not found"}}"#;
    assert_eq!(said, format!("{refusal}\n"));
}

#[test]
fn words_after_the_end_of_input_come_last() {
    let text = "[[at_eof]]\nline = 'bye'\n\n[[at_eof]]\nexit = 1";
    let output = play("at-eof", text, &[PING]);
    assert_eq!(output.stdout, format!("{PONG}\nbye\n").as_bytes());
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_needed_variable_is_asked_for() {
    let output = play("variable", "require_env = 'SCRIPTED_SERVER_TEST_KEY'", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"scripted-server: SCRIPTED_SERVER_TEST_KEY is not set\n");
}

#[test]
fn a_faulty_transcript_has_an_exit_code_of_its_own() {
    assert_eq!(play("faulty", "tolls = []", &[]).status.code(), Some(70));
}

#[cfg(unix)]
mod as_a_process {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    use super::{PING, PONG, Read, Transcript, Write, play};

    fn pid_of(server: &std::process::Child) -> Pid {
        Pid::from_child(server)
    }

    #[test]
    fn a_signal_ends_it() {
        for (name, number) in [("SIGKILL", 9), ("SIGSEGV", 11), ("SIGTERM", 15)] {
            let output = play(name, &format!("[[step]]\nsignal = '{name}'"), &[]);
            assert_eq!(output.status.signal(), Some(number), "{name}");
        }
    }

    #[test]
    fn sigterm_can_be_ignored() {
        let text = "ignore_sigterm = true\n[[step]]\nline = 'up'";
        let transcript = Transcript::new("sigterm", text);
        let mut server = transcript.start();
        let mut stdout = server.stdout.take().expect("stdout is piped");
        let mut up = [0; 3];
        stdout.read_exact(&mut up).expect("the server is up");

        kill_process(pid_of(&server), Signal::TERM).expect("the signal is sent");
        let mut stdin = server.stdin.take().expect("stdin is piped");
        writeln!(stdin, "{PING}").expect("the server reads");
        drop(stdin);

        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("the server writes");
        assert_eq!(rest, format!("{PONG}\n"));
        let status = server.wait().expect("the server ends");
        assert_eq!(status.code(), Some(0));
    }

    #[test]
    fn stdout_can_be_closed_while_it_lives() {
        let text = "stay_after_eof = true\n[[step]]\nline = 'bye'\n\n[[step]]\nclose = 'stdout'";
        let transcript = Transcript::new("closes", text);
        let mut server = transcript.start();
        let mut said = String::new();
        let stdout = server.stdout.as_mut().expect("stdout is piped");
        stdout.read_to_string(&mut said).expect("stdout ends");
        assert_eq!(said, "bye\n");

        test_kill_process(pid_of(&server)).expect("the server lives");
        server.kill().expect("the server is killed");
        server.wait().expect("the server ends");
    }
}

#[cfg(target_os = "linux")]
mod descendants {
    use std::fs;

    use rustix::process::{Pid, Signal, getpgid, kill_process};

    use super::{Transcript, play_started};

    /// The processes whose command line names this transcript.
    fn processes_of(transcript: &Transcript) -> Vec<Pid> {
        let name = transcript.0.to_string_lossy().into_owned();
        let names_it = |pid: &i32| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).split('\0').any(|word| word == name)
        };
        let entries = fs::read_dir("/proc").expect("/proc is there").flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(names_it)
            .filter_map(Pid::from_raw)
            .collect()
    }

    fn left_behind(kind: &str) -> (Option<Pid>, Pid) {
        let text = format!("[[step]]\nspawn = '{kind}'\n\n[[step]]\nline = 'up'");
        let transcript = Transcript::new(kind, &text);
        let server = play_started(&transcript);
        let left = processes_of(&transcript);
        let [descendant] = left[..] else {
            panic!("one descendant is left, not {left:?}");
        };
        let group = getpgid(Some(descendant)).ok();
        kill_process(descendant, Signal::KILL).expect("the descendant is killed");
        (group, server)
    }

    #[test]
    fn a_child_stays_in_the_group() {
        let (group, server) = left_behind("child");
        assert_eq!(group, Some(server));
    }

    #[test]
    fn a_daemon_leaves_the_group() {
        let (group, server) = left_behind("daemon");
        assert!(group.is_some());
        assert_ne!(group, Some(server));
    }
}

/// Plays a transcript without input in a process group of its own, whose id it returns.
#[cfg(target_os = "linux")]
fn play_started(transcript: &Transcript) -> rustix::process::Pid {
    use std::os::unix::process::CommandExt;

    let mut command = transcript.command();
    let server = command.process_group(0).spawn().expect("the server starts");
    let pid = rustix::process::Pid::from_child(&server);
    let output = server.wait_with_output().expect("the server ends");
    assert_eq!(output.stdout, b"up\n");
    pid
}

/// Every transcript of the repository can be read.
#[test]
fn the_transcripts_are_sound() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/transcripts");
    let entries = fs::read_dir(folder).expect("the transcripts are there");
    for entry in entries.flatten() {
        let output = Command::new(env!("CARGO_BIN_EXE_scripted-server"))
            .arg("--check")
            .arg(entry.path())
            .output()
            .expect("the server starts");
        assert!(output.status.success(), "{output:?}");
    }
}
