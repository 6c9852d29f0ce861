//! The direction of data between rooms, read off the sources.

use std::fs;
use std::path::Path;

use crate::sources::{sources_of, words_behind};
use crate::support::files_below;

/// Which rooms each room may use. Only `run` and `main` may use them all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("standard_ml", &[]),
    ("files", &[]),
    ("at_files", &["files", "limits"]),
    ("progress", &[]),
    ("sorting", &[]),
    ("interner", &[]),
    ("integers", &[]),
    ("limits", &[]),
    ("threads", &[]),
    // Its messages go to a terminal, too.
    ("signals", &["report"]),
    ("memory", &["signals"]),
    ("output", &["files", "progress", "report", "signals"]),
    ("sources", &["files"]),
    ("model", &["interner", "limits", "threads"]),
    (
        "load",
        &[
            "files",
            "limits",
            "model",
            "standard_ml",
            "progress",
            "memory",
            "signals",
            "threads",
            "sorting",
        ],
    ),
    (
        "symbols",
        &["limits", "model", "progress", "files", "memory", "signals", "threads", "sorting"],
    ),
    ("filter", &["limits", "model", "symbols", "standard_ml", "sorting"]),
    ("report", &["interner", "limits", "threads"]),
    (
        "analyze",
        &["integers", "limits", "model", "symbols", "filter", "report", "threads", "sorting"],
    ),
    ("compare", &["model", "symbols", "filter", "report", "analyze", "threads", "sorting"]),
    ("render", &["limits", "report", "threads", "sorting", "interner"]),
    (
        "diagnose",
        &[
            "files", "model", "load", "symbols", "sources", "analyze", "compare",
            // It says what is wrong with a report that was kept, and what was odd then.
            "report", "render", "threads", "sorting",
        ],
    ),
    // The options set the pager, the progress and the memory limit, name the formats, and select
    // the native mode or an original.
    (
        "cli",
        &[
            "at_files", "model", "load", "symbols", "sources", "filter", "analyze", "compare",
            "diagnose", "report",   // It says when to page.
            "output",   // It says where it is told how far the work is.
            "progress", // It says how much memory there is.
            "memory",   // It knows the names of formats.
            "render",   // It chooses between the own face and the originals.
            "compat", "threads", "sorting",
        ],
    ),
    (
        "compat",
        &[
            "at_files",
            "limits",
            "memory",
            "files",
            "output",
            "sources",
            "standard_ml",
            "model",
            "load",
            "symbols",
            "filter",
            "analyze",
            "diagnose",
            "report",
            "threads",
            "sorting",
        ],
    ),
];

#[test]
fn rooms_use_only_the_rooms_before_them() {
    for (room, may_use) in MAY_USE {
        let sources = sources_of(room);
        assert!(!sources.is_empty(), "there is no room `{room}`");
        for (name, code) in sources {
            for used in words_behind(&code, "crate::") {
                let is_allowed = used == *room || may_use.contains(&used);
                assert!(is_allowed, "{name} uses `{used}`");
            }
        }
    }
}

#[test]
fn every_room_has_its_rule() {
    let sources = sources_of("");
    let library = sources.iter().find(|(name, _)| name == "lib.rs");
    let (_, code) = library.expect("there is a library");
    for room in words_behind(code, "mod ") {
        let has_rule = room == "run" || MAY_USE.iter().any(|(name, _)| *name == room);
        assert!(has_rule, "what may `{room}` use?");
    }
}

/// The originals are separate: only the command line selects them.
#[test]
fn reports_do_not_use_the_originals() {
    for (name, code) in sources_of("run") {
        let uses_them = words_behind(&code, "crate::").any(|used| used == "compat");
        assert!(!uses_them, "{name} uses `compat`");
    }
}

/// `threads::start` limits the number of threads to the requested one, and to one if the system
/// cannot start more.
#[test]
fn parallel_code_starts_the_threads() {
    for (name, code) in sources_of("") {
        let is_needed = name != "threads.rs" && code.contains("rayon::");
        let is_done = code.contains("threads::start()");
        assert!(is_done || !is_needed, "{name} does not start threads");
    }
}

#[test]
fn fixtures_stay_small() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let size: u64 = files_below(&fixtures)
        .iter()
        .map(|path| fs::metadata(path).expect("the folder is readable").len())
        .sum();
    assert!(size < 8_850_000, "{size} bytes of fixtures");
}

/// A file of tests without its line in `main.rs` would never run.
#[test]
fn every_file_of_tests_is_part_of_the_program() {
    let main = include_str!("main.rs");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    for entry in fs::read_dir(directory).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_stem().expect("files have names").display();
        let line = format!("mod {name};");
        let is_there = path.ends_with("main.rs") || main.lines().any(|other| other == line);
        assert!(is_there, "tests/all/main.rs does not say `{line}`");
    }
}
