//! Two resources of one address.

use super::prelude::*;
use crate::view::seconds_of_a_label;

pub static RULE: Rule = Rule {
    id: "resource-duplicate",
    summary: "two resources of one server have the same address",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("resource_duplicate.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for item in seconds_of_a_label(server.resources()).iter().filter(|item| item.value.get("uri").is_some()) {
        let message = format!("Two resources have the address \"{}\".", excerpt(&item.label, 80));
        out.report(item.site(&["uri"]), message);
    }
}
