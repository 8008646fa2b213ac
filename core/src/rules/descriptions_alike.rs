//! Descriptions that are nearly the same.
//!
//! A description is the set of its pairs of neighbouring words. Sets that agree in most pairs are found
//! by min-hashing: sixteen bands of four hashes, so that tools meet in a bucket only if a band agrees. In
//! a bucket each is compared with its neighbours by name and not with all, which keeps it near linear.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::prelude::*;
use crate::text::is_blank;

pub static RULE: Rule = Rule {
    id: "descriptions-alike",
    summary: "the descriptions of some tools are nearly the same",
    level: Level::Note,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("descriptions_alike.md"),
    check: Check::Server(check),
};

/// From which share of common pairs on descriptions are alike, in percent.
const THRESHOLD: usize = 80;
/// Descriptions of fewer pairs differ in too little to be compared.
const FEWEST_PAIRS: usize = 7;
/// How many words of a description are looked at.
const MOST_WORDS: usize = 1_000;
const BANDS: usize = 16;
const ROWS: usize = 4;

/// A description, of the first tool by name that has it.
struct Described<'t, 'a> {
    name: &'t str,
    tool: &'t Tool<'a>,
    /// Hashes of the pairs of words, sorted, each once.
    pairs: Vec<u64>,
}

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    // Equal descriptions are reported as such; here one tool stands for all of them.
    let mut texts: HashMap<&str, (&str, &Tool<'_>)> = HashMap::new();
    for tool in &server.tools {
        let Some(text) = tool.description().map(str::trim).filter(|text| !is_blank(text)) else { continue };
        let name = tool.name.unwrap_or(&tool.label);
        let first = texts.entry(text).or_insert((name, tool));
        if name < first.0 {
            *first = (name, tool);
        }
    }
    let described = texts.into_iter().map(|(text, (name, tool))| Described { name, tool, pairs: pairs(text) });
    let mut all: Vec<Described<'_, '_>> = described.filter(|one| one.pairs.len() >= FEWEST_PAIRS).collect();
    all.sort_by(|left, right| (left.name, &left.tool.label).cmp(&(right.name, &right.tool.label)));
    for (members, least) in clusters(&all) {
        let names: Vec<&str> = members.iter().map(|at| all[*at].name).collect();
        let Some(first) = members.first() else { continue };
        let of_all = if members.len() == 2 {
            "of their pairs of words agree"
        } else {
            "or more of the pairs of words agree from one to the next"
        };
        let message = format!(
            "The descriptions of {} are nearly the same: {least} % {of_all}, and {THRESHOLD} % is the limit.",
            list(&names, 6)
        );
        out.report(all[*first].tool.site_at(&["description"]), message);
    }
}

/// Sets of descriptions that are alike, by position, each with the least likeness that links it, in percent.
fn clusters(all: &[Described<'_, '_>]) -> Vec<(Vec<usize>, usize)> {
    let mut buckets: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    for (at, one) in all.iter().enumerate() {
        for (band, hash) in bands(&one.pairs).into_iter().enumerate() {
            buckets.entry((band, hash)).or_default().push(at);
        }
    }
    let mut buckets: Vec<((usize, u64), Vec<usize>)> =
        buckets.into_iter().filter(|(_, members)| members.len() > 1).collect();
    buckets.sort_unstable_by_key(|(key, _)| *key);
    let mut groups = Groups::new(all.len());
    for (_, members) in &buckets {
        for (nth, at) in members.iter().enumerate().skip(1) {
            for other in [members[0], members[nth - 1]] {
                if groups.root(other) != groups.root(*at) {
                    let likeness = likeness(&all[other].pairs, &all[*at].pairs);
                    if likeness >= THRESHOLD {
                        groups.join(other, *at, likeness);
                    }
                }
            }
        }
    }
    groups.into_sets()
}

/// Hashes of the pairs of neighbouring words. A character of a script without spaces is a word.
fn pairs(text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    for part in text.split(|character: char| !character.is_alphanumeric()).filter(|part| !part.is_empty()) {
        if words.len() >= MOST_WORDS {
            break;
        }
        if part.chars().any(crate::text::is_unspaced) {
            words.extend(part.chars().map(hash));
        } else {
            words.push(hash(part.to_lowercase()));
        }
    }
    words.truncate(MOST_WORDS);
    let mut pairs: Vec<u64> = words.windows(2).map(hash).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The same on every run: the standard hasher has fixed keys when it is made this way.
fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn bands(pairs: &[u64]) -> [u64; BANDS] {
    let mut least = [u64::MAX; BANDS * ROWS];
    for pair in pairs {
        let mut mixed = *pair;
        for slot in &mut least {
            mixed = mix(mixed);
            *slot = mixed.min(*slot);
        }
    }
    std::array::from_fn(|band| hash(&least[band * ROWS..(band + 1) * ROWS]))
}

/// A step of splitmix64: a permutation that leaves no order behind.
fn mix(seed: u64) -> u64 {
    let seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let seed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ (seed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ (seed >> 31)
}

/// Common pairs of two sorted sets among all of theirs, in percent, rounded down.
fn likeness(left: &[u64], right: &[u64]) -> usize {
    let (mut here, mut there, mut common) = (0, 0, 0);
    while let (Some(mine), Some(theirs)) = (left.get(here), right.get(there)) {
        here += usize::from(mine <= theirs);
        there += usize::from(theirs <= mine);
        common += usize::from(mine == theirs);
    }
    common * 100 / (left.len() + right.len() - common).max(1)
}

/// Sets that grow together.
struct Groups {
    parents: Vec<usize>,
    /// The least likeness that links a set, at its root.
    least: Vec<usize>,
}

impl Groups {
    fn new(number: usize) -> Self {
        Self { parents: (0..number).collect(), least: vec![100; number] }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, left: usize, right: usize, likeness: usize) {
        let (left, right) = (self.root(left), self.root(right));
        let (first, second) = (left.min(right), left.max(right));
        self.parents[second] = first;
        self.least[first] = self.least[first].min(self.least[second]).min(likeness);
    }

    fn into_sets(mut self) -> Vec<(Vec<usize>, usize)> {
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.parents.len() {
            sets.entry(self.root(at)).or_default().push(at);
        }
        let sets = sets.into_iter().filter(|(_, members)| members.len() > 1);
        sets.map(|(root, members)| (members, self.least[root])).collect()
    }
}
