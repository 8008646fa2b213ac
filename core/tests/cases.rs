//! Faults that servers have had, one file each: what must be found, and that nothing is once it is corrected.

#![allow(clippy::disallowed_methods, reason = "the tests read the folder of cases")]

mod fixtures;

use std::collections::BTreeMap;
use std::fmt::Write;

use fixtures::{Expected, beside};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::rules;

/// Fewer files than this, and some were lost.
const LEAST: usize = 80;

fn expected(finding: &Finding) -> Expected {
    Expected {
        rule: finding.rule.clone().into_owned(),
        level: finding.level.word().to_owned(),
        entity: finding.entity.clone(),
        pointer: finding.pointer.clone(),
    }
}

#[test]
fn every_case_is_found_and_its_correction_is_silent() {
    let cases = fixtures::cases();
    assert!(cases.len() >= LEAST, "{} cases", cases.len());
    let mut wrong = String::new();
    for (name, mut case) in cases {
        let findings = case.faulty(&name).findings();
        // Notes that no one asks about go by: good servers have them too.
        let mut found: Vec<Expected> = findings
            .iter()
            .map(expected)
            .filter(|found| found.level != Level::Note.word() || case.expect.contains(found))
            .collect();
        found.sort();
        case.expect.sort();
        for missing in case.expect.iter().filter(|one| !found.contains(one)) {
            let _ = writeln!(wrong, "{name}: not found: {missing:?}");
        }
        for more in found.iter().filter(|one| !case.expect.contains(one)) {
            let _ = writeln!(wrong, "{name}: found beside: {more:?}");
        }
        if found.len() > case.expect.len() {
            let _ = writeln!(wrong, "{name}: one site is found more than once");
        }
        for loud in case.clean(&name).findings().iter().filter(|finding| finding.level > Level::Note) {
            let _ = writeln!(wrong, "{name}: found in the corrected input: {:?}: {}", expected(loud), loud.message);
        }
        assert!(!case.title.is_empty() && !case.title.ends_with('.'), "{name}: the title is a phrase");
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Where each rule fires, over every input of the tests: read the difference before accepting it.
#[test]
fn rules_fire_where_the_snapshots_say() {
    let mut fired: BTreeMap<&str, Vec<String>> = rules::ALL.iter().map(|rule| (rule.id, Vec::new())).collect();
    for fixture in fixtures::all() {
        for finding in fixture.findings() {
            let lines =
                fired.get_mut(finding.rule.as_ref()).unwrap_or_else(|| panic!("{}: {finding:#?}", fixture.name));
            let (level, entity) = (finding.level.word(), finding.entity.replace(' ', "·"));
            lines.push(format!("{} → {entity} {} {level}", fixture.name, finding.pointer).replace("  ", " "));
        }
    }
    let folder = beside("snapshots");
    let mut wrong = String::new();
    for (rule, lines) in &mut fired {
        assert!(!lines.is_empty(), "{rule} fires nowhere");
        lines.sort();
        let text = lines.join("\n") + "\n";
        let path = folder.join(format!("{rule}.txt"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&path, text).expect("a writable snapshot");
            continue;
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let stored: Vec<&str> = stored.lines().collect();
        for line in stored.iter().filter(|line| !lines.iter().any(|now| now == *line)) {
            let _ = writeln!(wrong, "{rule}.txt: - {line}");
        }
        for line in lines.iter().filter(|line| !stored.contains(&line.as_str())) {
            let _ = writeln!(wrong, "{rule}.txt: + {line}");
        }
        if stored.len() != lines.len() {
            let _ = writeln!(wrong, "{rule}.txt: {} lines, {} stored", lines.len(), stored.len());
        }
    }
    assert!(wrong.is_empty(), "UPDATE_EXPECTED=1 writes this down:\n{wrong}");
    let files = std::fs::read_dir(&folder).expect("the folder of snapshots").map(|file| file.expect("a file").path());
    for path in files {
        let rule = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert!(fired.contains_key(rule), "{}: no such rule", path.display());
    }
}
