//! The content type of an answer over HTTP.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "http-content-type",
    summary: "an answer over HTTP is neither JSON nor a stream of events",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("http_content_type.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    let Some(http) = &main.launch.http else { return };
    for answer in http.answers.iter().filter(|answer| answer.status == Some(200) && answer.fault.is_none()) {
        let Some(exchange) = main.asked(answer) else { continue };
        let sent = answer.content_type.as_deref().unwrap_or_default();
        let kind = sent.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if matches!(kind.as_str(), "application/json" | "text/event-stream") {
            continue;
        }
        let what = if sent.is_empty() {
            "no content type".to_owned()
        } else {
            format!("the content type {}", excerpt(sent, 60))
        };
        let message = format!("The answer to {} has {what}.", request_words(exchange));
        out.report(answer_site(&exchange.method, &[]), message);
        return;
    }
}
