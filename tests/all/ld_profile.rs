//! Compares profiles of libraries with the output of glibc's sprof, with sums that another
//! program made from the bytes, and with the time that the system counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Scratch, run_line};

/// Ticks and calls of functions that have any.
type Functions = BTreeMap<String, (f64, u64)>;

fn fixture(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sprof").join(case)
}

/// The numbers of each function in the flat profile, by name, and by object if there are several.
fn flat(case: &str, files: &str) -> Functions {
    let scratch = Scratch::copy_of(&fixture(case));
    let line = format!("profan --format csv -p {files}");
    let outcome = run_line(&line, b"", scratch.path());
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let mut said = stderr.lines();
    let is_quiet = said.all(|line| line.starts_with("profan: note: "));
    assert!(outcome.status == 0 && is_quiet, "{line}: {stderr}");
    let mut table = csv::Reader::from_reader(&*outcome.stdout);
    let heads = table.headers().expect("there is a line of heads").clone();
    let cell = |row: &csv::StringRecord, id: &str| {
        let column = heads.iter().position(|head| head == id);
        column.map_or(String::new(), |column| row[column].to_owned())
    };
    let rows = table.records().map(|row| {
        let row = row.expect("a row has as many cells as heads");
        let ticks = cell(&row, "self").parse().expect("ticks are a number");
        let calls = cell(&row, "calls").parse().unwrap_or(0);
        (cell(&row, "name"), (ticks, calls))
    });
    rows.collect()
}

/// The rows of a flat profile that sprof printed.
fn of_sprof(path: &Path) -> Functions {
    let text = fs::read_to_string(path).expect("the recording is there");
    let rows = text.lines().skip_while(|line| !line.contains("name")).skip(1);
    let rows = rows.map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let seconds: f64 = words[2].parse().expect("seconds are a number");
        let calls = words[3].parse().expect("calls are a number");
        let name = words.last().expect("a row has a name");
        // It takes the last of several names at one address.
        let name = name.trim_end_matches(".localalias").to_owned();
        (name, ((seconds * 100.0).round(), calls))
    });
    rows.collect()
}

/// Calls have to be the same, and ticks but for a bin that two functions share.
fn compare(ours: &Functions, theirs: &Functions, what: &str) {
    assert!(theirs.len() >= 3, "{what}");
    for (name, &(ticks, calls)) in theirs {
        let &(our_ticks, our_calls) = ours.get(name).unwrap_or_else(|| panic!("{what}: {name}"));
        assert_eq!(our_calls, calls, "{what}: {name}");
        let difference = (our_ticks - ticks).abs();
        assert!(difference <= 1.0, "{what}: {name}: {our_ticks}, {ticks}");
    }
    let is_missing = |name: &&String| *name != "<no function>" && !theirs.contains_key(*name);
    let more: Vec<_> = ours.keys().filter(is_missing).collect();
    assert_eq!(more, Vec::<&String>::new(), "{what}");
    let sum = |functions: &Functions| -> f64 { functions.values().map(|one| one.0).sum() };
    let outside = ours.get("<no function>").map_or(0.0, |one| one.0);
    // Ticks of the procedure linkage table are in no function, and sprof drops them.
    let difference = (sum(ours) - outside - sum(theirs)).abs();
    assert!(difference <= 1.0, "{what}: sums differ by {difference}");
}

#[test]
fn libraries_add_up_to_the_output_of_sprof() {
    let expected = fixture("program/expected/sprof");
    for (files, recording) in [
        ("libnum.so libnum.so.profile.gz", "num-p.txt"),
        ("libtext.so libtext.so.profile.gz", "text-p.txt"),
        ("libtext.so twice.profile.gz", "twice-p.txt"),
    ] {
        let theirs = of_sprof(&expected.join(recording));
        compare(&flat("program", files), &theirs, recording);
    }
}

#[test]
fn libraries_of_other_machines_add_up_to_their_bytes() {
    for case in ["i386", "arm", "powerpc", "sparc64"] {
        let truth = fs::read_to_string(fixture(case).join("truth.tsv")).expect("it is there");
        let rows = truth.lines().map(|line| {
            let words: Vec<_> = line.split('\t').collect();
            let ticks = words[1].parse().expect("ticks are a number");
            let calls = words[2].parse().expect("calls are a number");
            (words[0].to_owned(), (ticks, calls))
        });
        let ours = flat(case, "libnum.so libnum.so.profile.gz");
        compare(&ours, &rows.collect(), case);
        // By the source of the library, forty times.
        let calls = |name: &str| ours[name].1;
        assert_eq!(calls("table"), 40, "{case}");
        assert_eq!(calls("power"), 40 * (8 + 1), "{case}");
        assert_eq!(calls("is_even"), 40 * (1 + 1 + 2 + 2 + 3 + 3 + 4 + 4), "{case}");
        assert_eq!(calls("is_odd"), 40 * (1 + 1 + 2 + 2 + 3 + 3 + 4), "{case}");
    }
}

#[test]
fn a_program_and_its_libraries_take_the_time_of_the_system() {
    let times = fs::read_to_string(fixture("program/time.txt")).expect("it is there");
    let users = times.lines().filter_map(|line| line.strip_prefix("user "));
    let users: Vec<f64> = users.map(|user| user.parse().expect("seconds")).collect();
    // One run has the ticks of the program, and one run the ticks of each library. The time was
    // measured before, between and after them.
    assert_eq!(users.len(), 4);
    let user = users.iter().sum::<f64>() / 4.0;
    let files = "gmon.out menu libnum.so libnum.so.profile.gz libtext.so libtext.so.profile.gz";
    let ticks: f64 = flat("program", files).values().map(|one| one.0).sum();
    // The limits for 95 of 100 such samples.
    let error = 1.96 * ticks.sqrt();
    assert!((ticks - 100.0 * user).abs() <= error, "{ticks} ticks, {user} seconds");
}

#[test]
fn files_may_be_in_any_order() {
    let files = [
        "gmon.out",
        "menu",
        "libnum.so",
        "libnum.so.profile.gz",
        "libtext.so",
        "libtext.so.profile.gz",
    ];
    let scratch = Scratch::copy_of(&fixture("program"));
    let report = |files: &[&str]| {
        let line = format!("profan {}", files.join(" "));
        let outcome = run_line(&line, b"", scratch.path());
        assert_eq!(outcome.status, 0, "{line}");
        (outcome.stdout, outcome.stderr)
    };
    let expected = report(&files);
    let mut reversed = files;
    reversed.reverse();
    assert_eq!(report(&reversed), expected);
    for first in 1..files.len() {
        let mut rotated = files;
        rotated.rotate_left(first);
        assert_eq!(report(&rotated), expected);
    }
}
