//! Keywords that do not reach every model.

use std::collections::BTreeSet;

use super::prelude::*;
use crate::clients::{ClientLoss, FactKind, worst};
use crate::walk::{Visit, walk};

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

/// The portable form of bounds: what a fix asks for is no finding, even where a client drops it.
const PORTABLE: &[&str] = &["minimum", "maximum"];

/// A keyword, and the boolean that it has where only that one counts.
type Word<'a> = (&'a str, Option<bool>);

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut known: HashMap<Word<'_>, Vec<ClientLoss>> = HashMap::new();
    for (client, fact) in out.clients().facts(FactKind::Keyword) {
        let whatever = fact.texts().map(|keyword| (keyword, None));
        let only = fact.text("keyword").map(|keyword| (keyword, Some(fact.is("is"))));
        for word in whatever.chain(only) {
            known.entry(word).or_default().push(client.loss(fact));
        }
    }
    let mut tools: BTreeMap<Word<'_>, usize> = BTreeMap::new();
    for tool in &server.tools {
        let mut used: BTreeSet<Word<'_>> = BTreeSet::new();
        walk(tool, Root::Input, &mut |visit| {
            let Visit::Schema(node) = visit else { return };
            if !node.declares {
                return;
            }
            for (keyword, value) in node.value.members() {
                let words = [Some((keyword, None)), value.as_bool().map(|flag| (keyword, Some(flag)))];
                let is_left_out = PORTABLE.contains(&keyword) || (node.is_root() && AT_ROOT.contains(&keyword));
                used.extend(words.into_iter().flatten().filter(|word| !is_left_out && known.contains_key(word)));
            }
        });
        for word in used {
            *tools.entry(word).or_default() += 1;
        }
    }
    if tools.is_empty() {
        return;
    }
    let mut ranked: Vec<(Word<'_>, usize)> = tools.into_iter().collect();
    ranked.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut said: Vec<String> = ranked
        .iter()
        .take(NAMED)
        .map(|(word, uses)| {
            let (keyword, flag) = word;
            let clients = known.get(word).map_or(0, Vec::len);
            let flag = flag.map_or_else(String::new, |flag| format!(": {flag}"));
            format!("`{keyword}{flag}` in {} ({})", count(*uses, "tool"), count(clients, "client"))
        })
        .collect();
    if ranked.len() > NAMED {
        said.push(format!("and {} more", ranked.len() - NAMED));
    }
    let message =
        format!("Some clients drop or refuse keywords of valid input schemas that are used here: {}.", said.join(", "));
    let losses = worst(ranked.iter().flat_map(|(word, _)| known.get(word).cloned().unwrap_or_default()));
    out.report(Site::server(), message).clients(losses);
}
