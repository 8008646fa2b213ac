//! A list without `ttlMs` and `cacheScope`, or with values that no client takes.

use super::prelude::*;
use crate::transcript::is_listing;

pub static RULE: Rule = Rule {
    id: "cache-hints-missing",
    summary: "a list of 2026-07-28 does not say how long it holds",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("cache_hints_missing.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(modern) = server.modern() else { return };
    let mut scopes: HashMap<&str, &str> = HashMap::new();
    let mut told: HashSet<&str> = HashSet::new();
    for (exchange, result) in modern.answered().filter(|(exchange, _)| is_listing(&exchange.purpose)) {
        let method = exchange.method.as_str();
        let scope = result.get("cacheScope").and_then(Value::as_str).unwrap_or_default();
        let first = *scopes.entry(method).or_insert(scope);
        let fault = fault(result).or_else(|| {
            let message = format!("`cacheScope` of `{method}` changes from page to page: {first}, then {scope}.");
            (first != scope).then_some(("cacheScope", message))
        });
        if let Some((key, message)) = fault
            && told.insert(method)
        {
            let draft = out.report(answer_site(method, &[key]), message.replace("METHOD", method));
            if method == "server/discover" {
                // The official clients do without it there.
                draft.level(Level::Warning);
            } else {
                draft.fault("cache-hints-missing");
            }
        }
    }
}

/// The first hint that is wrong, and how.
fn fault(result: Value<'_>) -> Option<(&'static str, String)> {
    let hints = ["ttlMs", "cacheScope"];
    let missing: Vec<&'static str> = hints.into_iter().filter(|key| result.get(key).is_none()).collect();
    if let Some(first) = missing.first() {
        let are = if missing.len() == 1 { "is" } else { "are" };
        return Some((first, format!("{} {are} missing in the result of `METHOD`.", list(&missing, 2))));
    }
    let (time, scope) = (result.get("ttlMs")?, result.get("cacheScope")?);
    let is_time = time.as_f64().is_some_and(|time| time >= 0.0 && time.fract() == 0.0);
    if !is_time {
        let message =
            format!("`ttlMs` in the result of `METHOD` is {}; it must be a whole number from 0 on.", shown(time));
        return Some(("ttlMs", message));
    }
    let is_scope = matches!(scope.as_str(), Some("public" | "private"));
    (!is_scope).then(|| {
        let message = format!(
            "`cacheScope` in the result of `METHOD` is {}; it must be \"public\" or \"private\".",
            shown(scope)
        );
        ("cacheScope", message)
    })
}
