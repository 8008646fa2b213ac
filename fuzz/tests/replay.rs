//! Every target on its seeds, on inputs that once broke something, and on changed copies of them: the same
//! ones in every run.

use std::path::{Path, PathBuf};

use mcp_lint_fuzz::{Dice, LONGEST, TARGETS, mutate};

/// Changed copies of each target's seeds.
const COPIES: u64 = 3_000;

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// Says which input it was before a panic ends the test.
fn run(target: fn(&[u8]), data: &[u8], what: &str) {
    let survived = std::panic::catch_unwind(|| target(data));
    assert!(survived.is_ok(), "{what}: {:?}", String::from_utf8_lossy(data));
}

#[test]
fn every_target_has_seeds() {
    let named: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = files(here.join("seeds"));
    let folders: Vec<&str> = folders.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(folders, named);
    let drivers: Vec<PathBuf> = files(here.join("fuzz_targets"));
    let drivers: Vec<&str> = drivers.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    assert_eq!(drivers, named);
}

/// One test a target, so that they run at once.
fn replay(name: &str) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let seeds = files(here.join("seeds").join(name));
    assert!(!seeds.is_empty());
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|path| std::fs::read(path).expect("a seed")).collect();
    for (nth, seed) in seeds.iter().enumerate() {
        assert!(seed.len() <= LONGEST);
        run(*target, seed, &format!("seed {nth}"));
    }
    for number in 0..COPIES {
        let mut dice = Dice::new(number);
        let seed = dice.pick(&seeds).expect("a seed");
        let copy = mutate(seed, LONGEST, &mut dice);
        run(*target, &copy, &format!("copy {number}"));
    }
}

macro_rules! replays {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })*
    };
}

replays!(baseline, check, config, conversation, document, escape, locate, report, settings, sse, wire);
