//! Values of an enum that not every client takes.

use super::prelude::*;
use crate::clients::worst;
use crate::instance::is_of_type;

pub static RULE: Rule = Rule {
    id: "enum-not-portable",
    summary: "an enum is empty, disagrees with its type, or has values that some clients refuse",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("enum_not_portable.md"),
    check: Check::Schema(check),
};

/// How many values are looked at.
const MOST_VALUES: usize = 2_000;

fn check(node: &SchemaNode<'_, '_>, out: &mut Out<'_>) {
    let Some(values) = node.get("enum").filter(|values| values.is_array() && node.root == Root::Input) else { return };
    let path = node.path();
    let whose = if path.is_empty() { "The `enum`".to_owned() } else { format!("The `enum` of \"{}\"", visible(&path)) };
    if values.is_empty() {
        let message = format!("{whose} is empty, so no value can match.");
        out.report(node.site_at(&["enum"]), message)
            .fault("enum-empty")
            .fix("List the values, or leave `enum` out where they are not known yet.");
        return;
    }
    let values: Vec<Value<'_>> = values.items().take(MOST_VALUES).collect();
    let unfit = unfit(node.value, &values);
    if !unfit.is_empty() {
        let kind = node.get("type").map_or("", Value::raw);
        let message =
            format!("{whose} lists {}, which its type {} does not allow.", shown_some(&unfit), excerpt(kind, 60));
        let fault =
            if values.iter().all(|value| value.as_str().is_some()) { "enum-off-type" } else { "enum-non-string" };
        out.report(node.site_at(&["enum"]), message).fault(fault).fix("Take the value out, or allow its type.");
        return;
    }
    let other: Vec<Value<'_>> = values.iter().copied().filter(|value| value.as_str().is_none()).collect();
    let mut found = Vec::new();
    if !other.is_empty() {
        let are = if other.len() == 1 { "is" } else { "are" };
        found.push(("enum-non-string", format!("lists {}, which {are} no string", shown_some(&other))));
    }
    if values.iter().any(|value| value.as_str() == Some("")) {
        found.push(("enum-empty-string", "lists an empty string".to_owned()));
    }
    if node.get("type").is_none() && node.resolved().get("type").is_none() && !node.is_branch {
        found.push(("enum-untyped", "stands without a `type`".to_owned()));
    }
    found.retain(|(fault, _)| !out.clients().losses(fault).is_empty());
    if found.is_empty() {
        return;
    }
    let (faults, has): (Vec<&str>, Vec<String>) = found.into_iter().unzip();
    let losses = worst(faults.iter().flat_map(|fault| out.clients().losses(fault)));
    let message = format!("{whose} {}: valid MCP, but refused or changed by some clients.", has.join(" and "));
    let draft = out.report(node.site_at(&["enum"]), message).clients(losses);
    if faults == ["enum-untyped"] {
        // Its values say what it is.
        drop(draft.level(Level::Note).fix("Add `\"type\": \"string\"`."));
    }
}

/// Values that the type beside the enum refuses, where it takes others: if it takes none, nothing matches,
/// which is another rule's.
fn unfit<'a>(schema: Value<'a>, values: &[Value<'a>]) -> Vec<Value<'a>> {
    let Some(kind) = schema.get("type") else { return Vec::new() };
    let kinds: Vec<&str> = kind.as_str().into_iter().chain(kind.items().filter_map(Value::as_str)).collect();
    let is_refused = |value: &&Value<'a>| kinds.iter().all(|kind| is_of_type(**value, kind) == Some(false));
    let refused: Vec<Value<'a>> = values.iter().filter(is_refused).copied().collect();
    if refused.len() == values.len() { Vec::new() } else { refused }
}

fn shown_some(values: &[Value<'_>]) -> String {
    let some: Vec<String> = values.iter().take(3).map(|value| excerpt(value.raw(), 40)).collect();
    let more = if values.len() > some.len() { " and others" } else { "" };
    format!("{}{more}", some.join(", "))
}
