//! A resource that does not have the shape that clients check.

use super::prelude::*;
use crate::text::article;

pub static RULE: Rule = Rule {
    id: "resource-invalid",
    summary: "a resource or template breaks the protocol's schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("resource_invalid.md"),
    check: Check::Server(check),
};

/// Members that are strings, where they are there.
const STRINGS: &[&str] = &["uri", "uriTemplate", "name", "title", "description", "mimeType"];

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for (items, address) in [(server.resources(), "uri"), (server.templates(), "uriTemplate")] {
        for item in items {
            if let Some((key, fault)) = fault(item.value, address) {
                out.report(item.site(key.as_slice()), fault);
            }
        }
    }
}

/// The first thing that is wrong, and the member it is wrong with.
fn fault(value: Value<'_>, address: &'static str) -> Option<(Option<&'static str>, String)> {
    if !value.is_object() {
        return Some((None, format!("A resource must be an object; this is {}.", article(value.kind()))));
    }
    if let Some(key) = [address, "name"].into_iter().find(|key| value.get(key).is_none()) {
        return Some((None, format!("`{key}` is missing.")));
    }
    let odd = STRINGS.iter().find_map(|key| Some((*key, value.get(key).filter(|member| member.as_str().is_none())?)));
    if let Some((key, member)) = odd {
        return Some((Some(key), format!("`{key}` must be a string; it is {}.", article(member.kind()))));
    }
    let size = value.get("size").filter(|size| size.as_u64().is_none())?;
    Some((Some("size"), format!("`size` must be a number of bytes; it is {}.", excerpt(size.raw(), 40))))
}
