//! Findings of fuzzing stay fixed: every target runs its seeds.

use std::env;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[allow(unreachable_pub, dead_code, missing_docs)]
#[path = "../../fuzz/src/replayed.rs"]
mod fuzzed;

use fuzzed::chance_bytes;
use fuzzed::mutation::mutated;
use fuzzed::targets::{self, TARGETS};

use crate::dice::Dice;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The names in a directory, sorted.
fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the folder can be read");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("it can be read").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The seeds of a target, with their names.
fn seeds_of(target: &str) -> Vec<(String, Vec<u8>)> {
    let directory = fuzz().join("seeds").join(target);
    let seeds = names_in(&directory).into_iter().map(|name| {
        let bytes = fs::read(directory.join(&name)).expect("the seed can be read");
        (name, bytes)
    });
    seeds.collect()
}

/// A number in the environment, or this one.
fn number(variable: &str, default: u64) -> u64 {
    let text = env::var(variable);
    let number = text.map_or(Ok(default), |text| text.parse());
    number.unwrap_or_else(|_| panic!("{variable} is not a number"))
}

#[test]
fn seeds_of_fuzzing_pass() {
    for (name, target) in TARGETS {
        let seeds = seeds_of(name);
        assert!(!seeds.is_empty(), "{name} has no seed");
        for (seed, bytes) in seeds {
            println!("{name}/{seed}");
            target(&bytes);
        }
    }
}

/// Changed seeds, all targets in turn, for `PROFAN_FUZZ_SECONDS`.
#[test]
fn changed_seeds_do_no_harm() {
    let end = Instant::now() + Duration::from_secs(number("PROFAN_FUZZ_SECONDS", 2));
    let first = number("PROFAN_SEED", 0);
    let targets = TARGETS.iter().map(|(name, run)| (name, run, seeds_of(name)));
    let targets: Vec<_> = targets.collect();
    let cases = (0..).zip(targets.iter().cycle());
    let mut n_cases = 0;
    for (case, (name, run, seeds)) in cases.take_while(|_| Instant::now() < end) {
        let mut dice = chance_bytes::Dice::new(first, case);
        let [(_, seed), (_, other)] = [(); 2].map(|()| &seeds[dice.below(seeds.len())]);
        let bytes = mutated(seed, other, &mut dice);
        let outcome = panic::catch_unwind(|| run(&bytes));
        assert!(outcome.is_ok(), "{name}: case {case} with PROFAN_SEED={first}");
        n_cases = case + 1;
    }
    println!("{n_cases} cases");
}

/// Inputs generated from random bytes, `PROFAN_CASES` times.
#[test]
fn invariants_hold_for_random_profiles() {
    let first = number("PROFAN_SEED", 0);
    for seed in first..first + number("PROFAN_CASES", 5) {
        let mut dice = Dice(seed);
        let words = std::iter::repeat_with(|| dice.word().to_le_bytes());
        let words: Vec<_> = words.take(80).collect();
        println!("seed {seed}");
        for target in [targets::invariants, targets::diff, targets::verdict] {
            target(words.as_flattened());
        }
    }
}

/// Few bytes reach little; any of them must do.
#[test]
fn every_target_takes_any_few_bytes() {
    for (_, target) in TARGETS {
        for byte in (0..=255).step_by(51) {
            target(&[byte]);
            target(&[byte; 48]);
        }
    }
}
