//! Samples and stacks of `perf script`, compared with `perf report` and FlameGraph's
//! `stackcollapse-perf.pl` on the same recordings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::samples::samples;
use crate::support::run_line;

/// Self costs by function, as `samples period name` of each event.
fn of_profan(directory: &Path, file: &str, value: &str) -> BTreeMap<String, u64> {
    let line = format!("profan -p --demangle=none --format json --value {value} {file}");
    let outcome = run_line(&line, b"", directory);
    let text = String::from_utf8(outcome.stdout).expect("JSON is UTF-8");
    let report: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let rows = report["sections"][0]["rows"].as_array().expect("it has rows");
    let costs = rows.iter().map(|row| {
        let cost = &row["self"];
        let name = row["name"].as_str().expect("it has a name");
        (name.to_owned(), cost.as_u64().expect("it is a number"))
    });
    costs.filter(|(_, cost)| *cost > 0).collect()
}

/// Samples, period and name.
type PerfRow = (u64, u64, String);

/// Events with their rows.
fn of_perf(report: &str) -> Vec<(String, Vec<PerfRow>)> {
    let mut events: Vec<(String, Vec<PerfRow>)> = Vec::new();
    for line in report.lines() {
        if let Some((_, event)) = line.split_once("  of event '") {
            events.push((event.trim_end_matches('\'').to_owned(), Vec::new()));
        } else if !line.starts_with('#') {
            let words: Vec<_> = line.split_whitespace().collect();
            let number = |word: &str| word.parse().expect("it is a number");
            let row = (number(words[0]), number(words[1]), words[3..].join(" "));
            events.last_mut().expect("an event comes first").1.push(row);
        }
    }
    events
}

#[test]
fn samples_and_periods_equal_perf_report() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perf-script/stacks");
    for name in ["count", "slower", "lines"] {
        let report = fs::read_to_string(directory.join(format!("{name}.report.txt")));
        let events = of_perf(&report.expect("the report is there"));
        for (event, rows) in &events {
            let samples = match events.len() {
                1 => "samples".to_owned(),
                _ => format!("{event}-samples"),
            };
            let file = format!("{name}.perf");
            let by_samples = rows.iter().map(|(samples, _, name)| (name.clone(), *samples));
            assert_eq!(of_profan(&directory, &file, &samples), by_samples.collect(), "{file}");
            let by_period = rows.iter().map(|(_, period, name)| (name.clone(), *period));
            assert_eq!(of_profan(&directory, &file, event), by_period.collect(), "{file}");
        }
    }
}

/// Names as `stackcollapse-perf.pl` writes them.
fn tidy(name: &str, is_java: bool) -> String {
    let name = name.replace(['"', '\''], "").replace(';', ":");
    let end = name.find('(').unwrap_or(name.len());
    let name = &name[..end];
    match name.strip_prefix('L') {
        Some(class) if is_java && name.contains('/') => class.to_owned(),
        _ => name.to_owned(),
    }
}

/// Stacks of the standard output of a tool, which writes the command first.
fn collapsed(text: &str) -> BTreeMap<Vec<String>, u64> {
    let mut stacks = BTreeMap::new();
    for line in text.lines() {
        let (stack, count) = line.rsplit_once(' ').expect("a number is last");
        let frames = stack
            .split(';')
            .skip(1)
            .map(|frame| frame.trim_end_matches("_[k]").trim_end_matches("_[j]").to_owned());
        let count: u64 = count.parse().expect("it is a number");
        *stacks.entry(frames.collect()).or_default() += count;
    }
    stacks
}

#[test]
fn stacks_of_real_files_equal_stackcollapse() {
    let Some(directory) = samples("perf") else {
        return;
    };
    let mut n_files = 0;
    for entry in fs::read_dir(&directory).expect("it is a directory") {
        let path = entry.expect("it can be read").path();
        let expected = path.with_extension("").display().to_string() + "-collapsed-all.txt";
        let Ok(expected) = fs::read_to_string(expected) else {
            continue;
        };
        n_files += 1;
        // The other tool uses the first event, and its periods if it has any.
        let name = path.display().to_string();
        let is_java = name.contains("java");
        let values = [
            ("java-faults", "--value page-faults"),
            ("dd-stacks", "--value cpu-clock"),
            ("cycles-instructions", "--value instructions-samples"),
        ];
        let value = values.iter().find(|(part, _)| name.contains(part));
        let value = value.map_or("", |(_, value)| value);
        // The other tool drops a last sample without an empty line after it.
        let text = fs::read_to_string(&path).expect("it is text");
        let whole = &text[..text.rfind("\n\n").map_or(0, |end| end + 2)];
        let line = format!("profan --tree --demangle=none --format json {value} -");
        let outcome = run_line(&line, whole.as_bytes(), &directory);
        let report: serde_json::Value =
            serde_json::from_slice(&outcome.stdout).expect("it is JSON");
        let rows = report["sections"][0]["rows"].as_array().expect("it has rows");
        let mut stacks: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        let mut frames = Vec::new();
        for row in rows {
            let depth = row["depth"].as_u64().expect("a depth is a number");
            frames.truncate(usize::try_from(depth).expect("it is small"));
            let name = row["name"].as_str().expect("it has a name");
            frames.push(tidy(name, is_java));
            let cost = row["self"].as_u64().expect("it is a number");
            if cost > 0 {
                *stacks.entry(frames.clone()).or_default() += cost;
            }
        }
        assert_eq!(stacks, collapsed(&expected), "{}", path.display());
    }
    assert!(n_files >= 5, "{n_files} files");
}
