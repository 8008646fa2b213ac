//! `initialize` is answered with an error.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "initialize-failed",
    summary: "initialize is answered with an error",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("initialize_failed.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    let answer = main.exchange(&Purpose::Initialize).and_then(|exchange| main.answer(exchange));
    let Some(error) = answer.and_then(error_of) else { return };
    let message = format!("`initialize` is answered with an error: {}.", error_words(error));
    let draft = out.report(answer_site("initialize", &[]), message);
    let code = error.get("code").map(Value::raw);
    if code == Some("-32022") || error.get("data").and_then(|data| data.get("supported")).is_some() {
        draft.fix("Speak a revision with a handshake as well, 2025-11-25 or earlier: clients that offer nothing newer cannot connect.");
    } else if code == Some("-32601") {
        draft.fix("Handle `initialize`: every client of a revision up to 2025-11-25 starts with it.");
    }
}
