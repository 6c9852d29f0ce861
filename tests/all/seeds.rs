//! What was found by fuzzing stays found: every seed is given to its target.

use std::fs;
use std::path::{Path, PathBuf};

#[allow(unreachable_pub, dead_code, missing_docs)]
#[path = "../../fuzz/src/replayed.rs"]
mod fuzzed;

use fuzzed::targets::TARGETS;

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

#[test]
fn every_target_is_fuzzed() {
    let built = names_in(&fuzz().join("fuzz_targets"));
    let mut expected: Vec<_> = TARGETS
        .iter()
        .map(|(name, _)| format!("{name}.rs"))
        .collect();
    // It needs the original, which is not everywhere.
    expected.push("differential.rs".to_owned());
    expected.sort();
    assert_eq!(built, expected);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("it is there");
    for name in built {
        let entry = format!("path = \"fuzz_targets/{name}\"");
        assert!(manifest.contains(&entry), "{name} is not built");
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
