//! A large listing for measurements: the shape of real tools, the same bytes every time.

use std::io::Write;

use anyhow::Result;
use serde_json::{Map, Value, json};

const VERBS: &[&str] = &["list", "get", "find", "create", "update", "archive", "export", "compare"];
const THINGS: &[&str] =
    &["parcel", "depot", "route", "driver", "invoice", "pickup", "label", "customs_form", "locker", "claim"];
const ARGUMENTS: &[(&str, &str)] = &[
    ("account", "Number of the account that the call is made for, as printed on its contract."),
    ("limit", "How many entries to return at most; the newest come first."),
    ("state", "Only entries in this state are returned; leave it out for all of them."),
    ("town", "Town by its official name, without the postal code."),
    ("weight", "Weight in kilograms, packaging included."),
    ("reference", "Your own reference, which appears on the label and in the invoice."),
    ("express", "Whether the parcel travels by night and arrives the next morning."),
    ("contents", "What is inside, in a few words that customs can understand."),
];

/// Prints a `tools/list` result of many tools.
pub(crate) fn print(count: usize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text(count).as_bytes())?;
    out.write_all(b"\n")?;
    Ok(())
}

/// A `tools/list` result of many tools. The median tool has four arguments and about 400 bytes of schema,
/// as on 231 real servers.
pub(crate) fn text(count: usize) -> String {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let tools: Vec<Value> = (0..count).map(|number| tool(number, &mut dice)).collect();
    json!({ "tools": tools }).to_string()
}

fn tool(number: usize, dice: &mut Dice) -> Value {
    let (verb, thing) = (dice.pick(VERBS), dice.pick(THINGS));
    let mut properties = Map::new();
    let mut required = Vec::new();
    for _ in 0..1 + dice.below(7) {
        let (name, description) = *dice.pick(ARGUMENTS);
        properties.insert(name.to_owned(), argument(description, dice));
    }
    if let Some(first) = properties.keys().next() {
        required.push(first.clone());
    }
    json!({
        "name": format!("{verb}_{thing}_{number}"),
        "description": format!("Works on {thing} records of series {number}: the operation is {verb}, and the result names every record it touched."),
        "inputSchema": { "type": "object", "properties": properties, "required": required, "additionalProperties": false },
        "annotations": { "readOnlyHint": *verb == "list", "destructiveHint": false, "idempotentHint": true, "openWorldHint": false },
    })
}

fn argument(description: &str, dice: &mut Dice) -> Value {
    match dice.below(6) {
        0 => json!({ "type": "integer", "minimum": 1, "maximum": 500, "default": 20, "description": description }),
        1 => json!({ "type": "string", "enum": ["open", "waiting", "closed"], "description": description }),
        2 => json!({ "type": "array", "items": { "type": "string" }, "description": description }),
        3 => json!({ "type": "boolean", "description": description }),
        _ => json!({ "type": "string", "description": description }),
    }
}

/// A xorshift generator: good enough to vary a fixture, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}
