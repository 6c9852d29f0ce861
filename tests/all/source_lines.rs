//! Time next to the lines of sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::case::Case;
use crate::support::{Scratch, run_line};

/// Ticks by file, without its directory, and line.
type LineTicks = BTreeMap<(String, u64), f64>;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gprof").join(name)
}

/// The rows of all sections of that name.
fn rows(case: &Path, line: &str, section: &str) -> Vec<Value> {
    let scratch = Scratch::copy_of(case);
    let outcome = run_line(line, b"", scratch.path());
    let report: Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let sections = report["sections"].as_array().expect("there are some");
    let of_name = sections.iter().filter(|one| one["id"] == section);
    let rows = of_name.flat_map(|one| one["rows"].as_array().expect("they are a list"));
    rows.cloned().collect()
}

fn last_component(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

fn ours(case: &Path) -> LineTicks {
    let mut found = LineTicks::new();
    for row in rows(case, "profan -A -I . --format json gmon.out prog", "source") {
        if let (Some(file), Some(line), Some(ticks)) =
            (row["file"].as_str(), row["line"].as_u64(), row["self"].as_f64())
        {
            *found.entry((last_component(file), line)).or_default() += ticks;
        }
    }
    found
}

/// The output of `gprof -l`: `   59.04  0.49  0.49  … twist (inl.c:8 @ 123f)`.
fn theirs(case: &Path) -> LineTicks {
    let recorded = Case::read(case.join("expected/gprof/10.case"));
    let text = recorded.stdout.expect("it was recorded");
    let mut found = LineTicks::new();
    for line in String::from_utf8_lossy(&text).lines() {
        let Some((before, place)) = line.rsplit_once(" (") else {
            continue;
        };
        let place = place.split(" @").next().and_then(|place| place.rsplit_once(':'));
        let seconds = before.split_whitespace().nth(2).and_then(|word| word.parse::<f64>().ok());
        if let (Some((file, line)), Some(seconds)) = (place, seconds)
            && let Ok(line) = line.parse()
        {
            *found.entry((file.to_owned(), line)).or_default() += 100.0 * seconds;
        }
    }
    found
}

/// If a bin spans two lines, gprof divides it by bytes and profan by instructions.
#[test]
fn times_of_files_equal_gprofs_times_by_line() {
    for name in ["inline-o2", "fortran", "clones-o2"] {
        let case = fixture(name);
        let mut files: BTreeMap<String, (f64, f64, f64)> = BTreeMap::new();
        for ((file, _), ticks) in ours(&case) {
            files.entry(file).or_default().0 += ticks;
        }
        for ((file, _), ticks) in theirs(&case) {
            let (_, sum, n_lines) = files.entry(file).or_default();
            *sum += ticks;
            *n_lines += 1.0;
        }
        assert!(!files.is_empty(), "{name} has files");
        for (file, (ours, theirs, n_lines)) in files {
            // gprof rounds each of its rows to a tick.
            let difference = (ours - theirs).abs();
            assert!(difference <= n_lines, "{name}, {file}: {ours} and {theirs}");
        }
    }
}

#[test]
fn a_table_has_the_lines_of_all_sources() {
    let scratch = Scratch::copy_of(&fixture("partial-debug"));
    for options in ["", "--inlines"] {
        let line = format!("profan -A {options} -I . -I lib --format csv gmon.out prog");
        let outcome = run_line(&line, b"", scratch.path());
        let table = String::from_utf8_lossy(&outcome.stdout).into_owned();
        for file in ["main.c", "b.c"] {
            assert!(
                table.contains(&format!("/{file}\n")) || table.contains(&format!("/{file},")),
                "{line}: {file}"
            );
        }
        assert_eq!(table.matches("kind,").count(), 1, "{line}");
    }
}

#[test]
fn costs_with_and_without_a_line_add_up_to_the_whole() {
    let mut n_without_line = 0;
    for name in [
        "basic",
        "basic-pie",
        "cxx-o2",
        "cycles",
        "fortran",
        "inline-o2",
        "order",
        "partial-debug",
        "plt",
        "sections-o2",
    ] {
        for options in ["", "--inlines", "-l", "-Amain", "-N main"] {
            let line = format!("profan -A {options} -I . --format json gmon.out prog");
            let files = rows(&fixture(name), &line, "source-files");
            let (mut sum, mut total) = (0.0, 0.0);
            for row in &files {
                let ticks = row["self"].as_f64().expect("every row has ticks");
                match row["kind"].as_str() {
                    Some("total") => total = ticks,
                    _ => sum += ticks,
                }
                n_without_line += usize::from(row["kind"] == "unattributed");
            }
            assert!(total > 0.0, "{line} in {name}");
            assert!((sum - total).abs() < 1e-6, "{line} in {name}: {sum} of {total}");
            let beside: f64 = rows(&fixture(name), &line, "source")
                .iter()
                .filter_map(|row| row["self"].as_f64())
                .sum();
            let found: f64 = files
                .iter()
                .filter(|row| row["kind"].is_null())
                .filter(|row| !row["file"].as_str().is_some_and(|f| f.ends_with("(not found)")))
                .filter_map(|row| row["self"].as_f64())
                .sum();
            assert!((beside - found).abs() < 1e-6, "{line} in {name}: {beside} of {found}");
        }
    }
    assert!(n_without_line > 0, "some program has code without lines");
}
