//! Packages without a version.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-unpinned",
    summary: "a package runner is given a package without a version",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_unpinned.md"),
    check: Check::Config(check),
};

/// A registry's way of writing versions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Registry {
    Npm,
    Python,
}

/// How a runner is called.
struct Runner {
    program: &'static str,
    /// Words in front of its options; empty if it runs packages only.
    subcommand: &'static [&'static str],
    registry: Registry,
    /// Options whose value is the package.
    package: &'static [&'static str],
    /// Options whose value is something else.
    valued: &'static [&'static str],
}

const NPM_PACKAGE: &[&str] = &["-p", "--package"];
const NPM_VALUED: &[&str] = &["-c", "--call", "-w", "--workspace", "--registry", "--cache", "--prefix", "--userconfig"];
const UV_VALUED: &[&str] = &[
    "--with",
    "--with-editable",
    "--with-requirements",
    "-p",
    "--python",
    "--index",
    "--index-url",
    "--extra-index-url",
    "--default-index",
    "-f",
    "--find-links",
    "--cache-dir",
    "--env-file",
    "--directory",
    "--project",
    "-c",
    "--constraints",
    "--overrides",
];

const RUNNERS: &[Runner] = &[
    Runner { program: "npx", subcommand: &[], registry: Registry::Npm, package: NPM_PACKAGE, valued: NPM_VALUED },
    Runner { program: "pnpx", subcommand: &[], registry: Registry::Npm, package: &["--package"], valued: NPM_VALUED },
    Runner { program: "bunx", subcommand: &[], registry: Registry::Npm, package: NPM_PACKAGE, valued: NPM_VALUED },
    Runner { program: "npm", subcommand: &["exec"], registry: Registry::Npm, package: NPM_PACKAGE, valued: NPM_VALUED },
    Runner { program: "npm", subcommand: &["x"], registry: Registry::Npm, package: NPM_PACKAGE, valued: NPM_VALUED },
    Runner {
        program: "pnpm",
        subcommand: &["dlx"],
        registry: Registry::Npm,
        package: &["--package"],
        valued: NPM_VALUED,
    },
    Runner { program: "yarn", subcommand: &["dlx"], registry: Registry::Npm, package: NPM_PACKAGE, valued: NPM_VALUED },
    Runner { program: "bun", subcommand: &["x"], registry: Registry::Npm, package: NPM_PACKAGE, valued: NPM_VALUED },
    Runner { program: "uvx", subcommand: &[], registry: Registry::Python, package: &["--from"], valued: UV_VALUED },
    Runner {
        program: "uv",
        subcommand: &["tool", "run"],
        registry: Registry::Python,
        package: &["--from"],
        valued: UV_VALUED,
    },
    Runner {
        program: "pipx",
        subcommand: &["run"],
        registry: Registry::Python,
        package: &["--spec"],
        valued: &["--python", "--pip-args", "--index-url"],
    },
];

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    for entry in &file.entries {
        let Some((program, args, wrapped)) = entry.command().map(|command| command.effective()) else { continue };
        let program = program.strip_suffix(".cmd").unwrap_or(program);
        let called = |runner: &&Runner| {
            runner.program == program
                && args.iter().zip(runner.subcommand).filter(|(arg, word)| arg == word).count()
                    == runner.subcommand.len()
        };
        let Some(runner) = RUNNERS.iter().find(called) else { continue };
        let Some((at, package)) = package(args, runner) else { continue };
        if is_local(package) || is_pinned(package, runner.registry) {
            continue;
        }
        let shown = excerpt(package, 80);
        let example = match runner.registry {
            Registry::Npm => "`NAME@1.2.3`",
            Registry::Python => "`NAME==1.2.3`",
        };
        let message = format!("`{program}` runs `{shown}` in whatever version is the newest on the day.");
        let fix = format!("Name a version, {example}, or install the package and start it from there.");
        out.report(entry.site(file, &["args", &(at + wrapped).to_string()]), message).fix(fix);
    }
}

/// The package that a runner is to run, with its place among the arguments.
fn package<'a>(args: &'a [String], runner: &Runner) -> Option<(usize, &'a str)> {
    let mut at = runner.subcommand.len();
    while let Some(arg) = args.get(at) {
        if arg == "--no-install" || arg == "--no" || arg == "--offline" {
            return None;
        }
        if arg == "--" {
            at += 1;
        } else if runner.package.contains(&arg.as_str()) {
            return args.get(at + 1).map(|package| (at + 1, package.as_str()));
        } else if let Some((_, package)) =
            arg.split_once('=').filter(|(name, _)| name.starts_with('-') && runner.package.contains(name))
        {
            return Some((at, package));
        } else if arg.starts_with('-') {
            at += if runner.valued.contains(&arg.as_str()) { 2 } else { 1 };
        } else {
            return Some((at, arg));
        }
    }
    None
}

fn is_local(package: &str) -> bool {
    let is_path = package.starts_with(['.', '/', '~', '\\']) || package.contains('\\') || package.starts_with("file:");
    is_path || package.contains('$') || package.contains('{') || package.get(1..3) == Some(":/")
}

fn is_pinned(package: &str, registry: Registry) -> bool {
    let is_tagged = |version: &str| {
        let version = version.trim_start_matches(['^', '~', '=', '<', '>', ' ', 'v']);
        version.starts_with(|first: char| first.is_ascii_digit())
    };
    if package.contains("://") || package.starts_with("git") || package.starts_with("github:") {
        let path = package.rsplit("://").next().unwrap_or(package);
        let revision = path.rsplit('/').next().is_some_and(|last| last.contains('@') || last.contains('#'));
        let is_file = [".tgz", ".tar.gz", ".whl", ".zip"].iter().any(|end| path.ends_with(end));
        return revision || path.contains('#') || is_file;
    }
    let at = |text: &str| text.rsplit_once('@').is_some_and(|(_, version)| is_tagged(version));
    match registry {
        Registry::Npm => at(package.strip_prefix('@').unwrap_or(package)),
        Registry::Python => package.contains(['=', '<', '>']) || at(package),
    }
}
