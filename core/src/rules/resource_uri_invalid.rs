//! A resource whose address is no URI.

use super::prelude::*;
use crate::text::is_uri;

pub static RULE: Rule = Rule {
    id: "resource-uri-invalid",
    summary: "the address of a resource is no URI",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("resource_uri_invalid.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    for resource in server.resources() {
        let uri = resource.value.get("uri").and_then(Value::as_str);
        if let Some(uri) = uri.filter(|uri| !is_uri(uri)) {
            let message = format!("\"{}\" is no URI.", excerpt(uri, 80));
            out.report(resource.site(&["uri"]), message);
        }
    }
}
