//! Reads the repository's sources, so that a finding about a tool points at the tool's declaration.
//!
//! Texts are handed over one at a time and forgotten; the few files in which something was found are read
//! once more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::{DirEntry, WalkBuilder};
use mcp_lint_core::finding::Finding;
use mcp_lint_core::locate::{Candidate, Question, Ranking, Search, Thing, is_foreign, settle};
use mcp_lint_core::location::Location;
use mcp_lint_core::site::Kind;
use rustix::fs::OFlags;

use crate::targets::{Targets, Task};

mod home;

use home::Project;

/// Largest file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Most entries of folders that are looked at. Where there are more, nothing is located: half a search
/// could name the wrong file.
const MOST_ENTRIES: usize = 500_000;

/// Most files that are read, for the same reason.
const MOST_FILES: usize = 50_000;

/// Bytes at the start of a file that tell whether it is text.
const HEAD: usize = 8 << 10;

/// Bytes at the start of a report that tell it as one.
const REPORT_HEAD: usize = 300;

/// Most threads that read files.
const MOST_THREADS: usize = 4;

/// The repository, and what its servers were started with.
pub(crate) struct Sources {
    root: PathBuf,
    /// What each server is started with, in the order of the targets.
    starts: Vec<Start>,
    /// Listings that are checked: no declaration, whatever they look like.
    listings: BTreeSet<PathBuf>,
}

/// How a server comes to be.
#[derive(Debug)]
pub(crate) enum Start {
    Command { words: Vec<String>, cwd: PathBuf },
    Unknown,
}

impl Sources {
    pub(crate) fn new(root: &Path, targets: &Targets) -> Self {
        let starts = targets.targets.iter().map(|target| start(&target.task)).collect();
        let listings = targets.targets.iter().filter_map(|target| match &target.task {
            Task::Read { path, .. } => std::path::absolute(path).ok(),
            _ => None,
        });
        Self { root: root.to_owned(), starts, listings: listings.collect() }
    }

    /// Moves findings to the declarations of what they are about, where these are found. The servers' names
    /// are those of the findings, in the order of the targets.
    pub(crate) fn locate(&self, servers: &[String], findings: &mut [Finding]) {
        let things: Vec<Thing> = findings.iter().filter_map(|finding| thing(servers, finding)).collect();
        if things.is_empty() {
            return;
        }
        let Some(files) = self.files() else { return };
        let project = Project::new(&self.root, &files);
        let homes = self.starts.iter().map(|start| project.home(start)).collect();
        let Some(search) = Search::new(things, homes) else { return };
        let chosen = self.search(&search, &files).choose(&search);
        let places = self.settle(&search, &chosen, servers, findings);
        for (finding, place) in findings.iter_mut().zip(places) {
            if let Some(place) = place {
                move_to(finding, place);
            }
        }
    }

    /// Paths from the root of every file that may matter, sorted; none where there are too many.
    fn files(&self) -> Option<Vec<String>> {
        let mut entries = 0;
        let mut files = Vec::new();
        for entry in walk(&self.root).flatten() {
            entries += 1;
            if entries > MOST_ENTRIES || files.len() > MOST_FILES {
                return None;
            }
            if !entry.file_type().is_some_and(|kind| kind.is_file()) || self.listings.contains(entry.path()) {
                continue;
            }
            let relative = entry.path().strip_prefix(&self.root).ok().and_then(Path::to_str);
            if let Some(path) = relative.map(|path| path.replace('\\', "/"))
                && (Search::wants(&path) || home::is_manifest(&path))
            {
                files.push(path);
            }
        }
        files.sort();
        Some(files)
    }

    fn search(&self, search: &Search, files: &[String]) -> Ranking {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut ranking = Ranking::default();
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                if Search::wants(path)
                    && let Some(text) = read(&self.root.join(path))
                    && !is_report(&text)
                {
                    ranking.add(search.find(path, &text));
                }
            }
            ranking
        };
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST_THREADS);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut ranking = work();
            others.into_iter().filter_map(|other| other.join().ok()).for_each(|other| ranking.merge(other));
            ranking
        })
    }

    /// The place of each finding, file by file.
    fn settle(
        &self,
        search: &Search,
        chosen: &[Candidate],
        servers: &[String],
        findings: &[Finding],
    ) -> Vec<Option<Location>> {
        let mut about: BTreeMap<Thing, Vec<usize>> = BTreeMap::new();
        for (nth, finding) in findings.iter().enumerate() {
            if let Some(thing) = thing(servers, finding) {
                about.entry(thing).or_default().push(nth);
            }
        }
        let mut places = vec![None; findings.len()];
        for of_file in chosen.chunk_by(|left, right| left.path() == right.path()) {
            let path = of_file[0].path();
            let Some(text) = read(&self.root.join(path)) else { continue };
            let concerned = |candidate: &Candidate| about.get(&search.things()[candidate.thing()]);
            let questions = of_file.iter().map(|candidate| {
                let findings = concerned(candidate).into_iter().flatten().map(|nth| findings[*nth].pointer.as_str());
                Question { candidate, pointers: findings.collect() }
            });
            let answers = settle(search, path, &text, &questions.collect::<Vec<_>>());
            for (candidate, answers) in of_file.iter().zip(answers) {
                for (nth, place) in concerned(candidate).into_iter().flatten().zip(answers) {
                    places[*nth] = place;
                }
            }
        }
        places
    }
}

fn start(task: &Task) -> Start {
    let Task::Run(Ok(command)) = task else { return Start::Unknown };
    let words = std::iter::once(&command.program).chain(&command.args);
    let words = words.map(|word| word.to_string_lossy().into_owned()).collect();
    Start::Command { words, cwd: command.cwd.clone() }
}

/// What a finding is about, if it may be declared in source.
fn thing(servers: &[String], finding: &Finding) -> Option<Thing> {
    if !matches!(finding.kind, Kind::Tool | Kind::Prompt | Kind::Resource) {
        return None;
    }
    let server = servers.iter().position(|name| Some(name) == finding.server.as_ref())?;
    Some(Thing { server, kind: finding.kind, name: finding.entity.clone() })
}

fn move_to(finding: &mut Finding, place: Location) {
    let former = std::mem::replace(&mut finding.location, place);
    let is_same = former.path == finding.location.path && former.start_line == finding.location.start_line;
    if !is_same {
        finding.related.push(former);
    }
}

/// Every entry below a folder that is neither hidden, nor ignored, nor written by others. Links are not
/// followed. Only files of the repository tell what is ignored, so that every machine sees the same.
fn walk(root: &Path) -> ignore::Walk {
    let is_ours = |entry: &DirEntry| {
        let is_folder = entry.depth() > 0 && entry.file_type().is_some_and(|kind| kind.is_dir());
        !is_folder || !entry.file_name().to_str().is_some_and(is_foreign)
    };
    WalkBuilder::new(root)
        .follow_links(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .max_filesize(Some(MOST_BYTES))
        .filter_entry(is_ours)
        .build()
}

/// A text file, if it is one. It is opened so that neither a link nor a pipe that has taken its place in
/// the meantime matters.
fn read(path: &Path) -> Option<String> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let flags = i32::try_from(flags.bits()).ok()?;
    let file: File = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    let is_text = bytes.len() as u64 <= MOST_BYTES && !bytes[..bytes.len().min(HEAD)].contains(&0);
    is_text.then(|| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Whether a text is what a check wrote, ours or another's, or a contract: it names every tool and declares none.
fn is_report(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(REPORT_HEAD)];
    head.starts_with('{')
        && ["\"name\": \"mcp-lint\"", "\"mcp-lint-contract\"", "/sarif-"].iter().any(|mark| head.contains(mark))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use mcp_lint_core::locate::Home;

    use super::*;

    const TOOL: &str = "server.tool(\"get_order\", {}, run);\n";

    fn lay(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    fn sources(root: &Path, words: &[&str]) -> Sources {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let start = Start::Command { words, cwd: root.to_owned() };
        Sources { root: root.to_owned(), starts: vec![start], listings: BTreeSet::new() }
    }

    fn home(root: &Path, words: &[&str]) -> Home {
        let sources = sources(root, words);
        Project::new(root, &sources.files().unwrap()).home(&sources.starts[0])
    }

    fn folder(path: &str) -> Home {
        Home::Folders(vec![path.to_owned()])
    }

    #[test]
    fn only_text_files_of_the_repository_itself_are_read() {
        let outside = lay(&[("outside.ts", TOOL)]);
        let large = " ".repeat(MOST_BYTES as usize + 1);
        let root = lay(&[
            ("src/a.ts", TOOL),
            ("node_modules/x/a.ts", TOOL),
            (".hidden/a.ts", TOOL),
            ("ignored/a.ts", TOOL),
            (".gitignore", "/ignored/\n"),
            ("src/large.ts", &large),
            ("src/a.txt", TOOL),
        ]);
        symlink(outside.path(), root.path().join("src/linked")).unwrap();
        symlink(outside.path().join("outside.ts"), root.path().join("src/linked.ts")).unwrap();
        symlink(root.path(), root.path().join("src/loop")).unwrap();
        let pipe = root.path().join("src/pipe.ts");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(sources(root.path(), &[]).files().unwrap(), ["src/a.ts"]);
        assert_eq!(read(&pipe), None);
        assert_eq!(read(&root.path().join("src/linked.ts")), None);
    }

    #[test]
    fn what_is_no_text_is_not_searched() {
        let root = lay(&[]);
        let path = root.path().join("a.ts");
        std::fs::write(&path, b"a\0b").unwrap();
        assert_eq!(read(&path), None);
        std::fs::write(&path, b"caf\xe9").unwrap();
        assert_eq!(read(&path).unwrap(), "caf\u{fffd}");
    }

    #[test]
    fn the_command_tells_where_a_server_is_at_home() {
        let root = lay(&[
            ("packages/a/package.json", r#"{"name": "@shop/a", "bin": {"shop-a": "dist/i.js"}}"#),
            ("packages/a/dist/i.js", ""),
            ("packages/a/dist/package.json", "{}"),
            ("packages/b/pyproject.toml", "[project]\nname = \"shop_b\"\n[project.scripts]\nshop-b = \"b:main\"\n"),
            ("packages/b/src/b/__init__.py", ""),
            ("data/readme.json", "{}"),
        ]);
        let root = root.path();
        assert_eq!(home(root, &["node", "packages/a/dist/i.js"]), folder("packages/a"));
        assert_eq!(home(root, &["node", "packages/a/missing.js"]), Home::Unknown);
        assert_eq!(home(root, &["npx", "-y", "@shop/a@1.2.3", "."]), folder("packages/a"));
        assert_eq!(home(root, &["npx", "-y", "@other/server@latest"]), Home::Elsewhere);
        assert_eq!(home(root, &["uvx", "shop-b"]), folder("packages/b"));
        assert_eq!(home(root, &["uvx", "--from", "shop-b==1.0", "other"]), folder("packages/b"));
        assert_eq!(home(root, &["uvx", "mcp-server-time"]), Home::Elsewhere);
        assert_eq!(home(root, &["uv", "--directory", "packages/b", "run", "shop-b"]), folder("packages/b"));
        assert_eq!(home(root, &["uv", "--directory=packages/b", "run", "x"]), folder("packages/b"));
        assert_eq!(home(root, &["sh", "-c", "cd packages/a && node packages/a/dist/i.js"]), folder("packages/a"));
        assert_eq!(home(root, &["shop-a"]), folder("packages/a"));
        assert_eq!(home(root, &["docker", "run", "-i", "shop"]), Home::Unknown);
    }
}
