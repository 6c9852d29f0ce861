//! Folded stacks of other programs, against sums that this file makes of their lines.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::samples::samples;
use crate::support::run_line;

/// Self and total by name.
type Costs = BTreeMap<String, [u64; 2]>;

/// The text of a file in UTF-8 or UTF-16 with a byte order mark.
fn text_of(path: &Path) -> String {
    let bytes = fs::read(path).expect("it is there");
    match bytes.strip_prefix(b"\xff\xfe") {
        Some(rest) => {
            let units = rest.chunks_exact(2);
            let units = units.map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
            String::from_utf16(&units.collect::<Vec<_>>()).expect("it is UTF-16")
        }
        None => String::from_utf8(bytes).expect("it is UTF-8"),
    }
}

/// The sums of flamegraph.pl: a function counts once in a stack, even if it occurs more often.
fn sums(text: &str) -> Costs {
    let mut sums = Costs::new();
    for line in text.lines() {
        let Some((stack, number)) = line.trim_end().rsplit_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse::<u64>() else {
            continue;
        };
        let names: Vec<&str> = stack.split(';').map(name_of).collect();
        let innermost = names.last().expect("a stack has a frame");
        sums.entry((*innermost).to_owned()).or_default()[0] += number;
        for name in names.iter().collect::<HashSet<_>>() {
            sums.entry((*name).to_owned()).or_default()[1] += number;
        }
    }
    sums
}

/// The function, without the place that py-spy adds, or the kind of object.
fn name_of(frame: &str) -> &str {
    let name = frame.strip_suffix("_[k]").unwrap_or(frame);
    match name.rsplit_once(" (") {
        Some((function, place)) if place.contains(".py:") => function,
        _ => name,
    }
}

fn of_profan(directory: &Path, file: &str) -> Costs {
    let line = format!("profan -p -z --names linkage --format json {file}");
    let outcome = run_line(&line, b"", directory);
    assert_eq!(outcome.status, 0, "{file}: {}", String::from_utf8_lossy(&outcome.stderr));
    let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let mut costs = Costs::new();
    for row in report["sections"][0]["rows"].as_array().expect("it has") {
        let name = row["name"].as_str().expect("it has a name").to_owned();
        let cost = |column: &str| row[column].as_u64().unwrap_or(0);
        let sum = costs.entry(name).or_default();
        *sum = [sum[0] + cost("self"), sum[1] + cost("total")];
    }
    costs
}

#[test]
fn samples_equal_the_sums_of_their_lines() {
    let files = [
        ("folded", "keywords.collapse"),
        ("folded", "py-spy-simple.txt"),
        ("folded", "readable.txt"),
        ("folded", "recursion.txt"),
        ("folded", "simple.txt"),
        ("folded", "simple-crlf.txt"),
        ("folded", "simple-utf16-le.txt"),
        ("diff-folded", "before.txt"),
        ("diff-folded", "after.txt"),
    ];
    for (format, file) in files {
        let Some(directory) = samples(format) else {
            return;
        };
        let expected = sums(&text_of(&directory.join(file)));
        assert!(expected.len() >= 3, "{file}");
        assert_eq!(of_profan(&directory, file), expected, "{file}");
    }
}

#[test]
fn a_difference_of_samples_has_the_stacks_of_difffolded() {
    let Some(directory) = samples("diff-folded") else {
        return;
    };
    let line = "profan diff --format folded before.txt after.txt";
    let outcome = run_line(line, b"", &directory);
    assert_eq!(outcome.status, 0, "{}", String::from_utf8_lossy(&outcome.stderr));
    let found = String::from_utf8(outcome.stdout).expect("it is UTF-8");
    let sorted = |text: &str| {
        let lines = text.lines().map(|line| line.replace("_[k]", ""));
        let mut lines: Vec<_> = lines.collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&found), sorted(&text_of(&directory.join("default.txt"))));
}
