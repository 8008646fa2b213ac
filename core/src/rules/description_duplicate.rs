//! Two tools with the same description.

use super::prelude::*;
use crate::text::is_blank;

pub static RULE: Rule = Rule {
    id: "description-duplicate",
    summary: "two tools have the same description",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_duplicate.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut clusters: HashMap<&str, BTreeMap<&str, &Tool<'_>>> = HashMap::new();
    for tool in &server.tools {
        let Some(description) = tool.description().map(str::trim).filter(|text| !is_blank(text)) else { continue };
        // Two tools of one name are reported for their name.
        let name = tool.name.unwrap_or(&tool.label);
        clusters.entry(description).or_default().entry(name).or_insert(tool);
    }
    let mut clusters: Vec<BTreeMap<&str, &Tool<'_>>> = clusters.into_values().filter(|all| all.len() > 1).collect();
    clusters.sort_by_key(|all| all.keys().next().copied());
    for cluster in clusters {
        let names: Vec<&str> = cluster.keys().copied().collect();
        let Some(tool) = cluster.values().next() else { continue };
        let message = format!("The tools {} have the same description.", list(&names, 6));
        out.report(tool.site_at(&["description"]), message);
    }
}
