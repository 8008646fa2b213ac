//! Writes the seeds that come from elsewhere in the repository: from the rules' pages, the fixtures of the
//! search in sources, and the names that try to be more than text. What is written by hand is called
//! `own-…`, and stays.

use std::path::{Path, PathBuf};

use mcp_lint_core::baseline::Baseline;
use mcp_lint_core::example;
use mcp_lint_core::fixture;
use mcp_lint_core::page::Page;
use mcp_lint_core::rules;
use mcp_lint_core::snapshot::Peer;

#[allow(dead_code, reason = "the list is all that is wanted")]
#[path = "../../core/tests/hostile/mod.rs"]
mod hostile;

/// Seeds are read before every run.
const LONGEST: usize = 8_192;
/// Reports say much of the same.
const MOST_REPORTS: usize = 20;

fn main() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let seeds = here.join("seeds");
    remove_old(&seeds)?;
    for (position, rule) in rules::ALL.iter().enumerate() {
        for (nth, block) in Page::parse(rule.page).blocks("Bad").into_iter().enumerate() {
            let write = |target: &str, text: &[u8]| write(&seeds, target, &format!("{}-{}", rule.id, nth + 1), text);
            let mut words = block.info.split(' ');
            match words.next() {
                Some("json") => {
                    write("check", block.text.as_bytes())?;
                    if nth == 0 {
                        write("document", block.text.as_bytes())?;
                    }
                }
                Some("wire") => {
                    write("conversation", block.text.as_bytes())?;
                    write("wire", &lines(block.text))?;
                }
                Some("config") => {
                    let path = words.next().unwrap_or_default();
                    write("config", format!("{path}\n{}", block.text.replace("‹BOM›", "\u{feff}")).as_bytes())?;
                }
                _ => {}
            }
            let Ok(report) = example::report(&block, None) else { continue };
            // Those of a few rules, from all over the list.
            if nth == 0 && position % (rules::ALL.len() / MOST_REPORTS) == 0 {
                write("baseline", Baseline::of(&report.findings).render().as_bytes())?;
                write("report", serde_json::to_string(&report)?.as_bytes())?;
            }
        }
    }
    for (nth, name) in hostile::HOSTILE.iter().enumerate() {
        write(&seeds, "escape", &format!("hostile-{:02}", nth + 1), name.as_bytes())?;
    }
    let root = here.join("../core/tests/locate");
    sources(&root, &root, &seeds)
}

/// What the server of a conversation writes.
fn lines(text: &str) -> Vec<u8> {
    let launch = fixture::snapshot(text).map(|snapshot| snapshot.main.lines).unwrap_or_default();
    let theirs = launch.into_iter().filter(|line| line.from == Peer::Server);
    theirs.flat_map(|line| [line.bytes, b"\n".to_vec()].concat()).collect()
}

fn sources(root: &Path, folder: &Path, seeds: &Path) -> std::io::Result<()> {
    for path in sorted(folder)? {
        if path.is_dir() {
            sources(root, &path, seeds)?;
            continue;
        }
        let inside = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let Some((_, inside)) = inside.split_once('/') else { continue };
        let mut text = std::fs::read_to_string(&path)?;
        while let (Some(start), Some(end)) = (text.find('«'), text.find('»')) {
            text.replace_range(start..end + '»'.len_utf8(), "");
        }
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('/', "-");
        write(seeds, "locate", &name, format!("{inside}\n{text}").as_bytes())?;
    }
    Ok(())
}

fn sorted(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

fn remove_old(seeds: &Path) -> std::io::Result<()> {
    for folder in sorted(seeds)? {
        for path in sorted(&folder)? {
            if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("own-")) {
                std::fs::remove_file(path)?;
            }
        }
    }
    Ok(())
}

fn write(seeds: &Path, target: &str, name: &str, text: &[u8]) -> std::io::Result<()> {
    let folder = seeds.join(target);
    std::fs::create_dir_all(&folder)?;
    if text.is_empty() || text.len() > LONGEST { Ok(()) } else { std::fs::write(folder.join(name), text) }
}
