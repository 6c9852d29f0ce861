//! The direction of data between rooms, read off the sources.

use std::fs;
use std::path::Path;

use crate::support::files_below;

/// Which rooms each room may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("standard_ml", &[]),
    ("load", &["model", "standard_ml"]),
    ("symbols", &["model"]),
    ("filter", &["model", "symbols", "standard_ml"]),
    ("analyze", &["model", "symbols", "filter"]),
    ("report", &["model", "symbols", "analyze"]),
    ("render", &["report"]),
    (
        "diagnose",
        &["model", "load", "symbols", "sources", "analyze"],
    ),
    (
        "cli",
        &[
            "model",
            "standard_ml",
            "load",
            "symbols",
            "sources",
            "filter",
            "analyze",
            "report",
            // It chooses between the own face and the originals.
            "compat",
        ],
    ),
];

#[test]
fn rooms_use_only_the_rooms_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, may_use) in MAY_USE {
        let file = root.join(room).with_extension("rs");
        let mut sources = match file.exists() {
            true => vec![file],
            false => files_below(&root.join(room)),
        };
        sources.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
        assert!(!sources.is_empty(), "there is no room `{room}`");
        for path in sources {
            let text = fs::read_to_string(&path).expect("sources are text");
            for (place, _) in text.match_indices("crate::") {
                let is_word = !text[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let used = &text[place + "crate::".len()..];
                let end = used.find(|c: char| !c.is_alphanumeric() && c != '_');
                let used = &used[..end.unwrap_or(used.len())];
                if !is_word {
                    continue;
                }
                let is_allowed = used == *room || may_use.contains(&used);
                assert!(is_allowed, "{} uses `{used}`", path.display());
            }
        }
    }
}

#[test]
fn renderers_sort_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/render");
    let mut sources = Vec::new();
    all_files(&root, &mut sources);
    for path in sources {
        let text = fs::read_to_string(&path).expect("sources are text");
        for sorter in [".sort", "BTreeMap", "BTreeSet", "BinaryHeap"] {
            assert!(!text.contains(sorter), "{} has `{sorter}`", path.display());
        }
    }
}

#[test]
fn symbols_know_nothing_of_the_tool_whose_bytes_compat_prints() {
    let mut sources = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/symbols");
    all_files(&root, &mut sources);
    for path in sources {
        let text = fs::read_to_string(&path).expect("sources are text");
        // Tests read its fixtures.
        let text = text.to_lowercase().replace("fixtures/gprof/", "");
        assert!(!text.contains("gprof"), "{}", path.display());
    }
}

#[test]
fn fixtures_stay_small() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let size: u64 = files_below(&fixtures)
        .iter()
        .map(|path| fs::metadata(path).expect("the folder is readable").len())
        .sum();
    assert!(size < 6_000_000, "{size} bytes of fixtures");
}

/// A file of tests without its line in `main.rs` would never run.
#[test]
fn every_file_of_tests_is_part_of_the_program() {
    let main = include_str!("main.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_stem().expect("files have names").display();
        let line = format!("mod {name};");
        let is_there = path.ends_with("main.rs") || main.lines().any(|other| other == line);
        assert!(is_there, "tests/all/main.rs does not say `{line}`");
    }
}
