//! What must hold of the core whatever it is given.
//!
//! A target is a function of bytes that panics where something does not hold. libFuzzer drives it
//! (`fuzz/run`), and a plain test replays the seeds and many changed copies of them (`tests/replay.rs`), so
//! that what is found once is looked for everywhere.

mod dice;
mod growth;
mod mutate;
mod targets;

pub use dice::Dice;
#[cfg(feature = "libfuzzer")]
pub use libfuzzer_sys;
pub use mutate::mutate;
pub use targets::{baseline, check, config, conversation, document, escape, locate, report, settings, sse, wire};

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("baseline", baseline),
    ("check", check),
    ("config", config),
    ("conversation", conversation),
    ("document", document),
    ("escape", escape),
    ("locate", locate),
    ("report", report),
    ("settings", settings),
    ("sse", sse),
    ("wire", wire),
];

/// Most bytes of an input.
pub const LONGEST: usize = 65_536;

/// Changes an input: half of the time as libFuzzer does, else by our own knowledge of JSON.
#[cfg(feature = "libfuzzer")]
pub fn change(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut dice = Dice::new(u64::from(seed));
    if dice.below(2) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, most);
    }
    let changed = mutate(data.get(..size).unwrap_or_default(), most, &mut dice);
    data[..changed.len()].copy_from_slice(&changed);
    changed.len()
}

/// The main function of a target under libFuzzer.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! drive {
    ($target:ident) => {
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
            $crate::change(data, size, most, seed)
        });
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$target(data));
    };
}
