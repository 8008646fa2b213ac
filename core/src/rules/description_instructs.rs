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
    ("ignore all previous instructions", "takes other instructions away"),
    ("ignore all other instructions", "takes other instructions away"),
    ("ignore any previous instructions", "takes other instructions away"),
    ("ignore prior instructions", "takes other instructions away"),
    ("disregard previous instructions", "takes other instructions away"),
    ("disregard all previous", "takes other instructions away"),
    ("disregard prior instructions", "takes other instructions away"),
    ("do not tell the user", "hides something from the user"),
    ("don't tell the user", "hides something from the user"),
    ("do not inform the user", "hides something from the user"),
    ("do not mention this to the user", "hides something from the user"),
    ("don't mention this to the user", "hides something from the user"),
    ("without telling the user", "hides something from the user"),
    ("without informing the user", "hides something from the user"),
    ("without notifying the user", "hides something from the user"),
    ("hide this from the user", "hides something from the user"),
    ("keep this from the user", "hides something from the user"),
    ("~/.ssh/", "names a file of keys"),
    ("id_rsa", "names a file of keys"),
    ("~/.aws/credentials", "names a file of keys"),
    ("~/.cursor/mcp.json", "names a file of keys"),
    ("<important>", "poses as a message of the system"),
    ("<system>", "poses as a message of the system"),
    ("[system]", "poses as a message of the system"),
];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    if let Some(text) = server.initialize().and_then(|result| result.get("instructions")?.as_str()) {
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
    let plain = text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ").replace('\u{2019}', "'");
    if let Some((phrase, what)) = PHRASES.iter().find(|(phrase, _)| plain.contains(phrase)) {
        out.report(site(), format!("The text {what}: \"{phrase}\"."));
    }
}
