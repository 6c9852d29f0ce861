//! Compares pprof profiles with the output of `go tool pprof`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::samples::samples;
use crate::support::{files_below, run_line};

/// Self and total cost by function, each with the largest rounding error.
type Rows = BTreeMap<String, [(f64, f64); 2]>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

#[test]
fn every_function_costs_as_much_as_in_pprof() {
    let directory = root().join("fixtures/pprof/go");
    for (file, metrics) in [
        ("cpu", &["cpu", "samples"][..]),
        ("cpu2", &["cpu", "samples"]),
        ("mem", &["alloc_space", "alloc_objects", "inuse_space", "inuse_objects"]),
    ] {
        for metric in metrics {
            let text = directory.join(format!("expected/pprof/{file}.{metric}.txt"));
            let profile = format!("{file}.pb.gz");
            let n_rows = check(&directory, &profile, &format!("--value {metric}"), &text);
            assert!(n_rows >= 10, "{file} {metric}");
        }
    }
}

/// Files from elsewhere, if they are next to the repository.
#[test]
fn samples_cost_as_much_as_in_pprof() {
    let Some(samples) = samples("pprof") else {
        return;
    };
    let mut n_files = 0;
    for text in files_below(&samples) {
        let name = text.file_name().and_then(|name| name.to_str());
        let Some(name) = name.and_then(|name| name.strip_suffix(".top.txt")) else {
            continue;
        };
        check(&samples, &format!("{name}.pb.gz"), "", &text);
        n_files += 1;
    }
    assert!(n_files >= 5);
}

/// Compares a profile with the output of `go tool pprof -top`, and returns the number of
/// functions.
fn check(directory: &Path, profile: &str, options: &str, text: &Path) -> usize {
    let text = fs::read_to_string(text).expect("it is there");
    let line = format!("profan -p --format json {options} {profile}");
    let report = run_line(&line, b"", directory);
    assert_eq!(report.status, 0, "{line}");
    let report: Value = serde_json::from_slice(&report.stdout).expect("it is JSON");
    let section = &report["sections"][0];
    let mut printed: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for row in section["rows"].as_array().expect("it has rows") {
        let Some(name) = row["name"].as_str().filter(|_| row["kind"] != "unattributed") else {
            continue;
        };
        let values = ["self", "total"].map(|of| {
            let seconds = &row[format!("{of}_seconds")];
            let value = if seconds.is_null() { &row[of] } else { seconds };
            value.as_f64().expect("it has costs")
        });
        let sum = printed.entry(name.to_owned()).or_default();
        *sum = [sum[0] + values[0], sum[1] + values[1]];
    }
    let expected = rows_of(&text);
    assert!(!expected.is_empty(), "{profile}");
    for (name, values) in &expected {
        let found = printed.remove(name);
        let found = found.unwrap_or_else(|| panic!("{profile} {options}: {name} is missing"));
        for ((expected, error), found) in values.iter().zip(found) {
            let difference = (expected - found).abs();
            assert!(
                difference <= error + 1e-9 * expected,
                "{profile} {options}: {name} has {found}, not {expected}"
            );
        }
    }
    // pprof omits functions without any cost.
    let mut others = printed.into_iter().filter(|(_, costs)| costs[1] != 0.0);
    assert_eq!(others.next(), None, "{profile} {options}");
    expected.len()
}

/// The rows of `-top`: self, its share, the running sum, total, its share, name.
fn rows_of(text: &str) -> Rows {
    let rows = text.lines().skip_while(|line| !line.contains("flat%"));
    let rows = rows.skip(1).map(|line| {
        let mut rest = line;
        let mut cells = [""; 5];
        for cell in &mut cells {
            (*cell, rest) = rest.trim_start().split_once(' ').expect("it has six cells");
        }
        let name = rest.trim_start().trim_end_matches(" (inline)");
        let name = name.trim_end_matches(" (partial-inline)");
        (name.to_owned(), [amount(cells[0]), amount(cells[3])])
    });
    rows.collect()
}

/// An amount in seconds, bytes or as a count, and half of its last digit.
fn amount(text: &str) -> (f64, f64) {
    let end = text.find(|c: char| c.is_ascii_alphabetic());
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let factor = match unit {
        "" | "B" | "s" => 1.0,
        "ns" => 1e-9,
        "us" => 1e-6,
        "ms" => 1e-3,
        "kB" => 1024.0,
        "MB" => 1_048_576.0,
        "GB" => 1_073_741_824.0,
        other => panic!("the unit {other}"),
    };
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let error = match decimals {
        0 if factor <= 1.0 => 0.0,
        // pprof omits zeros at the end.
        _ => 0.5 * 0.1_f64.powi(2),
    };
    let value: f64 = digits.parse().expect("it is a number");
    (value * factor, error * factor)
}
