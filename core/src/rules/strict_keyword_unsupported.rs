//! Keywords outside a strict mode's part of JSON Schema.

use super::prelude::*;
use crate::clients::{FactKind, worst};

pub static RULE: Rule = Rule {
    id: "strict-keyword-unsupported",
    summary: "a keyword is outside the part of JSON Schema that a strict mode takes",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("strict_keyword_unsupported.md"),
    check: Check::Schema(check),
};

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    if node.root == Root::Output || !node.value.is_object() {
        return;
    }
    let asked = node.tool.strict_client();
    let mut keywords: Vec<&str> = Vec::new();
    let mut losses = Vec::new();
    for (client, fact) in out.clients().strict_facts(FactKind::StrictKeyword, asked) {
        let words = fact.texts().chain(fact.text("keyword"));
        for word in words.filter(|word| node.get(word).is_some_and(|value| is_over(value, fact.number("most")))) {
            if !keywords.contains(&word) {
                keywords.push(word);
            }
            losses.push(client.loss(fact));
        }
    }
    let (Some(first), false) = (keywords.first().copied(), losses.is_empty()) else {
        return elsewhere(node, asked, out);
    };
    let path = node.path();
    let place = if path.is_empty() { "the input schema".to_owned() } else { format!("\"{}\"", visible(&path)) };
    let is = if keywords.len() == 1 { "is" } else { "are" };
    let message = format!("Strict mode does not take {}, which {is} used in {place}.", list(&keywords, 8));
    let draft = out.report(node.site_at(&[first]), message).clients(worst(losses));
    drop(draft.discriminator("keyword"));
    elsewhere(node, asked, out);
}

/// Whether a keyword's number is over what is taken; without a bound every value is.
fn is_over(value: Value<'_>, most: Option<usize>) -> bool {
    most.is_none_or(|most| value.as_f64().is_some_and(|number| number > most as f64))
}

/// Keywords that count by what they say: a reference that leads to no definition, items of any type.
fn elsewhere(node: &SchemaNode<'_, '_>, asked: Option<&str>, out: &mut Out<'_>) {
    if let Some(reference) = node.get("$ref").and_then(Value::as_str)
        && let Resolution::Found { tokens, .. } = node.refs.resolve(reference)
        && tokens.first().is_some_and(|first| first != "$defs" && first != "definitions")
    {
        let losses = out.clients().strict_losses("strict-ref-elsewhere", asked);
        let message = format!(
            "The reference \"{}\" leads to no definition, and strict mode follows references to definitions only.",
            excerpt(reference, 120)
        );
        out.report(node.site_at(&["$ref"]), message)
            .clients(losses)
            .fix("Move what is used twice to `$defs`, or write it out in both places.");
    }
    if node.get("items").is_some_and(|items| items.is_object() && items.is_empty()) {
        let losses = out.clients().strict_losses("strict-items-untyped", asked);
        let message = format!("\"{}\" takes items of any type, but strict mode asks for one.", visible(&node.path()));
        out.report(node.site_at(&["items"]), message).clients(losses).fix("Give `items` a type.");
    }
}
