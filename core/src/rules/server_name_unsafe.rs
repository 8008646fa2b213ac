//! A server's key that clients have to change before they can use it.

use super::prelude::*;
use crate::clients::{Fact, FactKind};

pub static RULE: Rule = Rule {
    id: "server-name-unsafe",
    summary: "a server's name in the configuration has to be cleaned or cut by some client",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("server_name_unsafe.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(entry) = server.entry else { return };
    let name = entry.name.as_str();
    let mut reasons: Vec<String> = Vec::new();
    let mut losses = Vec::new();
    for (client, fact) in out.clients().facts(FactKind::ServerKey) {
        let found = faults(fact, name);
        if !found.is_empty() {
            losses.push(client.loss(fact));
        }
        reasons.extend(found);
    }
    reasons.sort();
    reasons.dedup();
    if reasons.is_empty() {
        return;
    }
    let message = format!("The server's name \"{}\" {}.", excerpt(name, 60), reasons.join(", and "));
    out.report(Site::server(), message).clients(losses);
}

/// What one client takes exception to, as ends of a sentence.
fn faults(fact: &Fact, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !fact.allows(name) {
        found.push("has characters that some clients replace".to_owned());
    }
    if let Some(splits) = fact.text("splits").filter(|splits| name.contains(splits)) {
        found.push(format!("has `{splits}`, where some clients split the names of its tools"));
    }
    if let Some(most) = fact.number("most").filter(|most| name.chars().count() > *most) {
        found.push(format!("is longer than the {most} characters that some clients keep"));
    }
    found
}
