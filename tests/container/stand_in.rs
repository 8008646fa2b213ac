//! Stands in for GitHub where the action is tested: its API on loopback, and the part of a runner that looks
//! for commands in a log.
//!
//! `stand-in api ADDRESS_FILE LOG` serves until it is killed; `stand-in commands` reads a log from stdin and
//! prints a line of JSON for each command in it, and whether the runner would act on it.

use std::io::{Read, Write};
use std::path::Path;

use serde_json::{Value, json};

#[path = "../integration/github_api.rs"]
#[expect(dead_code, reason = "the tests of `report` use more of it")]
mod github_api;
#[path = "../integration/runner.rs"]
mod runner;

use github_api::{Answer, Api, Asked};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["api", address, log] => serve(Path::new(address), Path::new(log)),
        ["commands"] => commands(),
        _ => panic!("usage: stand-in api ADDRESS_FILE LOG | stand-in commands"),
    }
}

/// Takes what a check run needs; writes down each request, and where it is not as GitHub describes it.
fn serve(address: &Path, log: &Path) {
    let (tell, told) = std::sync::mpsc::channel();
    let tell = std::sync::Mutex::new(tell);
    let api = Api::start(move |asked: &Asked, _| {
        let line = json!({ "method": asked.method, "route": asked.route, "has_token": !asked.token.is_empty(), "body": asked.body });
        let _ = tell.lock().expect("no thread panics here").send(line);
        match asked.method.as_str() {
            "POST" | "PATCH" => Answer::Json(201, json!({ "id": 4711, "html_url": "https://example.com/run" })),
            _ => Answer::Json(404, json!({ "message": "Not Found" })),
        }
    });
    // It appears whole, so that nobody reads half of an address.
    let half = address.with_extension("half");
    std::fs::write(&half, &api.address).expect("a file");
    std::fs::rename(&half, address).expect("a file");
    let mut known = 0;
    for line in told {
        append(log, &line);
        let faults = api.faults();
        faults.iter().skip(known).for_each(|fault| append(log, &json!({ "fault": fault })));
        known = faults.len();
    }
}

fn append(log: &Path, line: &Value) {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(log).expect("a log");
    writeln!(file, "{line}").expect("a line");
}

fn commands() {
    let mut log = Vec::new();
    std::io::stdin().read_to_end(&mut log).expect("a log");
    let log = String::from_utf8_lossy(&log);
    let mut heard = runner::heard(&log).into_iter().peekable();
    for command in runner::commands(&log) {
        let is_heard = heard.next_if_eq(&command).is_some();
        let line =
            json!({ "name": command.name, "properties": command.properties, "data": command.data, "heard": is_heard });
        writeln!(std::io::stdout(), "{line}").expect("a line");
    }
}
