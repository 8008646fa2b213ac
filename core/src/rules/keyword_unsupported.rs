//! Keywords that do not reach every model.

use std::collections::BTreeSet;

use super::prelude::*;
use crate::clients::{FactKind, worst};
use crate::finding::ClientLoss;
use crate::walk::each;

pub static RULE: Rule = Rule {
    id: "keyword-unsupported",
    summary: "input schemas use keywords that some clients drop or refuse",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("keyword_unsupported.md"),
    check: Check::Server(check),
};

/// How many keywords are named.
const NAMED: usize = 8;
/// At the root these are another rule's.
const AT_ROOT: &[&str] = &["anyOf", "oneOf", "allOf", "enum", "const", "not"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut known: HashMap<&str, Vec<ClientLoss>> = HashMap::new();
    for (client, fact) in out.clients().facts(FactKind::Keyword) {
        for keyword in fact.texts() {
            known.entry(keyword).or_default().push(client.loss(fact));
        }
    }
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in &server.tools {
        let Some(schema) = tool.input_schema() else { continue };
        let mut used: BTreeSet<&str> = BTreeSet::new();
        each(schema, &mut |node, is_root| {
            let keywords = node.members().map(|(keyword, _)| keyword);
            used.extend(keywords.filter(|word| known.contains_key(word) && !(is_root && AT_ROOT.contains(word))));
        });
        for keyword in used {
            *tools.entry(keyword).or_default() += 1;
        }
    }
    if tools.is_empty() {
        return;
    }
    let mut ranked: Vec<(&str, usize)> = tools.into_iter().collect();
    ranked.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(right.0)));
    let clients = |keyword: &str| known.get(keyword).map_or(0, Vec::len);
    let mut said: Vec<String> = ranked
        .iter()
        .take(NAMED)
        .map(|(keyword, uses)| {
            format!("`{keyword}` in {} ({})", count(*uses, "tool"), count(clients(keyword), "client"))
        })
        .collect();
    if ranked.len() > NAMED {
        said.push(format!("and {} more", ranked.len() - NAMED));
    }
    let message =
        format!("Some clients drop or refuse keywords of valid input schemas that are used here: {}.", said.join(", "));
    let losses = worst(ranked.iter().flat_map(|(keyword, _)| known.get(keyword).cloned().unwrap_or_default()));
    out.report(Site::server(), message).clients(losses);
}
