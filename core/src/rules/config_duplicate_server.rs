//! One server name twice.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "config-duplicate-server",
    summary: "a server name is given twice in one file",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("config_duplicate_server.md"),
    check: Check::Config(check),
};

fn check(file: &ConfigFile, out: &mut Out<'_>) {
    let Ok(document) = &file.document else { return };
    let Some((key, servers)) = file.servers() else { return };
    let blocks = document.root().members().filter(|(name, _)| *name == key).count();
    if blocks > 1 {
        let message = format!("`{key}` stands {blocks} times in this file; only the servers of the last one count.");
        out.report(file.site_at(&[key]), message);
    }
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in servers.members() {
        *times.entry(name).or_default() += 1;
    }
    for entry in &file.entries {
        let Some(count) = times.remove(entry.name.as_str()).filter(|count| *count > 1) else { continue };
        let message =
            format!("The server `{}` is given {count} times; only the last one counts.", visible(&entry.name));
        out.report(entry.site(file, &[]), message);
    }
}
