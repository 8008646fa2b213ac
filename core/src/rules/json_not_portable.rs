//! Messages that parsers read differently.

use super::prelude::*;
use crate::document::PORTABLE_DEPTH;
use crate::snapshot::Outcome;

pub static RULE: Rule = Rule {
    id: "json-not-portable",
    summary: "strict and lenient parsers read a message differently",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("json_not_portable.md"),
    check: Check::Wire(check),
};

fn check(wire: &Transcript<'_>, out: &mut Out<'_>) {
    let answers: HashMap<usize, &str> = wire.launch.exchanges.iter().filter_map(answered).collect();
    let mut seen: HashSet<(String, &'static str)> = HashSet::new();
    for message in &wire.messages {
        let entity = match answers.get(&message.at) {
            Some(method) => (*method).to_owned(),
            None => match message.json().map(role) {
                Some(Role::Request(method) | Role::Notification(method)) => excerpt(method, 80),
                _ => "stdout".to_owned(),
            },
        };
        let site = Site::of(Kind::Wire, entity.clone());
        match (&message.shape, &message.body) {
            (Shape::TooDeep, _) if seen.insert((entity.clone(), "too-deep")) => {
                let text = format!("Line {} of stdout nests deeper than 512 levels.", message.number);
                out.report(site, text).level(Level::Error).discriminator("depth");
            }
            (Shape::Message, Body::Json(document)) => {
                for oddity in document.oddities() {
                    let (kind, text) = words(oddity, message.number);
                    if seen.insert((entity.clone(), kind)) {
                        out.report(site.clone(), text).discriminator(kind);
                    }
                }
            }
            _ => {}
        }
    }
}

fn answered(exchange: &crate::snapshot::Exchange) -> Option<(usize, &str)> {
    match exchange.outcome {
        Outcome::Answered(at) => Some((at, exchange.method.as_str())),
        _ => None,
    }
}

fn words(oddity: &Oddity, line: usize) -> (&'static str, String) {
    match oddity {
        Oddity::RepeatedKey { key, .. } => {
            let key = excerpt(key, 60);
            (
                "repeated-key",
                format!(
                    "An object on line {line} of stdout has the key \"{key}\" twice; which value counts depends on the parser."
                ),
            )
        }
        Oddity::LoneSurrogate(_) => (
            "lone-surrogate",
            format!(
                "A string on line {line} of stdout has half of a surrogate pair (`\\ud83d` without its second half), which strict parsers refuse."
            ),
        ),
        Oddity::NumberOutOfRange(_) => (
            "number",
            format!("A number on line {line} of stdout is too large: some parsers refuse it, others round it."),
        ),
        Oddity::DeepNesting(depth) => (
            "depth",
            format!("Line {line} of stdout nests {depth} levels deep; several parsers stop at {PORTABLE_DEPTH}."),
        ),
    }
}
