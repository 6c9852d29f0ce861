//! The table of reports and filters in `docs/guide.md`: what becomes of the costs that a filter
//! removes, in each report. `PROFAN_BLESS=1 cargo test --test all filters` writes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::made_tables::check_made_table;
use crate::support::run_line;

const STACKS: &str = "main 5\nmain;x 10\nmain;x;a 60\ny;c 20\n";
const WHOLE: u64 = 95;

/// A filter, and the cost that it removes.
const FILTERS: &[(&str, &str, u64)] = &[
    ("`--focus x`", "--focus x", 25),
    ("`--ignore x`", "--ignore x", 70),
    ("`--keep '(not \"x\")'`", "--keep '(not \"x\")'", 10),
    ("`--hide x`", "--hide x", 10),
    ("`--from x`", "--from x", 25),
];

/// A report, its options, and whether profan reads it back for its costs.
const REPORTS: &[(&str, &str, bool)] = &[
    ("flat profile", "-p", false),
    ("call graph", "-q", false),
    ("call tree", "--tree", false),
    ("tree of callers", "--tree=callers", false),
    ("folded", "--format folded -o out.folded", true),
    ("pprof", "--format pprof -o out.pb", true),
    ("callgrind", "--format callgrind -o callgrind.out.1", true),
];

/// The self costs of a report by name, and of the rows for the rest.
fn costs(line: &str, directory: &Path) -> (BTreeMap<String, u64>, u64) {
    let line = format!("profan {line} --format json");
    let outcome = run_line(&line, b"", directory);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status, 0, "{line}: {said}");
    let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let (mut named, mut rest) = (BTreeMap::new(), 0);
    for row in report["sections"][0]["rows"].as_array().expect("it has rows") {
        let cost = row["self"].as_u64().unwrap_or_default();
        let name = row["name"].to_string();
        // A format without kinds of rows has the rest as a function.
        let is_rest = name.starts_with("\"<everything else>") || name.starts_with("\"...");
        match row["kind"].as_str() {
            None if is_rest => rest += cost,
            None => *named.entry(name).or_default() += cost,
            Some("rest") => rest += cost,
            Some(_) => {}
        }
    }
    (named, rest)
}

/// What becomes of the removed cost.
fn outcome(filter: &str, removed: u64, report: &str, is_read_back: bool) -> String {
    let directory = TempDir::new().expect("a temporary folder can be made");
    let path = directory.path();
    fs::write(path.join("run.folded"), STACKS).expect("it is written");
    let (named, rest) = if is_read_back {
        let line = format!("profan {report} {filter} run.folded");
        assert_eq!(run_line(&line, b"", path).status, 0, "{line}");
        let file = report.rsplit(' ').next().expect("it has a file");
        costs(&format!("-p {file}"), path)
    } else {
        costs(&format!("{report} {filter} run.folded"), path)
    };
    let sum: u64 = named.values().sum();
    let of = |name: &str| named.get(&format!("{name:?}")).copied();
    let cell = match (of("main"), of("<elsewhere>")) {
        (Some(15), None) if sum == WHOLE => "to callers",
        (_, Some(elsewhere)) if sum == WHOLE && elsewhere == removed => "`<elsewhere>`",
        _ if (sum, rest) == (WHOLE - removed, removed) => "one row",
        _ if (sum, rest) == (WHOLE - removed, 0) => "omitted",
        _ => panic!("{report} {filter}: {named:?}, rest {rest}"),
    };
    cell.to_owned()
}

fn table() -> String {
    let titles: Vec<_> = FILTERS.iter().map(|(title, ..)| *title).collect();
    let mut lines = vec![
        format!("report | {}", titles.join(" | ")),
        vec!["---"; FILTERS.len() + 1].join(" | "),
    ];
    for (title, report, is_read_back) in REPORTS {
        let cells = FILTERS.iter();
        let cells = cells.map(|(_, filter, cost)| outcome(filter, *cost, report, *is_read_back));
        lines.push(format!("{title} | {}", cells.collect::<Vec<_>>().join(" | ")));
    }
    lines.iter().map(|line| format!("| {line} |\n")).collect()
}

#[test]
fn the_table_of_reports_and_filters_is_true() {
    check_made_table("docs/guide.md", "tests/all/filters.rs", &table());
}
