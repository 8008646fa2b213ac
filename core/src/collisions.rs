//! Names that clients make equal when they clean or cut them.

use std::collections::{BTreeMap, BTreeSet};

use crate::clients::{ClientLoss, Fact, FactKind, Selection};
use crate::text::{fold, is_name};
use crate::view::Server;

/// What becomes of names that collide, in the first client that makes them equal, and all of those.
#[derive(Debug)]
pub(crate) struct Collision {
    /// The name that each of them becomes.
    pub(crate) becomes: String,
    /// The clients that make them equal.
    pub(crate) losses: Vec<ClientLoss>,
}

/// Sets of names that a client that counts makes equal.
pub(crate) type Collisions<'a> = BTreeMap<BTreeSet<&'a str>, Collision>;

/// The names of a server that collide. Names outside what the protocol asks for do not count: they have
/// to change anyway.
#[must_use]
pub(crate) fn collisions<'a>(server: &Server<'a>, clients: &Selection) -> Collisions<'a> {
    let names = server.tools.iter().filter_map(|tool| tool.name).filter(|name| is_name(name));
    let names: BTreeSet<&'a str> = names.collect();
    let mut found = Collisions::new();
    for (client, fact) in clients.facts(FactKind::NameClean) {
        let prefix = client.facts.iter().find(|fact| fact.kind == FactKind::NamePrefix);
        let mut clusters: BTreeMap<String, BTreeSet<&'a str>> = BTreeMap::new();
        for name in &names {
            clusters.entry(cleaned(server, fact, prefix, name)).or_default().insert(name);
        }
        for (becomes, cluster) in clusters.into_iter().filter(|(_, cluster)| cluster.len() > 1) {
            let collision = found.entry(cluster).or_insert(Collision { becomes, losses: Vec::new() });
            collision.losses.push(client.loss(fact));
        }
    }
    found
}

fn cleaned(server: &Server<'_>, fact: &Fact, prefix: Option<&Fact>, name: &str) -> String {
    let with = fact.text("with").unwrap_or_default();
    let mut clean = String::with_capacity(name.len());
    for character in name.chars() {
        if fact.allows(character.encode_utf8(&mut [0; 4])) {
            clean.push(character);
        } else {
            clean.push_str(with);
        }
    }
    // A client that cuts without its prefix would cut elsewhere.
    let key = server.entry.map(|entry| entry.name.as_str());
    if let Some(full) = key.zip(prefix).and_then(|(key, prefix)| prefix.prefixed(key, &clean)) {
        clean = full;
    }
    if let Some(most) = fact.number("most") {
        clean = clean.chars().take(most).collect();
    }
    if fact.is("fold") { fold(&clean) } else { clean }
}
