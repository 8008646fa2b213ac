//! A name that is valid MCP and that some clients cannot use.

use super::prelude::*;
use crate::clients::FactKind;
use crate::text::is_name;

pub static RULE: Rule = Rule {
    id: "name-not-portable",
    summary: "a name has dots or is too long for some clients",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("name_not_portable.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(name) = tool.name.filter(|name| is_name(name)) else { return };
    if name.contains('.') {
        let message = format!("\"{name}\" has a dot: valid MCP, but refused or renamed by some clients.");
        out.report(tool.site_at(&["name"]), message)
            .fix(format!("Call it \"{}\", and keep the part before the dot short.", name.replace('.', "_")))
            .fault("name-dot")
            .discriminator("dot");
    }
    let length = name.len();
    let refusing = out.clients().exceeded(FactKind::NameLength, length);
    if let Some(least) = refusing.iter().map(|(_, most)| *most).min() {
        let message =
            format!("The name is {length} characters long: valid MCP, but some clients take no more than {least}.");
        out.report(tool.site_at(&["name"]), message)
            .fix(format!("Shorten it to {least} characters or fewer; clients put the server's name in front."))
            .clients(refusing.into_iter().map(|(loss, _)| loss))
            .discriminator("length");
    }
}
