//! No answer in time.

use super::prelude::*;
use crate::snapshot::{Exchange, LineEnd, Outcome};

pub static RULE: Rule = Rule {
    id: "server-no-answer",
    summary: "a request of the handshake or the listing is not answered",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("server_no_answer.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    match main.unanswered() {
        Some(exchange) => match exchange.outcome {
            Outcome::Silent(waited) if !main.has_unreadable_reply(exchange) => silent(main, exchange, waited, out),
            Outcome::Overflowed => {
                flooded(main, exchange.method.clone(), &format!("it answered {}", request_words(exchange)), out)
            }
            _ => {}
        },
        None if main.launch.overflow.is_some() => flooded(main, String::new(), "it ended", out),
        None => {}
    }
}

fn silent(main: &Transcript<'_>, exchange: &Exchange, waited: u64, out: &mut Out<'_>) {
    let request = request_words(exchange);
    let after = seconds(waited);
    let site = Site::of(Kind::Server, exchange.method.clone());
    if let Some(message) = main.after(exchange).last().filter(|message| message.line.end == LineEnd::Stream) {
        let what = match message.shape {
            Shape::Message => Some("has no line feed behind it"),
            Shape::Half => Some("stops in the middle of its line"),
            _ => None,
        };
        if let Some(what) = what {
            out.report(site, format!("The answer to {request} {what}: \"{}\".", excerpt(message.bare(), 80)))
                .why("A client reads a message when its line has ended, so it waits for this one until it gives up.")
                .fix("Write the whole message, a line feed behind it, and flush stdout.");
            return;
        }
    }
    let strays = main.after(exchange).iter().filter(|message| message.shape == Shape::Message);
    let stray = strays.filter_map(Message::json).find(|value| role(*value) == Role::Response);
    if let Some(id) = stray.and_then(|value| value.get("id")) {
        let id = excerpt(id.raw(), 40);
        out.report(site, format!("{request} is not answered within {after}; the answer that came has another id, {id}.", request = capital(&request)))
            .why("A client finds the request that an answer belongs to by its id, and drops an answer to a request it never sent.")
            .fix("Answer with the id of the request, unchanged in value and type.");
        return;
    }
    let mut message = format!("{} is not answered within {after}.", capital(&request));
    match last_words(&main.launch.stderr) {
        Some(words) => message.push_str(&format!(" stderr ends with: \"{words}\".")),
        None if main.launch.http.is_some() => {}
        None => message.push_str(" The server wrote nothing to stderr."),
    }
    out.report(site, message);
}

fn flooded(main: &Transcript<'_>, entity: String, before: &str, out: &mut Out<'_>) {
    let bound = main.launch.overflow.as_deref().unwrap_or("more than this check reads");
    let bound = visible(bound);
    out.report(Site::of(Kind::Server, entity), format!("The server wrote {bound} before {before}, so reading stopped there."))
        .why("Clients have bounds of their own, 10 or 16 MiB for a message in the official ones, and drop the session at them.")
        .fix("Find out what the server writes without end, and split a listing that is really that large into pages.")
        .discriminator("overflow");
}

/// Starts a sentence with a phrase: one that starts with a name in backticks stays as it is.
fn capital(phrase: &str) -> String {
    match phrase.strip_prefix("page") {
        Some(rest) => format!("Page{rest}"),
        None => phrase.to_owned(),
    }
}
