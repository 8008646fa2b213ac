//! Two listings in different order.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "listing-order-unstable",
    summary: "two listings in one session differ in order",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("listing_order_unstable.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some((first, second)) = server.both_listings() else { return };
    let twins: HashMap<&str, &Tool<'_>> = second.iter().map(|tool| (tool.label.as_ref(), tool)).collect();
    let is_same = |tool: &Tool<'_>| twins.get(tool.label.as_ref()).is_some_and(|twin| tool.value.same_as(twin.value));
    // What differs in content is another rule's.
    if first.len() != second.len() || !first.iter().all(is_same) {
        return;
    }
    let moved = first.iter().zip(&second).enumerate().find(|(_, (one, other))| one.label != other.label);
    let Some((place, (one, other))) = moved else { return };
    let (one, other) = (visible(&one.label), visible(&other.label));
    let place = place + 1;
    let message =
        format!("Two listings in one session differ in order: in place {place} stands first `{one}`, then `{other}`.");
    out.report(answer_site("tools/list", &[]), message);
}
