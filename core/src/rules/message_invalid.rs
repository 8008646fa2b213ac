//! Messages that do not fit the official schema of the revision that is spoken.

use super::prelude::*;
use crate::document::push_token;
use crate::protocol::{MODERN, Sent, mismatches};
use crate::schema::Mismatch;
use crate::snapshot::Exchange;
use crate::text::bounded;

pub static RULE: Rule = Rule {
    id: "message-invalid",
    summary: "a message breaks the schema of its revision",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("message_invalid.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut told: HashSet<(Kind, String, String)> = HashSet::new();
    for transcript in [server.main(), server.probe()].into_iter().flatten() {
        // There is no such thing as a handshake in 2026-07-28.
        let is_spoken = |revision: &&str| transcript.is_modern() || *revision != MODERN;
        let Some(revision) = transcript.revision().filter(is_spoken) else { continue };
        for exchange in &transcript.launch.exchanges {
            let Some(answer) = transcript.answer(exchange) else { continue };
            for (site, found) in of_answer(server, exchange, answer, revision) {
                report(site, &found, revision, &mut told, out);
            }
        }
        for message in transcript.messages.iter().filter_map(Message::json) {
            let (Role::Notification(method) | Role::Request(method)) = role(message) else { continue };
            for found in mismatches(revision, Sent::Call(method), message) {
                report(member(&bounded(method), &found.pointer), &found, revision, &mut told, out);
            }
        }
    }
}

/// What is wrong with an answer, and where: in a tool, a prompt, a resource, or the answer itself.
fn of_answer(server: &Server<'_>, exchange: &Exchange, answer: Value<'_>, revision: &str) -> Vec<(Site, Mismatch)> {
    let method = exchange.method.as_str();
    if error_of(answer).is_some() {
        let place = |found: Mismatch| (member(method, &found.pointer), found);
        return mismatches(revision, Sent::Error, answer).into_iter().map(place).collect();
    }
    let is_repeated = matches!(exchange.purpose, Purpose::ToolsAgain(_) | Purpose::UnknownRevision);
    let Some(result) = answer.get("result").filter(|_| !is_repeated) else { return Vec::new() };
    // Such a result is of another kind, which rules about results look at.
    if result.get("resultType").and_then(Value::as_str).is_some_and(|kind| kind != "complete") {
        return Vec::new();
    }
    let found = mismatches(revision, Sent::Result(method), result);
    let found = found.into_iter().filter(|found| !OWNED.iter().any(|key| is_about(found, key)));
    found.map(|found| (site(server, exchange, result, &found.pointer), found)).collect()
}

/// How many characters of a place are named.
const MOST: usize = 120;

/// Members of every result since 2026-07-28, which have rules of their own.
const OWNED: &[&str] = &["resultType", "ttlMs", "cacheScope"];

/// Whether it is a member of the result itself.
fn is_about(found: &Mismatch, key: &str) -> bool {
    found.pointer.strip_prefix('/') == Some(key) || (found.pointer.is_empty() && found.missing.as_deref() == Some(key))
}

/// The place of a part of a result.
fn site(server: &Server<'_>, exchange: &Exchange, result: Value<'_>, pointer: &str) -> Site {
    if let Purpose::Call(name) = &exchange.purpose {
        return at(Site::of(Kind::Tool, name.clone()), pointer);
    }
    let mut parts = pointer.splitn(4, '/').skip(1);
    let (Some(list), Some(nth)) = (parts.next(), parts.next()) else { return member(&exchange.method, pointer) };
    let item = nth.parse::<usize>().ok().and_then(|nth| result.get(list)?.item(nth));
    let rest = parts.next().map(|rest| format!("/{rest}")).unwrap_or_default();
    let Some(item) = item else { return member(&exchange.method, pointer) };
    let label = |key: &str| {
        let name = item.get(key).and_then(Value::as_str).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("#{}", nth.parse::<usize>().map_or(0, |nth| nth + 1)), |name| bounded(name).into())
    };
    match list {
        "tools" => {
            let tool = server.tools.iter().find(|tool| tool.value.raw() == item.raw());
            at(Site::of(Kind::Tool, tool.map_or_else(|| label("name"), |tool| tool.label.to_string())), &rest)
        }
        "prompts" => at(Site::of(Kind::Prompt, label("name")), &rest),
        "resources" => at(Site::of(Kind::Resource, label("uri")), &rest),
        "resourceTemplates" => at(Site::of(Kind::Resource, label("uriTemplate")), &rest),
        _ => member(&exchange.method, pointer),
    }
}

/// A part of an answer, or of a message of this method.
fn member(method: &str, pointer: &str) -> Site {
    at(answer_site(method, &[]), pointer)
}

fn at(site: Site, pointer: &str) -> Site {
    let path = pointer.split('/').skip(1).fold(String::new(), |path, token| match token.parse::<usize>() {
        Ok(nth) => format!("{path}[{nth}]"),
        Err(_) if path.is_empty() => token.to_owned(),
        Err(_) => format!("{path}.{token}"),
    });
    Site { pointer: pointer.to_owned(), path, ..site }
}

fn report(site: Site, found: &Mismatch, revision: &str, told: &mut HashSet<(Kind, String, String)>, out: &mut Out<'_>) {
    let mut pointer = site.pointer.clone();
    found.missing.iter().for_each(|key| push_token(&mut pointer, key));
    if !told.insert((site.kind, site.entity.clone(), pointer.clone())) {
        return;
    }
    let what = match (site.path.as_str(), site.kind) {
        ("", Kind::Server) => format!("The answer to `{}`", excerpt(&site.entity, MOST)),
        ("", _) => "The definition".to_owned(),
        (path, Kind::Server) => format!("`{}` of `{}`", excerpt(path, MOST), excerpt(&site.entity, MOST)),
        (path, _) => format!("`{}`", excerpt(path, MOST)),
    };
    // A tool has no such members: they are those of a result.
    let is_result = site.kind == Kind::Tool && ["/content", "/isError"].iter().any(|key| site.pointer.starts_with(key));
    let of_call = if is_result { " in the result of a call" } else { "" };
    let message = format!("{what}{of_call} {} (revision {revision}).", found.message);
    out.report(Site { pointer, ..site }, message);
}
