//! Definitions that fill the context.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "listing-large",
    summary: "the definitions together take too many tokens",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("listing_large.md"),
    check: Check::Server(check),
};

/// How many of the largest tools are named.
const NAMED: usize = 3;

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let most = out.limits().listing_tokens;
    let mut sizes: Vec<(usize, &str)> = server.tools.iter().map(|tool| (tool.size(), tool.label.as_ref())).collect();
    let tokens = sizes.iter().map(|(bytes, _)| bytes).sum::<usize>().div_ceil(4);
    if tokens <= most {
        return;
    }
    sizes.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(right.1)));
    let largest: Vec<&str> = sizes.iter().take(NAMED).map(|(_, name)| *name).collect();
    let message = format!(
        "The definitions take about {} tokens in every session, at four bytes a token; the limit is {}. The largest: {}.",
        grouped(tokens),
        grouped(most),
        list(&largest, NAMED)
    );
    out.report(Site::server(), message).measure(tokens);
}
