//! Names that differ only in case or separators.

use super::prelude::*;
use crate::collisions::collisions;

pub static RULE: Rule = Rule {
    id: "names-alike",
    summary: "names differ only in case or separators",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("names_alike.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut clusters: BTreeMap<String, BTreeMap<&str, &Tool<'_>>> = BTreeMap::new();
    for tool in &server.tools {
        if let Some(name) = tool.name.filter(|name| !name.is_empty()) {
            clusters.entry(fold(name)).or_default().entry(name).or_insert(tool);
        }
    }
    // Where a client makes them all equal, one of the tools is lost: names-collide says that.
    let collisions = collisions(server, out.clients());
    for cluster in clusters.values().filter(|cluster| cluster.len() > 1) {
        if collisions.contains_key(&cluster.keys().copied().collect()) {
            continue;
        }
        let names: Vec<&str> = cluster.keys().copied().collect();
        // The first by name, so that the order of the listing does not move the finding.
        let Some(tool) = cluster.values().next() else { continue };
        let message = format!("The names {} differ only in case or separators.", list(&names, 6));
        out.report(tool.site_at(&["name"]), message);
    }
}
