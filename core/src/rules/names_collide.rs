//! Distinct names that a client makes equal.

use super::prelude::*;
use crate::collisions::collisions;

pub static RULE: Rule = Rule {
    id: "names-collide",
    summary: "some client makes different names equal",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("names_collide.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for (names, collision) in collisions(server, out.clients()) {
        let Some(tool) = server.tools.iter().find(|tool| names.first() == tool.name.as_ref()) else { continue };
        let names: Vec<&str> = names.into_iter().collect();
        let message = format!(
            "The names {} are different in MCP, but {} makes each of them \"{}\".",
            list(&names, 6),
            collision.losses.first().map_or("a client", |loss| &loss.name),
            excerpt(&collision.becomes, 140),
        );
        out.report(tool.site_at(&["name"]), message).clients(collision.losses);
    }
}
