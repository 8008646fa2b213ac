//! Two revisions of the protocol, and two lists of tools.

use super::prelude::*;
use crate::comparison::difference;
use crate::view::listed;

pub static RULE: Rule = Rule {
    id: "eras-disagree",
    summary: "with and without a handshake the server lists different tools",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("eras_disagree.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let (Some(main), Some(probe)) = (server.main(), server.probe()) else { return };
    let is_whole = |tools: &[Tool<'_>]| !tools.is_empty();
    if main.is_modern() || !probe.understands_modern() || main.was_cut_short() || probe.was_cut_short() {
        return;
    }
    let (old, new) = (listed(main), listed(probe));
    if !is_whole(&old) && !is_whole(&new) {
        return;
    }
    if let Some(difference) = difference(&old, &new, ["with a handshake", "without one"], is_same) {
        let message = format!("The tools differ between 2025-11-25 and 2026-07-28: {difference}.");
        out.report(answer_site("tools/list", &[]), message);
    }
}

/// Members that one revision has and the other lacks, or has in another form.
const OWN: &[&str] = &["execution", "outputSchema", "_meta"];

/// Whether a definition of each era says the same.
fn is_same(old: &Tool<'_>, new: &Tool<'_>) -> bool {
    let has_twin = |value: Value<'_>, other: Value<'_>| {
        let shared = value.members().filter(|(key, _)| !OWN.contains(key));
        shared.into_iter().all(|(key, value)| other.get(key).is_some_and(|twin| value.same_as(twin)))
    };
    has_twin(old.value, new.value) && has_twin(new.value, old.value) && has_same_output(old, new)
}

/// Before 2026-07-28 an output schema is an object: what is none is left out there, or wrapped in one.
fn has_same_output(old: &Tool<'_>, new: &Tool<'_>) -> bool {
    match (old.get("outputSchema"), new.get("outputSchema")) {
        (None, None) => true,
        (Some(_), None) => false,
        (None, Some(new)) => !is_object_schema(new),
        (Some(old), Some(new)) => old.same_as(new) || !is_object_schema(new),
    }
}

fn is_object_schema(schema: Value<'_>) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}
