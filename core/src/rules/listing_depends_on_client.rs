//! Tools that a client sees only if it declares a capability.

use super::prelude::*;
use crate::view::listed;

pub static RULE: Rule = Rule {
    id: "listing-depends-on-client",
    summary: "tools are listed only to clients with a certain capability",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("listing_depends_on_client.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(transcripts) = server.transcripts() else { return };
    let Some(undeclared) = transcripts.undeclared.as_ref().filter(|other| !other.was_cut_short()) else { return };
    let plain: HashSet<String> = listed(undeclared).iter().map(|tool| tool.label.to_string()).collect();
    let was_listed = undeclared.answered().any(|(exchange, _)| exchange.purpose == Purpose::Tools(0));
    let only: Vec<&str> =
        server.tools.iter().map(|tool| tool.label.as_ref()).filter(|label| !plain.contains(*label)).collect();
    if was_listed && !only.is_empty() {
        let declared = transcripts.main.declared();
        let (are, named) = (if only.len() == 1 { "is" } else { "are" }, list(&declared, 3));
        let message = format!("{} {are} listed only to clients that declare {named}.", list(&only, 5));
        out.report(answer_site("tools/list", &[]), message);
    }
}
