//! Two schemas of one tool, walked side by side: which argument, and what about it.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json};

use super::proof::{Prepared, Proof};
use super::shape::{Own, Place, Shape, TANGLED, own, shape};
use super::words::differences;
use super::{Certainty, Change, What, guessed, keeps_meaning, means_the_same, new_name, proof, reads_alike, shown};
use crate::document::{Value, push_token};
use crate::refs::{Resolver, refers};
use crate::schema::Cover;
use crate::site::{Kind, Site};
use crate::text::list;
use crate::view::Tool;
use crate::walk::Root;

/// How deep arguments of arguments are followed.
const MOST_DEPTH: usize = 64;
/// Pairs of schemas that are looked at, for two schemas of one tool.
const MOST_PAIRS: usize = 10_000;
/// From this length on a path does not grow, in bytes.
const LONGEST_PATH: usize = 1_000;

/// Compares the inputs or the outputs of a tool; also tells the arguments whose description reads otherwise.
pub(super) fn compare<'a>(
    root: Root,
    before: &Tool<'a>,
    now: &Tool<'a>,
    changes: &mut Vec<Change>,
    described: &mut Vec<String>,
) {
    let schema = |tool: &Tool<'a>| tool.get(root.key()).filter(|schema| schema.is_object());
    let (Some(old), Some(new)) = (schema(before), schema(now)) else { return };
    if old.same_as(new) {
        return;
    }
    let (old_json, new_json) = (Prepared::new(old, root), Prepared::new(new, root));
    let proof = Proof::new(root, &old_json, &new_json);
    let mut walk = Walk {
        root,
        tool: now,
        key: now.key(root.key()),
        references_hold: keep_references(old, new),
        before: Resolver::new(old),
        now: Resolver::new(new),
        whole: if means_the_same(old, new) { Cover::Yes } else { proof.holds("", "") },
        proof,
        met: HashMap::new(),
        said: HashSet::new(),
        found: 0,
        is_cut: false,
        changes: Vec::new(),
        described,
    };
    let (old, new) = (Place::root(old), Place::root(new));
    walk.pair(&old, &new, "", 0);
    walk.rest(&new);
    changes.append(&mut walk.changes);
}

struct Walk<'w, 'a> {
    root: Root,
    tool: &'w Tool<'a>,
    /// What the tool's own form calls the schema.
    key: &'w str,
    before: Resolver<'a>,
    now: Resolver<'a>,
    proof: Proof<'w>,
    /// Whether references mean what they meant.
    references_hold: bool,
    /// Whether the schemas as wholes are such that callers notice nothing.
    whole: Cover,
    /// Pairs that were looked at, and whether something was found in them.
    met: HashMap<(u32, u32), bool>,
    /// What was reported where, since a definition may be used in many places.
    said: HashSet<(What, &'static str, String)>,
    /// How often something was found, said before or not.
    found: usize,
    /// Whether some pairs were passed over, for their depth or their number.
    is_cut: bool,
    changes: Vec<Change>,
    described: &'w mut Vec<String>,
}

impl<'a> Walk<'_, 'a> {
    fn pair(&mut self, before: &Place<'a>, now: &Place<'a>, path: &str, depth: usize) {
        let key = (before.value.span().start, now.value.span().start);
        if let Some(found) = self.met.get(&key) {
            self.found += usize::from(*found);
            return;
        }
        if depth > MOST_DEPTH || self.met.len() > MOST_PAIRS {
            self.is_cut = true;
            return;
        }
        self.met.insert(key, false);
        let found_before = self.found;
        let (old, new) = (shape(before, &self.before), shape(now, &self.now));
        self.members(&old, &new, now, path, depth);
        for (old, new, step) in [(&old.items, &new.items, "[]"), (&old.map, &new.map, ".*")] {
            if let (Some(old), Some(new)) = (old, new) {
                self.pair(old, new, &grown(path, "", step), depth + 1);
            }
        }
        if self.whole != Cover::Yes {
            let is_explained = self.found > found_before;
            let lists = (!old.properties.is_empty(), !new.properties.is_empty());
            self.own(before, now, lists, path, is_explained);
        }
        self.met.insert(key, self.found > found_before);
    }

    fn members(&mut self, old: &Shape<'a>, new: &Shape<'a>, now: &Place<'a>, path: &str, depth: usize) {
        let known: HashMap<&str, &Place<'a>> = new.properties.iter().map(|(name, place)| (*name, place)).collect();
        let former: HashSet<&str> = old.properties.iter().map(|(name, _)| *name).collect();
        let added = new.properties.iter().filter(|(name, _)| !former.contains(name));
        let added: Vec<(&str, Value<'a>)> = added.map(|(name, place)| (*name, place.value)).collect();
        let mut renamed = HashSet::new();
        for (name, place) in &old.properties {
            let inner = grown(path, ".", name);
            let Some(twin) = known.get(name) else {
                // Where a part cannot be read, it may be there all the same.
                if new.is_whole {
                    let guess = new_name(name, self.before.follow(place.value), &added);
                    renamed.extend(guess);
                    self.removed(place, now, &inner, guess, new.takes_others);
                }
                continue;
            };
            self.described(place, twin, &inner);
            self.pair(place, twin, &inner, depth + 1);
            self.required(name, twin, &inner, old, new);
        }
        for (name, value) in added {
            let is_new = new.required.contains(name) && !old.required.contains(name) && !renamed.contains(name);
            if is_new && old.is_whole && self.root == Root::Input && self.whole != Cover::Yes {
                let inner = grown(path, ".", name);
                let place = known.get(name).map(|place| place.pointer.clone()).unwrap_or_default();
                let message = format!("The new argument {} has to be given.", shown(&inner));
                self.say((What::ArgumentNowRequired, ""), (place, value), &inner, message, Certainty::Sure);
            }
        }
    }

    fn described(&mut self, before: &Place<'a>, now: &Place<'a>, path: &str) {
        let text = |value: Value<'a>, refs: &Resolver<'a>| {
            let own = value.get("description").and_then(Value::as_str);
            own.or_else(|| refs.follow(value).get("description").and_then(Value::as_str))
        };
        let (was, is) = (text(before.value, &self.before), text(now.value, &self.now));
        if !reads_alike(was.unwrap_or_default(), is.unwrap_or_default()) {
            self.described.push(path.to_owned());
        }
    }

    fn removed(&mut self, was: &Place<'a>, now: &Place<'a>, path: &str, guess: Option<&str>, takes_others: bool) {
        let at = (was.pointer.clone(), now.value);
        let new_name = guessed(guess);
        match self.root {
            Root::Output => {
                let message = format!("{} is gone{new_name}.", shown(&self.full(path)));
                self.say((What::OutputWidened, ""), at, path, message, Certainty::Sure);
            }
            Root::Input if takes_others => {
                let message = format!(
                    "The argument {} is not listed any more{new_name}; others than those listed are still taken.",
                    shown(path)
                );
                self.say((What::ArgumentRemoved, ""), at, path, message, Certainty::Unproven);
            }
            Root::Input => {
                let message = format!("The argument {} is gone{new_name}.", shown(path));
                self.say((What::ArgumentRemoved, ""), at, path, message, Certainty::Sure);
            }
        }
    }

    /// A member that is on both sides: whether it has to be there.
    fn required(&mut self, name: &str, now: &Place<'a>, path: &str, old: &Shape<'a>, new: &Shape<'a>) {
        let (was, is) = (old.required.contains(name), new.required.contains(name));
        if was == is || self.whole == Cover::Yes || !(old.is_whole && new.is_whole) {
            return;
        }
        let at = (now.pointer.clone(), now.value);
        match self.root {
            Root::Input if is => {
                let message = format!("The argument {} was optional and has to be given now.", shown(path));
                self.say((What::ArgumentNowRequired, ""), at, path, message, Certainty::Sure);
            }
            Root::Output if was => {
                let message = format!("{} was always there and may be missing now.", shown(&self.full(path)));
                self.say((What::OutputWidened, "missing"), at, path, message, Certainty::Sure);
            }
            _ => {}
        }
    }

    /// What a schema says of its value itself, apart from the members inside it.
    fn own(&mut self, before: &Place<'a>, now: &Place<'a>, lists: (bool, bool), path: &str, is_explained: bool) {
        let refers_alike = now.value.get("$ref").is_some() && means_the_same(before.value, now.value);
        if refers_alike && self.references_hold {
            return;
        }
        let is_root = path.is_empty();
        let old = own(before.value, &self.before, self.root, lists.0 || is_root);
        let new = own(now.value, &self.now, self.root, lists.1 || is_root);
        let cover = match (&old, &new) {
            (Own { plain: was, is_plain: true }, Own { plain: is, is_plain: true }) if was == is => return,
            (Own { plain: was, is_plain: true }, Own { plain: is, is_plain: true }) => {
                match proof::holds(self.root, &was.clone().into(), &is.clone().into()) {
                    // By the letter an object that lists its members still takes any others.
                    Cover::No if !is_root && is_listed_since(was, is, now.value) => Cover::Unknown,
                    cover => cover,
                }
            }
            _ if is_explained => return,
            _ if old.plain == new.plain && self.is_tangled_alike(before.value, now.value) => return,
            _ => self.proof.holds(&before.pointer, &now.pointer),
        };
        if cover != Cover::Yes {
            let words = differences(self.root, &old.plain, &new.plain);
            let words = if words.is_empty() { tangled(before.value, now.value) } else { words };
            self.changed(cover, &words, now, path);
        }
    }

    /// Whether what ties the parts of two schemas together is the same: then the parts tell what changed.
    fn is_tangled_alike(&self, before: Value<'a>, now: Value<'a>) -> bool {
        let is_alike = |keyword: &&str| match (before.get(keyword), now.get(keyword)) {
            (Some(old), Some(new)) => keeps_meaning(keyword, old, new) && (self.references_hold || !refers(new)),
            (old, new) => old.is_none() && new.is_none(),
        };
        let reference = |schema: Value<'a>| schema.get("$ref").and_then(Value::as_str);
        let leads_alike = reference(before) == reference(now) && (self.references_hold || reference(now).is_none());
        leads_alike && TANGLED.iter().all(is_alike)
    }

    fn changed(&mut self, cover: Cover, words: &str, now: &Place<'a>, path: &str) {
        let is_root = path.is_empty();
        let subject = match self.root {
            Root::Input if is_root => "The tool".to_owned(),
            Root::Input => format!("The argument {}", shown(path)),
            Root::Output => shown(&self.full(path)),
        };
        let words = if words.is_empty() { ".".to_owned() } else { format!(": {words}.") };
        let (what, proved, unproved) = match self.root {
            Root::Input => (What::ArgumentNarrowed, "takes less than it took", "takes all it took"),
            Root::Output => (What::OutputWidened, "may be what it could not be", "is still only what it was"),
        };
        let (certainty, message) = if cover == Cover::No {
            (Certainty::Sure, format!("{subject} {proved}{words}"))
        } else {
            (Certainty::Unproven, format!("{subject} changed, and it could not be proved that it {unproved}{words}"))
        };
        self.say((what, ""), (now.pointer.clone(), now.value), path, message, certainty);
    }

    /// What the walk found no place for must not go unsaid where it is proved, or where the walk was cut short.
    fn rest(&mut self, now: &Place<'a>) {
        if self.found == 0 && (self.whole == Cover::No || (self.is_cut && self.whole == Cover::Unknown)) {
            self.changed(self.whole, "", now, "");
        }
    }

    /// A path as reports write it: what is not about arguments says so.
    fn full(&self, path: &str) -> String {
        match self.root {
            Root::Input => path.to_owned(),
            Root::Output if path.is_empty() => "outputSchema".to_owned(),
            Root::Output => format!("outputSchema.{path}"),
        }
    }

    fn say(
        &mut self,
        (what, aspect): (What, &'static str),
        (place, value): (String, Value<'a>),
        path: &str,
        message: String,
        certainty: Certainty,
    ) {
        self.found += 1;
        let mut pointer = String::new();
        push_token(&mut pointer, self.key);
        pointer.push_str(&place);
        if !self.said.insert((what, aspect, pointer.clone())) {
            return;
        }
        let path = self.full(path);
        let site = Site {
            kind: Kind::Tool,
            entity: self.tool.label.clone().into_owned(),
            pointer,
            path,
            span: self.tool.file_span(value),
        };
        self.changes.push(Change { what, site, aspect, message, certainty });
    }
}

/// Which of the keywords that tie parts together differ, as the end of a sentence.
fn tangled(before: Value<'_>, now: Value<'_>) -> String {
    let differs = |keyword: &&&str| match (before.get(keyword), now.get(keyword)) {
        (Some(old), Some(new)) => !keeps_meaning(keyword, old, new),
        (old, new) => old.is_some() || new.is_some(),
    };
    let keywords: Vec<&str> = TANGLED.iter().filter(differs).copied().collect();
    if keywords.is_empty() { String::new() } else { format!("{} changed", list(&keywords, 3)) }
}

/// Whether nothing changed but that an object, of which nothing was said, lists members now.
fn is_listed_since(was: &Map<String, Json>, is: &Map<String, Json>, now: Value<'_>) -> bool {
    const OTHERS: &str = "additionalProperties";
    let is_other = |keyword: &&String| *keyword != OTHERS;
    let says_nothing = now.get("$ref").is_none() && now.get(OTHERS).is_none();
    let is_same = is.keys().filter(is_other).all(|keyword| was.get(keyword) == is.get(keyword));
    says_nothing && is_same && !was.contains_key(OTHERS) && was.len() + 1 == is.len()
}

/// Whether every reference of a schema means what it meant: all lead to definitions, and none of these changed.
fn keep_references(before: Value<'_>, now: Value<'_>) -> bool {
    fn lead_to_definitions(value: Value<'_>) -> bool {
        let is_known = |text: &str| text.starts_with("#/$defs/") || text.starts_with("#/definitions/");
        let is_other = |keyword: &str| matches!(keyword, "$dynamicRef" | "$recursiveRef");
        value.members().all(|(keyword, inner)| match inner.as_str() {
            Some(text) => !is_other(keyword) && (keyword != "$ref" || is_known(text)),
            None => lead_to_definitions(inner),
        }) && value.items().all(lead_to_definitions)
    }
    let is_same = |keyword: &&str| match (before.get(keyword), now.get(keyword)) {
        (Some(old), Some(new)) => keeps_meaning(keyword, old, new),
        (old, new) => old.is_none() && new.is_none(),
    };
    ["$defs", "definitions"].iter().all(is_same) && lead_to_definitions(now)
}

/// A path with one more step.
fn grown(path: &str, dot: &str, step: &str) -> String {
    if path.len() > LONGEST_PATH {
        return path.to_owned();
    }
    let (dot, step) = if path.is_empty() { ("", step.trim_start_matches('.')) } else { (dot, step) };
    format!("{path}{dot}{step}")
}
