//! The command cannot be started.

use super::prelude::*;
use crate::snapshot::{StartFailure, StartFault};

pub static RULE: Rule = Rule {
    id: "server-not-started",
    summary: "the command cannot be started",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("server_not_started.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(failure) = server.start_failure() else { return };
    let (message, fix) = words(failure);
    let fix = if out.in_container() { in_container(failure).unwrap_or(fix) } else { fix };
    out.report(Site::server(), message).fix(fix);
}

fn words(failure: &StartFailure) -> (String, &'static str) {
    let program = excerpt(&failure.program, 120);
    let detail = excerpt(&failure.detail, 200);
    let is_path = failure.program.contains(['/', '\\']);
    match failure.kind {
        StartFault::BrokenLink => (
            format!("`{program}` is a link to `{detail}`, which is not there."),
            "Make the virtual environment, or the link, where the servers run: it was made for programs in another place.",
        ),
        StartFault::NotFound if is_path => (
            format!("There is no file `{program}`."),
            "Build the server before the check, and give its path from the directory that the entry's `cwd` names, or from the root.",
        ),
        StartFault::NotFound => {
            (format!("There is no program `{program}` on the PATH."), not_found_fix(&failure.program))
        }
        StartFault::NotExecutable => (
            format!("`{program}` may not be executed ({detail})."),
            "Set the executable bit (`chmod +x`, or `git update-index --chmod=+x` so that it survives a checkout), or start the file through its interpreter, `node server.js`. If the bit is set, look at the file's architecture and at `noexec` on its file system.",
        ),
        StartFault::NoInterpreter => (
            format!(
                "`{program}` is there, but what it needs to run is not: the interpreter of its first line, or the loader it is linked with."
            ),
            "Look at the file's first line: the program it names must be there, and the line must not end with a carriage return. A binary that was linked with glibc does not start on Alpine; build it for musl, or use an image with glibc.",
        ),
        StartFault::NoDirectory => (
            format!("The working directory of `{program}` does not exist ({detail})."),
            "Correct the entry's `cwd`; a relative path counts from the root that is checked.",
        ),
        StartFault::Unresolved => (
            format!("The entry cannot be completed: {}.", detail.trim_end_matches('.')),
            "Put the variable file where the entry's `envFile` says, or set the variables that it would hold.",
        ),
        StartFault::Other => (
            format!("`{program}` cannot be started: {}.", detail.trim_end_matches('.')),
            "Run the command by hand in the same place, and correct what it says.",
        ),
    }
}

/// What to do in our image, where it is not what one does on a machine of one's own.
fn in_container(failure: &StartFailure) -> Option<&'static str> {
    let is_path = failure.program.contains(['/', '\\']);
    match failure.kind {
        StartFault::NotFound if is_path => Some(
            "Build the server in the action's `setup` or in a step before it, inside the workspace: other folders of the runner are not in the container. `runtime: host` checks on the runner itself.",
        ),
        StartFault::NotFound => Some(
            "The container has node, python3, uv and git, and the runner's tool cache, but not this program. Let the action's `setup` install it, or check on the runner itself, with `runtime: host`.",
        ),
        StartFault::BrokenLink => Some(
            "A virtual environment is tied to the Python it was made with, which is not in the container. Make it in the action's `setup` (`uv sync`), or check on the runner itself, with `runtime: host`.",
        ),
        StartFault::NoInterpreter => Some(
            "The script's first line, or the binary, names a program that is not in the container. Make the virtual environment or the build in the action's `setup`, or check on the runner itself, with `runtime: host`.",
        ),
        _ => None,
    }
}

fn not_found_fix(program: &str) -> &'static str {
    match program {
        "npx" | "npm" | "node" | "pnpm" | "yarn" | "bunx" | "bun" => {
            "Install Node.js before the check (in a workflow, `actions/setup-node`; in a container, an image that has it)."
        }
        "uvx" | "uv" => {
            "Install uv before the check (in a workflow, `astral-sh/setup-uv`; in a container, an image that has it)."
        }
        "python" => "Name `python3`, or the Python of a virtual environment: many systems have no `python`.",
        "python3" | "pipx" => {
            "Install Python before the check (in a workflow, `actions/setup-python`; in a container, an image that has it)."
        }
        "docker" | "podman" => "Run the check where the container engine is: inside a container there usually is none.",
        "cmd" | "cmd.exe" => "`cmd` is there on Windows alone: name the program itself.",
        _ if program.contains(' ') => "Put the program alone into `command`, and each argument into `args`.",
        _ => {
            "Install the program before the check, or give its path. A container has only what its image has, and not the PATH of your shell."
        }
    }
}
