//! Two servers of one configuration list a tool of one name.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "name-shared-across-servers",
    summary: "two configured servers list a tool of one name",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("name_shared_across_servers.md"),
    check: Check::Run(check),
};

/// Names that a message lists.
const MOST_NAMES: usize = 5;

fn check(run: &Run<'_>, out: &mut Out<'_>) {
    let mut servers_of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, server) in run.servers.iter().enumerate() {
        for tool in &server.tools {
            let servers = servers_of.entry(tool).or_default();
            if servers.last() != Some(&place) {
                servers.push(place);
            }
        }
    }
    // One finding for each set of servers, however many names they share.
    let mut shared: BTreeMap<Vec<usize>, Vec<&str>> = BTreeMap::new();
    for (tool, servers) in servers_of.into_iter().filter(|(_, servers)| servers.len() > 1) {
        shared.entry(servers).or_default().push(tool);
    }
    for (servers, tools) in shared {
        let mut sharing = servers.iter().filter_map(|place| run.servers.get(*place));
        let Some(first) = sharing.next() else { continue };
        let others: Vec<&str> = sharing.map(|server| server.name.as_str()).collect();
        let what = if tools.len() == 1 { "a tool of the same name" } else { "tools of the same names" };
        let message =
            format!("{} and {} list {what}: {}.", list(&[&first.name], 1), list(&others, 3), list(&tools, MOST_NAMES));
        out.report(Site::server(), message).server(first).discriminator(others.join(" "));
    }
}
