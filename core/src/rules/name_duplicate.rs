//! Two tools of one name.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "name-duplicate",
    summary: "two tools of one server have the same name",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("name_duplicate.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for name in server.tools.iter().filter_map(|tool| tool.name) {
        *times.entry(name).or_default() += 1;
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for tool in &server.tools {
        let Some(name) = tool.name else { continue };
        let nth = seen.entry(name).or_default();
        *nth += 1;
        if *nth == 2 {
            let all = times.get(name).copied().unwrap_or_default();
            let message = format!("{} are named \"{}\".", count(all, "tool"), excerpt(name, 80));
            out.report(tool.site_at(&["name"]), message).fault("name-duplicate");
        }
    }
}
