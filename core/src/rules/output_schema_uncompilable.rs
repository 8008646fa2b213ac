//! An output schema that no validator can compile.

use super::prelude::*;
use crate::keywords::{Dialect, faults};
use crate::schema::Validator;
use crate::walk::{Visit, walk};

pub static RULE: Rule = Rule {
    id: "output-schema-uncompilable",
    summary: "a validator cannot compile the output schema",
    level: Level::Error,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("output_schema_uncompilable.md"),
    check: Check::Tool(check),
};

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.output_schema() else { return };
    // Which words an unknown dialect has is not known.
    let Some(dialect) = Dialect::of(schema) else { return };
    let mut seen = Seen::default();
    walk(tool, Root::Output, &mut |visit| {
        if let Visit::Schema(node) = visit {
            seen.look(&node, dialect);
        }
    });
    if let Some((site, message)) = seen.first {
        let first = if seen.faults > 1 {
            format!(" It is the first of {} faults.", grouped(seen.faults))
        } else {
            String::new()
        };
        out.report(site, format!("{message}{first}")).fault("output-schema-uncompilable");
        return;
    }
    if seen.is_external || seen.has_odd_root {
        return;
    }
    if let Err(why) = Validator::compile(schema) {
        out.report(tool.site_at(&["outputSchema"]), format!("The output schema does not compile: {why}."))
            .fault("output-schema-uncompilable");
    }
}

#[derive(Default)]
struct Seen {
    first: Option<(Site, String)>,
    faults: usize,
    /// A reference leads out of the schema, which is another rule's.
    is_external: bool,
    /// The root's type is wrong, which is another rule's.
    has_odd_root: bool,
}

impl Seen {
    fn look(&mut self, node: &SchemaNode<'_, '_>, dialect: Dialect) {
        for fault in faults(node.value, dialect) {
            let keys: Vec<&str> = fault.keys.iter().map(String::as_str).collect();
            if node.is_root() && keys.first() == Some(&"type") {
                self.has_odd_root = true;
                continue;
            }
            self.add(node, &keys, fault.message);
        }
        let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return };
        match node.refs.resolve(reference) {
            Resolution::Found { .. } => {}
            Resolution::External => self.is_external = true,
            Resolution::Dangling => {
                let message = format!("The reference \"{}\" points nowhere in this schema.", excerpt(reference, 120));
                self.add(node, &["$ref"], message);
            }
        }
    }

    fn add(&mut self, node: &SchemaNode<'_, '_>, keys: &[&str], message: String) {
        self.faults += 1;
        if self.first.is_none() {
            self.first = Some((node.site_at(keys), message));
        }
    }
}
