//! A server's key that clients have to change before they can use it.

use std::collections::BTreeSet;

use super::prelude::*;
use crate::clients::FactKind;

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
    let mut losses = Vec::new();
    let (mut is_replaced, mut is_cut) = (false, false);
    let mut splits: BTreeSet<&str> = BTreeSet::new();
    for (client, fact) in out.clients().facts(FactKind::ServerKey) {
        let replaces = !fact.allows(name);
        let splits_at = fact.text("splits").filter(|splits| name.contains(splits));
        let cuts = fact.number("most").is_some_and(|most| name.chars().count() > most);
        is_replaced |= replaces;
        is_cut |= cuts;
        splits.extend(splits_at);
        if replaces || cuts || splits_at.is_some() {
            losses.push(client.loss(fact));
        }
    }
    let mut reasons: Vec<String> = Vec::new();
    if is_replaced {
        reasons.push("has characters that some clients replace".to_owned());
    }
    if !splits.is_empty() {
        let splits: Vec<&str> = splits.into_iter().collect();
        reasons.push(format!("has {}, where some clients split the names of its tools", list(&splits, 6)));
    }
    if is_cut {
        reasons.push("is longer than what some clients keep of it".to_owned());
    }
    if !reasons.is_empty() {
        let message = format!("The server's name \"{}\" {}.", excerpt(name, 60), reasons.join(", and "));
        out.report(Site::server(), message).clients(losses);
    }
}
