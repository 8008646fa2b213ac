//! Finds configuration files, reads them, and turns their entries into commands.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use mcp_lint_core::config::{self, ConfigFile, Entry, READERS, Variables};

use crate::environment;
use crate::expand::{Expanded, Values, env_file, expand};
use crate::http::Reach;
use crate::launch::Command;

/// Largest file that is read as a configuration or a listing, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The configuration files at a root: those named, else those that are there.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn config_files(root: &Path, named: &[PathBuf]) -> anyhow::Result<Vec<ConfigFile>> {
    let mut paths: Vec<PathBuf> = named.to_vec();
    if named.is_empty() {
        let known = READERS.iter().filter(|reader| reader.discovered).map(|reader| root.join(reader.file));
        paths.extend(known.filter(|path| path.exists()));
        paths.sort_by_key(|path| discovery_order(path));
    }
    paths.iter().map(|path| Ok(ConfigFile::read(&shown(root, path), &read_regular(path)?))).collect()
}

/// `.mcp.json` first, as the file most clients share.
fn discovery_order(path: &Path) -> usize {
    let order = [".mcp.json", "mcp.json"];
    let parent_is_dotted = path.parent().and_then(Path::file_name).is_some_and(|name| name == ".vscode");
    match order.iter().position(|name| path.file_name().is_some_and(|file| file == *name)) {
        Some(0) => 0,
        Some(_) if parent_is_dotted => 1,
        _ => 2,
    }
}

/// Names of the files that are looked for, for messages.
pub(crate) fn looked_for() -> String {
    let mut names: Vec<&str> = READERS.iter().filter(|reader| reader.discovered).map(|reader| reader.file).collect();
    names.sort_by_key(|name| discovery_order(Path::new(name)));
    names.join(", ")
}

/// A path from the root, with forward slashes.
fn shown(root: &Path, path: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (root, full) = (absolute(root), absolute(path));
    let relative = full.strip_prefix(&root).unwrap_or(path);
    relative.to_string_lossy().replace('\\', "/")
}

/// A text file, whole.
///
/// # Errors
/// When it is no file, cannot be read, is too large, or is not UTF-8.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let name = || format!("cannot read {}", path.display());
    let metadata = std::fs::metadata(path).with_context(name)?;
    if metadata.is_dir() {
        bail!("{}: it is a directory", name());
    }
    let file = std::fs::File::open(path).with_context(name)?;
    read_bounded(file).map_err(|what| anyhow::anyhow!("{}: {what:#}", name()))
}

/// A text file that is a file: a repository's own may be a pipe or a device, which would be waited for.
///
/// # Errors
/// As [`read`], and when it is something else than a file.
pub(crate) fn read_regular(path: &Path) -> anyhow::Result<String> {
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
            bail!("cannot read {}: it is not a regular file", path.display());
        }
        _ => read(path),
    }
}

/// A text, whole, but never more than a bound: a device or a pipe may have no end.
///
/// # Errors
/// When it cannot be read, is too large, or is not UTF-8.
pub(crate) fn read_bounded(source: impl std::io::Read) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("it is larger than {} MiB", MOST_BYTES >> 20);
    }
    String::from_utf8(bytes).map_err(|error| anyhow::anyhow!("byte {} is not UTF-8", error.utf8_error().valid_up_to()))
}

/// A command that could be made ready, or why not: the file or setting that is missing.
pub(crate) type Prepared = Result<Command, mcp_lint_core::snapshot::StartFailure>;

/// What goes into a command besides its entry.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    /// Folder that servers start in, absolute.
    pub(crate) root: &'a Path,
    /// Variables from the command line.
    pub(crate) extra: &'a [(String, String)],
    /// A new HOME.
    pub(crate) home: Option<&'a Path>,
}

impl Surroundings<'_> {
    /// Makes an entry's command ready, and notes variables that have no value.
    pub(crate) fn prepare(&self, file: &mut ConfigFile, entry: &Entry, command: &config::Command) -> Prepared {
        let mut expander =
            Expander { known: file.reader.variables, root: self.root, unset: Vec::new(), secrets: Vec::new() };
        let prepared = self.command(command, &mut expander);
        file.note_unset(&entry.name, expander.unset);
        prepared
    }

    /// Makes an entry's address ready, with its headers.
    pub(crate) fn address(&self, file: &mut ConfigFile, entry: &Entry, remote: &config::Remote, is_sse: bool) -> Reach {
        let mut expander =
            Expander { known: file.reader.variables, root: self.root, unset: Vec::new(), secrets: Vec::new() };
        let url = expander.text(&remote.url);
        let headers = remote.headers.iter().filter_map(|(name, value)| Some((name.clone(), expander.value(value)?)));
        let headers: Vec<(String, String)> = headers.collect();
        file.note_unset(&entry.name, std::mem::take(&mut expander.unset));
        Reach::new(&url, &headers, is_sse, expander.secrets)
    }

    fn command(&self, command: &config::Command, expander: &mut Expander<'_>) -> Prepared {
        let cwd = command.cwd.as_ref().map_or_else(|| self.root.to_owned(), |cwd| self.root.join(expander.text(cwd)));
        let mut env = environment::cleared();
        if let Some(file) = &command.env_file {
            let path = self.root.join(expander.text(file));
            // The file is called as it is written: its path may hold the value of a variable.
            let text = read_regular(&path).map_err(|error| unresolved(&command.program, file, &error))?;
            for (name, value) in env_file(&text) {
                set(&mut env, &name, &value);
                expander.secrets.push(value);
            }
        }
        for (name, value) in &command.env {
            // A variable that is only a placeholder without a value stays unset, so that the server's own
            // message about it is seen.
            if let Some(value) = expander.value(value) {
                set(&mut env, name, &value);
            }
        }
        self.finish(&mut env);
        Ok(Command {
            program: expander.text(&command.program).into(),
            args: command.args.iter().map(|arg| expander.text(arg).into()).collect(),
            env,
            cwd,
            shown: command.program.clone(),
            secrets: self.extra_values().chain(std::mem::take(&mut expander.secrets)).collect(),
        })
    }

    fn extra_values(&self) -> impl Iterator<Item = String> {
        self.extra.iter().map(|(_, value)| value.clone())
    }

    /// A command given by hand, with the caller's environment.
    pub(crate) fn by_hand(&self, words: &[String]) -> anyhow::Result<Command> {
        let (program, args) = words.split_first().context("the command is empty")?;
        let mut env = environment::inherited();
        self.finish(&mut env);
        Ok(Command {
            program: program.into(),
            args: args.iter().map(OsString::from).collect(),
            env,
            cwd: self.root.to_owned(),
            shown: program.clone(),
            secrets: self.extra_values().collect(),
        })
    }

    fn finish(&self, env: &mut Vec<(OsString, OsString)>) {
        if let Some(home) = self.home {
            set(env, "HOME", &home.to_string_lossy());
        }
        self.extra.iter().for_each(|(name, value)| set(env, name, value));
    }
}

fn set(env: &mut Vec<(OsString, OsString)>, name: &str, value: &str) {
    env.retain(|(existing, _)| existing.to_str() != Some(name));
    env.push((name.into(), value.into()));
}

fn unresolved(program: &str, file: &str, error: &anyhow::Error) -> mcp_lint_core::snapshot::StartFailure {
    let why = error.root_cause().downcast_ref::<std::io::Error>().map(ToString::to_string);
    mcp_lint_core::snapshot::StartFailure {
        kind: mcp_lint_core::snapshot::StartFault::Unresolved,
        program: program.to_owned(),
        detail: format!("cannot read {file}: {}", why.unwrap_or_else(|| "it is no text file".to_owned())),
    }
}

struct Expander<'a> {
    known: Variables,
    root: &'a Path,
    unset: Vec<(String, String)>,
    /// Values that were filled in.
    secrets: Vec<String>,
}

impl Expander<'_> {
    fn expand(&mut self, text: &str) -> Expanded {
        let environment = |name: &str| {
            let is_ours = !environment::is_runner_variable(std::ffi::OsStr::new(name));
            is_ours.then(|| std::env::var(name).ok()).flatten()
        };
        let workspace = self.root.to_string_lossy();
        let expanded = expand(text, self.known, &Values { environment: &environment, workspace: &workspace });
        self.unset.extend(expanded.unset.iter().map(|missing| (missing.written.clone(), missing.from.clone())));
        self.secrets.extend(expanded.filled.iter().cloned());
        expanded
    }

    fn text(&mut self, text: &str) -> String {
        self.expand(text).text
    }

    /// The value, unless it is nothing but a variable without one.
    fn value(&mut self, text: &str) -> Option<String> {
        let expanded = self.expand(text);
        let is_only_a_hole = expanded.unset.len() == 1 && expanded.text == expanded.unset[0].written;
        (!is_only_a_hole).then_some(expanded.text)
    }
}
