//! A listing whose pages do not end.

use super::prelude::*;
use crate::view::EndlessCursor;

pub static RULE: Rule = Rule {
    id: "cursor-endless",
    summary: "the pages of the listing do not end",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("cursor_endless.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let message = match server.endless_cursor() {
        None => return,
        Some(EndlessCursor::Repeated(cursor)) => {
            let shown = excerpt(cursor, 40);
            format!("`tools/list` gives the cursor \"{shown}\" a second time, so its pages go round in a circle.")
        }
        Some(EndlessCursor::NeverEnds(pages)) => {
            let pages = count(pages, "page");
            format!("`tools/list` still names a next page after {pages}, where this check stopped.")
        }
    };
    out.report(answer_site("tools/list", &["nextCursor"]), message).fault("cursor-endless");
}
