//! `tools/list` is answered, but not with tools.

use super::prelude::*;
use crate::text::article;

pub static RULE: Rule = Rule {
    id: "tools-list-failed",
    summary: "tools/list is answered with an error or without a list of tools",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("tools_list_failed.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    // A server without tools says so, and is right to refuse the request.
    if server.offers_no_tools() {
        return;
    }
    let pages = main.launch.exchanges.iter().filter(|exchange| matches!(exchange.purpose, Purpose::Tools(_)));
    for exchange in pages {
        let Some(answer) = main.answer(exchange) else { continue };
        let request = request_words(exchange);
        let site = answer_site("tools/list", &[]);
        if let Some(error) = error_of(answer) {
            out.report(site, format!("The answer to {request} is an error: {}.", error_words(error)));
            return;
        }
        let Some(result) = answer.get("result") else { continue };
        match result.get("tools") {
            Some(tools) if tools.is_array() => {}
            Some(tools) => {
                let what = article(tools.kind());
                let site = answer_site("tools/list", &["tools"]);
                let draft =
                    out.report(site, format!("`tools` in the answer to {request} must be an array; it is {what}."));
                let draft = draft.fix("Send the tools as an array, and an empty one where there are none.");
                if tools.is_null() {
                    draft.fault("tools-null");
                }
                return;
            }
            None => {
                out.report(site, format!("The answer to {request} has no `tools`."))
                    .fix("Send the tools as an array called `tools`, and an empty one where there are none.");
                return;
            }
        }
    }
}
