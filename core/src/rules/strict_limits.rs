//! Totals that a strict mode bounds.

use super::prelude::*;
use crate::clients::FactKind;
use crate::walk::{children, each};

pub static RULE: Rule = Rule {
    id: "strict-limits",
    summary: "the tools together, or one schema, pass a limit of a strict mode",
    level: Level::Error,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("strict_limits.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let asked: HashSet<&str> = server.tools.iter().filter_map(Tool::strict_client).collect();
    let named = out.clients().strict_facts(FactKind::StrictLimit, None);
    let mut limits: Vec<_> = named.map(|limit| (limit, true)).collect();
    let mut asked: Vec<&str> = asked.into_iter().collect();
    asked.sort_unstable();
    for client in asked {
        let own = out.clients().strict_facts(FactKind::StrictLimit, Some(client));
        limits.extend(own.filter(|(strict, _)| !out.clients().includes(strict)).map(|limit| (limit, false)));
    }
    if limits.is_empty() {
        return;
    }
    let counts: Vec<Counts> =
        server.tools.iter().map(|tool| tool.input_schema().map_or_else(Counts::default, Counts::of)).collect();
    for ((client, fact), for_all) in limits {
        let (Some(what), Some(most)) = (fact.text("what"), fact.number("most")) else { continue };
        let belongs = |tool: &Tool<'_>| for_all || tool.strict_client() == Some(&*client.id);
        let counted: Vec<(&Tool<'_>, usize)> = server
            .tools
            .iter()
            .zip(&counts)
            .filter(|(tool, _)| belongs(tool))
            .filter_map(|(tool, counts)| Some((tool, counts.get(what, fact.number("from").unwrap_or(0))?)))
            .collect();
        if fact.text("per") == Some("request") {
            let sum: usize = counted.iter().map(|(_, number)| number).sum();
            if sum > most {
                let message = format!(
                    "Together the tools have {} under strict mode; one request may have {}.",
                    noun(what, sum),
                    grouped(most)
                );
                drop(out.report(Site::server(), message).clients([client.loss(fact)]).discriminator(what.to_owned()));
            }
            continue;
        }
        for (tool, number) in counted.into_iter().filter(|(_, number)| *number > most) {
            let message = format!("The input schema has {}; strict mode takes {}.", noun(what, number), grouped(most));
            let draft = out.report(tool.site_at(&["inputSchema"]), message).clients([client.loss(fact)]);
            drop(draft.discriminator(what.to_owned()));
        }
    }
}

fn noun(what: &str, number: usize) -> String {
    match what {
        "tools" => count(number, "strict tool"),
        "optional" => count(number, "optional argument"),
        "unions" => count(number, "argument") + " of several types",
        "depth" => count(number, "level") + " of objects",
        "properties" => {
            if number == 1 {
                "1 property".to_owned()
            } else {
                format!("{} properties", grouped(number))
            }
        }
        "enum-values" => count(number, "value") + " in enums",
        "enum-text" => count(number, "character") + " in one enum",
        _ => count(number, "character") + " of names and values",
    }
}

/// What strict modes count in one schema.
#[derive(Clone, Debug, Default)]
struct Counts {
    optional: usize,
    unions: usize,
    depth: usize,
    properties: usize,
    enum_values: usize,
    text: usize,
    /// How many values every enum of strings has, and how many characters.
    enums: Vec<(usize, usize)>,
}

impl Counts {
    fn of(schema: Value<'_>) -> Self {
        let mut counts = Self { depth: depth(schema), ..Self::default() };
        counts.reached(schema);
        each(schema, &mut |node, _| counts.written(node));
        counts
    }

    fn get(&self, what: &str, from: usize) -> Option<usize> {
        Some(match what {
            "tools" => 1,
            "optional" => self.optional,
            "unions" => self.unions,
            "depth" => self.depth,
            "properties" => self.properties,
            "enum-values" => self.enum_values,
            "text" => self.text,
            "enum-text" => {
                self.enums.iter().filter(|(values, _)| *values > from).map(|(_, characters)| *characters).max()?
            }
            _ => return None,
        })
    }

    /// What counts only where no reference is needed to come to it.
    fn reached(&mut self, schema: Value<'_>) {
        let required: HashSet<&str> =
            schema.get("required").into_iter().flat_map(Value::items).filter_map(Value::as_str).collect();
        for (name, property) in schema.get("properties").into_iter().flat_map(Value::members) {
            self.optional += usize::from(!required.contains(name));
            let is_union = property.get("anyOf").is_some() || property.get("type").is_some_and(Value::is_array);
            self.unions += usize::from(is_union);
        }
        children(schema, &mut |inner, is_definition| {
            if !is_definition {
                self.reached(inner);
            }
        });
    }

    /// What counts wherever it is written.
    fn written(&mut self, schema: Value<'_>) {
        let characters = |text: &str| text.chars().count();
        let names = |keyword: &str| {
            let all = schema.get(keyword).into_iter().flat_map(Value::members);
            all.map(|(name, _)| characters(name)).sum::<usize>()
        };
        self.properties += schema.get("properties").map_or(0, Value::len);
        self.text += names("properties") + names("$defs") + names("definitions");
        self.text += schema.get("const").and_then(Value::as_str).map_or(0, characters);
        let values = schema.get("enum").filter(|values| values.is_array());
        let Some(values) = values else { return };
        let text: usize = values.items().filter_map(Value::as_str).map(characters).sum();
        self.enum_values += values.len();
        self.text += text;
        self.enums.push((values.len(), text));
    }
}

/// How many objects are nested in each other; definitions count for themselves.
fn depth(schema: Value<'_>) -> usize {
    let (mut inside, mut apart) = (0, 0);
    children(schema, &mut |inner, is_definition| {
        let found = depth(inner);
        if is_definition { apart = found.max(apart) } else { inside = found.max(inside) }
    });
    let is_object = schema.get("properties").is_some() || schema.get("type").and_then(Value::as_str) == Some("object");
    apart.max(inside + usize::from(is_object))
}
