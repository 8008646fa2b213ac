//! Faults of the surroundings rather than of one server: we are killed, files cannot be written, descriptors run
//! out, readers go away, and many hostile servers come at once.

mod crowd;
mod endings;
mod outputs;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::processes_with;

/// Longest wait for something that is bound to come: it guards against hanging, and measures nothing.
const LONG: Duration = Duration::from_secs(60);

/// Waits until something holds.
fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LONG, "{what}: waited in vain");
        std::thread::yield_now();
    }
}

/// Waits until no process is left that has a folder on its command line.
fn until_nobody_is_left(folder: &Path) {
    let own = folder.to_string_lossy().into_owned();
    until("no process is left", || processes_with(&own).is_empty());
}

/// Names of the files in a folder, sorted, hidden ones included.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A listing whose report is larger than any pipe.
fn many_tools() -> String {
    let tools: Vec<serde_json::Value> =
        (0..2_000).map(|nth| json!({ "name": format!("tool {nth}"), "description": "x".repeat(200) })).collect();
    json!(tools).to_string()
}
