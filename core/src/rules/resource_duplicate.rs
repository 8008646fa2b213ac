//! Two resources of one address.

use super::prelude::*;

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
    let mut times: HashMap<String, usize> = HashMap::new();
    for item in server.resources() {
        let nth = times.entry(item.label.to_string()).or_default();
        *nth += 1;
        if *nth == 2 && item.value.get("uri").is_some() {
            report(&item, out);
        }
    }
}

fn report(item: &Item<'_>, out: &mut Out<'_>) {
    let message = format!("Two resources have the address \"{}\".", excerpt(&item.label, 80));
    out.report(item.site(&["uri"]), message);
}
