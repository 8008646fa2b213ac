//! What a path says about a file: a source, what was made of it, or a test.

/// Folders that hold what others wrote or what a tool keeps; never looked into.
const NEVER: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    "vendor",
    "third_party",
    "venv",
    "virtualenv",
    "site-packages",
    "dist-packages",
    "__pycache__",
    "__pypackages__",
    "target",
    "obj",
    "Pods",
    "DerivedData",
    "coverage",
];

/// Whether a folder of this name holds what others wrote or what a tool keeps, so that nothing in it is read.
#[must_use]
pub fn is_foreign(folder: &str) -> bool {
    NEVER.contains(&folder)
}

/// Whether a folder of this name holds what a build wrote.
#[must_use]
pub fn is_built(folder: &str) -> bool {
    BUILT.contains(&folder)
}

/// Files with a known ending that declare nothing.
const SILENT: &[&str] = &[
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "composer.json",
    "composer.lock",
    "deno.json",
    "server.json",
    "smithery.yaml",
    "tsconfig.json",
];

/// Folders of tests, of documentation, and of what only shows how.
const ASIDE: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "testing",
    "testdata",
    "spec",
    "specs",
    "e2e",
    "eval",
    "evals",
    "fixtures",
    "__fixtures__",
    "mock",
    "mocks",
    "__mocks__",
    "snapshots",
    "__snapshots__",
    "doc",
    "docs",
    "documentation",
    "website",
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "template",
    "templates",
];

/// Folders of what a build wrote.
const BUILT: &[&str] = &["dist", "build", "out", "output", "bundle", "bundled", "cjs", "esm", "es", "umd"];

/// How good a place for a declaration a file is: the lower, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// Written by hand, for all one can tell.
    Source,
    /// A list of definitions as data.
    Manifest,
    /// Perhaps what a build wrote.
    Library,
    /// What a build wrote.
    Built,
    /// What a build wrote for machines alone.
    Minified,
    /// A test, an example, documentation.
    Aside,
}

/// The tier of a file; the path is one from its server's folder, where that is known.
pub(super) fn tier(path: &str) -> Tier {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut parts = folders.split('/');
    let is_in = |parts: &mut std::str::Split<'_, char>, list: &[&str]| {
        parts.any(|part| list.iter().any(|name| part.eq_ignore_ascii_case(name)))
    };
    if is_in(&mut parts.clone(), ASIDE) || is_test(file) {
        Tier::Aside
    } else if file.contains(".min.") || file.contains(".bundle.") {
        Tier::Minified
    } else if is_in(&mut parts, BUILT) {
        Tier::Built
    } else if [".json", ".yaml", ".yml"].iter().any(|end| file.ends_with(end)) {
        Tier::Manifest
    } else if is_script(file) && folders.split('/').any(|part| part == "lib") {
        Tier::Library
    } else {
        Tier::Source
    }
}

fn is_script(file: &str) -> bool {
    [".js", ".mjs", ".cjs"].iter().any(|end| file.ends_with(end))
}

fn is_test(file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let ends = [".test", ".spec", "_test", "_spec", "-test", ".stories", "Test", "Tests", "Spec", ".mock"];
    stem.starts_with("test_") || stem == "conftest" || stem == "test" || ends.iter().any(|end| stem.ends_with(end))
}

/// Whether a file may be read for declarations, by its path alone.
pub(super) fn may_declare(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let is_types = [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| file.ends_with(end));
    !is_types && !SILENT.contains(&file) && !path.split('/').any(is_foreign)
}

/// Whether two files are the same code, built twice or beside its source: `index.js` and `index.mjs`,
/// `esm/tools.js` and `cjs/tools.js`.
pub(super) fn are_twins(left: &str, right: &str) -> bool {
    let stem = |path: &str| path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned();
    let plain = |path: &str| {
        let stem = stem(path);
        let parts: Vec<&str> = stem.split('/').filter(|part| !BUILT.contains(part) && *part != "lib").collect();
        parts.join("/")
    };
    stem(left) == stem(right)
        || (tier(left) >= Tier::Library && tier(right) >= Tier::Library && plain(left) == plain(right))
}

/// Whether a path lies in a folder; the empty folder is the root.
pub(super) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}
