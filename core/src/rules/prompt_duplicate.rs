//! Two prompts of one name.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "prompt-duplicate",
    summary: "two prompts of one server have the same name",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("prompt_duplicate.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let mut times: HashMap<String, usize> = HashMap::new();
    for item in server.prompts() {
        let nth = times.entry(item.label.to_string()).or_default();
        *nth += 1;
        if *nth == 2 && item.value.get("name").is_some() {
            report(&item, out);
        }
    }
}

fn report(item: &Item<'_>, out: &mut Out<'_>) {
    let message = format!("Two prompts are named \"{}\".", excerpt(&item.label, 80));
    out.report(item.site(&["name"]), message);
}
