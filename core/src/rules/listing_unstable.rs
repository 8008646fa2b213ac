//! Two listings with different content.

use super::prelude::*;
use crate::comparison::difference;
use crate::snapshot::Outcome;

pub static RULE: Rule = Rule {
    id: "listing-unstable",
    summary: "two listings in one session differ in content",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("listing_unstable.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    if let Some((first, second)) = server.both_listings() {
        let Some(difference) =
            difference(first, &second, ["in the first", "in the second"], |one, other| one.value.same_as(other.value))
        else {
            return;
        };
        let message = format!("Two listings in one session differ: {difference}.");
        let draft = out.report(answer_site("tools/list", &[]), message);
        if was_announced(main) {
            draft
                .why("The server announced the change, as the protocol asks; clients that do not listen go on with the first list.")
                .level(Level::Note);
        }
        return;
    }
    // The second listing has to be answered where the first one was.
    let again = |exchange: &&crate::snapshot::Exchange| matches!(exchange.purpose, Purpose::ToolsAgain(_));
    if main.unanswered().is_some() || !server.was_listed() || server.offers_no_tools() {
        return;
    }
    for exchange in main.launch.exchanges.iter().filter(again) {
        let what = match exchange.outcome {
            Outcome::Answered(_) => match main.answer(exchange).and_then(error_of) {
                Some(error) => format!("is answered with an error: {}", error_words(error)),
                None => continue,
            },
            Outcome::Silent(_) if main.has_unreadable_reply(exchange) => return,
            Outcome::Silent(waited) => format!("is not answered within {}", seconds(waited)),
            Outcome::Ended => "makes the server end".to_owned(),
            Outcome::Refused(_) => main.refusal_words(exchange),
            Outcome::Overflowed | Outcome::Interrupted => return,
        };
        let message = format!("`tools/list` works once: asked again in the same session, it {what}.");
        out.report(answer_site("tools/list", &[]), message)
            .why("Clients list the tools again when they reconnect or are told of a change, and lose them then.")
            .fix("Let the handler of `tools/list` run any number of times.")
            .discriminator("again");
        return;
    }
}

/// Whether the server said that its tools change, before the second listing was over.
fn was_announced(main: &Transcript<'_>) -> bool {
    let last = main.launch.exchanges.iter().filter_map(|exchange| match (&exchange.purpose, exchange.outcome) {
        (Purpose::ToolsAgain(_), Outcome::Answered(at)) => Some(at),
        _ => None,
    });
    let Some(last) = last.max() else { return false };
    let before = main.messages.iter().take_while(|message| message.at < last);
    before.filter_map(Message::json).any(|value| role(value) == Role::Notification("notifications/tools/list_changed"))
}
