//! Containers that are started without a usable stdin.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-docker-flags",
    summary: "a container is run with a terminal or without stdin",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_docker_flags.md"),
    check: Check::Config(check),
};

/// Long options of `run` that take no value.
const SWITCHES: &[&str] = &[
    "detach",
    "disable-content-trust",
    "help",
    "init",
    "interactive",
    "no-healthcheck",
    "no-hosts",
    "oom-kill-disable",
    "privileged",
    "publish-all",
    "quiet",
    "read-only",
    "replace",
    "rm",
    "rmi",
    "sig-proxy",
    "tls-verify",
    "tty",
];

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    for entry in &file.entries {
        let Some((program, args, wrapped)) = entry.command().map(|command| command.effective()) else { continue };
        if !matches!(program, "docker" | "podman") {
            continue;
        }
        let is_run = |at: usize, word: &str| args.get(at).is_some_and(|arg| arg == word);
        let first = if is_run(0, "run") {
            1
        } else if is_run(0, "container") && is_run(1, "run") {
            2
        } else {
            continue;
        };
        let flags = Flags::read(args, first);
        if let Some(at) = flags.tty {
            let shown = args.get(at).map(|arg| excerpt(arg, 40)).unwrap_or_default();
            let message = format!("`{program} run {shown}` asks for a terminal, and a server's stdin is a pipe.");
            out.report(entry.site(file, &["args", &(at + wrapped).to_string()]), message)
                .why("The engine stops with an error, or a terminal echoes what the client sends and ends its lines with CR LF: no client gets a session.")
                .fix("Run it with `-i` and without `-t`.")
                .discriminator("tty");
        }
        if !flags.interactive {
            let message = format!("`{program} run` lacks `-i`, so the server's stdin is closed from the start.");
            out.report(entry.site(file, &["args"]), message).discriminator("stdin");
        }
    }
}

/// What the options in front of the image say.
struct Flags {
    interactive: bool,
    tty: Option<usize>,
}

impl Flags {
    fn read(args: &[String], first: usize) -> Self {
        let mut flags = Self { interactive: false, tty: None };
        let mut at = first;
        while let Some(arg) = args.get(at).filter(|arg| arg.starts_with('-') && *arg != "--") {
            let takes_next = match arg.strip_prefix("--") {
                Some(long) => flags.long(long, at),
                None => flags.short(arg.trim_start_matches('-'), at),
            };
            at += if takes_next { 2 } else { 1 };
        }
        flags
    }

    /// `--name` or `--name=value`; says whether the value is the next argument.
    fn long(&mut self, option: &str, at: usize) -> bool {
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let is_on = value != Some("false");
        match name {
            "interactive" => self.interactive = is_on,
            "tty" => self.tty = is_on.then_some(at),
            _ => {}
        }
        value.is_none() && !SWITCHES.contains(&name)
    }

    /// `-it`, `-e NAME`, `-eNAME`; says whether the value is the next argument.
    fn short(&mut self, letters: &str, at: usize) -> bool {
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            match letter {
                'i' => self.interactive = true,
                't' => self.tty = Some(at),
                'd' | 'P' | 'q' => {}
                '=' => return false,
                _ => return rest.as_str().is_empty(),
            }
        }
        false
    }
}
