//! A report by file contains the numbers of each file alone, and of their sum.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::schema::Schema;
use crate::support::{Outcome, Scratch, run_line};

/// The offset of the bins in the histogram of a gmon.out: after 20 bytes of the file's header,
/// the tag, two addresses, the number of bins, the rate and the dimension.
const N_BINS: usize = 20 + 1 + 8 + 8;
const BINS: usize = N_BINS + 4 + 4 + 16;

/// A directory with the programs of the tour.
fn tour() -> Scratch {
    Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour"))
}

/// The profile with other ticks in each bin; `change` gets the bin's index and ticks.
fn with_ticks(profile: &[u8], mut change: impl FnMut(usize, u16) -> u16) -> Vec<u8> {
    let mut bytes = profile.to_vec();
    let n_bins = u32::from_le_bytes(bytes[N_BINS..N_BINS + 4].try_into().expect("4 bytes"));
    let bins = bytes[BINS..][..2 * n_bins as usize].chunks_mut(2);
    for (place, bin) in bins.enumerate() {
        let ticks = change(place, u16::from_le_bytes([bin[0], bin[1]]));
        bin.copy_from_slice(&ticks.to_le_bytes());
    }
    bytes
}

/// Writes profiles of `primes` whose ticks are multiples of the first one's, varied by some
/// percent; the `slow` ranks spend as much again in the busiest bin.
fn write_ranks(directory: &Path, n_ranks: u32, slow: &[u32]) {
    let first = fs::read(directory.join("gmon.out")).expect("there is a profile");
    let mut busiest = None;
    with_ticks(&first, |_, ticks| {
        busiest = busiest.max(Some(ticks));
        ticks
    });
    for rank in 0..n_ranks {
        let bytes = with_ticks(&first, |place, all| {
            let more = (rank as usize * 31 + place * 17) % 7;
            let more = u16::try_from(more).expect("it is below 7");
            let is_slow = slow.contains(&rank) && Some(all) == busiest;
            let all = 20 * all + if all > 0 { more } else { 0 };
            if is_slow { 2 * all } else { all }
        });
        fs::write(directory.join(format!("rank.{rank}")), bytes).expect("it can be written");
    }
}

/// Writes profiles of `primes` whose ticks are multiples of the first one's.
fn write_scaled(directory: &Path, side: &str, factors: &[u16]) {
    let first = fs::read(directory.join("gmon.out")).expect("there is a profile");
    for (run, factor) in factors.iter().enumerate() {
        let bytes = with_ticks(&first, |_, ticks| factor * ticks);
        fs::write(directory.join(format!("{side}.{run}")), bytes).expect("it can be written");
    }
}

#[test]
fn runs_that_vary_together_are_compared_in_pairs() {
    let scratch = tour();
    write_scaled(scratch.path(), "old", &[20, 22, 18, 24, 16, 20]);
    write_scaled(scratch.path(), "together", &[22, 24, 20, 26, 18, 22]);
    write_scaled(scratch.path(), "apart", &[24, 20, 26, 18, 22, 22]);
    let report = |new: &str| {
        let files = |side: &str| (0..6).map(|run| format!("{side}.{run} ")).collect::<String>();
        let line = format!("diff {}primes -- {}primes", files("old"), files(new));
        String::from_utf8(run(&line, scratch.path()).stdout).expect("it is text")
    };
    let (together, apart) = (report("together"), report("apart"));
    let program = |report: &str| {
        let mut lines = report.lines();
        lines.find(|line| line.ends_with("<all>")).map(str::to_owned)
    };
    assert!(program(&together).is_some_and(|line| line.contains("slower")), "{together}");
    assert!(program(&apart).is_some_and(|line| line.contains("unclear")), "{apart}");
    assert!(together.contains("compared in pairs"), "{together}");
    assert!(!together.contains("If one side ran first"), "{together}");
    assert!(!apart.contains("in pairs"), "{apart}");
}

/// The names of so many ranks.
fn ranks(n_ranks: u32) -> Vec<String> {
    (0..n_ranks).map(|rank| format!("rank.{rank}")).collect()
}

fn run(line: &str, directory: &Path) -> Outcome {
    let outcome = run_line(line, b"", directory);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status, 0, "{line}: {said}");
    outcome
}

/// The rows of a section in a report in JSON Lines.
fn rows(outcome: &Outcome, section: &str) -> Vec<Value> {
    let text = String::from_utf8(outcome.stdout.clone()).expect("JSON is text");
    let rows = text.lines().map(serde_json::from_str);
    let rows = rows.map(|row: Result<Value, _>| row.expect("each line is JSON"));
    rows.filter(|row| row["section"] == section).collect()
}

/// The rows by their names.
fn by_name(rows: &[Value]) -> BTreeMap<String, Value> {
    let named = rows.iter().map(|row| (row["name"].to_string(), row.clone()));
    named.collect()
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"))
}

fn assert_near(found: f64, expected: f64) {
    let is_near = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    assert!(is_near, "{found} is not {expected}");
}

const PATTERN: &str = r"--rank-pattern 'rank\.(\d+)'";

#[test]
fn rows_of_each_file_equal_its_flat_profile() {
    let scratch = tour();
    write_ranks(scratch.path(), 3, &[]);
    let line = "profan --by-file=rows --format jsonl rank.0 rank.1 rank.2 primes";
    let all = rows(&run(line, scratch.path()), "by-file");
    for rank in ranks(3) {
        let line = format!("profan -p --format jsonl {rank} primes");
        let alone = by_name(&rows(&run(&line, scratch.path()), "flat"));
        let of_rank = all.iter().filter(|row| row["profile"] == *rank);
        let of_rank = by_name(&of_rank.cloned().collect::<Vec<_>>());
        assert!(alone.len() > 5, "{} rows", alone.len());
        for (name, flat) in &alone {
            let row = &of_rank[name];
            for key in ["self_seconds", "total_seconds"] {
                assert_near(number(row, key), number(flat, key));
            }
            let calls = flat["calls"].as_u64().unwrap_or(0);
            assert_eq!(row["calls"].as_u64(), Some(calls), "calls of {name}");
            assert_eq!(row["file"], flat["file"], "file of {name}");
        }
    }
}

#[test]
fn means_equal_the_sum_divided_by_files() {
    let scratch = tour();
    write_ranks(scratch.path(), 40, &[3]);
    let files = ranks(40).join(" ");
    let line = format!("profan --by-file=spread --format jsonl {files} primes");
    let spread = by_name(&rows(&run(&line, scratch.path()), "spread"));
    let line = format!("profan -p --format jsonl {files} primes");
    let sum = rows(&run(&line, scratch.path()), "flat");
    assert!(sum.len() > 5, "{} rows", sum.len());
    let mut seconds = 0.0;
    for flat in &sum {
        let row = &spread[&flat["name"].to_string()];
        assert_near(40.0 * number(row, "mean_seconds"), number(flat, "self_seconds"));
        assert_eq!(row["files"], 40);
        assert!(number(row, "min_seconds") <= number(row, "median_seconds"));
        assert!(number(row, "median_seconds") <= number(row, "max_seconds"));
        seconds += number(flat, "self_seconds");
    }
    assert_near(40.0 * number(&spread["\"<all>\""], "mean_seconds"), seconds);
}

#[test]
fn a_rank_that_never_waits_is_found() {
    let scratch = tour();
    write_ranks(scratch.path(), 40, &[17]);
    let files = ranks(40).join(" ");
    let line = format!("profan --by-file --format jsonl {PATTERN} {files} primes");
    let outcome = run(&line, scratch.path());
    let spread = rows(&outcome, "spread");
    assert_eq!((&spread[0]["kind"], &spread[0]["file_of_max"]), (&"total".into(), &17.into()));
    assert_eq!(spread[1]["file_of_max"], 17);
    assert!(number(&spread[1], "imbalance") > 1.3, "{}", spread[1]);
    for other in &spread[2..] {
        assert!(number(other, "excess_seconds") < number(&spread[1], "excess_seconds"));
    }
    let files = rows(&outcome, "spread-files");
    assert_eq!(files.len(), 40);
    assert_eq!((&files[0]["rank"], &files[0]["outlying"]), (&17.into(), &1.into()));
    assert!(files[1..].iter().all(|file| file["outlying"].is_null()));
}

#[test]
fn the_order_of_files_does_not_matter() {
    let scratch = tour();
    write_ranks(scratch.path(), 200, &[17, 150]);
    let mut files = ranks(200);
    let line = |files: &[String], format: &str| {
        let files = files.join(" ");
        format!("profan --by-file --format {format} {PATTERN} primes {files}")
    };
    for format in ["text", "jsonl"] {
        let expected = run(&line(&files, format), scratch.path()).stdout;
        files.reverse();
        files.rotate_left(77);
        let found = run(&line(&files, format), scratch.path()).stdout;
        assert!(found == expected, "{format} depends on the order of files");
    }
}

#[test]
fn files_of_a_group_count_as_one() {
    let scratch = tour();
    write_ranks(scratch.path(), 20, &[3]);
    let files = ranks(20).join(" ");
    let line = format!(r"profan --by-file --format jsonl --group 'rank\.\d*(\d)$' {files} primes");
    let outcome = run(&line, scratch.path());
    let groups = rows(&outcome, "spread-files");
    assert_eq!(groups.len(), 10);
    assert!(groups.iter().all(|group| group["files"] == 2));
    let line = "profan -p --format jsonl rank.4 rank.14 primes";
    let sum = by_name(&rows(&run(line, scratch.path()), "flat"));
    let all = rows(&outcome, "by-file");
    let of_group: Vec<_> = all.into_iter().filter(|row| row["rank"] == 4).collect();
    let of_group = by_name(&of_group);
    for (name, flat) in &sum {
        assert_near(number(&of_group[name], "self_seconds"), number(flat, "self_seconds"));
    }
}

#[test]
fn ranks_are_in_numeric_order() {
    let scratch = tour();
    write_ranks(scratch.path(), 12, &[]);
    let line =
        format!("profan --by-file=rows --format jsonl {PATTERN} rank.10 gmon.out rank.9 primes");
    let rows = rows(&run(&line, scratch.path()), "by-file");
    let mut profiles: Vec<_> = rows.iter().map(|row| row["profile"].to_string()).collect();
    profiles.dedup();
    assert_eq!(profiles, ["\"rank.9\"", "\"rank.10\"", "\"gmon.out\""]);
    assert_eq!(rows[0]["rank"], 9);
    assert!(rows[rows.len() - 1]["rank"].is_null());
    let line = format!("profan --by-file {PATTERN} rank.10 gmon.out rank.9 primes");
    let text = String::from_utf8(run(&line, scratch.path()).stdout).expect("it is text");
    let note = "does not match some names, which are unchanged: gmon.out.";
    assert!(text.contains(note), "{text}");
}

#[test]
fn exact_values_stay_whole_numbers() {
    let scratch = tour();
    let line = "profan --by-file --format jsonl callgrind.out unequal.callgrind";
    let outcome = run(line, scratch.path());
    let spread = by_name(&rows(&outcome, "spread"));
    let all = &spread["\"<all>\""];
    assert_eq!(all["max"].as_u64(), Some(7_004_833));
    assert_eq!(all["min"].as_u64(), Some(1_443_457));
    let work = &spread["\"work\""];
    assert_eq!((&work["files"], &work["min"]), (&1.into(), &0.into()));
    assert_eq!(work["file_of_max"], "unequal.callgrind");
    let of_files = rows(&outcome, "by-file");
    assert!(of_files.iter().all(|row| row["self"].is_u64()), "self is whole");
}

#[test]
fn a_saved_report_shows_the_same_text() {
    let scratch = tour();
    write_ranks(scratch.path(), 9, &[4]);
    let files = ranks(9).join(" ");
    let text = run(&format!("profan --by-file=spread {files} primes"), scratch.path()).stdout;
    run(&format!("profan --by-file=spread -o kept.json {files} primes"), scratch.path());
    let again = run("profan kept.json", scratch.path()).stdout;
    assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&text));
    let schema = run("profan schema", scratch.path()).stdout;
    let schema = Schema::new(&String::from_utf8(schema).expect("it is text"));
    run(&format!("profan --by-file -o all.json {files} primes"), scratch.path());
    let kept = fs::read(scratch.path().join("all.json")).expect("it was written");
    let kept = serde_json::from_slice(&kept).expect("it is JSON");
    schema.check(&kept).expect("the schema knows all sections");
}

fn check_refused(line: &str, stdin: &[u8], expected: &str) {
    let scratch = tour();
    let outcome = run_line(line, stdin, scratch.path());
    assert_eq!(outcome.status, 2, "{line}");
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(said.contains(expected), "{line}: {said}");
    assert!(outcome.stdout.is_empty(), "{line} prints nothing");
}

#[test]
fn meaningless_options_are_refused_in_a_line() {
    let check = |line, expected| check_refused(line, b"", expected);
    check("profan --group '(a' gmon.out", "unclosed group");
    check("profan --rank-pattern a gmon.out", "put the part to match in parentheses");
    check("profan --group '(a)' --rank-pattern '(b)' gmon.out", "cannot be used with");
    check("profan --by-file=calls gmon.out", "possible values: all, spread, files, rows");
    check(
        "profan --by-file gmon.out callgrind.out primes",
        "gmon.out: cannot combine time in seconds with Ir in Ir",
    );
    check("profan --by-file gmon.out cut.out --strict primes", "cut.out: ");
}

#[test]
fn other_reports_with_by_file_are_reported_missing() {
    let outcome = run("profan --by-file -q gmon.out gmon.out primes", tour().path());
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(said.contains("no other report with --by-file"), "{said}");
}

#[test]
fn a_compressed_report_can_be_read_again() {
    let scratch = tour();
    let text = |line: &str| run(line, scratch.path()).stdout;
    text("profan -p -o plain.json gmon.out primes");
    for name in ["packed.json.zst", "packed.json.gz"] {
        text(&format!("profan -p -o {name} gmon.out primes"));
        let size = |name: &str| fs::metadata(scratch.path().join(name)).expect("it is there").len();
        assert!(size(name) < size("plain.json") / 2, "{name}");
        assert_eq!(text(&format!("profan -p {name}")), text("profan -p plain.json"), "{name}");
    }
}

#[test]
fn saved_reports_are_compared_like_the_profiles_they_show() {
    let scratch = tour();
    write_ranks(scratch.path(), 3, &[1]);
    for rank in 0..3 {
        run(&format!("profan -o night.{rank}.json rank.{rank} primes"), scratch.path());
    }
    let of = |line: &str, section: &str| {
        let line = format!("profan --by-file --format jsonl {line}");
        let mut rows = rows(&run(&line, scratch.path()), section);
        for key in ["profile", "file_of_max", "line"] {
            for row in &mut rows {
                row.as_object_mut().expect("a row is an object").remove(key);
            }
        }
        rows
    };
    for section in ["spread", "spread-files"] {
        let profiles = by_name(&of("rank.0 rank.1 rank.2 primes", section));
        let reports = by_name(&of("night.0.json night.1.json night.2.json", section));
        assert_eq!(profiles.keys().collect::<Vec<_>>(), reports.keys().collect::<Vec<_>>());
        for (name, profile) in profiles {
            for key in ["max_seconds", "mean_seconds", "excess_seconds", "distance_seconds"] {
                if let Some(expected) = profile[key].as_f64() {
                    assert!((number(&reports[&name], key) - expected).abs() < 1e-6, "{name} {key}");
                }
            }
        }
    }
    assert_eq!(of("night.0.json night.1.json night.2.json", "by-file").len(), 24);
}

#[test]
fn a_report_beside_profiles_counts_as_its_profile_and_a_baseline_as_the_mean_of_its_runs() {
    let scratch = tour();
    write_ranks(scratch.path(), 4, &[1]);
    run("profan -o night.json rank.0 primes", scratch.path());
    run("profan diff --baseline base.json --update rank.0 rank.1 primes", scratch.path());
    let spread = |files: &str| {
        let line = format!("profan --by-file=spread --format jsonl {files} primes");
        by_name(&rows(&run(&line, scratch.path()), "spread"))
    };
    let near = |found: &Value, expected: &Value, key: &str| {
        assert!((number(found, key) - number(expected, key)).abs() < 1e-6, "{key}: {found}");
    };
    let (found, expected) = (spread("night.json rank.1 rank.2"), spread("rank.0 rank.1 rank.2"));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, row) in &expected {
        near(&found[name], row, "mean_seconds");
        near(&found[name], row, "max_seconds");
    }
    let (found, expected) = (spread("base.json rank.2"), spread("rank.0 rank.1"));
    let alone = spread("rank.2");
    for (name, row) in &found {
        let mean =
            (number(&expected[name], "mean_seconds") + number(&alone[name], "mean_seconds")) / 2.0;
        assert!((number(row, "mean_seconds") - mean).abs() < 1e-6, "{row}");
        assert_eq!(row["calls_min"], alone[name]["calls_min"]);
    }
    let line = "profan --by-file night.json rank.1 rank.2 primes rounds";
    let outcome = run_line(line, b"", scratch.path());
    assert_eq!(outcome.status, 2);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert!(said.contains("night.json is a saved report"), "{said}");
}
