//! Descriptions that give orders to the model.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "description-instructs",
    summary: "a text orders the model about secrets, other instructions, or concealment",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("description_instructs.md"),
    check: Check::Server(check),
};

/// Phrases in lower case, single spaces between words, and what they do. Few and plain: a phrase that honest
/// descriptions use does not belong here.
const PHRASES: &[(&str, &str)] = &[
    ("ignore previous instructions", "takes other instructions away"),
    ("ignore prior instructions", "takes other instructions away"),
    ("ignore other instructions", "takes other instructions away"),
    ("disregard previous instructions", "takes other instructions away"),
    ("disregard prior instructions", "takes other instructions away"),
    ("forget previous instructions", "takes other instructions away"),
    ("never tell the user", "hides something from the user"),
    ("do not reveal this to the user", "hides something from the user"),
    ("do not tell the user", "hides something from the user"),
    ("don't tell the user", "hides something from the user"),
    ("do not inform the user", "hides something from the user"),
    ("do not mention this to the user", "hides something from the user"),
    ("don't mention this to the user", "hides something from the user"),
    ("without telling the user", "hides something from the user"),
    ("without informing the user", "hides something from the user"),
    ("hide this from the user", "hides something from the user"),
    ("keep this from the user", "hides something from the user"),
    ("read ~/.ssh/", "sends the model to a file of keys"),
    ("read ~/.aws/credentials", "sends the model to a file of keys"),
    ("read ~/.cursor/mcp.json", "sends the model to a file of keys"),
    ("<important>", "poses as a message of the system"),
    ("<system>", "poses as a message of the system"),
];

/// Words that may stand between those of a phrase.
const FILLING: &[&str] = &["all", "any", "the", "your", "my", "file", "files"];

/// Whether a text, its filling words left out, holds a phrase.
fn without_filling(phrase: &str, plain: &str) -> bool {
    let words: Vec<&str> = phrase.split(' ').filter(|word| !FILLING.contains(word)).collect();
    plain.contains(&words.join(" "))
}

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    if let Some(text) = server.about().and_then(|result| result.get("instructions")?.as_str()) {
        look(text, || answer_site("initialize", &["instructions"]), out);
    }
    for tool in &server.tools {
        if let Some(text) = tool.description() {
            look(text, || tool.site_at(&["description"]), out);
        }
        for (name, argument) in
            tool.input_schema().and_then(|schema| schema.get("properties")).into_iter().flat_map(Value::members)
        {
            if let Some(text) = argument.get("description").and_then(Value::as_str) {
                look(text, || tool.site_at(&["inputSchema", "properties", name, "description"]), out);
            }
        }
    }
}

fn look(text: &str, site: impl FnOnce() -> Site, out: &mut Out<'_>) {
    let words = text.split_whitespace().map(|word| word.to_lowercase().replace('\u{2019}', "'"));
    let plain: Vec<String> = words.filter(|word| !FILLING.contains(&word.as_str())).collect();
    let plain = plain.join(" ");
    if let Some((phrase, what)) = PHRASES.iter().find(|(phrase, _)| without_filling(phrase, &plain)) {
        out.report(site(), format!("The text {what}: \"{phrase}\"."));
    }
}
