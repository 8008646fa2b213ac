//! A result without `resultType`, or with one that no client knows.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "result-type-missing",
    summary: "a result of 2026-07-28 does not say what type it is",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("result_type_missing.md"),
    check: Check::Server(check),
};

/// Requests whose result may ask the client for more first.
const MAY_ASK: &[&str] = &["tools/call", "prompts/get", "resources/read"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(modern) = server.modern() else { return };
    let mut told: HashSet<&str> = HashSet::new();
    for (exchange, result) in modern.answered().filter(|(_, result)| result.is_object()) {
        let method = exchange.method.as_str();
        if let Some(how) = fault(method, result.get("resultType"))
            && told.insert(method)
        {
            let message = format!("`resultType` in the result of `{method}` {how}.");
            out.report(answer_site(method, &["resultType"]), message).fault("result-type-missing");
        }
    }
}

fn fault(method: &str, kind: Option<Value<'_>>) -> Option<String> {
    let Some(kind) = kind else { return Some("is missing".to_owned()) };
    match kind.as_str() {
        Some("complete") => None,
        Some("input_required") if MAY_ASK.contains(&method) => None,
        // Extensions bring types of their own.
        Some(other) if other != "input_required" && MAY_ASK.contains(&method) => None,
        _ => Some(format!("is {}; it must be \"complete\"", shown(kind))),
    }
}
