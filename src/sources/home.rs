//! Where in a repository a server's own source is, told by what the server is started with.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use mcp_lint_core::locate::{Home, is_built, is_foreign};

use super::{Start, read};

/// Files that mark the folder of a project.
const MANIFESTS: &[&str] = &[
    "package.json",
    "pyproject.toml",
    "setup.py",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "Gemfile",
];

/// Programs that fetch a package and run it, with the words that make them do so.
const RUNNERS: &[(&str, &[&str])] = &[
    ("npx", &[""]),
    ("bunx", &[""]),
    ("pnpx", &[""]),
    ("uvx", &[""]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx"]),
    ("yarn", &["dlx"]),
    ("bun", &["x"]),
    ("uv", &["tool"]),
    ("pipx", &["run"]),
];

/// Programs that run the project of the folder they are started in.
const BUILDERS: &[&str] = &[
    "npm", "pnpm", "yarn", "bun", "uv", "cargo", "go", "dotnet", "mvn", "mvnw", "gradle", "gradlew", "poetry", "pdm",
    "hatch", "make", "just", "composer", "bundle",
];

/// Options that name the folder to work in.
const FOLDERS: &[&str] = &["--directory", "--project", "--prefix", "--cwd", "-C", "--dir"];

/// Whether a file marks a project's folder.
pub(super) fn is_manifest(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.contains(&file) || file.ends_with(".csproj")
}

/// The projects of a repository.
pub(super) struct Project<'a> {
    root: &'a Path,
    /// Folders with a manifest.
    folders: BTreeSet<String>,
    /// What the manifests call their packages and programs, and the folder of each.
    names: BTreeMap<String, String>,
}

impl<'a> Project<'a> {
    pub(super) fn new(root: &'a Path, files: &[String]) -> Self {
        let (mut folders, mut names) = (BTreeSet::new(), BTreeMap::new());
        for path in files.iter().filter(|path| is_manifest(path)) {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if folder.rsplit('/').next().is_some_and(is_built) {
                continue;
            }
            for name in read(&root.join(path)).map(|text| package_names(path, &text)).unwrap_or_default() {
                names.entry(plain(&name)).or_insert_with(|| folder.to_owned());
            }
            folders.insert(folder.to_owned());
        }
        Self { root, folders, names }
    }

    /// Where the source of a server is.
    pub(super) fn home(&self, start: &Start) -> Home {
        let Start::Command { words, cwd } = start else { return Home::Unknown };
        let words = unwrapped(words);
        let cwd = self.folder_option(&words).map_or_else(|| cwd.clone(), |folder| cwd.join(folder));
        let scripts: BTreeSet<String> = words.iter().filter_map(|word| self.script(&cwd, word)).collect();
        if !scripts.is_empty() {
            return Home::Folders(scripts.into_iter().collect());
        }
        let program = words.first().map(|word| file_name(word)).unwrap_or_default();
        if let Some(package) = package(&program, &words) {
            return match self.names.get(&plain(package)) {
                Some(folder) => Home::Folders(vec![folder.clone()]),
                None => Home::Elsewhere,
            };
        }
        let is_own = BUILDERS.contains(&program.as_str()) || self.is_own_module(&cwd, &words);
        let folder = if is_own { self.relative(&cwd).map(|path| self.project_of(&path)) } else { None };
        match folder.or_else(|| self.names.get(&plain(&program)).cloned()) {
            Some(folder) => Home::Folders(vec![folder]),
            None => Home::Unknown,
        }
    }

    fn folder_option(&self, words: &[String]) -> Option<String> {
        words.iter().enumerate().find_map(|(nth, word)| {
            let (option, value) =
                word.split_once('=').map_or((word.as_str(), None), |(left, right)| (left, Some(right)));
            FOLDERS
                .contains(&option)
                .then(|| value.map(str::to_owned).or_else(|| words.get(nth + 1).cloned()))
                .flatten()
        })
    }

    /// The project's folder of a word that is a path to a file of the repository, or to a project's folder.
    fn script(&self, cwd: &Path, word: &str) -> Option<String> {
        let value = if word.starts_with('-') { word.split_once('=')?.1 } else { word };
        let path = self.relative(&cwd.join(value))?;
        let full = self.root.join(&path);
        // What a build of the project's own left there is as good as its source.
        let own = path.split('/').take_while(|part| *part != "target").collect::<Vec<_>>().join("/");
        if own.split('/').any(|part| is_foreign(part) || part == ".venv") {
            return None;
        }
        if full.is_file() {
            let project = self.project_of(&own);
            let is_marked = !project.is_empty() || self.folders.contains("");
            return Some(if is_marked { project } else { script_folder(&own) });
        }
        (full.is_dir() && self.folders.contains(&path)).then_some(path)
    }

    /// `-m module`, where the module is in the folder.
    fn is_own_module(&self, cwd: &Path, words: &[String]) -> bool {
        let module =
            words.windows(2).find(|pair| pair[0] == "-m").map(|pair| pair[1].split('.').next().unwrap_or_default());
        module.is_some_and(|module| {
            let places = [cwd.join(module), cwd.join("src").join(module), cwd.join(format!("{module}.py"))];
            !module.is_empty() && places.iter().any(|place| place.exists())
        })
    }

    /// The nearest folder with a manifest at or above a path; the root where there is none.
    fn project_of(&self, path: &str) -> String {
        let mut folder = path;
        loop {
            if self.folders.contains(folder) {
                return folder.to_owned();
            }
            match folder.rsplit_once('/') {
                Some((above, _)) => folder = above,
                None => return String::new(),
            }
        }
    }

    /// A path from the root, if it is below it.
    fn relative(&self, path: &Path) -> Option<String> {
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                Component::CurDir => {}
                part => plain.push(part),
            }
        }
        Some(plain.strip_prefix(self.root).ok()?.to_str()?.replace('\\', "/"))
    }
}

/// The words of a command without what only wraps it: a shell, or another environment.
fn unwrapped(words: &[String]) -> Vec<String> {
    let shells = ["sh", "bash", "zsh", "cmd", "cmd.exe"];
    let program = words.first().map(|word| file_name(word)).unwrap_or_default();
    let command = words.iter().position(|word| matches!(word.as_str(), "-c" | "-lc" | "/c" | "/C"));
    match (shells.contains(&program.as_str()), command) {
        (true, Some(at)) if words.len() == at + 2 => shlex::split(&words[at + 1]).unwrap_or_default(),
        (true, Some(at)) => words[at + 1..].to_vec(),
        _ if program == "env" => {
            let is_setting = |word: &&String| word.starts_with('-') || word.contains('=');
            words.iter().skip(1).skip_while(is_setting).cloned().collect()
        }
        _ => words.to_vec(),
    }
}

/// The package that a runner fetches.
fn package<'a>(program: &str, words: &'a [String]) -> Option<&'a str> {
    let (_, verbs) = RUNNERS.iter().find(|(runner, _)| *runner == program)?;
    let needs_verb = !verbs.contains(&"");
    let mut rest = words.iter().skip(1).map(String::as_str).peekable();
    if needs_verb {
        rest.next_if(|word| verbs.contains(word))?;
        rest.next_if_eq(&"run");
    }
    let rest: Vec<&str> = rest.collect();
    let named = rest.windows(2).find(|pair| matches!(pair[0], "--package" | "-p" | "--from" | "--spec"));
    let first = || rest.iter().copied().find(|word| !word.starts_with('-'));
    named.map(|pair| pair[1]).or_else(first)
}

/// A package's name without version and extras, as registries compare it.
fn plain(name: &str) -> String {
    let scope = usize::from(name.starts_with('@'));
    let end = name[scope..].find(['@', '=', '[', '<', '>', '~', '!']).map_or(name.len(), |at| at + scope);
    name[..end].to_lowercase().replace(['_', '.'], "-")
}

/// The folder of a script in a repository without manifests: above what only holds sources or builds.
fn script_folder(path: &str) -> String {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    while folders.last().is_some_and(|name| is_built(name) || matches!(*name, "src" | "bin" | "lib" | "scripts")) {
        folders.pop();
    }
    folders.join("/")
}

fn file_name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name).to_owned()
}

/// What a manifest calls its package and the programs in it.
fn package_names(path: &str, text: &str) -> Vec<String> {
    if path.ends_with(".json") {
        let Ok(manifest) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
        let programs = manifest["bin"].as_object().into_iter().flat_map(|programs| programs.keys().cloned());
        return manifest["name"].as_str().map(str::to_owned).into_iter().chain(programs).collect();
    }
    if path.ends_with(".toml") { names_in_toml(text) } else { Vec::new() }
}

/// The few lines that matter need no parser: `name = "…"` of the package, and the keys of its scripts.
fn names_in_toml(text: &str) -> Vec<String> {
    let (mut names, mut section) = (Vec::new(), "");
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if let Some((key, value)) = line.split_once('=') {
            let (key, value) = (key.trim().trim_matches('"'), value.trim().trim_matches(['"', '\'']));
            match section {
                "[project]" | "[package]" | "[tool.poetry]" | "[[bin]]" if key == "name" => {
                    names.push(value.to_owned())
                }
                "[project.scripts]" | "[tool.poetry.scripts]" => names.push(key.to_owned()),
                _ => {}
            }
        }
    }
    names
}
