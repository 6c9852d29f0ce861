//! The direction of data between rooms, read off the sources.

use std::fs;
use std::path::Path;

use crate::support::files_below;

/// Which rooms each room may use. Only `run` and `main` may use them all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("standard_ml", &[]),
    ("files", &[]),
    ("at_files", &["files"]),
    ("progress", &[]),
    ("sorting", &[]),
    ("threads", &[]),
    // What it says goes to a terminal, too.
    ("signals", &["report"]),
    ("memory", &["signals"]),
    ("output", &["files", "progress", "report", "signals"]),
    ("sources", &["files"]),
    ("model", &[]),
    ("load", &["model", "standard_ml", "progress", "memory", "threads", "sorting"]),
    ("symbols", &["model", "progress", "files", "memory", "signals", "sorting"]),
    ("filter", &["model", "symbols", "standard_ml", "sorting"]),
    ("report", &[]),
    ("analyze", &["model", "symbols", "filter", "report", "threads", "sorting"]),
    ("compare", &["model", "symbols", "filter", "report", "analyze", "threads", "sorting"]),
    ("render", &["report", "threads", "sorting"]),
    (
        "diagnose",
        &[
            "files", "model", "load", "symbols", "sources", "analyze", "compare",
            // It says what is wrong with a report that was kept, and what was odd then.
            "report", "render", "threads", "sorting",
        ],
    ),
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

/// The originals are a wing of their own: only the command line chooses them.
#[test]
fn reports_do_not_use_the_originals() {
    for (name, code) in sources_of("run") {
        let uses_them = words_behind(&code, "crate::").any(|used| used == "compat");
        assert!(!uses_them, "{name} uses `compat`");
    }
}

/// So that there are as many as were asked for, and one where the system has no more.
#[test]
fn who_works_in_parallel_starts_the_threads() {
    for (name, code) in sources_of("") {
        let is_needed = name != "threads.rs" && code.contains("rayon::");
        let is_done = code.contains("threads::start()");
        assert!(is_done || !is_needed, "{name} does not start threads");
    }
}

/// The code of all sources of a room by their names. That of the empty name is all of
/// it.
fn sources_of(room: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (file, directory) = (root.join(room).with_extension("rs"), root.join(room));
    let mut paths = if directory.is_dir() { files_below(&directory) } else { Vec::new() };
    paths.extend(Some(file).filter(|file| file.is_file()));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let named = paths.into_iter().map(|path| {
        let name = path.strip_prefix(&root).expect("it is below the root");
        let name = name.display().to_string().replace('\\', "/");
        let text = fs::read_to_string(&path).expect("sources are text");
        (name, code_of(&text))
    });
    named.collect()
}

/// The code of a source: nothing of its comments and strings.
fn code_of(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => length_of_string(rest),
            'r' if rest.starts_with("r\"") => 2 + rest[2..].find('"').map_or(0, |end| end + 1),
            'r' if rest.starts_with("r#\"") => 3 + rest[3..].find("\"#").map_or(0, |end| end + 2),
            '\'' if rest.starts_with("'\\") => 3 + rest[3..].find('\'').map_or(0, |end| end + 1),
            '\'' if rest.chars().nth(2) == Some('\'') => {
                2 + rest.chars().take(2).last().map_or(0, char::len_utf8)
            }
            _ => 0,
        };
        match length {
            0 => code.push(next),
            _ if next == '/' => {}
            // What was a literal still stands between operators.
            _ => code.push('_'),
        }
        rest = &rest[length.max(next.len_utf8())..];
    }
    code
}

/// The bytes of the string at the start, its quotes among them.
fn length_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, character) in text.char_indices().skip(1) {
        match character {
            '"' if !is_escaped => return place + 1,
            _ => is_escaped = character == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// The words that follow `before`, where that is not the end of a longer word.
fn words_behind<'c>(code: &'c str, before: &'c str) -> impl Iterator<Item = &'c str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let places = code.match_indices(before);
    let whole = places.filter(move |(place, _)| !code[..*place].ends_with(is_part));
    whole.map(move |(place, _)| {
        let behind = &code[place + before.len()..];
        let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_');
        &behind[..end.unwrap_or(behind.len())]
    })
}

#[test]
fn code_is_told_from_what_is_not() {
    let check = |source: &str, expected: &str| assert_eq!(code_of(source), expected);
    check("a / b // c / d\ne", "a / b \ne");
    check(r#"x(" / \" * ", 'y') + 'a'"#, "x(_, _) + _");
    check(r"f::<'a>(b'\'', '\\')", "f::<'a>(b_, _)");
    check("r\"a\\\" + r#\"b \" c\"#", "_ + _");
}

#[test]
fn fixtures_stay_small() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let size: u64 = files_below(&fixtures)
        .iter()
        .map(|path| fs::metadata(path).expect("the folder is readable").len())
        .sum();
    assert!(size < 8_700_000, "{size} bytes of fixtures");
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
