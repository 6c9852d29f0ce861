//! The call tree of every profile with calls or call stacks against the flat profile and
//! the call graph of the same report.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::run_line;

/// The subject of a row, and for calls also the caller.
type Sums = BTreeMap<String, f64>;

#[test]
fn frames_add_up_to_the_flat_profile_and_to_the_call_graph() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut n_checked = 0;
    for profile in profiles_below(&fixtures) {
        n_checked += usize::from(check(&profile));
    }
    assert!(n_checked >= 60, "{n_checked} profiles were checked");
}

/// Whether a file name belongs to a profile that may have calls.
fn is_profile(name: &str) -> bool {
    name.ends_with(".gmon")
        || ["gmon.out", "callgrind.out", "mpatrol.out"].iter().any(|usual| name.starts_with(usual))
}

pub(crate) fn profiles_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_path_buf()];
    while let Some(directory) = directories.pop() {
        let entries = directory.read_dir().expect("it is a directory");
        for path in entries.map(|entry| entry.expect("it can be read").path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() && name != "expected" {
                directories.push(path);
            } else if is_profile(name) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Checks a profile. Returns whether it has a call tree.
fn check(profile: &Path) -> bool {
    let directory = profile.parent().expect("it is in a folder");
    let name = profile.file_name().expect("it is a file").to_string_lossy();
    let program = if directory.join("prog").exists() { "prog" } else { "" };
    let line = format!("profan --format json -p -q --tree -z {name} {program}");
    let outcome = run_line(&line, b"", directory);
    let Ok(report) = serde_json::from_slice::<Value>(&outcome.stdout) else {
        return false;
    };
    let section = |id: &str| {
        let mut sections = report["sections"].as_array().into_iter().flatten();
        sections.find(|section| section["id"] == id)
    };
    let (Some(flat), Some(tree)) = (section("flat"), section("tree")) else {
        return false;
    };
    let whole: f64 = rows(flat).map(|row| number(row, "self")).sum();
    let (own, along) = sums_of_tree(tree);
    let mut expected = Sums::new();
    for row in rows(flat) {
        *expected.entry(key(row)).or_default() += number(row, "self");
    }
    check_sums(&expected, &own, whole, profile);
    if let Some(graph) = section("graph").filter(|_| tree_is_inferred(tree)) {
        check_sums(&sums_of_calls(graph), &along, whole, profile);
    }
    true
}

fn check_sums(expected: &Sums, found: &Sums, whole: f64, profile: &Path) {
    for (key, &expected) in expected {
        let found = found.get(key).copied().unwrap_or_default();
        let is_near = (found - expected).abs() <= 1e-9 * whole;
        assert!(is_near, "{}: {key}: {found}, not {expected}", profile.display());
    }
}

fn tree_is_inferred(tree: &Value) -> bool {
    rows(tree).next().is_some_and(|row| row["basis"] == "inferred")
}

/// The self costs of each function's frames, and the costs of calls by the frames below each
/// caller.
fn sums_of_tree(tree: &Value) -> (Sums, Sums) {
    let (mut own, mut along) = (Sums::new(), Sums::new());
    let mut stack: Vec<String> = Vec::new();
    for row in rows(tree) {
        let depth = row["depth"].as_u64().expect("a depth is a number");
        let depth = usize::try_from(depth).expect("a depth is small");
        stack.truncate(depth);
        *own.entry(key(row)).or_default() += number(row, "self");
        if let Some(caller) = stack.last() {
            let call = format!("{caller} -> {}", key(row));
            *along.entry(call).or_default() += number(row, "total");
        }
        stack.push(key(row));
    }
    (own, along)
}

/// The flow along the calls between functions, or from a function to a cycle.
fn sums_of_calls(graph: &Value) -> Sums {
    let mut along = Sums::new();
    for entry in rows(graph).filter(|row| row.get("kind").is_none()) {
        for callee in entry["callees"].as_array().into_iter().flatten() {
            let is_within = !entry["cycle"].is_null() && entry["cycle"] == callee["cycle"];
            if is_within || key(callee) == key(entry) {
                continue;
            }
            let to = match &callee["cycle"] {
                Value::Null => key(callee),
                cycle => format!("<cycle {cycle}> "),
            };
            let call = format!("{} -> {to}", key(entry));
            *along.entry(call).or_default() += number(callee, "total");
        }
    }
    along
}

fn rows(section: &Value) -> impl Iterator<Item = &Value> {
    section["rows"].as_array().into_iter().flatten()
}

/// The key of a function: the name and, if known, the address.
fn key(row: &Value) -> String {
    let name = row["name"].as_str().unwrap_or_default();
    let address = row["address"].as_str().unwrap_or_default();
    format!("{name} {address}")
}

fn number(row: &Value, column: &str) -> f64 {
    row[column].as_f64().unwrap_or_default()
}

#[test]
fn folded_stacks_add_up_to_the_time_of_the_profile() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    for (files, expected) in
        [("gmon.out primes", 1_260_000_000), ("callgrind.out", 0), ("mpatrol.out", 17675)]
    {
        let line = format!("profan --format folded {files}");
        let stdout = run_line(&line, b"", &tour).stdout;
        let text = String::from_utf8(stdout).expect("names are in ASCII");
        let weights = text.lines().map(|line| {
            let (_, weight) = line.rsplit_once(' ').expect("a stack and a number");
            weight.parse::<i128>().expect("a whole number")
        });
        let sum: i128 = weights.sum();
        assert!(sum == expected || expected == 0 && sum > 0, "{files}: {sum}");
    }
}
