//! Instructions that a client cuts.

use super::prelude::*;
use crate::clients::FactKind;

pub static RULE: Rule = Rule {
    id: "instructions-long",
    summary: "the server's instructions are longer than some client shows",
    level: Level::Note,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("instructions_long.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let instructions = server.about().and_then(|result| result.get("instructions")?.as_str());
    let length = instructions.map_or(0, |text| text.chars().count());
    let cutting = out.clients().exceeded(FactKind::InstructionsCut, length);
    if let Some(least) = cutting.iter().map(|(_, most)| *most).min() {
        let message = format!(
            "The instructions are {} long; some clients show the first {}.",
            count(length, "character"),
            grouped(least)
        );
        let site = answer_site("initialize", &["instructions"]);
        out.report(site, message).clients(cutting.into_iter().map(|(loss, _)| loss));
    }
}
