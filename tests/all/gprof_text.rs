//! Compares texts of gprof with gprof2dot's reading of them, and with the profiles behind them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::samples::samples;
use crate::support::run_line;

/// Self and total cost by function, in the unit of the text.
fn costs_of(directory: &Path, line: &str) -> BTreeMap<String, [f64; 2]> {
    let report = run_line(line, b"", directory);
    let said = String::from_utf8_lossy(&report.stderr);
    assert_eq!(report.status, 0, "{line}: {said}");
    let report: Value = serde_json::from_slice(&report.stdout).expect("it is JSON");
    let rows = report["sections"][0]["rows"].as_array();
    let mut costs: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for row in rows.expect("it has rows") {
        let Some(name) = row["name"].as_str() else {
            continue;
        };
        let cost = |of: &str| {
            let seconds = row[format!("{of}_seconds")].as_f64();
            seconds.or(row[of].as_f64()).unwrap_or(0.0)
        };
        let sum = costs.entry(name.to_owned()).or_default();
        *sum = [sum[0] + cost("self"), sum[1] + cost("total")];
    }
    costs
}

/// Files from elsewhere, if they are next to the repository. gprof2dot computes totals of
/// functions in cycles by rules of its own.
#[test]
fn samples_equal_gprof2dots_reading() {
    let Some(directory) = samples("gprof-text") else {
        return;
    };
    for (file, unit) in
        [("cycle", 1.0), ("darwin", 1.0), ("embedded", 1000.0), ("gnu1", 1.0), ("zeros", 1.0)]
    {
        let line = format!("profan -p -z --names linkage --format json {file}.prof");
        let found = costs_of(&directory, &line);
        let table = directory.join(format!("prof-{file}.prof.functions.tsv"));
        let table = fs::read_to_string(table).expect("it is there");
        let rows: Vec<Vec<&str>> =
            table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
        assert!(rows.len() >= 5, "{file}");
        for row in rows {
            let expected: f64 = row[1].parse().expect("it is a number");
            let costs = found.get(row[0]);
            let costs = costs.unwrap_or_else(|| panic!("{file}: {} is missing", row[0]));
            let difference = (costs[0] - unit * expected).abs();
            assert!(
                difference < 1e-6 * unit.max(costs[0]),
                "{file}: {} has {}, not {expected}",
                row[0],
                costs[0]
            );
        }
    }
}

/// The numbers of profan's own report of a profile, and the numbers of gprof's text of it.
#[test]
fn a_text_has_the_costs_of_its_profile_to_two_decimals() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = root.join("fixtures/gprof-text/run");
    let text = fs::read_to_string(directory.join("old.txt")).expect("it is there");
    let found = costs_of(&directory, "profan -p -z --format json old.txt");
    let entries = text.lines().filter(|line| line.starts_with('[') && !line.contains("as a whole"));
    let mut n_entries = 0;
    for entry in entries {
        let words: Vec<&str> = entry.split_whitespace().collect();
        let name = words
            .iter()
            .rev()
            .skip(1)
            .find(|word| !word.contains(['<', '>']) && word.parse::<u32>().is_err());
        let name = name.expect("it has a name");
        let number = |index: usize| words[index].parse::<f64>().expect("it is a number");
        let (self_cost, total) = (number(2), number(2) + number(3));
        let costs = found[*name];
        assert!((costs[0] - self_cost).abs() < 1e-9, "{entry}: {costs:?}");
        assert!((costs[1] - total).abs() < 1e-9, "{entry}: {costs:?}");
        n_entries += 1;
    }
    assert_eq!(n_entries, 6);
}
