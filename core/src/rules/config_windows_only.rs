//! Commands that exist on Windows alone.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-windows-only",
    summary: "a command that exists on Windows alone",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_windows_only.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    for entry in &file.entries {
        let Some(command) = entry.command() else { continue };
        if is_windows_only(&command.program) {
            let shown = excerpt(&command.program, 80);
            let message = format!("The command `{shown}` exists on Windows alone.");
            out.report(entry.site(file, &["command"]), message);
        }
    }
}

fn is_windows_only(program: &str) -> bool {
    let lower = program.to_ascii_lowercase();
    let name = lower.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut start = program.chars();
    let has_drive = start.next().is_some_and(|first| first.is_ascii_alphabetic()) && start.next() == Some(':');
    matches!(name, "cmd" | "cmd.exe" | "powershell" | "powershell.exe") || has_drive
}
