//! What holds whatever is judged: order, neighbours and unknown words change nothing, and what is said about
//! clients is complete.

#![allow(clippy::disallowed_methods, reason = "the tests read the folder of sources")]

mod fixtures;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fixtures::Fixture;
use mcp_lint_core::clients::{self, Client, FactKind, Selection};
use mcp_lint_core::finding::{Finding, Level};
use mcp_lint_core::policy::{Policy, Preset};
use mcp_lint_core::rule::Rule;
use mcp_lint_core::rules;
use mcp_lint_core::site::Kind;
use mcp_lint_core::walk::{LISTS, MAPS, SINGLE};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A source of numbers that a seed decides.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound.max(1)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// Every saved listing, parsed. One with a key given twice cannot be written anew.
fn listings() -> Vec<(Fixture, Value)> {
    let listings = fixtures::all().into_iter().filter(Fixture::is_listing);
    listings.map(|fixture| (serde_json::from_str(&fixture.text).expect("JSON"), fixture)).map(|(v, f)| (f, v)).collect()
}

/// The tools of a listing, where they are listed.
fn tools(listing: &mut Value) -> Option<&mut Vec<Value>> {
    if listing.is_array() {
        return listing.as_array_mut();
    }
    for place in ["/tools", "/result/tools", "/functions"] {
        if listing.pointer(place).is_some_and(Value::is_array) {
            return listing.pointer_mut(place)?.as_array_mut();
        }
    }
    None
}

/// What is found, whatever the order: nameless and repeated tools are told apart by their place alone.
fn identities(findings: &[Finding]) -> BTreeSet<String> {
    let named = findings.iter().filter(|finding| !finding.entity.contains('#'));
    named.map(|finding| finding.fingerprint.clone()).collect()
}

fn shown(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|one| format!("{} {} {} {}", one.rule, one.entity, one.pointer, one.message)).collect()
}

/// The members of every object in another order.
fn shuffled(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> =
                members.iter().map(|(key, value)| (key.clone(), shuffled(value, dice))).collect();
            dice.shuffle(&mut members);
            Value::Object(Map::from_iter(members))
        }
        Value::Array(items) => items.iter().map(|item| shuffled(item, dice)).collect(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_and_indentation_move_no_finding(seed in any::<u64>()) {
        for (fixture, listing) in listings() {
            let mut dice = Dice(seed);
            let mut other = shuffled(&listing, &mut dice);
            if let Some(tools) = tools(&mut other) {
                dice.shuffle(tools);
            }
            let text = if seed % 2 == 0 { other.to_string() } else { format!("{other:#}\n") };
            let (before, after) = (fixture.findings(), fixture.findings_of(&text, &fixture.policy));
            prop_assert_eq!(
                identities(&before), identities(&after),
                "{}\n{}\n{:#?}\n{:#?}", fixture.name, text, shown(&before), shown(&after)
            );
        }
    }

    #[test]
    fn another_tool_changes_nothing_about_the_others(seed in any::<u64>()) {
        for (fixture, mut listing) in listings() {
            let before = fixture.findings();
            if listing.get("name").is_some() {
                listing = json!({ "tools": [listing] });
            }
            let Some(tools) = tools(&mut listing) else { continue };
            // Nameless tools go by their place, and forms of providers take no tool of another form.
            let fits = |tool: &Value| {
                tool["name"].is_string() && ["function", "parameters", "input_schema"].iter().all(|key| tool.get(key).is_none())
            };
            if !tools.iter().all(fits) {
                continue;
            }
            tools.insert(Dice(seed).below(tools.len() + 1), json!({
                "name": "polish_telescope_mirror",
                "description": "Removes dust from the mirror of an observatory before the night begins.",
                "inputSchema": {
                    "type": "object",
                    "properties": { "grit": { "type": "string", "description": "How coarse the cloth may be." } },
                    "required": ["grit"],
                    "additionalProperties": false,
                },
                "annotations": {
                    "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false
                },
            }));
            let after = fixture.findings_of(&listing.to_string(), &fixture.policy);
            let of_tools = |findings: &[Finding]| -> Vec<Finding> {
                findings.iter().filter(|finding| finding.kind == Kind::Tool).cloned().collect()
            };
            let (before, after) = (of_tools(&before), of_tools(&after));
            prop_assert_eq!(identities(&before), identities(&after), "{}\n{:#?}", fixture.name, shown(&after));
            let levels = |findings: &[Finding]| -> Vec<Level> { findings.iter().map(|one| one.level).collect() };
            prop_assert_eq!(levels(&before), levels(&after), "{}", fixture.name);
        }
    }
}

/// A single tool alone is listed as well when it stands in a list.
#[test]
fn a_list_of_one_is_the_one() {
    for (fixture, listing) in listings() {
        if listing.get("name").is_some() {
            let listed = json!({ "tools": [listing] }).to_string();
            let (before, after) = (fixture.findings(), fixture.findings_of(&listed, &fixture.policy));
            assert_eq!(identities(&before), identities(&after), "{}", fixture.name);
        }
    }
}

/// Adds a word that nobody knows to a schema and to everything inside it.
fn with_unknown_keywords(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    for (keyword, value) in members.iter_mut() {
        let is = |known: &[&str]| known.contains(&keyword.as_str());
        if is(SINGLE) && value.is_object() {
            with_unknown_keywords(value);
        } else if is(LISTS) && value.is_array() {
            value.as_array_mut().into_iter().flatten().for_each(with_unknown_keywords);
        } else if is(MAPS) && value.is_object() {
            value.as_object_mut().into_iter().flatten().for_each(|(_, inner)| with_unknown_keywords(inner));
        }
    }
    // Beside a reference, any word at all is what some clients trip over.
    if !members.contains_key("$ref") {
        members.insert("gardenGate".to_owned(), json!({ "latch": [null, "type", { "properties": [] }] }));
    }
}

#[test]
fn unknown_members_and_keywords_change_nothing() {
    for (fixture, mut listing) in listings() {
        let before = fixture.findings();
        let grow = |tool: &mut Value| {
            let tool = match tool.get_mut("function") {
                Some(_) => &mut tool["function"],
                None => tool,
            };
            for key in ["inputSchema", "outputSchema", "input_schema", "parameters"] {
                if let Some(schema) = tool.get_mut(key) {
                    with_unknown_keywords(schema);
                }
            }
            for key in ["", "annotations", "_meta"] {
                let holder = if key.is_empty() { Some(&mut *tool) } else { tool.get_mut(key) };
                if let Some(Value::Object(members)) = holder {
                    members.insert("gardenGate".to_owned(), json!([{ "name": null }, 1]));
                }
            }
        };
        match tools(&mut listing) {
            Some(tools) => tools.iter_mut().for_each(grow),
            None => grow(&mut listing),
        }
        if let Value::Object(members) = &mut listing {
            members.insert("gardenGate".to_owned(), json!("shut"));
        }
        let text = listing.to_string();
        let after = fixture.findings_of(&text, &fixture.policy);
        // How large something is does change.
        let apart = |findings: Vec<Finding>| -> Vec<Finding> {
            findings.into_iter().filter(|one| !matches!(&*one.rule, "schema-large" | "listing-large")).collect()
        };
        let (before, after) = (apart(before), apart(after));
        assert_eq!(shown(&before), shown(&after), "{}\n{text}", fixture.name);
    }
}

#[test]
fn good_blocks_are_good_for_every_client_and_preset() {
    let mut policies: Vec<(String, Policy)> = [Preset::Recommended, Preset::Spec]
        .into_iter()
        .map(|preset| (format!("{preset:?}"), Policy::preset(preset)))
        .collect();
    for client in clients::all() {
        let clients = Selection::named(std::slice::from_ref(&client.id)).expect("a known client");
        policies.push((client.id.clone(), Policy { clients, ..Policy::default() }));
    }
    let mut wrong = Vec::new();
    for (rule, fixture) in fixtures::blocks("Good") {
        for (name, policy) in &policies {
            let policy = Policy { limits: fixture.policy.limits.clone(), ..policy.clone() };
            let loud = fixture.findings_of(&fixture.text, &policy).into_iter();
            for finding in loud.filter(|finding| finding.rule == rule && finding.level > Level::Note) {
                wrong.push(format!("{} for {name}: {} {}", fixture.name, finding.pointer, finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn judging_twice_gives_the_same() {
    for fixture in fixtures::all() {
        let json = || serde_json::to_string(&fixture.findings()).expect("findings are JSON");
        assert_eq!(json(), json(), "{}", fixture.name);
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let numbers: Option<Vec<u32>> = parts.iter().map(|part| part.parse().ok()).collect();
    lengths == [4, 2, 2]
        && numbers.is_some_and(|numbers| (1..=12).contains(&numbers[1]) && (1..=31).contains(&numbers[2]))
}

#[test]
fn every_fact_has_a_source_and_a_date() {
    let mut ids = BTreeSet::new();
    for client in clients::all() {
        assert!(ids.insert(&client.id), "{} is there twice", client.id);
        assert!(!client.name.trim().is_empty(), "{} has no name", client.id);
        for fact in &client.facts {
            assert!(!fact.source.trim().is_empty(), "{}: no source for {fact:?}", client.id);
            assert!(is_date(&fact.checked), "{}: no date in {fact:?}", client.id);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/clients");
    let files = std::fs::read_dir(folder).expect("the folder of clients").map(|file| file.expect("a file").path());
    let toml = files.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let stems: BTreeSet<String> = toml.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    assert_eq!(stems, ids.into_iter().cloned().collect(), "every file is loaded, and called by its client's id");
}

/// Faults that rules name although no client is known to trip over them. The rule holds without.
const WITHOUT_FACTS: &[&str] = &[];

/// The sources of the rules, by their ids.
fn sources() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let read = |rule: &&'static Rule| {
        let path = folder.join(format!("{}.rs", rule.id.replace('-', "_")));
        (rule.id.to_owned(), std::fs::read_to_string(path).expect("a rule's source"))
    };
    rules::ALL.iter().map(read).collect()
}

#[test]
fn rules_and_clients_name_the_same_faults() {
    let fault_facts = |client: &'static Client| client.facts.iter().filter(|fact| fact.kind == FactKind::Fault);
    let known: BTreeSet<&str> = clients::all().iter().flat_map(fault_facts).flat_map(|fact| fact.texts()).collect();
    let sources = sources();
    let mut named: BTreeSet<String> = BTreeSet::new();
    for (id, source) in &sources {
        for call in source.split(".fault(").skip(1) {
            match call.strip_prefix('"').and_then(|text| text.split_once('"')) {
                Some((fault, _)) => drop(named.insert(fault.to_owned())),
                None if call.starts_with("RULE.id") => drop(named.insert(id.clone())),
                None => {}
            }
        }
    }
    assert!(named.len() > 20, "faults are found in the sources: {named:?}");
    let unknown: Vec<&String> = named
        .iter()
        .filter(|fault| !known.contains(fault.as_str()) && !WITHOUT_FACTS.contains(&fault.as_str()))
        .collect();
    assert!(unknown.is_empty(), "no client has a fact about {unknown:?}");
    let stale: Vec<&&str> =
        WITHOUT_FACTS.iter().filter(|fault| known.contains(**fault) || !named.contains(**fault)).collect();
    assert!(stale.is_empty(), "no longer without facts: {stale:?}");

    // Rules may choose among names, so any mention counts; a rule may go by its own id.
    let is_used = |fault: &str| {
        let quoted = format!("\"{fault}\"");
        let own = sources.get(fault).is_some_and(|source| source.contains("RULE.id"));
        own || sources.values().any(|source| {
            let code = source.split("check: Check::").nth(1).unwrap_or_default();
            code.contains(&quoted)
        })
    };
    let unused: Vec<&str> = known.iter().copied().filter(|fault| !is_used(fault)).collect();
    assert!(unused.is_empty(), "no rule asks for {unused:?}");
}
