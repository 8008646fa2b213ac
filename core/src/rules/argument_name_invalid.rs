//! An argument whose name some model API refuses.

use super::prelude::*;
use crate::clients::{Client, ClientLoss, Fact, FactKind};
use crate::walk::{Visit, walk};

pub static RULE: Rule = Rule {
    id: "argument-name-invalid",
    summary: "the name of an argument has characters, or a length, that some client refuses",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("argument_name_invalid.md"),
    check: Check::Server(check),
};

type Facts = Vec<(&'static Client, &'static Fact)>;

/// Arguments that no client refuses and some client asks to be named otherwise.
#[derive(Default)]
struct Rest {
    paths: Vec<String>,
    losses: BTreeMap<String, ClientLoss>,
}

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let facts: Facts = out.clients().facts(FactKind::ArgumentName).collect();
    if facts.is_empty() {
        return;
    }
    let mut rest = Rest::default();
    for tool in &server.tools {
        walk(tool, Root::Input, &mut |visit| {
            if let Visit::Argument(argument) = visit {
                look(&argument, &facts, &mut rest, out);
            }
        });
    }
    if rest.paths.is_empty() {
        return;
    }
    let has = if rest.paths.len() == 1 { "has a name" } else { "have names" };
    let message = format!(
        "{} {has} that some clients ask to be different: {}.",
        count(rest.paths.len(), "argument"),
        list(&rest.paths, 6)
    );
    let draft = out.report(Site::server(), message).clients(rest.losses.into_values()).level(Level::Note);
    let why = "A client that documents a narrower form for the names of arguments may refuse or change the others.";
    drop(draft.why(why).discriminator("rest"));
}

fn look(argument: &Argument<'_, '_>, facts: &Facts, rest: &mut Rest, out: &mut Out<'_>) {
    let name = argument.name;
    let refuses = |fact: &Fact| {
        let applies = argument.top_level || fact.is("deep");
        applies
            && !(fact.allows(name)
                && !name.is_empty()
                && name.chars().count() <= fact.number("most").unwrap_or(usize::MAX))
    };
    let refusing: Facts = facts.iter().copied().filter(|(_, fact)| refuses(fact)).collect();
    let losses: Vec<ClientLoss> = refusing.iter().map(|(client, fact)| client.loss(fact)).collect();
    let Some((_, strictest)) = refusing.iter().find(|(_, fact)| fact.effect.is_loss()) else {
        if !losses.is_empty() {
            rest.paths.push(format!("{}.{}", argument.node.tool.label, argument.node.path()));
            rest.losses.extend(losses.into_iter().map(|loss| (loss.id.to_string(), loss)));
        }
        return;
    };
    let mut wrong: Vec<String> = Vec::new();
    for character in name.chars() {
        let character = character.to_string();
        if wrong.len() < 8 && !strictest.allows(&character) && !wrong.contains(&character) {
            wrong.push(character);
        }
    }
    let shown = excerpt(name, 80);
    let message = if wrong.is_empty() {
        let most = strictest.number("most").unwrap_or_default();
        let length = count(name.chars().count(), "character");
        format!(
            "The name of the argument \"{shown}\" is {length} long: valid MCP, but refused beyond {most} by some clients."
        )
    } else {
        format!("The name of the argument \"{shown}\" has {}: valid MCP, but refused by some clients.", list(&wrong, 8))
    };
    out.report(argument.node.site(), message).clients(losses);
}
