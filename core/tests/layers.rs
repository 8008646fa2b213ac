//! Who may import what: the walls inside the core that the compiler does not see.

#![allow(clippy::disallowed_methods, reason = "the tests read the folder of sources")]

use std::path::{Path, PathBuf};

/// A place, and the modules of the core it must not name.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("document.rs", &["rules", "clients", "report", "view"]),
    ("document", &["rules", "clients", "report", "view"]),
    ("site.rs", &["rules", "clients", "report"]),
    ("snapshot.rs", &["rules", "clients", "report", "document"]),
    ("transcript.rs", &["rules", "clients", "report"]),
    ("transcript", &["rules", "clients", "report"]),
    ("view.rs", &["rules", "clients", "report"]),
    ("walk.rs", &["rules", "clients", "report"]),
    ("rules", &["rules", "report", "judge", "fixture", "example"]),
    ("report", &["rules", "judge", "rule"]),
    ("drift.rs", &["rules", "clients", "report", "judge", "rule"]),
    ("drift", &["rules", "clients", "report", "judge", "rule"]),
    ("baseline.rs", &["rules", "judge", "rule", "view"]),
];

/// Outside crates, and the only files that may name them.
const CRATES: &[(&str, &[&str])] = &[
    ("jsonschema::", &["schema.rs"]),
    ("tiktoken_rs::", &["tokens.rs"]),
    ("serde_sarif::", &["report/sarif.rs"]),
    ("percent_encoding::", &["report/sarif.rs"]),
    ("anstyle::", &["report/text.rs"]),
    ("toml::", &["clients.rs", "settings.rs"]),
    ("sha2::", &["fingerprint.rs", "report/html.rs"]),
    ("base64::", &["report/html.rs"]),
    ("quick_junit::", &["report/junit.rs"]),
];

fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.map(|path| {
        let name = path.strip_prefix(&root).expect("below the root").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a source file"))
    })
    .collect()
}

fn is_in(file: &str, place: &str) -> bool {
    file == place || file.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'))
}

#[test]
fn arrows_run_one_way() {
    let mut checked = 0;
    for (file, text) in sources() {
        for (_, forbidden) in FORBIDDEN.iter().filter(|(place, _)| is_in(&file, place)) {
            checked += 1;
            for module in *forbidden {
                let named = format!("crate::{module}");
                let found = text.lines().find(|line| {
                    line.split(&named)
                        .skip(1)
                        .any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
                });
                assert!(found.is_none(), "{file} must not use {named}: {found:?}");
            }
        }
    }
    assert!(checked > FORBIDDEN.len(), "the table names places that are there");
}

#[test]
fn rules_do_not_know_each_other_nor_other_crates() {
    for (file, text) in sources().iter().filter(|(file, _)| is_in(file, "rules")) {
        let foreign = text.lines().filter(|line| line.trim_start().starts_with("use ")).find(|line| {
            let path = line.trim_start().trim_start_matches("use ");
            !["super::prelude", "std::", "crate::"].iter().any(|start| path.starts_with(start))
        });
        assert!(foreign.is_none(), "{file}: {foreign:?}");
        assert!(!text.contains("super::super"), "{file} reaches around the prelude");
    }
}

#[test]
fn outside_crates_stay_where_they_belong() {
    for (file, text) in sources() {
        for (name, homes) in CRATES {
            assert!(homes.contains(&file.as_str()) || !text.contains(name), "{file} must not use {name}");
        }
    }
}
