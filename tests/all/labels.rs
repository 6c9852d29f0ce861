//! `--label` and `--by-label`: each value of a label has the samples that it should.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::run_line;

/// Two commands in three threads.
const RUN: &str = "\
cc1 10/11 [000] 1.000000: 100 cycles:
\t11 parse (/cc1)
\t10 main (/cc1)

cc1 10/11 [001] 2.000000: 20 cycles:
\t12 emit (/cc1)
\t10 main (/cc1)

my tool 20/20 [000] 3.000000: 3 cycles:
\t21 scan (/tool)
\t10 main (/cc1)

cc1 10/12 [000] 4.000000: 4000 cycles:
\t11 parse (/cc1)
\t10 main (/cc1)

";

fn directory() -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let slower = RUN.replace(": 20 cycles", ": 50 cycles");
    fs::write(directory.path().join("run.perf"), RUN).expect("it is written");
    fs::write(directory.path().join("slower.perf"), slower).expect("it is written");
    directory
}

fn json(line: &str) -> Value {
    let directory = directory();
    let outcome = run_line(line, b"", directory.path());
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status, 0, "{line}: {stderr}");
    serde_json::from_slice(&outcome.stdout).expect("it is JSON")
}

/// Self costs above 0 of a section, by the values of these columns.
fn costs(report: &Value, section: &str, columns: &[&str]) -> BTreeMap<String, u64> {
    let sections = report["sections"].as_array().expect("it has sections");
    let found = sections.iter().find(|one| one["id"] == section);
    let rows = found.expect("it has the section")["rows"].as_array();
    let rows = rows.expect("it has rows").iter().filter_map(|row| {
        let cost = row["self"].as_u64().filter(|&cost| cost > 0)?;
        let key = columns.iter().map(|column| row[*column].as_str());
        let key: Option<Vec<_>> = key.collect();
        Some((key?.join(" "), cost))
    });
    rows.collect()
}

fn check(options: &str, expected: &[(&str, u64)]) {
    let line = format!("profan -p --format json --value cycles {options} run.perf");
    let found = costs(&json(&line), "flat", &["name"]);
    let expected = expected.iter().map(|&(name, cost)| (name.to_owned(), cost));
    assert_eq!(found, expected.collect(), "{options}");
}

#[test]
fn a_label_keeps_its_samples() {
    check("", &[("emit", 20), ("parse", 4100), ("scan", 3)]);
    check("--label comm=cc1", &[("emit", 20), ("parse", 4100)]);
    check("--label tid=12", &[("parse", 4000)]);
    check("--label pid=10 --label tid=11", &[("emit", 20), ("parse", 100)]);
    // One of the values of a key is enough.
    check("--label tid=20 --label tid=12", &[("parse", 4000), ("scan", 3)]);
}

#[test]
fn each_value_of_a_label_is_a_profile() {
    let check = |key: &str, expected: &[(&str, u64)]| {
        let line =
            format!("profan --by-label {key} --by-file=rows --format json --value cycles run.perf");
        let found = costs(&json(&line), "by-file", &["profile", "name"]);
        let expected = expected.iter().map(|&(name, cost)| (name.to_owned(), cost));
        assert_eq!(found, expected.collect(), "{key}");
    };
    let of_comm = [("comm=cc1 emit", 20), ("comm=cc1 parse", 4100), ("comm=my tool scan", 3)];
    check("comm", &of_comm);
    let of_tid =
        [("tid=11 emit", 20), ("tid=11 parse", 100), ("tid=12 parse", 4000), ("tid=20 scan", 3)];
    check("tid", &of_tid);
}

#[test]
fn each_value_is_a_run_of_a_side() {
    let line = "profan diff --format json --value cycles --label comm=cc1 --by-label tid \
        run.perf slower.perf";
    let report = json(line);
    let rows = report["sections"][0]["rows"].as_array().expect("it has");
    let emit = rows.iter().find(|row| row["name"] == "emit");
    let emit = emit.expect("it has a row").to_string();
    // 20 and 50 cycles in two threads.
    assert!(emit.contains(":10") && emit.contains(":25"), "{emit}");
}

#[test]
fn an_unknown_label_is_an_error_with_the_known_ones() {
    let directory = directory();
    let check = |options: &str, expected: &str| {
        let outcome = run_line(&format!("profan {options} run.perf"), b"", directory.path());
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert_eq!(outcome.status, 2, "{options}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    check("--label comm=ld", "no sample has the label `comm=ld`; it has comm=cc1, comm=my tool");
    check("--by-label cpu", "the label `cpu`; it has comm, pid, tid");
    check("--label comm=cc1 --label tid=20", "no sample has the label `comm=cc1 and tid=20`");
    check("--label comm", "KEY=VALUE");
}

#[test]
fn formats_of_stacks_show_values_next_to_each_other() {
    let report = json("profan --by-label tid --format speedscope --value cycles run.perf");
    let profiles = report["profiles"].as_array().expect("it has profiles");
    let shown: Vec<_> = profiles
        .iter()
        .map(|one| format!("{} {}", one["name"].as_str().unwrap_or("?"), one["endValue"]))
        .filter(|name| name.contains(": cycles"))
        .collect();
    let expected = [
        "tid 11: cycles (recorded stacks) 120",
        "tid 12: cycles (recorded stacks) 4000",
        "tid 20: cycles (recorded stacks) 3",
    ];
    assert_eq!(shown, expected);
    let report = json("profan --by-file --format firefox --value cycles run.perf slower.perf");
    let threads = report["threads"].as_array().expect("it has threads");
    let names: Vec<_> = threads.iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"run.perf: cycles (recorded stacks)"), "{names:?}");
    assert!(names.contains(&"slower.perf: cycles (recorded stacks)"), "{names:?}");
}

/// pprof's file has the label of each value, and profan finds the same samples again.
#[test]
fn pprof_keeps_the_label() {
    let directory = directory();
    let line = "profan --by-label tid --value cycles -o run.pb.gz run.perf";
    let outcome = run_line(line, b"", directory.path());
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status, 0, "{stderr}");
    for (options, expected) in [
        ("", vec![("emit", 20), ("parse", 4100), ("scan", 3)]),
        ("--label tid=11", vec![("emit", 20), ("parse", 100)]),
    ] {
        let line = format!("profan -p --format json --value cycles {options} run.pb.gz");
        let outcome = run_line(&line, b"", directory.path());
        let report = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
        let expected = expected.into_iter().map(|(name, cost)| (name.to_owned(), cost));
        assert_eq!(costs(&report, "flat", &["name"]), expected.collect(), "{options}");
    }
}

#[test]
fn a_time_keeps_its_samples() {
    check("--seconds ..1", &[("parse", 100)]);
    check("--seconds 1..", &[("emit", 20), ("parse", 4000), ("scan", 3)]);
    check("--seconds 0.999999999..2.0000000001 --label comm=cc1", &[("emit", 20)]);
    check("--seconds 0..18446744073", &[("emit", 20), ("parse", 4100), ("scan", 3)]);
    let directory = directory();
    let untimed = RUN.replace("000000: ", "").replace(" 1.", " ").replace(" 2.", " ");
    let untimed = untimed.replace(" 3.", " ").replace(" 4.", " ");
    fs::write(directory.path().join("untimed.perf"), untimed).expect("it is written");
    let check = |line: &str, expected: &str| {
        let outcome = run_line(&format!("profan -p {line}"), b"", directory.path());
        let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert_eq!(outcome.status, 2, "{line}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    check(
        "--seconds 3.5.. run.perf",
        "no sample is in the time of --seconds; the last one is at 3 s",
    );
    check("--seconds 1..2 untimed.perf", "--seconds needs the times of samples");
    for wrong in ["1", "2..1", "1..1", "a..b", "-1..2", "1..2..3", "1e3.."] {
        check(&format!("--seconds={wrong} run.perf"), "write seconds as A..B");
    }
}

/// Each run begins with its first sample, and their sum has no times.
#[test]
fn a_time_is_from_the_start_of_each_run() {
    let line = "profan -p --format json --value cycles --seconds 1..2 run.perf slower.perf";
    assert_eq!(costs(&json(line), "flat", &["name"]), [("emit".to_owned(), 70)].into());
}
