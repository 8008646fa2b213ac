//! What a command line asks to have checked: servers of configuration files, one server, or a saved listing.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, bail};
use mcp_lint_core::config::{ConfigFile, Entry, Transport};
use mcp_lint_core::document::{Dialect, Document};
use mcp_lint_core::settings::Settings;
use mcp_lint_core::text::list;

use crate::args::{Check, Shard, What};
use crate::discover::{Prepared, Surroundings, config_files, read, read_bounded};
use crate::http::Reach;

/// Files that stand for a project, the most telling first.
pub(crate) const MANIFESTS: &[&str] = &[
    "package.json",
    "pyproject.toml",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle.kts",
    "build.gradle",
    "composer.json",
    "Gemfile",
    "README.md",
];

/// What is to be checked.
pub(crate) struct Targets {
    pub(crate) files: Vec<ConfigFile>,
    pub(crate) targets: Vec<Target>,
    /// Names of all servers that are configured, wherever they are checked; nothing where what to check was
    /// named by hand.
    pub(crate) configured: Option<Vec<String>>,
    /// A single target given by hand: if it cannot be read at all, that is no finding but exit 2.
    pub(crate) by_hand: bool,
}

pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) entry: Option<Entry>,
    pub(crate) task: Task,
}

pub(crate) enum Task {
    Run(Prepared),
    Reach(Reach),
    Read { path: String, document: Document },
    Skip(String),
}

impl Targets {
    pub(crate) fn find(check: &Check, surroundings: &Surroundings<'_>) -> anyhow::Result<Self> {
        if let Some(file) = &check.what.file {
            return Ok(Self::one(file_name(file), read_listing(file)?));
        }
        if let Some(url) = &check.url {
            let headers: Option<Vec<(String, String)>> = check.what.header.iter().map(|text| header(text)).collect();
            // The text is not quoted: it may hold a key.
            let headers = headers.context("--header wants \"Name: value\", and one of them has no name or no colon")?;
            let reach = Reach::new(url, &headers, check.what.sse, Vec::new());
            let address = reach.address.as_ref().map_err(|what| anyhow::anyhow!("{what}{}", hint(url)))?;
            return Ok(Self::one(address.name(), Task::Reach(reach)));
        }
        let words = match &check.what.command {
            Some(text) => shlex::split(text).context("the command has a quote that is never closed")?,
            None => check.words.clone(),
        };
        if check.what.command.is_some() || !words.is_empty() {
            let command = surroundings.by_hand(&words)?;
            return Ok(Self::one(command_name(&words), Task::Run(Ok(command))));
        }
        Self::configured(check, surroundings)
    }

    pub(crate) fn one(name: String, task: Task) -> Self {
        Self { files: Vec::new(), targets: vec![Target { name, entry: None, task }], configured: None, by_hand: true }
    }

    fn configured(check: &Check, surroundings: &Surroundings<'_>) -> anyhow::Result<Self> {
        let mut files = config_files(surroundings.root, &check.what.config)?;
        let all = named_entries(&files);
        let configured: Vec<String> = all.iter().map(|(name, ..)| name.clone()).collect();
        let mut targets = Vec::new();
        for (name, file, entry) in all {
            if is_meant(&check.what, &configured, &name, &entry) {
                let task = task(&mut files[file], &entry, surroundings, check.what.http);
                targets.push(Target { name, entry: Some(entry), task });
            }
        }
        let missing: Vec<&String> = check
            .what
            .server
            .iter()
            .filter(|name| {
                !targets.iter().any(|target| target.entry.as_ref().is_some_and(|entry| entry.name == **name))
            })
            .collect();
        if !missing.is_empty() {
            bail!("no configuration file names the server {}", list(&missing, 5));
        }
        let configured = check.what.config.is_empty().then_some(configured);
        Ok(Self { files, targets, configured, by_hand: false })
    }

    /// The file that stands for what is checked where nothing closer is known: the script that a command by
    /// hand starts, else the project's manifest.
    pub(crate) fn stand_in(&self, root: &Path) -> String {
        let by_hand = self.targets.iter().filter(|_| self.by_hand);
        let commands = by_hand.filter_map(|target| match &target.task {
            Task::Run(Ok(command)) => Some(command),
            _ => None,
        });
        let words = commands.flat_map(|command| &command.args).filter_map(|word| word.to_str());
        let known = words.map(|word| word.strip_prefix("./").unwrap_or(word)).chain(MANIFESTS.iter().copied());
        let is_inside = |path: &&str| {
            let plain = Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)));
            plain && root.join(path).is_file()
        };
        known.into_iter().find(is_inside).unwrap_or("README.md").to_owned()
    }

    /// Leaves out the servers that the settings exclude.
    pub(crate) fn skip(&mut self, settings: &Settings) {
        for target in &mut self.targets {
            let key = target.entry.as_ref().map_or(target.name.as_str(), |entry| entry.name.as_str());
            if let Some(reason) = settings.servers.get(key).and_then(|server| server.skip.as_ref()) {
                target.task = Task::Skip(format!("the settings exclude it: {reason}"));
            }
        }
    }
}

/// Whether a server is to be checked here. Parts of about one size come of dealing the servers out by their
/// names, which does not depend on the order of files and entries.
fn is_meant(what: &What, configured: &[String], name: &String, entry: &Entry) -> bool {
    let is_named = what.server.is_empty() || what.server.contains(&entry.name);
    let is_in_part = what.shard.is_none_or(|Shard { part, parts }| {
        configured.iter().filter(|other| *other < name).count() % parts == part - 1
    });
    is_named && is_in_part
}

fn header(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once(':')?;
    (!name.trim().is_empty()).then(|| (name.trim().to_owned(), value.trim().to_owned()))
}

/// Something that is no address may be a command.
fn hint(url: &str) -> String {
    // An address may hold a key: only what can be none is quoted.
    let is_word = url.chars().all(|letter| letter.is_alphanumeric() || "._-/\\".contains(letter));
    if is_word { format!("; to start a command, write: mcp-lint check -- {url}") } else { String::new() }
}

fn task(file: &mut ConfigFile, entry: &Entry, surroundings: &Surroundings<'_>, http: bool) -> Task {
    match &entry.transport {
        _ if entry.disabled => Task::Skip("its entry is disabled".to_owned()),
        Transport::Stdio(command) => Task::Run(surroundings.prepare(file, entry, command)),
        Transport::Http(remote) if http => Task::Reach(surroundings.address(file, entry, remote, false)),
        Transport::Sse(remote) if http => Task::Reach(surroundings.address(file, entry, remote, true)),
        Transport::Http(_) | Transport::Sse(_) => {
            Task::Skip("it is reached over HTTP; --http checks such servers too".to_owned())
        }
        Transport::Unusable => Task::Skip("its entry says neither how to start nor how to reach it".to_owned()),
    }
}

/// All entries that name a server, with the number of their file and the name that the server goes by: two
/// files may name a server alike, and then the file is part of the name.
fn named_entries(files: &[ConfigFile]) -> Vec<(String, usize, Entry)> {
    let usable = |entry: &&Entry| !matches!(entry.transport, Transport::Unusable);
    let entries = files
        .iter()
        .enumerate()
        .flat_map(|(file, text)| text.entries.iter().filter(usable).map(move |entry| (file, entry)));
    let mut times: HashMap<&str, usize> = HashMap::new();
    entries.clone().for_each(|(_, entry)| *times.entry(&entry.name).or_default() += 1);
    let named = entries.map(|(file, entry)| {
        let name = match times.get(entry.name.as_str()) {
            Some(2..) => format!("{} ({})", entry.name, entry.location().path),
            _ => entry.name.clone(),
        };
        (name, file, entry.clone())
    });
    named.collect()
}

fn read_listing(path: &Path) -> anyhow::Result<Task> {
    let (path, document) = read_json(path)?;
    mcp_lint_core::listing::read(document.root()).map_err(|what| anyhow::anyhow!("{path}: {what}"))?;
    Ok(Task::Read { path, document })
}

/// A JSON file, or stdin for `-`, with the name to call it by.
pub(crate) fn read_json(path: &Path) -> anyhow::Result<(String, Document)> {
    let (shown, text) = if path == Path::new("-") {
        ("stdin".to_owned(), read_bounded(std::io::stdin()).context("cannot read stdin")?)
    } else {
        (path.to_string_lossy().replace('\\', "/"), read(path)?)
    };
    let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let document = Document::parse(bare, Dialect::STRICT);
    let document = document.map_err(|error| anyhow::anyhow!("{shown} is not valid JSON: {error}"))?;
    Ok((shown, document))
}

fn file_name(path: &Path) -> String {
    let stem = path.file_stem().filter(|_| path != Path::new("-"));
    stem.map_or_else(|| "stdin".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// What a server started by hand is called until it says its own name: its script, else its program.
fn command_name(words: &[String]) -> String {
    let is_script = |word: &&String| !word.starts_with('-') && (word.contains('/') || word.contains('.'));
    let word = words.iter().skip(1).find(is_script).or(words.first());
    let name = word.map(|word| word.rsplit('/').next().unwrap_or(word)).unwrap_or("server");
    name.to_owned()
}
