//! Compares heap profiles of valgrind with the output of valgrind and ms_print.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::samples::samples;
use crate::support::{files_below, run_line};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/valgrind/heap")
}

fn report(line: &str, directory: &Path) -> Value {
    let outcome = run_line(line, b"", directory);
    assert_eq!(outcome.status, 0, "{line}");
    serde_json::from_slice(&outcome.stdout).expect("it is JSON")
}

/// The rows of a section.
fn rows(report: &Value, section: &str) -> Vec<Value> {
    let sections = report["sections"].as_array().expect("it has sections");
    let found = sections.iter().find(|one| one["id"] == section);
    let found = found.unwrap_or_else(|| panic!("no {section}"));
    found["rows"].as_array().expect("it has rows").clone()
}

/// The sum of a column of the flat profile.
fn sum(rows: &[Value], column: &str) -> u64 {
    let value = |row: &Value| row[column].as_u64().or(row["values"][column].as_u64());
    rows.iter().filter_map(value).sum()
}

#[test]
fn totals_equal_those_printed_by_dhat() {
    let directory = directory();
    let numbers = |name: &str| {
        let path = directory.join(format!("expected/dhat/{name}.txt"));
        let text = fs::read_to_string(path).expect("it is there").replace(',', "");
        let words = text.split_whitespace();
        words.filter_map(|word| word.parse().ok()).collect::<Vec<u64>>()
    };
    for name in ["dhat", "dhat2"] {
        let line = format!("profan -p --format json {name}.json");
        let rows = rows(&report(&line, &directory), "flat");
        let columns = [
            "self",
            "count",
            "peak-bytes",
            "peak-count",
            "unfreed-bytes",
            "unfreed-count",
            "read-bytes",
            "written-bytes",
        ];
        let sums = columns.map(|column| sum(&rows, column));
        assert_eq!(sums[..], numbers(name)[..], "{name}");
    }
    for (name, columns) in [("copy", ["self", "count"]), ("events", ["self", "events"])] {
        let line = format!("profan -p --format json {name}.json");
        let rows = rows(&report(&line, &directory), "flat");
        let sums = columns.map(|column| sum(&rows, column));
        assert_eq!(sums[..], numbers(name)[..], "{name}");
    }
}

/// Self and total of each function, by adding up the stacks of the file.
#[test]
fn functions_have_the_bytes_of_their_stacks() {
    let mut files: Vec<_> = ["dhat", "dhat2", "copy"].into();
    files.sort_unstable();
    for name in files {
        check_stacks(&directory(), &format!("{name}.json"));
    }
    let Some(samples) = samples("dhat") else {
        return;
    };
    for file in files_below(&samples) {
        let name = file.file_name().expect("it has one");
        check_stacks(&samples, name.to_str().expect("it is UTF-8"));
    }
}

fn check_stacks(directory: &Path, name: &str) {
    let bytes = fs::read(directory.join(name)).expect("it is there");
    let file: Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let list = |value: &Value| value.as_array().expect("it is a list").clone();
    let frames: Vec<String> =
        list(&file["ftbl"]).iter().map(|f| named(f.as_str().expect("it is a name"))).collect();
    let mut expected: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for point in list(&file["pps"]) {
        let bytes = point["tb"].as_u64().expect("it has bytes");
        let stack = list(&point["fs"]);
        let stack = stack
            .iter()
            .map(|f| usize::try_from(f.as_u64().expect("it is an index")).expect("it fits"));
        let is_replaced = |&f: &usize| {
            let frame = file["ftbl"][f].as_str().expect("it is a name");
            frame.contains("/vgpreload_")
        };
        let stack: Vec<_> = stack.skip_while(is_replaced).map(|f| &frames[f]).collect();
        expected.entry(stack[0].clone()).or_default()[0] += bytes;
        let mut once = stack.clone();
        once.sort();
        once.dedup();
        for name in once {
            expected.entry(name.clone()).or_default()[1] += bytes;
        }
    }
    let report = report(&format!("profan -p --format json {name}"), directory);
    let found = rows(&report, "flat");
    let found = found.iter().filter(|row| row["kind"] != "unattributed").map(|row| {
        let of = |column: &str| row[column].as_u64().expect("it has bytes");
        (row["name"].as_str().expect("it has a name").to_owned(), [of("self"), of("total")])
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{name}");
}

/// `grab` of `0x1: grab (t.c:4)`; unknown functions by address.
fn named(frame: &str) -> String {
    let (address, rest) = frame.split_once(": ").unwrap_or(("", frame));
    let (name, place) = rest.split_once(" (").unwrap_or((rest, ""));
    let object = place.rsplit_once('/').map(|(_, object)| object.trim_end_matches(')'));
    match (name, object) {
        ("???", Some(object)) => format!("{address} [{object}]"),
        ("???", None) => address.to_owned(),
        _ => name.to_owned(),
    }
}

#[test]
fn snapshots_equal_those_of_ms_print() {
    for name in ["massif.out", "massif2.out", "stacks.massif", "pages.massif", "detailed.massif"] {
        let text = directory().join(format!("expected/ms_print/{name}.txt"));
        let n_trees = check_massif(&directory(), name, &text);
        // With pages, only the peak is detailed.
        let n_least = if name == "pages.massif" { 1 } else { 2 };
        assert!(n_trees >= n_least, "{name}");
    }
    let Some(samples) = samples("massif") else {
        return;
    };
    assert!(check_massif(&samples, "massif.out", &samples.join("massif.ms_print.txt")) > 1);
    for file in files_below(&samples) {
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.filter(|name| name.starts_with("massif.out"));
        let Some(name) = name else { continue };
        report(&format!("profan --format json {name}"), &samples);
    }
}

/// Compares the snapshots with the table of ms_print, and the bytes of the innermost functions
/// with its trees. Returns the number of trees.
fn check_massif(directory: &Path, name: &str, text: &Path) -> usize {
    let text = fs::read_to_string(text).expect("it is there");
    let all = report(&format!("profan --format json {name}"), directory);
    let snapshots = rows(&all, "heap-snapshots");
    let found = snapshots.iter().map(|row| {
        let columns =
            ["snapshot", "time", "total_bytes", "heap_bytes", "extra_bytes", "stack_bytes"];
        columns.map(|column| row[column].as_u64().expect("it is a number"))
    });
    let mut expected: Vec<[u64; 6]> = Vec::new();
    // By snapshot, the bytes of each innermost function.
    let mut trees: BTreeMap<u64, BTreeMap<String, u64>> = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let numbers = words.iter().map(|word| word.replace(',', "").parse().ok());
        let numbers: Option<Vec<u64>> = numbers.collect();
        if let Some(Ok(row)) = numbers.map(<[u64; 6]>::try_from) {
            expected.push(row);
        } else if let Some(rest) = line.strip_prefix("->") {
            let (_, rest) = rest.split_once(" (").expect("it has bytes");
            let (bytes, frame) = rest.split_once("B) ").expect("it has a function");
            let bytes: u64 = bytes.replace(',', "").parse().expect("it is a number");
            let number = expected.last().expect("it is below a snapshot")[0];
            let of_tree = trees.entry(number).or_default();
            if !frame.starts_with("in ") {
                *of_tree.entry(named(frame)).or_default() += bytes;
            }
        }
    }
    assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
    let peak = snapshots.iter().find(|row| row["detail"] == "peak");
    let peak = peak.and_then(|row| row["snapshot"].as_u64());
    let peak = peak.expect("a snapshot is the peak");
    for (number, tree) in &trees {
        let metric =
            if *number == peak { "peak-bytes".to_owned() } else { format!("snapshot-{number}") };
        let line = format!("profan -p --value {metric} --format json {name}");
        let found = rows(&report(&line, directory), "flat");
        let found = found.iter().filter_map(|row| {
            let bytes = row["self"].as_u64().filter(|&bytes| bytes > 0)?;
            Some((row["name"].as_str()?.to_owned(), bytes))
        });
        let found: BTreeMap<_, _> = found.filter(|(name, _)| name != "<unknown>").collect();
        assert_eq!(found, *tree, "{name}, snapshot {number}");
    }
    trees.len()
}
