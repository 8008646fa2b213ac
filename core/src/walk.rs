//! The walk over a tool's schemas: every sub-schema and every argument once, in linear time.
//!
//! Local references are followed where they are used, so that a definition's arguments carry the path
//! of their first use (`legs[].date`) beside the pointer of their definition. References wait in a
//! queue instead of nesting, so neither chains nor cycles of them deepen the recursion.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use crate::document::{Value, push_token};
use crate::refs::{Resolution, Resolver};
use crate::site::{Kind, Site};
use crate::view::Tool;

/// Keywords whose value is one schema.
pub const SINGLE: &[&str] = &[
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];
/// Keywords whose value is an array of schemas.
pub const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value maps names to schemas.
pub const MAPS: &[&str] =
    &["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];

/// Which schema of a tool is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// `inputSchema`.
    Input,
    /// `outputSchema`.
    Output,
}

impl Root {
    /// The member's name.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Input => "inputSchema",
            Self::Output => "outputSchema",
        }
    }
}

/// A step down from a tool to a sub-schema.
type Step<'a> = Cow<'a, str>;

/// A part of the path as people write it.
#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    Property(&'a str),
    Items,
    Map,
    Definition(&'a str),
}

/// A sub-schema, with all there is to know about its place.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'w, 'a> {
    /// The tool it belongs to.
    pub tool: &'w Tool<'a>,
    /// Which of the tool's schemas.
    pub root: Root,
    /// The schema: an object, or a boolean.
    pub value: Value<'a>,
    /// Whether it applies to the same value as the schema around it: a branch of a combinator.
    pub is_branch: bool,
    /// Whether properties in here declare arguments: not in an output schema, a condition or a negation.
    pub declares: bool,
    /// Levels of sub-schemas above it; 0 at the root.
    pub depth: usize,
    /// Resolves references of this tool's schema.
    pub refs: &'w Resolver<'a>,
    steps: &'w [Step<'a>],
    parts: &'w [Part<'a>],
}

/// An argument: a property of an input schema, at any depth.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'w, 'a> {
    /// The property's schema and place.
    pub node: SchemaNode<'w, 'a>,
    /// The property's name.
    pub name: &'a str,
    /// Whether it is a direct property of the root.
    pub top_level: bool,
}

/// What the walk meets.
#[derive(Clone, Copy, Debug)]
pub enum Visit<'w, 'a> {
    /// A sub-schema, or the root.
    Schema(SchemaNode<'w, 'a>),
    /// An argument; its schema is visited as well.
    Argument(Argument<'w, 'a>),
}

/// From this many parts on, a reference does not make a path longer.
const LONGEST_PATH: usize = 64;

/// Walks one schema of a tool.
pub fn walk<'a>(tool: &Tool<'a>, root: Root, visit: &mut dyn FnMut(Visit<'_, 'a>)) {
    let Some(schema) = tool.get(root.key()).filter(|schema| schema.is_object()) else { return };
    let refs = Resolver::new(schema);
    let mut walker = Walker {
        tool,
        root,
        refs: &refs,
        steps: vec![tool.key(root.key()).into()],
        parts: Vec::new(),
        queue: VecDeque::new(),
        quiet: VecDeque::new(),
        met_quietly: HashSet::new(),
        unused: VecDeque::new(),
        visited: HashSet::new(),
        visit,
    };
    walker.schema(schema, Place { is_branch: false, silent: root == Root::Output, depth: 0, around: None });
    while let Some(job) = walker.next_job() {
        walker.steps = job.steps;
        walker.parts = job.parts;
        let Job { is_branch, silent, depth, .. } = job;
        walker.schema(job.schema, Place { is_branch, silent, depth, around: None });
    }
}

/// Calls back for every schema right inside one, and whether it is a definition. References are not followed.
pub fn children<'a>(schema: Value<'a>, visit: &mut dyn FnMut(Value<'a>, bool)) {
    for (keyword, value) in schema.members() {
        let is_definition = matches!(keyword, "$defs" | "definitions");
        if SINGLE.contains(&keyword) && is_schema(value) {
            visit(value, false);
        } else if LISTS.contains(&keyword) {
            value.items().filter(|inner| is_schema(*inner)).for_each(|inner| visit(inner, false));
        } else if MAPS.contains(&keyword) {
            let inner = value.members().map(|(_, inner)| inner);
            inner.filter(|inner| is_schema(*inner)).for_each(|inner| visit(inner, is_definition));
        }
    }
}

/// Calls back for a schema and every one inside it, definitions included, as it is written: nothing is
/// followed and no place is kept, which is all that counting needs. Whether it is the root comes along.
pub fn each<'a>(root: Value<'a>, visit: &mut dyn FnMut(Value<'a>, bool)) {
    fn go<'a>(schema: Value<'a>, is_root: bool, visit: &mut dyn FnMut(Value<'a>, bool)) {
        visit(schema, is_root);
        children(schema, &mut |inner, _| go(inner, false, visit));
    }
    go(root, true, visit);
}

struct Walker<'w, 'a> {
    tool: &'w Tool<'a>,
    root: Root,
    refs: &'w Resolver<'a>,
    steps: Vec<Step<'a>>,
    parts: Vec<Part<'a>>,
    queue: VecDeque<Job<'a>>,
    /// Definitions met where nothing is declared: walked so only if no other reference leads to them.
    quiet: VecDeque<Job<'a>>,
    /// Start offsets of those, so that each waits once.
    met_quietly: HashSet<u32>,
    /// Definitions that no reference had led to when they were met.
    unused: VecDeque<Job<'a>>,
    /// Start offsets of definitions already walked or queued.
    visited: HashSet<u32>,
    visit: &'w mut dyn FnMut(Visit<'_, 'a>),
}

/// A definition to walk later.
struct Job<'a> {
    schema: Value<'a>,
    steps: Vec<Step<'a>>,
    parts: Vec<Part<'a>>,
    is_branch: bool,
    silent: bool,
    depth: usize,
}

/// What holds for a schema because of where it stands.
#[derive(Clone, Copy)]
struct Place<'p, 'a> {
    is_branch: bool,
    /// Properties in here are no arguments: an output schema, a condition, a negation.
    silent: bool,
    depth: usize,
    /// Schemas around a branch that apply to the same value.
    around: Option<&'p Around<'p, 'a>>,
}

struct Around<'p, 'a> {
    schema: Value<'a>,
    up: Option<&'p Around<'p, 'a>>,
}

impl<'a> Walker<'_, 'a> {
    fn schema(&mut self, schema: Value<'a>, place: Place<'_, 'a>) {
        (self.visit)(Visit::Schema(node(self.tool, self.root, self.refs, (&self.steps, &self.parts), schema, place)));
        let mut definitions = Vec::new();
        for (keyword, value) in schema.members() {
            match keyword {
                "$defs" | "definitions" => definitions.push((keyword, value)),
                "$ref" => self.follow(schema, value, place),
                "properties" => self.properties(schema, value, place),
                _ if SINGLE.contains(&keyword) && !value.is_array() => {
                    self.steps.push(keyword.into());
                    self.child(schema, keyword, value, place);
                    self.steps.pop();
                }
                _ if LISTS.contains(&keyword) => self.list(schema, keyword, value, place),
                _ if MAPS.contains(&keyword) => self.map(schema, keyword, value, place),
                _ => {}
            }
        }
        for (keyword, value) in definitions {
            self.definitions(keyword, value, place);
        }
    }

    fn properties(&mut self, owner: Value<'a>, properties: Value<'a>, place: Place<'_, 'a>) {
        self.steps.push("properties".into());
        for (name, value) in properties.members() {
            self.steps.push(name.into());
            self.parts.push(Part::Property(name));
            let inner = Place { is_branch: false, silent: place.silent, depth: place.depth + 1, around: None };
            if !place.silent && is_schema(value) && !is_declared_around(name, place.around) {
                let node = node(self.tool, self.root, self.refs, (&self.steps, &self.parts), value, inner);
                let top_level = place.depth == 0 && owner.span() == self.refs.root().span();
                (self.visit)(Visit::Argument(Argument { node, name, top_level }));
            }
            self.enter(value, inner);
            self.parts.pop();
            self.steps.pop();
        }
        self.steps.pop();
    }

    fn list(&mut self, owner: Value<'a>, keyword: &'a str, list: Value<'a>, place: Place<'_, 'a>) {
        self.steps.push(keyword.into());
        for (nth, value) in list.items().enumerate() {
            self.steps.push(nth.to_string().into());
            self.child(owner, keyword, value, place);
            self.steps.pop();
        }
        self.steps.pop();
    }

    fn map(&mut self, owner: Value<'a>, keyword: &'a str, map: Value<'a>, place: Place<'_, 'a>) {
        self.steps.push(keyword.into());
        for (name, value) in map.members() {
            self.steps.push(name.into());
            self.child(owner, keyword, value, place);
            self.steps.pop();
        }
        self.steps.pop();
    }

    /// Definitions wait behind all references, so that a used one gets the path of its use.
    fn definitions(&mut self, keyword: &'a str, map: Value<'a>, place: Place<'_, 'a>) {
        for (name, value) in map.members() {
            let mut steps = self.steps.clone();
            steps.extend([keyword.into(), name.into()]);
            let parts = vec![Part::Definition(name)];
            if is_schema(value) {
                self.unused.push_back(Job {
                    schema: value,
                    steps,
                    parts,
                    is_branch: false,
                    // Nobody can fill in an argument of a definition that nothing refers to.
                    silent: true,
                    depth: place.depth + 1,
                });
            }
        }
    }

    fn next_job(&mut self) -> Option<Job<'a>> {
        if let Some(job) = self.queue.pop_front() {
            return Some(job);
        }
        while let Some(job) = self.quiet.pop_front().or_else(|| self.unused.pop_front()) {
            if self.visited.insert(job.schema.span().start) {
                return Some(job);
            }
        }
        None
    }

    fn child(&mut self, owner: Value<'a>, keyword: &str, value: Value<'a>, place: Place<'_, 'a>) {
        let part = match keyword {
            "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains" => Some(Part::Items),
            "additionalProperties" | "patternProperties" | "unevaluatedProperties" => Some(Part::Map),
            _ => None,
        };
        let silent = place.silent || matches!(keyword, "not" | "if" | "propertyNames" | "contains" | "contentSchema");
        let depth = place.depth + 1;
        if let Some(part) = part {
            self.parts.push(part);
            self.enter(value, Place { is_branch: false, silent, depth, around: None });
            self.parts.pop();
        } else {
            let around = Around { schema: owner, up: place.around };
            self.enter(value, Place { is_branch: true, silent, depth, around: Some(&around) });
        }
    }

    fn enter(&mut self, value: Value<'a>, place: Place<'_, 'a>) {
        if is_schema(value) {
            self.schema(value, place);
        }
    }

    fn follow(&mut self, owner: Value<'a>, reference: Value<'a>, place: Place<'_, 'a>) {
        let Some(Resolution::Found { target, tokens }) = reference.as_str().map(|text| self.refs.resolve(text)) else {
            return;
        };
        let is_quiet = place.silent && self.root == Root::Input;
        let is_new_definition = tokens.iter().any(|token| token == "$defs" || token == "definitions")
            && is_schema(target)
            && !self.visited.contains(&target.span().start)
            && (!is_quiet || self.met_quietly.insert(target.span().start));
        if is_new_definition {
            // A long chain of references starts its path anew: copies of ever longer ones are quadratic.
            let parts = match tokens.last() {
                Some(Cow::Borrowed(name)) if self.parts.len() >= LONGEST_PATH => vec![Part::Definition(name)],
                _ => self.parts.clone(),
            };
            let steps = std::iter::once(self.tool.key(self.root.key()).into()).chain(tokens).collect();
            // A definition without properties that is used beside others', such as a list of required names.
            let is_branch =
                target.get("properties").is_none() && (place.is_branch || owner.get("properties").is_some());
            let (silent, depth) = (place.silent, place.depth + 1);
            let job = Job { schema: target, steps, parts, is_branch, silent, depth };
            if is_quiet {
                self.quiet.push_back(job);
            } else {
                self.visited.insert(target.span().start);
                self.queue.push_back(job);
            }
        }
    }
}

fn node<'w, 'a>(
    tool: &'w Tool<'a>,
    root: Root,
    refs: &'w Resolver<'a>,
    (steps, parts): (&'w [Step<'a>], &'w [Part<'a>]),
    value: Value<'a>,
    place: Place<'_, 'a>,
) -> SchemaNode<'w, 'a> {
    let Place { is_branch, silent, depth, .. } = place;
    SchemaNode { tool, root, value, is_branch, declares: !silent, depth, refs, steps, parts }
}

fn is_schema(value: Value<'_>) -> bool {
    value.is_object() || value.as_bool().is_some()
}

/// A branch that restates a property of the schema around it declares no new argument.
fn is_declared_around(name: &str, mut around: Option<&Around<'_, '_>>) -> bool {
    while let Some(outer) = around {
        if outer.schema.get("properties").is_some_and(|properties| properties.get(name).is_some()) {
            return true;
        }
        around = outer.up;
    }
    false
}

impl<'a> SchemaNode<'_, 'a> {
    /// Whether this is the root of the schema.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// A keyword's value.
    #[must_use]
    pub fn get(&self, keyword: &str) -> Option<Value<'a>> {
        self.value.get(keyword)
    }

    /// The schema with its references followed: what a validator applies in the end.
    #[must_use]
    pub fn resolved(&self) -> Value<'a> {
        self.refs.follow(self.value)
    }

    /// Whether a reference keeps the schema from being read: it points nowhere, or outside.
    #[must_use]
    pub fn leads_nowhere(&self) -> bool {
        self.resolved().get("$ref").is_some()
    }

    /// The path as people write it: `legs[].date`; empty at the root.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = String::new();
        for part in self.parts {
            let dot = if path.is_empty() { "" } else { "." };
            match part {
                Part::Property(name) => path.extend([dot, name]),
                Part::Items => path.push_str("[]"),
                Part::Map => path.extend([dot, "*"]),
                Part::Definition(name) => path.extend(["$defs.", name]),
            }
        }
        path
    }

    /// This schema.
    #[must_use]
    pub fn site(&self) -> Site {
        self.site_at(&[])
    }

    /// A place inside this schema, down a chain of keys.
    #[must_use]
    pub fn site_at(&self, keys: &[&str]) -> Site {
        let mut pointer = String::new();
        for step in self.steps {
            push_token(&mut pointer, step);
        }
        let mut value = self.value;
        for key in keys {
            push_token(&mut pointer, key);
            value = child(value, key).unwrap_or(value);
        }
        let path = match (self.root, self.path()) {
            (Root::Input, path) => path,
            (Root::Output, path) if path.is_empty() => "outputSchema".to_owned(),
            (Root::Output, path) => format!("outputSchema.{path}"),
        };
        let span = self.tool.file_span(value);
        Site { kind: Kind::Tool, entity: self.tool.label.clone().into_owned(), pointer, path, span }
    }
}

fn child<'a>(value: Value<'a>, key: &str) -> Option<Value<'a>> {
    if value.is_array() { value.item(key.parse().ok()?) } else { value.get(key) }
}

impl<'a> Argument<'_, 'a> {
    /// Whether the argument's schema, or what it refers to, has a keyword.
    #[must_use]
    pub fn has(&self, keyword: &str) -> bool {
        self.node.get(keyword).is_some() || self.node.resolved().get(keyword).is_some()
    }

    /// The description: its own, else that of what it refers to, else that of an only branch.
    #[must_use]
    pub fn description(&self) -> Option<&'a str> {
        let own = |schema: Value<'a>| schema.get("description").and_then(Value::as_str);
        let lone_branch = || {
            let branches = ["allOf", "anyOf", "oneOf"].iter().filter_map(|keyword| self.node.get(keyword));
            let mut described = branches.flat_map(Value::items).filter_map(|branch| own(self.node.refs.follow(branch)));
            described.next()
        };
        own(self.node.value).or_else(|| own(self.node.resolved())).or_else(lone_branch)
    }
}
