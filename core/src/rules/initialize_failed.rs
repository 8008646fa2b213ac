//! `initialize` is answered with an error.

use super::prelude::*;
use crate::protocol::MODERN;

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
    let Some(transcripts) = server.transcripts() else { return };
    if let Some(refused) = &transcripts.refused {
        return without_handshake(refused, out);
    }
    let main = &transcripts.main;
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

/// The server speaks a revision without a handshake, and no other.
fn without_handshake(refused: &Transcript<'_>, out: &mut Out<'_>) {
    let answer = refused.exchange(&Purpose::Initialize).and_then(|exchange| refused.answer(exchange));
    let how = match answer.and_then(error_of) {
        Some(error) => format!("answered with an error: {}", error_words(error)),
        None => "refused".to_owned(),
    };
    let message = format!("The server speaks {MODERN} only, which is valid MCP: `initialize` is {how}.");
    out.report(answer_site("initialize", &[]), message)
        .level(Level::Warning)
        .why("Clients that start with a handshake cannot connect: the official TypeScript, Rust and Python 1.x clients do so unless they are told otherwise.")
        .fix("Serve 2025-11-25 beside it for as long as your users' clients start with `initialize`; the official SDKs can do both.");
}
