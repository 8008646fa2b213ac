//! A definition that contains itself.

use super::prelude::*;
use crate::clients::worst;
use crate::document::Span;
use crate::walk::{Visit, each, walk};

pub static RULE: Rule = Rule {
    id: "ref-recursive",
    summary: "a definition of the input schema refers to itself",
    level: Level::Warning,
    basis: Basis::Clients,
    since: "0.1.0",
    page: include_str!("ref_recursive.md"),
    check: Check::Tool(check),
};

/// How many references of one schema are followed in search of circles.
const MOST_STEPS: usize = 100_000;

fn check(tool: &Tool<'_>, out: &mut Out<'_>) {
    let Some(schema) = tool.input_schema() else { return };
    let circles = Graph::of(schema).circles();
    if circles.is_empty() {
        return;
    }
    // Of the references of a circle the one whose pointer sorts first stands for it, whatever the order of
    // the members.
    let mut first: BTreeMap<usize, (Site, String)> = BTreeMap::new();
    walk(tool, Root::Input, &mut |visit| {
        let Visit::Schema(node) = visit else { return };
        let Some(reference) = node.get("$ref") else { return };
        let Some(circle) = circles.get(&reference.span().start) else { return };
        let (site, text) = (node.site_at(&["$ref"]), excerpt(reference.as_str().unwrap_or_default(), 80));
        match first.get(circle) {
            Some((known, _)) if known.pointer <= site.pointer => {}
            _ => drop(first.insert(*circle, (site, text))),
        }
    });
    let fault = "ref-recursive";
    let strict = out.clients().strict_losses(fault, tool.strict_client());
    let losses = worst(out.clients().losses(fault).into_iter().chain(strict));
    for (site, reference) in first.into_values() {
        let message = format!("\"{reference}\" contains itself: valid MCP, but some clients cut it off or refuse it.");
        out.report(site, message).clients(losses.iter().cloned());
    }
}

/// A `$ref`: where it stands, and the number of what it refers to.
#[derive(Clone, Copy)]
struct Use {
    start: u32,
    target: usize,
}

/// What references of a schema lead to, and which references stand inside of that.
struct Graph {
    /// In the order of the text.
    uses: Vec<Use>,
    targets: Vec<Span>,
}

impl Graph {
    fn of(schema: Value<'_>) -> Self {
        let refs = Resolver::new(schema);
        let mut graph = Self { uses: Vec::new(), targets: Vec::new() };
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        each(schema, &mut |node, _| {
            let Some(reference) = node.get("$ref") else { return };
            let Some(Resolution::Found { target, .. }) = reference.as_str().map(|text| refs.resolve(text)) else {
                return;
            };
            let number = *numbers.entry(target.span().start).or_insert_with(|| {
                graph.targets.push(target.span());
                graph.targets.len() - 1
            });
            graph.uses.push(Use { start: reference.span().start, target: number });
        });
        graph.uses.sort_unstable_by_key(|one| one.start);
        graph
    }

    fn inside(&self, target: usize) -> &[Use] {
        let Some(span) = self.targets.get(target) else { return &[] };
        let first = self.uses.partition_point(|one| one.start < span.start);
        let end = self.uses.partition_point(|one| one.start < span.end);
        self.uses.get(first..end).unwrap_or_default()
    }

    /// References that lie on a circle, by where they stand, with the number of the circle.
    fn circles(&self) -> HashMap<u32, usize> {
        let groups = Groups::of(self);
        let mut circles = HashMap::new();
        let mut steps = 0;
        for target in 0..self.targets.len() {
            for one in self.inside(target) {
                steps += 1;
                if steps > MOST_STEPS {
                    return circles;
                }
                if groups.of[one.target] == groups.of[target] {
                    circles.insert(one.start, groups.of[target]);
                }
            }
        }
        circles
    }
}

/// Strongly connected groups of targets, by Tarjan's algorithm with a stack of its own.
struct Groups {
    /// The group of each target.
    of: Vec<usize>,
    order: Vec<usize>,
    low: Vec<usize>,
    waiting: Vec<usize>,
    seen: usize,
    groups: usize,
}

const NONE: usize = usize::MAX;

impl Groups {
    fn of(graph: &Graph) -> Self {
        let size = graph.targets.len();
        let blank = || vec![NONE; size];
        let mut groups = Self { of: blank(), order: blank(), low: blank(), waiting: Vec::new(), seen: 0, groups: 0 };
        let mut steps = 0;
        for root in 0..size {
            if groups.order[root] != NONE {
                continue;
            }
            let mut path = vec![(root, 0)];
            groups.enter(root);
            while let Some((target, at)) = path.last_mut() {
                let target = *target;
                let next = graph.inside(target).get(*at).filter(|_| steps < MOST_STEPS);
                *at += 1;
                steps += 1;
                match next.map(|one| one.target) {
                    Some(next) if groups.order[next] == NONE => {
                        groups.enter(next);
                        path.push((next, 0));
                    }
                    Some(next) if groups.of[next] == NONE => {
                        groups.low[target] = groups.low[target].min(groups.order[next])
                    }
                    Some(_) => {}
                    None => {
                        path.pop();
                        groups.leave(target);
                        if let Some((above, _)) = path.last() {
                            groups.low[*above] = groups.low[*above].min(groups.low[target]);
                        }
                    }
                }
            }
        }
        groups
    }

    fn enter(&mut self, target: usize) {
        self.order[target] = self.seen;
        self.low[target] = self.seen;
        self.seen += 1;
        self.waiting.push(target);
    }

    fn leave(&mut self, target: usize) {
        if self.low[target] != self.order[target] {
            return;
        }
        while let Some(member) = self.waiting.pop() {
            self.of[member] = self.groups;
            if member == target {
                break;
            }
        }
        self.groups += 1;
    }
}
