//! The repository around what is checked: where its top is, and which file a reported path is.

use std::path::{Component, Path, PathBuf};

use mcp_lint_core::report::{Report, Repository, Transport};

use crate::targets::MANIFESTS;

/// Largest file whose lines are hashed, in bytes; GitHub shows none of that size.
const MOST_BYTES: u64 = 64 << 20;

/// A folder of a repository, on disk.
#[derive(Debug)]
pub(crate) struct Checkout {
    /// The top of the repository, absolute and without links.
    top: PathBuf,
    /// Folders that reported paths may start from, the likeliest first.
    bases: Vec<PathBuf>,
}

impl Checkout {
    /// The repository that a report's root is in. Paths start from there; that of a saved listing, which is
    /// given by hand, starts from the current folder.
    pub(crate) fn around(report: &Report) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let root = resolved(&here.join(&report.root));
        let here = resolved(&here);
        let workspace = std::env::var_os("GITHUB_WORKSPACE").map(|path| resolved(Path::new(&path)));
        let top = top(&root, workspace.as_deref(), &here);
        let is_listing = report.servers.iter().any(|server| server.transport == Transport::File);
        Self { top, bases: if is_listing { vec![here, root] } else { vec![root, here] } }
    }
}

/// Where paths of the repository start: the nearest folder that git keeps, else the runner's workspace, else
/// the current folder, as far as the root is inside.
fn top(root: &Path, workspace: Option<&Path>, here: &Path) -> PathBuf {
    let kept = root.ancestors().find(|folder| folder.join(".git").exists());
    let around = [workspace, Some(here)].into_iter().flatten().find(|folder| root.starts_with(folder));
    kept.or(around).unwrap_or(root).to_owned()
}

/// Without links, where it exists.
fn resolved(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A path with forward slashes; nothing if it is not made of plain names in UTF-8.
fn slashed(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    names.filter(|names| !names.is_empty()).map(|names| names.join("/"))
}

impl Repository for Checkout {
    fn path(&self, reported: &str) -> Option<String> {
        let files = self.bases.iter().filter_map(|base| std::fs::canonicalize(base.join(reported)).ok());
        let mut inside = files.filter(|file| file.is_file());
        inside.find_map(|file| slashed(file.strip_prefix(&self.top).ok()?))
    }

    fn stand_in(&self) -> String {
        let bases = self.bases.iter().chain([&self.top]);
        let usual = bases.flat_map(|base| MANIFESTS.iter().map(move |name| base.join(name)));
        let mut known = usual.filter_map(|file| self.path(file.to_str()?));
        known.next().unwrap_or_else(|| "README.md".to_owned())
    }

    fn text(&self, path: &str) -> Option<String> {
        let file = self.top.join(path);
        // Anything but a file could be endless, or wait for ever.
        std::fs::metadata(&file).ok().filter(|known| known.is_file() && known.len() <= MOST_BYTES)?;
        let bytes = std::fs::read(&file).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The repository that a report claims to be about, which need not be here: a job that only publishes has
/// checked out nothing. Paths are taken as claimed where they cannot lead anywhere else.
#[derive(Debug)]
pub(crate) struct Claimed {
    checkout: Checkout,
    root: String,
}

impl Claimed {
    /// The repository of a report.
    pub(crate) fn by(report: &Report) -> Self {
        Self { checkout: Checkout::around(report), root: report.root.clone() }
    }
}

impl Repository for Claimed {
    fn path(&self, reported: &str) -> Option<String> {
        let claimed = || {
            slashed(
                &Path::new(&self.root)
                    .components()
                    .chain(Path::new(reported).components())
                    .filter(|part| *part != Component::CurDir)
                    .collect::<PathBuf>(),
            )
        };
        self.checkout.path(reported).or_else(claimed)
    }

    fn stand_in(&self) -> String {
        self.checkout.stand_in()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.checkout.text(path)
    }
}
