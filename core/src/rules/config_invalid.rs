//! A configuration file that its reader cannot use.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-invalid",
    summary: "a configuration file or entry cannot be read",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_invalid.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    let is_comment = matches!(&file.document, Err(error) if error.what.starts_with("a comment"));
    for fault in &file.faults {
        let entity = if fault.server.is_empty() { &file.path } else { &fault.server };
        let site = Site {
            pointer: fault.pointer.clone(),
            path: fault.pointer.trim_start_matches('/').replace('/', "."),
            span: fault.span,
            ..Site::of(Kind::Config, entity.clone())
        };
        let message = visible(&fault.message);
        if fault.server.is_empty() && is_comment {
            out.report(site, message)
                .why("Clients that read this file as plain JSON skip it as a whole at the first comment, with every server in it; GitHub Copilot CLI is one.")
                .fix("Take the comment out.");
        } else {
            out.report(site, message);
        }
    }
}
