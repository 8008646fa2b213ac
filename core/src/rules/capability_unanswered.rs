//! A declared capability whose list is not answered.

use super::prelude::*;
use crate::snapshot::Outcome;
use crate::view::TEMPLATES;

pub static RULE: Rule = Rule {
    id: "capability-unanswered",
    summary: "a declared capability's list is not answered",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("capability_unanswered.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    let mut told: HashSet<&str> = HashSet::new();
    for exchange in &main.launch.exchanges {
        let Purpose::Listing(capability) = &exchange.purpose else { continue };
        if capability == TEMPLATES {
            // Until 2026-07-28 a server may have resources and know nothing of templates.
            continue;
        }
        let what = match exchange.outcome {
            Outcome::Answered(_) => match main.answer(exchange).and_then(error_of) {
                Some(error) => format!("is answered with an error: {}", error_words(error)),
                None => continue,
            },
            Outcome::Silent(_) if main.has_unreadable_reply(exchange) => continue,
            Outcome::Silent(waited) => format!("is not answered within {}", seconds(waited)),
            Outcome::Ended => "makes the server end".to_owned(),
            Outcome::Refused(_) => main.refusal_words(exchange),
            Outcome::Overflowed | Outcome::Interrupted => continue,
        };
        if told.insert(&exchange.method) {
            let message =
                format!("The capability `{}` is declared, but `{}` {what}.", visible(capability), exchange.method);
            out.report(answer_site(&exchange.method, &[]), message);
        }
    }
}
