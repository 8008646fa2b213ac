//! Commands that Windows cannot start without a shell.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-windows-command",
    summary: "a command that Windows cannot start without a shell",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_windows_command.md"),
    check: Check::Config(check),
};

/// Programs that are `.cmd` files on Windows.
const SCRIPTS: &[&str] = &["npx", "npm", "pnpm", "pnpx", "yarn"];

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    let mut servers: Vec<&str> = Vec::new();
    let mut programs: Vec<&str> = Vec::new();
    for entry in &file.entries {
        let Some(program) = entry.command().map(|command| command.program.as_str()) else { continue };
        if needs_shell(program) {
            servers.push(&entry.name);
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
    }
    if servers.is_empty() {
        return;
    }
    let (what, whose) = (list(&programs, 3), list(&servers, 5));
    let message = if servers.len() == 1 {
        format!("Windows cannot start {what} without a shell: the server {whose} starts on other systems alone.")
    } else {
        format!("Windows cannot start {what} without a shell: the servers {whose} start on other systems alone.")
    };
    out.report(file.site(), message).never_fails();
}

fn needs_shell(program: &str) -> bool {
    let lower = program.to_ascii_lowercase();
    SCRIPTS.contains(&lower.as_str()) || lower.ends_with(".cmd") || lower.ends_with(".bat")
}
