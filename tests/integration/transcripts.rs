//! The binary against scripted servers: one fault each. Asserted are the findings, the exit code, and that
//! no process is left.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::harness::{Run, folder, processes_with, run, scripted_server};
use crate::runner::commands;

/// Plays a transcript under a path of its own, so that its processes can be told from those of other tests.
fn play(name: &str, options: &[&str]) -> Run {
    let folder = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/transcripts/{name}.toml"));
    std::fs::copy(&source, folder.path().join("play.toml")).expect("the transcript");
    let transcript = folder.path().join("play.toml").to_string_lossy().into_owned();
    let server = scripted_server().to_string_lossy().into_owned();
    let words = [&["check", "--json"][..], options, &["--", &server, &transcript]].concat();
    let run = run(folder.path(), &words);
    let own = folder.path().to_string_lossy().into_owned();
    assert_eq!(processes_with(&own), Vec::<String>::new(), "{name} left processes");
    run
}

/// Asserts the exit code and the findings at error and warning level, each as `rule kind entity`.
fn gives(name: &str, options: &[&str], code: i32, findings: &[&str]) {
    let run = play(name, options);
    let fired: Vec<String> =
        run.fired().into_iter().map(|(rule, _, kind, entity)| format!("{rule} {kind} {entity}")).collect();
    let fired: Vec<&str> = fired.iter().map(|finding| finding.trim_end()).collect();
    assert_eq!(fired, findings, "{name}: {}", run.stdout);
    assert_eq!(run.code, Some(code), "{name}: {}", run.stderr);
}

/// One test per transcript; a silent server is waited for this long, so that the tests are quick.
macro_rules! transcripts {
    ($($name:ident $options:tt gives $code:literal $findings:tt)*) => {
        $(#[test]
        fn $name() {
            gives(&stringify!($name).replace('_', "-"), &$options, $code, &$findings);
        })*
    };
}

/// Enough for any of these servers, however busy the machine is.
const PATIENT: [&str; 3] = ["--timeout", "60", "--no-probe"];
/// For servers that fall silent: the wait is what the test costs.
const BRISK: [&str; 3] = ["--timeout", "3", "--no-probe"];
const WITH_PROBE: [&str; 2] = ["--timeout", "60"];

transcripts! {
    clean WITH_PROBE gives 0 []
    late_start PATIENT gives 0 []
    late_list PATIENT gives 0 []
    version_old PATIENT gives 0 []
    prompts_and_resources PATIENT gives 0 []
    log_notification_first PATIENT gives 0 []
    pings_client PATIENT gives 0 []
    roots_flood PATIENT gives 0 []
    leaves_child WITH_PROBE gives 0 []
    leaves_child_with_stdout PATIENT gives 0 []
    leaves_daemon WITH_PROBE gives 0 []
    leaves_daemon_with_stdout PATIENT gives 0 []
    floods_stderr PATIENT gives 0 []

    initialize_unanswered BRISK gives 1 ["server-no-answer server initialize"]
    tools_list_unanswered BRISK gives 1 ["server-no-answer server tools/list"]
    second_page_unanswered BRISK gives 1 ["server-no-answer server tools/list"]
    half_line BRISK gives 1 ["server-no-answer server tools/list"]
    wrong_id BRISK gives 1 ["server-no-answer server tools/list"]
    wrong_id_initialize BRISK gives 1 ["server-no-answer server initialize"]
    last_line_unended BRISK gives 1 ["server-no-answer server tools/list"]
    line_endless PATIENT gives 1 ["server-no-answer server tools/list"]
    line_20_mb PATIENT gives 1 ["server-no-answer server tools/list"]

    crlf PATIENT gives 0 ["stdout-crlf wire stdout"]
    bom PATIENT gives 1 ["stdout-bom wire stdout"]
    byte_ff PATIENT gives 1 ["stdout-not-utf8 wire stdout"]
    latin_1 PATIENT gives 1 ["stdout-not-utf8 wire stdout"]
    log_lines PATIENT gives 1 [
        "stdout-not-jsonrpc wire before initialize",
        "stdout-not-jsonrpc wire after initialize",
        "stdout-not-jsonrpc wire after the last answer"
    ]
    banner_glued PATIENT gives 1 ["stdout-glued wire before initialize"]
    progress_glued PATIENT gives 1 ["stdout-glued wire after initialize"]
    text_behind_message PATIENT gives 1 ["stdout-glued wire after initialize"]
    pretty_printed BRISK gives 1 ["message-multiline wire stdout"]
    content_length BRISK gives 1 ["framing-content-length wire stdout"]
    batched PATIENT gives 1 [
        "stdout-not-jsonrpc wire before initialize",
        "stdout-not-jsonrpc wire after initialize"
    ]
    notification_first PATIENT gives 0 ["message-before-initialize wire notifications/tools/list_changed"]
    prints_after_close PATIENT gives 1 ["stdout-not-jsonrpc wire after the last answer"]

    keys_repeated PATIENT gives 0 ["json-not-portable wire tools/list"]
    surrogate_alone PATIENT gives 0 ["json-not-portable wire tools/list"]
    number_out_of_range PATIENT gives 0 ["json-not-portable wire tools/list"]

    three_pages PATIENT gives 0 ["tools-beyond-first-page server tools/list"]
    pages_endless PATIENT gives 1 ["cursor-endless server tools/list", "too-many-tools server"]
    cursor_repeated PATIENT gives 1 ["cursor-endless server tools/list"]

    exit_at_once PATIENT gives 1 ["server-exited server"]
    exit_before_initialize PATIENT gives 1 ["server-exited server"]
    exit_before_list PATIENT gives 1 ["server-exited server"]
    killed_before_list PATIENT gives 1 ["server-exited server"]
    killed_in_line PATIENT gives 1 ["server-exited server"]
    closes_stdout PATIENT gives 1 ["server-exited server"]
    needs_variable PATIENT gives 1 ["server-exited server"]
    ignores_stdin_close PATIENT gives 0 ["shutdown-ignored server"]
    ignores_sigterm PATIENT gives 0 ["shutdown-ignored server"]

    initialize_refused PATIENT gives 1 ["initialize-failed server initialize"]
    initialize_misshapen PATIENT gives 1 [
        "initialize-invalid server initialize",
        "initialize-invalid server initialize"
    ]
    version_unknown PATIENT gives 1 ["protocol-version-refused server initialize"]
    version_without_handshake PATIENT gives 1 ["protocol-version-refused server initialize"]
    tools_list_refused PATIENT gives 1 ["tools-list-failed server tools/list"]
    tools_list_misshapen PATIENT gives 1 ["tools-list-failed server tools/list"]
    tools_undeclared PATIENT gives 1 ["capability-tools-missing server initialize"]
    prompts_refused PATIENT gives 0 ["capability-unanswered server prompts/list"]
    resources_silent BRISK gives 0 ["capability-unanswered server resources/list"]
    order_changes PATIENT gives 0 ["listing-order-unstable server tools/list"]
    content_changes PATIENT gives 0 ["listing-unstable server tools/list"]
    discover_exits WITH_PROBE gives 0 ["discover-breaks-server server server/discover"]

    clean_call PATIENT gives 0 []
    call_text_missing PATIENT gives 1 ["result-text-missing tool pollen_report"]
    call_structured_missing PATIENT gives 1 ["result-structured-missing tool pollen_report"]
    call_structured_invalid PATIENT gives 1 [
        "result-structured-invalid tool pollen_report",
        "result-structured-invalid tool pollen_report"
    ]
    call_text_disagrees PATIENT gives 0 ["result-text-mismatch tool pollen_report"]
}

#[test]
fn discover_silent() {
    gives("discover-silent", &["--timeout", "3"], 0, &["discover-breaks-server server server/discover"]);
}

#[test]
fn a_deep_message_is_read_all_the_same() {
    let run = play("nesting-deep", &PATIENT);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(run.rules().contains(&"json-not-portable".to_owned()), "{:?}", run.rules());
    assert_eq!(run.report()["servers"][0]["outcome"], "checked");
}

#[test]
fn a_safe_call_that_fails_is_a_note() {
    for (name, options) in
        [("call-tool-error", PATIENT), ("call-refused", PATIENT), ("call-exits", PATIENT), ("call-unanswered", BRISK)]
    {
        let run = play(name, &options);
        assert_eq!((run.code, run.rules()), (Some(0), vec!["result-call-failed".to_owned()]), "{name}");
        assert_eq!(run.report()["servers"][0]["calls"], serde_json::json!({ "tried": 1, "eligible": 1 }));
    }
}

#[test]
fn no_call_calls_nothing() {
    let run = play("call-text-missing", &["--timeout", "60", "--no-probe", "--no-call"]);
    assert_eq!((run.code, run.fired()), (Some(0), vec![]));
    assert_eq!(run.report()["servers"][0]["calls"], serde_json::json!({ "tried": 0, "eligible": 1 }));
}

#[test]
fn an_endless_stdout_is_cut_off() {
    for name in ["floods-stdout", "floods-stdout-1-gb", "floods-both"] {
        let run = play(name, &PATIENT);
        assert_eq!(run.code, Some(1), "{name}");
        assert!(run.rules().contains(&"stdout-not-jsonrpc".to_owned()), "{name}: {:?}", run.rules());
        // A bound on what is read ends it, and not the minute that an answer may take.
        assert!(!run.stdout.contains("60 s"), "{name} was waited for: {}", run.stdout);
    }
}

#[test]
fn an_endless_stderr_costs_nothing_but_the_listing_after_it() {
    let run = play("floods-stderr-endless", &BRISK);
    assert_eq!((run.code, run.report()["servers"][0]["outcome"].clone()), (Some(0), "checked".into()));
}

#[test]
fn a_server_that_stops_reading_is_stopped() {
    let run = play("stdin-unread", &BRISK);
    assert!(run.rules().contains(&"shutdown-ignored".to_owned()), "{:?}", run.rules());
}

#[test]
fn the_strict_verdict_fails_on_warnings() {
    let run = play("crlf", &["--timeout", "60", "--no-probe", "--strict"]);
    assert_eq!(run.code, Some(1));
    let run = play("call-text-missing", &["--timeout", "60", "--no-probe", "--fail-on", "never"]);
    assert_eq!(run.code, Some(0));
}

#[test]
fn what_a_server_prints_reaches_nobody_raw() {
    let hostile =
        "::error::mine ##[set-output name=a]b ##vso[task.complete]c \u{9b}0m \u{1b}[31mred\u{202e} ::stop-commands::x";
    let tool = serde_json::json!({
        "name": hostile, "description": hostile, "inputSchema": { "type": "object", "required": [hostile] },
    });
    let listing = serde_json::json!([tool, tool]).to_string();
    let folder = crate::harness::folder_with("tools.json", &listing);
    let script = format!("printf '%s\\n' '{hostile}'; printf '%s\\n' '{hostile}' >&2; exit 3");
    for format in ["text", "json", "markdown", "sarif"] {
        for words in [vec!["--file", "tools.json"], vec!["--no-probe", "--", "sh", "-c", &script]] {
            let run = run(folder.path(), &[&["check", "--format", format][..], &words].concat());
            assert_eq!(run.code, Some(1), "{}", run.stderr);
            for log in [&run.stdout, &run.stderr] {
                assert_eq!(commands(log), Vec::new(), "{format}: {log}");
                assert!(!log.contains('\u{1b}'), "{format}: {log:?}");
                assert!(!log.contains(['\u{202e}', '\u{9b}']), "{format}: {log:?}");
            }
        }
    }
}

#[test]
fn interrupting_leaves_nothing_behind() {
    use std::process::Stdio;

    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = folder();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/tools-list-unanswered.toml");
        let transcript = folder.path().join("play.toml");
        std::fs::copy(source, &transcript).expect("the transcript");
        let mut command = crate::harness::command(folder.path());
        command
            .args(["check", "--"])
            .arg(scripted_server())
            .arg(&transcript)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().expect("a run");
        let own = folder.path().to_string_lossy().into_owned();
        let started = Instant::now();
        // The server and the check both carry the path; a third would be a left-over.
        while processes_with(&own).len() < 2 {
            assert!(started.elapsed() < Duration::from_secs(30), "the server never came up");
            std::thread::yield_now();
        }
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-s", signal, &pid]).status().expect("kill");
        assert!(sent.success());
        let run = crate::harness::finished(child.wait_with_output().expect("an end"));
        assert_eq!(run.code, Some(code), "{signal}: {}", run.stderr);
        assert!(run.stderr.contains("stopped by SIG"), "{}", run.stderr);
        assert_eq!(processes_with(&own), Vec::<String>::new(), "after {signal}");
    }
}
