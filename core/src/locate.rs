//! Where in a repository a tool is declared.
//!
//! Three steps, each a function of values. A [`Search`] knows the names that are looked for, and finds in
//! one text the places that may declare them. A [`Ranking`] keeps the few best places of each name, in
//! whatever order they come, and chooses. [`settle`] turns what was chosen in one file into lines and
//! columns, and looks for arguments there.
//!
//! A wrong place is worse than none: where two files declare a name equally well, neither is chosen.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::document::Lines;
use crate::location::{FoundBy, Location};
use crate::site::Kind;

mod arguments;
mod file;
mod idioms;
mod languages;
mod outline;
mod paths;

use arguments::{Arguments, properties};
use file::File;
use idioms::{Case, Declared, Hit};
use languages::language;
use paths::{Tier, are_twins, below, may_declare, tier};
pub use paths::{is_built, is_foreign};

/// Longest name that is looked for, in bytes; the protocol allows half of it.
const LONGEST_NAME: usize = 256;

/// Most names that are looked for at once.
const MOST_THINGS: usize = 20_000;

/// Files that are remembered for each name.
const MOST_FILES: usize = 6;

/// Shortest name that is looked for without its first part.
const SHORTEST_TAIL: usize = 5;

/// Constants of one file whose use is looked for.
const MOST_CONSTANTS: usize = 500;

/// A thing whose declaration is looked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thing {
    /// Which server it is of: an index into the homes.
    pub server: usize,
    /// The sort of thing.
    pub kind: Kind,
    /// Its name.
    pub name: String,
}

/// What is known of where a server's source is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Home {
    /// Nothing.
    #[default]
    Unknown,
    /// Somewhere else: it is a published package, and this repository is not the package's own.
    Elsewhere,
    /// In or below these folders, for all one can tell; paths from the root, the root itself is empty.
    Folders(Vec<String>),
}

/// Names to look for, ready to be looked for in one pass.
#[derive(Debug)]
pub struct Search {
    things: Vec<Thing>,
    homes: Vec<Home>,
    automaton: AhoCorasick,
    /// What each pattern of the automaton stands for.
    patterns: Vec<Vec<(usize, Case)>>,
}

/// A place that may declare a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    thing: usize,
    path: String,
    start: usize,
    end: usize,
    rank: Rank,
}

impl Candidate {
    /// Path of its file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The index of the thing it may declare.
    #[must_use]
    pub fn thing(&self) -> usize {
        self.thing
    }
}

/// How good a candidate is; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_away: bool,
    is_aside: bool,
    case: Case,
    tier: Tier,
    doubt: u8,
}

impl Search {
    /// Prepares the search; gives none where there is nothing to look for.
    #[must_use]
    pub fn new(mut things: Vec<Thing>, homes: Vec<Home>) -> Option<Self> {
        let is_here = |thing: &Thing| !matches!(homes.get(thing.server), Some(Home::Elsewhere));
        let is_name = |name: &str| name.len() <= LONGEST_NAME && name.chars().any(char::is_alphanumeric);
        things.retain(|thing| is_here(thing) && is_name(&thing.name));
        things.sort();
        things.dedup();
        things.truncate(MOST_THINGS);
        let mut patterns: BTreeMap<String, Vec<(usize, Case)>> = BTreeMap::new();
        for (index, thing) in things.iter().enumerate() {
            for (text, case) in variants(thing) {
                patterns.entry(text).or_default().push((index, case));
            }
        }
        if patterns.is_empty() {
            return None;
        }
        let automaton = automaton(patterns.keys().map(String::as_str))?;
        Some(Self { things, homes, automaton, patterns: patterns.into_values().collect() })
    }

    /// What is looked for, sorted.
    #[must_use]
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// Whether a file is worth reading, by its path from the root.
    #[must_use]
    pub fn wants(path: &str) -> bool {
        language(path).is_some() && may_declare(path)
    }

    /// The places in one file that may declare something: the best one for each thing.
    #[must_use]
    pub fn find(&self, path: &str, text: &str) -> Vec<Candidate> {
        let Some(language) = language(path).filter(|_| may_declare(path)) else { return Vec::new() };
        let file = File::new(bare(text), language);
        let mut best: BTreeMap<usize, Candidate> = BTreeMap::new();
        let mut constants: Vec<(Hit, usize)> = Vec::new();
        for found in self.automaton.find_iter(file.text) {
            for (thing, case) in &self.patterns[found.pattern().as_usize()] {
                let hit = Hit { start: found.start(), end: found.end(), case: *case };
                let Some(declared) = file.declares(hit, self.things[*thing].kind) else { continue };
                if declared.doubt == 2 && constants.len() < MOST_CONSTANTS {
                    constants.push((hit, *thing));
                }
                self.consider(&mut best, *thing, path, *case, &declared);
            }
        }
        self.follow_constants(&file, path, &constants, &mut best);
        best.into_values().collect()
    }

    fn consider(
        &self,
        best: &mut BTreeMap<usize, Candidate>,
        thing: usize,
        path: &str,
        case: Case,
        declared: &Declared,
    ) {
        let rank = self.rank(thing, path, case, declared.doubt);
        let candidate = Candidate { thing, path: path.to_owned(), start: declared.start, end: declared.end, rank };
        let known = best.get(&thing);
        if known.is_none_or(|known| order(&candidate, known) == Ordering::Less) {
            best.insert(thing, candidate);
        }
    }

    fn rank(&self, thing: usize, path: &str, case: Case, doubt: u8) -> Rank {
        let home = match self.homes.get(self.things[thing].server) {
            Some(Home::Folders(folders)) => {
                folders.iter().filter_map(|folder| below(path, folder)).min_by_key(|path| path.len())
            }
            _ => Some(path),
        };
        let tier = tier(home.unwrap_or(path));
        Rank { is_away: home.is_none(), is_aside: tier == Tier::Aside, case: case.max(Case::Exact), tier, doubt }
    }

    /// A name that is given to a constant is declared where the constant is used for it, if that is in the
    /// same file.
    fn follow_constants(
        &self,
        file: &File<'_>,
        path: &str,
        constants: &[(Hit, usize)],
        best: &mut BTreeMap<usize, Candidate>,
    ) {
        let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (hit, thing) in constants {
            if let Some(name) = file.constant(*hit) {
                owners.entry(name).or_default().push(*thing);
            }
        }
        // A constant with more than one value tells nothing.
        owners.retain(|_, things| things.len() == 1);
        if owners.is_empty() {
            return;
        }
        let Some(automaton) = automaton(owners.keys().copied()) else { return };
        let owners: Vec<usize> = owners.into_values().flatten().collect();
        for found in automaton.find_iter(file.text) {
            let thing = owners[found.pattern().as_usize()];
            let kind = self.things[thing].kind;
            if let Some(declared) = file.uses(found.start(), found.end(), kind) {
                self.consider(best, thing, path, Case::Exact, &declared);
            }
        }
    }
}

/// The quick kind takes memory for every byte of every pattern, so that many long names need the other one.
fn automaton<'a>(patterns: impl Iterator<Item = &'a str> + Clone) -> Option<AhoCorasick> {
    const MOST_BYTES: usize = 64 << 10;
    let is_small = patterns.clone().map(str::len).sum::<usize>() <= MOST_BYTES;
    let kind = is_small.then_some(AhoCorasickKind::DFA);
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).kind(kind).build(patterns).ok()
}

/// How a thing's name may be written in source.
fn variants(thing: &Thing) -> Vec<(String, Case)> {
    let name = &thing.name;
    let mut all = vec![(name.clone(), Case::Exact)];
    if thing.kind == Kind::Resource {
        return all;
    }
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    if !is_plain {
        return all;
    }
    let camel = camel(name, true);
    if camel != *name && camel.len() > 2 {
        all.push((camel, Case::Camel));
    }
    // Functions cannot have hyphens in their names.
    if name.contains('-') {
        all.push((name.replace('-', "_"), Case::Tail));
    }
    let tail = name.split_once(['_', '-', '.']).map(|(_, tail)| tail).filter(|tail| tail.len() >= SHORTEST_TAIL);
    all.extend(tail.map(|tail| (tail.to_owned(), Case::Tail)));
    all
}

/// `get_order` as `GetOrder` or `getOrder`.
fn camel(name: &str, first_too: bool) -> String {
    let mut is_start = first_too;
    let mut result = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '_' | '-' | '.') {
            is_start = !result.is_empty() || first_too;
        } else if is_start {
            result.extend(character.to_uppercase());
            is_start = false;
        } else {
            result.push(character);
        }
    }
    result
}

/// `orderId` as `order_id`.
fn snake(name: &str) -> String {
    let mut result = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_uppercase() && !result.is_empty() && !result.ends_with('_') {
            result.push('_');
        }
        result.extend(character.to_lowercase());
    }
    result
}

/// A total order: the better candidate is less.
fn order(left: &Candidate, right: &Candidate) -> Ordering {
    left.rank.cmp(&right.rank).then_with(|| left.path.cmp(&right.path)).then_with(|| left.start.cmp(&right.start))
}

/// The text without the mark that some editors put in front.
fn bare(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The best candidates of each thing, in whatever order they were found.
#[derive(Debug, Default)]
pub struct Ranking {
    best: HashMap<usize, Vec<Candidate>>,
}

impl Ranking {
    /// Takes candidates in.
    pub fn add(&mut self, candidates: Vec<Candidate>) {
        for candidate in candidates {
            let best = self.best.entry(candidate.thing).or_default();
            let place = best.partition_point(|known| order(known, &candidate) == Ordering::Less);
            if place < MOST_FILES {
                best.insert(place, candidate);
                best.truncate(MOST_FILES);
            }
        }
    }

    /// Takes in what another ranking holds.
    pub fn merge(&mut self, other: Self) {
        other.best.into_values().for_each(|candidates| self.add(candidates));
    }

    /// The place of each thing that has one, sorted by path.
    #[must_use]
    pub fn choose(mut self, search: &Search) -> Vec<Candidate> {
        let chosen = self.best.drain().filter_map(|(_, candidates)| choose(candidates));
        let mut chosen: Vec<Candidate> = chosen.collect();
        chosen.retain({
            let trusted = trusted(search, &chosen);
            move |candidate| trusted[search.things[candidate.thing].server]
        });
        chosen.sort_by(|left, right| (&left.path, left.thing).cmp(&(&right.path, right.thing)));
        chosen
    }
}

/// The best of some candidates, unless another file is as good.
fn choose(candidates: Vec<Candidate>) -> Option<Candidate> {
    let (first, rest) = candidates.split_first()?;
    let is_rival = |other: &&Candidate| other.rank == first.rank && !are_twins(&first.path, &other.path);
    // Another project's tool of the same name is another tool: better no place than a wrong one.
    let is_weak = first.rank.is_away
        || first.rank.is_aside && first.rank.doubt > 0
        || first.rank.case == Case::Tail && first.rank.doubt > 1;
    if is_weak || rest.iter().any(|other| is_rival(&other)) {
        return None;
    }
    let twins = candidates.iter().filter(|other| other.rank == first.rank);
    let is_typed =
        |path: &str| path.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "ts" | "tsx" | "mts" | "cts"));
    twins.min_by_key(|twin| (!is_typed(&twin.path), twin.path.len(), &twin.path)).cloned()
}

/// Which servers' places can be believed. Where nothing says that a server's source is here, most of its
/// tools have to be: one that is called like a tool of this repository is a coincidence.
fn trusted(search: &Search, chosen: &[Candidate]) -> Vec<bool> {
    let count = |things: &mut dyn Iterator<Item = usize>, server: usize| {
        things.filter(|thing| search.things[*thing].server == server).count()
    };
    let servers = search.things.iter().map(|thing| thing.server + 1).max().unwrap_or(0);
    let trusted = (0..servers).map(|server| {
        let is_known = matches!(search.homes.get(server), Some(Home::Folders(_)));
        let wanted = count(&mut (0..search.things.len()), server);
        let found = count(&mut chosen.iter().map(|candidate| candidate.thing), server);
        is_known || found * 2 >= wanted
    });
    trusted.collect()
}

/// What is asked of one chosen place.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The place.
    pub candidate: &'a Candidate,
    /// JSON pointers inside the thing; the empty one is the thing itself.
    pub pointers: Vec<&'a str>,
}

/// The locations that answer questions about one file, in their order. The text is that in which the
/// candidates were found; where it has changed since, there is no answer.
#[must_use]
pub fn settle(search: &Search, path: &str, text: &str, questions: &[Question<'_>]) -> Vec<Vec<Option<Location>>> {
    let Some(language) = language(path) else { return Vec::new() };
    let file = File::new(bare(text), language);
    let lines = Lines::of(file.text);
    let arguments = Arguments::new(&file);
    let location = |range: Range<usize>| {
        let position = |offset| lines.position(file.text, offset as u32);
        let (start, end) = (position(range.start), position(range.end));
        Location {
            path: path.to_owned(),
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            found_by: FoundBy::Definition,
        }
    };
    let answer = |question: &Question<'_>| {
        let declared = file.declared_again(question.candidate, &search.things[question.candidate.thing]);
        let places = question.pointers.iter().map(|pointer| {
            let declared = declared.as_ref()?;
            let argument = arguments.find(declared, &properties(pointer));
            Some(location(argument.unwrap_or(declared.start..declared.end)))
        });
        places.collect()
    };
    questions.iter().map(answer).collect()
}

impl File<'_> {
    /// A constant where it is used as the name of something.
    fn uses(&self, start: usize, end: usize, kind: Kind) -> Option<Declared> {
        if !self.is_bare(start, end) {
            return None;
        }
        self.declares_by_constant(start, end, kind)
    }

    fn declared_again(&self, candidate: &Candidate, thing: &Thing) -> Option<Declared> {
        self.text.get(candidate.start..candidate.end)?;
        let hit = Hit { start: candidate.start, end: candidate.end, case: candidate.rank.case };
        let declared = self.declares(hit, thing.kind).filter(|declared| declared.doubt == candidate.rank.doubt);
        declared.or_else(|| self.uses(candidate.start, candidate.end, thing.kind))
    }
}
