//! `report`: what is asked of GitHub, and what is left when GitHub says no.

use std::path::Path;

use serde_json::{Value, json};

use crate::github_api::{Answer, Api, Asked};
use crate::harness::{Run, command, finished, folder, folder_with, run, write};

const CHECKED_OUT: &str = "1111111111111111111111111111111111111111";
const HEAD: &str = "2222222222222222222222222222222222222222";
const BASE: &str = "3333333333333333333333333333333333333333";
const RUNS: &str = "/repos/org/parcels/check-runs";

/// A folder with a report of so many new errors.
fn reported(findings: usize) -> tempfile::TempDir {
    let tools = r#"[{ "name": "find_parcel", "description": "Finds a parcel.", "inputSchema": { "type": "object", "properties": 7 } }]"#;
    let folder = folder_with("tools.json", tools);
    let mut report = run(folder.path(), &["check", "--file", "tools.json", "--json"]).report();
    let all = report["findings"].as_array().expect("findings");
    let first = all.iter().find(|finding| finding["level"] == "error").expect("an error").clone();
    let copies = (0..findings).map(|nth| {
        let mut copy = first.clone();
        copy["entity"] = json!(format!("tool_{nth}"));
        copy
    });
    report["findings"] = copies.collect();
    report["summary"]["new"] = json!(findings);
    report["exit_code"] = json!(i32::from(findings > 0));
    write(folder.path(), "report.json", &report.to_string());
    folder
}

fn pull_request(from: &str) -> Value {
    json!({
        "repository": { "private": true, "default_branch": "main" },
        "pull_request": { "head": { "sha": HEAD, "repo": { "full_name": from } }, "base": { "sha": BASE } }
    })
}

fn push() -> Value {
    json!({ "repository": { "private": false, "default_branch": "main" } })
}

/// Runs `report` as a job of a workflow does.
fn publish(folder: &Path, api: &Api, event: (&str, &str, Value), words: &[&str]) -> Run {
    let (name, git_ref, payload) = event;
    write(folder, "event.json", &payload.to_string());
    let mut command = command(folder);
    command.args(["report", "report.json", "--api-timeout", "0.5"]).args(words);
    for (name, value) in [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_API_URL", &api.address),
        ("GITHUB_EVENT_NAME", name),
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_OUTPUT", "output.txt"),
        ("GITHUB_REF", git_ref),
        ("GITHUB_REPOSITORY", "org/parcels"),
        ("GITHUB_RUN_ATTEMPT", "2"),
        ("GITHUB_RUN_ID", "77"),
        ("GITHUB_SHA", CHECKED_OUT),
        ("GITHUB_STEP_SUMMARY", "summary.md"),
        ("GITHUB_TOKEN", "not-a-real-token"),
    ] {
        command.env(name, value);
    }
    finished(command.output().expect("the binary starts"))
}

fn own_pull_request(folder: &Path, api: &Api, words: &[&str]) -> Run {
    publish(folder, api, ("pull_request", "refs/pull/5/merge", pull_request("org/parcels")), words)
}

fn created(_: &Asked, _: usize) -> Answer {
    Answer::Json(201, json!({ "id": 4711, "html_url": "https://example.com/run" }))
}

fn annotations(asked: &Asked) -> usize {
    asked.body["output"]["annotations"].as_array().expect("annotations").len()
}

#[test]
fn annotations_come_in_batches_of_fifty() {
    for (findings, batches) in
        [(0, &[0][..]), (1, &[1]), (49, &[49]), (50, &[50]), (51, &[50, 1]), (260, &[50, 50, 50, 50])]
    {
        let (folder, api) = (reported(findings), Api::start(created));
        let run = own_pull_request(folder.path(), &api, &[]);
        assert_eq!(run.code, Some(i32::from(findings > 0)), "{}", run.stderr);
        let asked = api.asked();
        assert_eq!(asked.iter().map(annotations).collect::<Vec<_>>(), batches, "{findings}");
        assert_eq!((asked[0].method.as_str(), asked[0].route.as_str()), ("POST", RUNS));
        assert_eq!(asked[0].body["head_sha"], HEAD);
        assert_eq!(asked[0].body["conclusion"], if findings > 0 { "failure" } else { "success" });
        assert_eq!(asked[0].token, "Bearer not-a-real-token");
        for later in &asked[1..] {
            assert_eq!((later.method.as_str(), later.route.as_str()), ("PATCH", "/repos/org/parcels/check-runs/4711"));
            assert_eq!(later.body.get("conclusion"), None);
        }
        assert_eq!(run.stderr.contains("60 findings more"), findings == 260, "{}", run.stderr);
        assert!(!run.stdout.contains("::error"), "{}", run.stdout);
    }
}

#[test]
fn files_of_the_runner_hold_the_summary_and_the_counts() {
    let (folder, api) = (reported(2), Api::start(created));
    own_pull_request(folder.path(), &api, &[]);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert!(text("summary.md").starts_with("# mcp-lint"));
    let output = text("output.txt");
    assert!(output.lines().any(|line| line == "new=2") && output.lines().any(|line| line == "exit-code=1"), "{output}");
}

#[test]
fn what_is_refused_is_annotated_in_the_log_instead() {
    for (status, part) in [(403, "checks: write"), (404, "checks: write"), (422, "Not today")] {
        let folder = reported(2);
        let api = Api::start(move |_, _| Answer::Json(status, json!({ "message": "Not today" })));
        let run = own_pull_request(folder.path(), &api, &[]);
        assert_eq!(api.routes(), [format!("POST {RUNS}")]);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains(part), "{}", run.stderr);
        assert_eq!(run.stdout.lines().filter(|line| line.starts_with("::error ")).count(), 2, "{}", run.stdout);
        let demanded = own_pull_request(folder.path(), &api, &["--check-run", "true"]);
        assert_eq!(demanded.code, Some(2), "{}", demanded.stderr);
        assert!(demanded.stdout.contains("::error "));
    }
}

#[test]
fn a_fork_is_not_even_asked_for() {
    for from in [json!("stranger/parcels"), Value::Null] {
        let (folder, api) = (reported(1), Api::start(created));
        let mut payload = pull_request("");
        payload["pull_request"]["head"]["repo"] = if from.is_null() { from } else { json!({ "full_name": from }) };
        let run = publish(folder.path(), &api, ("pull_request", "refs/pull/5/merge", payload), &[]);
        assert_eq!(api.routes(), Vec::<String>::new());
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("fork") && run.stdout.starts_with("::error "), "{}{}", run.stderr, run.stdout);
    }
}

#[test]
fn a_limit_is_waited_for() {
    let folder = reported(1);
    let api = Api::start(|asked, before| match before {
        0 => Answer::With(429, &[("retry-after", "1")], json!({ "message": "Slow down" })),
        1 => {
            Answer::With(403, &[("retry-after", "0")], json!({ "message": "You have exceeded a secondary rate limit" }))
        }
        _ => created(asked, before),
    });
    let run = own_pull_request(folder.path(), &api, &[]);
    assert_eq!(api.routes(), vec![format!("POST {RUNS}"); 3]);
    assert!(run.stderr.contains("https://example.com/run"), "{}", run.stderr);
}

#[test]
fn a_wait_that_is_too_long_is_not_waited_for() {
    let folder = reported(1);
    let api = Api::start(|_, _| Answer::With(429, &[("retry-after", "3600")], json!({ "message": "Slow down" })));
    let run = own_pull_request(folder.path(), &api, &[]);
    assert_eq!(api.routes().len(), 1);
    assert!(run.stderr.contains("Slow down") && run.stdout.starts_with("::error "), "{}", run.stderr);
}

#[test]
fn what_may_have_been_done_is_looked_up_before_it_is_done_again() {
    let ours = json!({ "id": 4711, "html_url": "https://example.com/run", "external_id": "77-2" });
    let lookup = format!("GET /repos/org/parcels/commits/{HEAD}/check-runs?check_name=mcp-lint+findings");
    let create = format!("POST {RUNS}");

    // Twice nothing came of it.
    let folder = reported(1);
    let api = Api::start(|asked, before| match (asked.method.as_str(), before) {
        ("GET", _) => Answer::Json(200, json!({ "check_runs": [{ "id": 1, "external_id": "76-1" }] })),
        (_, 0 | 2) => Answer::Json(500, json!({ "message": "Oops" })),
        _ => created(asked, before),
    });
    let run = own_pull_request(folder.path(), &api, &[]);
    assert_eq!(api.routes(), [&create, &lookup, &create, &lookup, &create].map(String::clone), "{}", run.stderr);

    // It was done, and only the answer was lost: by silence, or half-way.
    for lost in [|| Answer::Hang, || Answer::CutOff(201)] {
        let found = json!({ "check_runs": [ours] });
        let api = Api::start(move |asked, _| match asked.method.as_str() {
            "GET" => Answer::Json(200, found.clone()),
            _ => lost(),
        });
        let run = own_pull_request(folder.path(), &api, &[]);
        assert_eq!(api.routes(), [&create, &lookup].map(String::clone));
        assert!(run.stderr.contains("https://example.com/run"), "{}", run.stderr);
    }
}

#[test]
fn annotations_are_not_added_twice() {
    let folder = reported(60);
    let api = Api::start(|asked, before| match asked.method.as_str() {
        "PATCH" => Answer::Json(502, json!({ "message": "Oops" })),
        "GET" => Answer::Json(200, json!({ "id": 4711, "output": { "annotations_count": 60 } })),
        _ => created(asked, before),
    });
    let run = own_pull_request(folder.path(), &api, &[]);
    let there = format!("{RUNS}/4711");
    assert_eq!(api.routes(), [format!("POST {RUNS}"), format!("PATCH {there}"), format!("GET {there}")]);
    assert!(!run.stderr.contains("could not be added"), "{}", run.stderr);
}

#[test]
fn sarif_is_uploaded_and_its_fate_told() {
    let (folder, uploads) = (reported(1), "/repos/org/parcels/code-scanning/sarifs");
    for (status, part) in [
        (json!({ "processing_status": "complete" }), "Code scanning has the findings."),
        (
            json!({ "processing_status": "failed", "errors": ["expected at least one location"] }),
            "expected at least one location",
        ),
    ] {
        let api = Api::start(move |asked, before| match (asked.method.as_str(), before) {
            ("GET", 2) => Answer::Json(200, json!({ "processing_status": "pending" })),
            ("GET", _) => Answer::Json(200, status.clone()),
            _ if asked.route.ends_with("/sarifs") => Answer::Json(202, json!({ "id": "a-1" })),
            _ => created(asked, before),
        });
        let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &[]);
        let status = format!("GET {uploads}/a-1");
        assert_eq!(api.routes()[1..], [format!("POST {uploads}"), status.clone(), status]);
        assert_eq!(api.asked()[1].body["commit_sha"], CHECKED_OUT);
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}

#[test]
fn an_upload_that_is_refused_only_fails_where_it_was_demanded() {
    let folder = reported(0);
    let api = Api::start(|asked, before| match asked.route.ends_with("/sarifs") {
        true => Answer::Json(403, json!({ "message": "Advanced Security must be enabled" })),
        false => created(asked, before),
    });
    let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &[]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("security-events: write"), "{}", run.stderr);
    let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &["--upload-sarif", "true"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

const KNOWN: &str = r#"{"mcp-lint-baseline":1}
{"server":"tools","kind":"tool","entity":"find_parcel","rule":"type-list"}
{"server":"tools","kind":"tool","entity":"track","rule":"type-list"}
"#;

fn contents(text: &str) -> Answer {
    use base64::Engine;
    let content = base64::engine::general_purpose::STANDARD.encode(text);
    Answer::Json(200, json!({ "sha": "b10b", "content": format!("{}\n{}", &content[..10], &content[10..]) }))
}

/// A folder with a report in which one entry of the baseline is gone.
fn outgrown() -> tempfile::TempDir {
    let folder = reported(0);
    let mut report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("report.json")).expect("a report"))
            .expect("JSON");
    report["gone"] = json!([{ "server": "tools", "kind": "tool", "entity": "track", "rule": "type-list" }]);
    write(folder.path(), "report.json", &report.to_string());
    write(folder.path(), ".mcp-lint-baseline.jsonl", KNOWN);
    folder
}

fn branch_at(sha: &str) -> Answer {
    Answer::Json(200, json!({ "object": { "sha": sha } }))
}

#[test]
fn the_baseline_is_refreshed_by_a_commit_even_in_a_race() {
    let folder = outgrown();
    let api = Api::start(|asked, before| match (asked.method.as_str(), asked.route.as_str()) {
        ("GET", "/repos/org/parcels/git/ref/heads/main") => branch_at(CHECKED_OUT),
        ("GET", route) if route.contains("/contents/") => contents(KNOWN),
        ("PUT", _) if before < 5 => Answer::Json(409, json!({ "message": "is at b10c but expected b10b" })),
        _ => created(asked, before),
    });
    let words = ["--refresh-baseline", "commit", "--upload-sarif", "false"];
    let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &words);
    let asked = api.asked();
    let puts: Vec<&Asked> = asked.iter().filter(|asked| asked.method == "PUT").collect();
    assert_eq!(puts.len(), 2, "{}", run.stderr);
    use base64::Engine;
    let content = puts[1].body["content"].as_str().expect("a file");
    let text =
        String::from_utf8(base64::engine::general_purpose::STANDARD.decode(content).expect("base64")).expect("text");
    assert_eq!(text.lines().count(), 2);
    assert!(text.contains("find_parcel") && !text.contains("track"), "{text}");
    assert_eq!((puts[1].body["branch"].as_str(), puts[1].body["sha"].as_str()), (Some("main"), Some("b10b")));
    assert!(run.stderr.contains("1 entry fewer"), "{}", run.stderr);
}

#[test]
fn the_baseline_is_refreshed_by_one_pull_request() {
    for open in [json!([]), json!([{ "html_url": "https://example.com/pull/8" }])] {
        let (folder, has_one) = (outgrown(), open != json!([]));
        let api = Api::start(move |asked, before| match (asked.method.as_str(), asked.route.as_str()) {
            ("GET", "/repos/org/parcels/git/ref/heads/main") => branch_at(CHECKED_OUT),
            ("GET", route) if route.contains("/contents/") => contents(KNOWN),
            ("GET", route) if route.contains("/pulls") => Answer::Json(200, open.clone()),
            ("PATCH", _) => Answer::Json(422, json!({ "message": "Reference does not exist" })),
            ("POST", "/repos/org/parcels/pulls") => {
                Answer::Json(201, json!({ "html_url": "https://example.com/pull/9" }))
            }
            _ => created(asked, before),
        });
        let words = ["--refresh-baseline", "pull-request", "--upload-sarif", "false", "--check-run", "false"];
        let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &words);
        let asked = api.asked();
        let put = asked.iter().find(|asked| asked.method == "PUT").expect("a commit");
        assert_eq!(put.body["branch"], "mcp-lint/baseline");
        let opened = asked.iter().any(|asked| asked.method == "POST" && asked.route.ends_with("/pulls"));
        assert_eq!(opened, !has_one);
        assert!(run.stderr.contains(if has_one { "/pull/8" } else { "/pull/9" }), "{}", run.stderr);
    }
}

#[test]
fn the_baseline_is_left_alone_where_it_is_not_ours_to_change() {
    let words = ["--refresh-baseline", "commit", "--upload-sarif", "false", "--check-run", "false"];
    let folder = outgrown();
    for (name, git_ref, payload) in [
        ("push", "refs/heads/topic", push()),
        ("schedule", "refs/heads/main", push()),
        ("pull_request", "refs/pull/5/merge", pull_request("org/parcels")),
    ] {
        let api = Api::start(|_, _| contents(KNOWN));
        publish(folder.path(), &api, (name, git_ref, payload), &words);
        assert!(api.routes().iter().all(|route| route.starts_with("GET ")), "{:?}", api.routes());
    }
    // The branch has moved on.
    let api = Api::start(|_, _| branch_at(HEAD));
    let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &words);
    assert_eq!(api.routes(), ["GET /repos/org/parcels/git/ref/heads/main"]);
    assert!(run.stderr.contains("moved on"), "{}", run.stderr);
    // It is protected.
    let api = Api::start(|asked, _| match asked.method.as_str() {
        "PUT" => Answer::Json(403, json!({ "message": "Protected branch" })),
        _ if asked.route.contains("/git/ref/") => branch_at(CHECKED_OUT),
        _ => contents(KNOWN),
    });
    let run = publish(folder.path(), &api, ("push", "refs/heads/main", push()), &words);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("pull-request"), "{}", run.stderr);
}

#[test]
fn a_pull_request_says_what_its_baseline_accepts_anew() {
    let folder = outgrown();
    let before = KNOWN.lines().take(2).collect::<Vec<_>>().join("\n") + "\n";
    let api = Api::start(move |asked, count| match asked.route.contains("/contents/") {
        true => contents(&before),
        false => created(asked, count),
    });
    own_pull_request(folder.path(), &api, &[]);
    let summary = std::fs::read_to_string(folder.path().join("summary.md")).expect("a summary");
    assert!(summary.contains("accepts 1 more finding") && summary.contains("track"), "{summary}");
    let asked = api.asked();
    assert_eq!(asked[0].route, format!("/repos/org/parcels/contents/.mcp-lint-baseline.jsonl?ref={BASE}"));
    assert!(asked[1].body["output"]["summary"].as_str().expect("text").contains("accepts 1 more finding"));
}

#[test]
fn a_report_of_strangers_is_held_to_its_shape() {
    let folder = folder();
    for (text, part) in [
        ("{", "not JSON"),
        ("[]", "names no version"),
        (r#"{"version": 2}"#, "version 2"),
        (r#"{"version": 1}"#, "no report"),
    ] {
        write(folder.path(), "report.json", text);
        let run = run(folder.path(), &["report", "report.json"]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}

#[test]
fn paths_of_strangers_lead_nowhere() {
    let folder = reported(3);
    let mut report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("report.json")).expect("a report"))
            .expect("JSON");
    report["root"] = json!("/etc");
    for (nth, path) in ["/etc/passwd", "../../etc/passwd", "src/not here.ts"].iter().enumerate() {
        report["findings"][nth]["location"]["path"] = json!(path);
    }
    write(folder.path(), "report.json", &report.to_string());
    let api = Api::start(created);
    own_pull_request(folder.path(), &api, &[]);
    let asked = api.asked();
    let annotated = asked[0].body["output"]["annotations"].as_array().expect("annotations");
    let paths: Vec<&str> = annotated.iter().filter_map(|annotation| annotation["path"].as_str()).collect();
    assert_eq!(paths, ["README.md", "README.md", "src/not here.ts"]);
}

#[test]
fn a_token_that_is_sent_back_is_not_shown() {
    let folder = reported(1);
    let api = Api::start(|asked, _| Answer::Json(400, json!({ "message": format!("bad header: {}", asked.token) })));
    let run = own_pull_request(folder.path(), &api, &[]);
    assert!(run.stderr.contains("bad header: Bearer [redacted]"), "{}", run.stderr);
    assert!(!run.stderr.contains("not-a-real-token"));
}
