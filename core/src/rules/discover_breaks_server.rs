//! A server that does not survive `server/discover`.

use super::prelude::*;
use crate::snapshot::{Ending, Outcome};

pub static RULE: Rule = Rule {
    id: "discover-breaks-server",
    summary: "server/discover makes the server exit or fall silent",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("discover_breaks_server.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let (Some(main), Some(probe)) = (server.main(), server.probe()) else { return };
    let is_up = main.exchange(&Purpose::Initialize).is_some_and(|exchange| main.answer(exchange).is_some());
    let Some(exchange) = probe.exchange(&Purpose::Discover).filter(|_| is_up) else { return };
    if probe.has_unreadable_reply(exchange) {
        return;
    }
    let site = answer_site("server/discover", &[]);
    match exchange.outcome {
        Outcome::Ended => {
            let how = match probe.launch.ending {
                Ending::Early(exit) => exited(exit),
                _ => "closed its stdout".to_owned(),
            };
            let quoted = last_words(&probe.launch.stderr).map(|words| format!(" Its stderr ends with: \"{words}\"."));
            let message = format!(
                "The server {how} when `server/discover` came as the first message.{}",
                quoted.unwrap_or_default()
            );
            out.report(site, message).fault("discover-breaks-server");
        }
        Outcome::Silent(waited) => {
            let message = format!(
                "`server/discover` as the first message is not answered within {}, not even with an error.",
                seconds(waited)
            );
            out.report(site, message)
                .why("Clients that speak both kinds of revision send this request first, and wait 10 to 60 seconds before they fall back to `initialize`.")
                .discriminator("silent");
        }
        // Over HTTP a refusal tells clients to fall back at once.
        Outcome::Answered(_) | Outcome::Refused(_) | Outcome::Overflowed | Outcome::Interrupted => {}
    }
}
