//! What was found by fuzzing stays found: every seed is given to its target.

use std::fs;
use std::path::{Path, PathBuf};

#[allow(unreachable_pub, dead_code, missing_docs)]
#[path = "../../fuzz/src/replayed.rs"]
mod fuzzed;

use fuzzed::targets::{self, TARGETS};

use crate::dice::Dice;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The names in a folder, in their order.
fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the folder can be read");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("it can be read").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_was_found_by_fuzzing_stays_found() {
    for (name, target) in TARGETS {
        let directory = fuzz().join("seeds").join(name);
        let seeds = names_in(&directory);
        assert!(!seeds.is_empty(), "{name} has no seed");
        for seed in seeds {
            let bytes = fs::read(directory.join(&seed)).expect("the seed can be read");
            println!("{name}/{seed}");
            target(&bytes);
        }
    }
}

/// What is generated from random bytes. `PROFAN_CASES` says how many times.
#[test]
fn invariants_hold_for_random_profiles() {
    let n_cases = std::env::var("PROFAN_CASES").map_or(Ok(5), |text| text.parse());
    let first = std::env::var("PROFAN_SEED").map_or(Ok(0), |text| text.parse::<u64>());
    let first = first.expect("PROFAN_SEED is a number");
    for seed in first..first + n_cases.expect("PROFAN_CASES is a number") {
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
