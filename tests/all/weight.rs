//! How much code there is: lines of `src` without tests, comments and blank lines.

use std::collections::BTreeMap;

use crate::sources::untested_sources;

/// The most lines of each directory, with the file beside it that declares it. `.` has the other
/// files of `src`.
///
/// A line grows in the commit that needs it, whose message says what a user gets. After code was
/// taken away, lower it.
const MOST_LINES: &[(&str, usize)] = &[
    (".", 877),
    ("analyze", 13665),
    ("cli", 2529),
    ("compare", 8144),
    ("compat", 9022),
    ("diagnose", 5537),
    ("filter", 1723),
    ("load", 12182),
    ("memory", 217),
    ("model", 3129),
    ("output", 1503),
    ("render", 10212),
    ("report", 2081),
    ("run", 8541),
    ("signals", 314),
    ("sources", 250),
    ("symbols", 10036),
];

#[test]
fn no_directory_grows_over_its_line() {
    let sources = untested_sources();
    let directories: Vec<_> = sources.iter().filter_map(|(name, _)| name.split_once('/')).collect();
    let mut n_lines = BTreeMap::<&str, usize>::new();
    for (name, code) in &sources {
        let room = name.split('/').next().expect("a name has a part").trim_end_matches(".rs");
        let is_directory = directories.iter().any(|(directory, _)| *directory == room);
        let lines = code.lines().filter(|line| !line.trim().is_empty());
        *n_lines.entry(if is_directory { room } else { "." }).or_default() += lines.count();
    }
    let most =
        |room: &str| MOST_LINES.iter().find(|(name, _)| *name == room).map_or(0, |one| one.1);
    let over = n_lines.iter().filter(|(room, n_lines)| **n_lines > most(room));
    let over =
        over.map(|(room, n_lines)| format!("  {room}: {n_lines} lines, at most {}", most(room)));
    let over: Vec<_> = over.collect();
    assert!(
        over.is_empty(),
        "src has grown:\n{}\nTake code away elsewhere in the directory. If that is not possible, \
         raise its line in tests/all/weight.rs, and say in the commit what a user gets.",
        over.join("\n")
    );
}
