//! A server over HTTP that cannot be spoken to.

use super::prelude::*;
use crate::snapshot::{HttpAnswer, HttpFault};

pub static RULE: Rule = Rule {
    id: "http-unreachable",
    summary: "a server over HTTP does not take the handshake or the listing",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("http_unreachable.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    let Some(exchange) = main.unanswered() else { return };
    let Some(answer) = main.refusal(exchange) else { return };
    let (what, fix) = explained(answer);
    let message = format!("{} came to nothing: {what}.", request_words(exchange));
    let draft = out.report(Site::of(Kind::Server, exchange.method.clone()), message);
    if let Some(fix) = fix {
        draft.fix(fix);
    }
}

/// What went wrong, and what to do about it where that is known.
fn explained(answer: &HttpAnswer) -> (String, Option<String>) {
    let detail = excerpt(&answer.detail, 160);
    let said = if detail.is_empty() { String::new() } else { format!(" (\"{detail}\")") };
    let fix = |text: &str| Some(text.to_owned());
    match (answer.fault, answer.status) {
        (Some(HttpFault::Unusable), _) => (visible(&detail), fix("Correct the `url` or the `headers` of the entry.")),
        (Some(HttpFault::NoAddress), _) => {
            (format!("the host is not known{said}"), fix("Check the host in the address."))
        }
        (Some(HttpFault::NoConnection), _) => {
            (format!("nobody listens there{said}"), fix("Start the server before the check, and check host and port."))
        }
        (Some(HttpFault::Tls), _) => (
            format!("TLS does not trust who answers{said}"),
            fix(
                "Give the server a certificate that the machine's own roots vouch for, or name your root in SSL_CERT_FILE.",
            ),
        ),
        (Some(HttpFault::Elsewhere), status) => (
            format!(
                "the answer{} leads to {}",
                status.map(|status| format!(", with status {status},")).unwrap_or_default(),
                visible(&detail)
            ),
            fix(
                "Name the final address: headers with credentials are not sent to another origin, and a POST does not survive a 301, 302 or 303.",
            ),
        ),
        (Some(HttpFault::Encoded), _) => (
            format!("the answer is compressed ({}), which was not asked for", visible(&detail)),
            fix("Compress only for clients that send Accept-Encoding."),
        ),
        (Some(HttpFault::BrokenOff), _) => (format!("the answer broke off{said}"), None),
        (_, Some(401)) => {
            let scheme =
                answer.scheme.as_deref().map(|scheme| format!(" ({})", excerpt(scheme, 40))).unwrap_or_default();
            (
                format!("the server asks for authorization{scheme}, with status 401"),
                fix("Give credentials with --header \"Authorization: ...\", or in the entry's `headers`."),
            )
        }
        (_, Some(403)) => (
            format!("the server forbids it, with status 403{said}"),
            fix("Check what the credentials allow, and which hosts and origins the server accepts."),
        ),
        (_, Some(404)) => (
            format!("there is nothing at this address, says status 404{said}"),
            fix("Check the path of the address, often /mcp."),
        ),
        (_, Some(405)) => (
            format!("the address takes no POST, says status 405{said}"),
            fix(
                "A server of the older transport, with an address for events and another for messages, needs `\"type\": \"sse\"`.",
            ),
        ),
        (None, Some(202)) => (
            "it is acknowledged with status 202, as if it were a notification".to_owned(),
            fix("Answer a request with status 200 and its result."),
        ),
        (None, Some(_)) => (
            "the answer ends before a message with its id has come".to_owned(),
            fix("Send the result before the stream of events ends."),
        ),
        (_, Some(status)) => (format!("the server answers with status {status}{said}"), None),
        (_, None) => (format!("there was no answer{said}"), None),
    }
}
