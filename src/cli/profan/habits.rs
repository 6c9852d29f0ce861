//! Options of pprof and perf that users type by habit: the message names profan's equivalent.

use std::ffi::{OsStr, OsString};

use clap::Command;

use super::getopt_habits;

/// Options of other tools, with the tool and the equivalent. None is a valid option here,
/// except as a meaningless combination of letters.
const OTHERS: [(&str, &str, &str); 20] = [
    ("-top", "pprof", "profan -p; --top N limits the rows"),
    ("-text", "pprof", "profan -p"),
    ("-cum", "pprof", "profan -p --sort total"),
    ("-peek", "pprof", "profan -qFUNCTION: callers and callees of FUNCTION"),
    ("-tree", "pprof", "profan -q: each function with callers and callees"),
    ("-list", "pprof", "profan -AFUNCTION: annotated source of FUNCTION"),
    ("-lines", "pprof", "profan -l"),
    ("-nodecount", "pprof", "profan --top N"),
    ("-dot", "pprof", "profan --format dot"),
    ("-svg", "pprof", "profan --format dot | dot -Tsvg -o graph.svg"),
    ("-png", "pprof", "profan --format dot | dot -Tpng -o graph.png"),
    ("-web", "pprof", "profan --format dot | dot -Tsvg -o graph.svg"),
    ("-http", "pprof", "profan --format dot | dot -Tsvg -o graph.svg"),
    ("--http", "pprof", "profan --format dot | dot -Tsvg -o graph.svg"),
    ("--call-graph", "perf", "profan -q"),
    ("--stdio", "perf", "profan --pager never"),
    ("--percentage", "perf", "profan --relative: shares of the rows that are shown"),
    ("--percent-limit", "perf", "profan --min-percent P"),
    ("--children", "perf", "profan -p --sort total"),
    ("--no-children", "perf", "profan -p --sort self"),
];

/// The message for the first word that is an option of another tool, with its equivalent.
/// Ignores values of options.
pub(super) fn refuse(words: &[OsString], command: &Command) -> Option<String> {
    let options = getopt_habits::options(words, command);
    let (option, tool, here) = options.iter().find_map(|word| other(word))?;
    Some(format!("error: '{option}' is an option of {tool}\n  help: {here}"))
}

fn other(word: &OsStr) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let word = word.to_str()?;
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    OTHERS.iter().find(|(option, ..)| *option == name)
}
