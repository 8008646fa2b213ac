//! A name that is too long for a client once the server's name stands in front.

use super::prelude::*;
use crate::clients::{ClientLoss, FactKind};

pub static RULE: Rule = Rule {
    id: "name-too-long-prefixed",
    summary: "a name is too long for some client that puts the server's name in front",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("name_too_long_prefixed.md"),
    check: Check::Server(check),
};

/// What one client makes of a name.
struct Excess {
    loss: ClientLoss,
    length: usize,
    most: usize,
}

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    // Without an entry nobody knows what clients will call the server.
    let Some(entry) = server.entry else { return };
    let prefixes: Vec<_> = out.clients().facts(FactKind::NamePrefix).collect();
    let mut seen = HashSet::new();
    for tool in &server.tools {
        let Some(name) = tool.name.filter(|name| !name.is_empty() && seen.insert(*name)) else { continue };
        let excesses = prefixes.iter().filter_map(|(client, fact)| {
            let most = fact.number("most")?;
            let length = fact.prefixed(&entry.name, name)?.chars().count();
            (length > most).then(|| Excess { loss: client.loss(fact), length, most })
        });
        let excesses: Vec<Excess> = excesses.collect();
        let Some(worst) = excesses.iter().rev().max_by_key(|excess| excess.length - excess.most) else { continue };
        let over = worst.length - worst.most;
        let message = format!(
            "\"{}\" is valid MCP, but {} puts \"{}\" in front, which makes {} where {} are the most.",
            excerpt(name, 140),
            worst.loss.name,
            excerpt(&entry.name, 60),
            count(worst.length, "character"),
            worst.most,
        );
        let fix =
            format!("Make the tool's name shorter by {} or more, or the server's name.", count(over, "character"));
        out.report(tool.site_at(&["name"]), message).fix(fix).clients(excesses.into_iter().map(|excess| excess.loss));
    }
}
