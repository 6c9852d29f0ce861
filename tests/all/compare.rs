//! Properties of every comparison of two sides: a side does not differ from itself, and swapping
//! the sides reverses every change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::case::{Case, cases_below};
use crate::support::{Outcome, Scratch, run_line_in, words_of};

/// The profiles of recordings with the files that they need: their paths, each set once.
fn inputs() -> Vec<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let sets: BTreeSet<Vec<PathBuf>> = cases_below(&root).iter().filter_map(files_of).collect();
    sets.into_iter().collect()
}

/// The files of a recorded command line that reports anything.
fn files_of(case: &Case) -> Option<Vec<PathBuf>> {
    let words = words_of(case.line.trim_end());
    let is_report = ["profan", "gprof", "mprof"].contains(&words.first()?.as_str());
    let is_diff = words.get(1).is_some_and(|word| word == "diff");
    let named = words.iter().skip(1).filter(|word| !word.starts_with('-'));
    let files: Vec<PathBuf> =
        named.map(|word| case.directory.join(word)).filter(|path| path.is_file()).collect();
    (is_report && !is_diff && !files.is_empty()).then_some(files)
}

fn joined(files: &[PathBuf]) -> String {
    let words: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    words.join(" ")
}

fn diff(options: &str, old: &str, new: &str) -> Outcome {
    diff_in(&[], options, old, new)
}

fn diff_in(variables: &[(&str, &str)], options: &str, old: &str, new: &str) -> Outcome {
    let line = format!("profan diff {options} {old} -- {new}");
    run_line_in(variables, &line, &[], Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// The rows of a difference; `None` if the sides cannot be compared.
fn rows(old: &str, new: &str) -> Option<Vec<Value>> {
    let outcome = diff("--format jsonl", old, new);
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    assert!(!stderr.contains("panicked"), "{old} -- {new}: {stderr}");
    let text = String::from_utf8(outcome.stdout).expect("JSON is UTF-8");
    let rows = text.lines().map(serde_json::from_str);
    let mut rows: Vec<Value> = rows.collect::<Result<_, _>>().expect("a row is JSON");
    // The first line is the header of the rows.
    rows.retain(|row| row.get("schema").is_none());
    (outcome.status == 0).then_some(rows)
}

/// Does something with each of many, on two threads.
fn for_all<T: Sync>(all: &[T], what: impl Fn(&T) -> bool + Sync) -> usize {
    let half = all.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        let halves = all.chunks(half).map(|chunk| {
            let what = &what;
            scope.spawn(move || chunk.iter().filter(|one| what(one)).count())
        });
        let halves: Vec<_> = halves.collect();
        let counts = halves.into_iter().map(|half| half.join().expect("it ends"));
        counts.sum()
    })
}

#[test]
fn nothing_differs_from_itself() {
    let inputs = inputs();
    let n_compared = for_all(&inputs, |files| {
        let side = joined(files);
        let found = rows(&side, &side);
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{side}: {found:?}");
        found.is_some()
    });
    assert!(n_compared > 250, "only {n_compared} of {} were", inputs.len());
}

/// Whether a file is neither an executable nor a table of names.
fn is_profile(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap_or_default();
    !bytes.starts_with(b"\x7fELF") && !bytes.starts_with(b"MZ") && !bytes.starts_with(b"0x")
}

#[test]
fn a_saved_report_does_not_differ_from_its_profile() {
    // Several profiles are saved as their sum, whose time is distributed anew.
    let is_one = |files: &Vec<PathBuf>| files.iter().filter(|path| is_profile(path)).count() == 1;
    let inputs: Vec<_> = inputs().into_iter().filter(is_one).step_by(4).collect();
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let n_compared = for_all(&inputs, |files| {
        let side = joined(files);
        let name = side.replace(['/', ' '], "_");
        let kept = directory.path().join(format!("{name}.json"));
        let kept = kept.display();
        let line = format!("profan --format json -o {kept} {side}");
        let saved = run_line_in(&[], &line, &[], directory.path());
        // A report finds the executable next to a profile; a comparison has it as an argument.
        let notes = String::from_utf8_lossy(&saved.stderr).into_owned();
        let program = notes.lines().find_map(|line| {
            let (program, _) = line.strip_prefix("profan: note: ")?.split_once(" is the exec")?;
            Some(program)
        });
        let side = program.map_or(side.clone(), |program| format!("{program} {side}"));
        let found = rows(&kept.to_string(), &side);
        assert!(found.as_ref().is_none_or(Vec::is_empty), "{side}: {found:?}");
        found.is_some()
    });
    assert!(n_compared > 50, "only {n_compared} of {} were", inputs.len());
}

/// The column that corresponds to one after swapping sides.
fn mirrored_name(column: &str) -> String {
    let turned = [("_old", "_new"), ("_new", "_old"), ("_low", "_high"), ("_high", "_low")];
    let whole = [("old", "new"), ("new", "old"), ("low", "high"), ("high", "low")];
    if let Some((_, to)) = whole.iter().find(|(from, _)| *from == column) {
        return (*to).to_owned();
    }
    let turned =
        turned.iter().find_map(|(from, to)| Some(format!("{}{to}", column.strip_suffix(from)?)));
    turned.unwrap_or_else(|| column.to_owned())
}

/// The verdict that corresponds to one after swapping sides.
pub(crate) fn mirrored_word(word: &str) -> &str {
    match word {
        "slower" => "faster",
        "faster" => "slower",
        "more" => "less",
        "less" => "more",
        "new" => "gone",
        "gone" => "new",
        other => other,
    }
}

/// The numbers and verdicts of a row by column, as they are or as they would be if sides
/// changed places.
fn numbers_of(row: &Value, is_mirrored: bool) -> Vec<(String, Value)> {
    let columns = row.as_object().expect("a row is an object").iter();
    // A share of the old side is not a share of the new one, and names may come from either side.
    let is_kept = |column: &str| {
        let words = ["verdict", "change", "old", "new", "low", "high"];
        !column.ends_with("_name") && words.iter().any(|word| column.ends_with(word))
    };
    let mut numbers: Vec<_> = columns
        .filter(|(column, _)| is_kept(column))
        .map(|(column, value)| {
            if is_mirrored {
                (mirrored_name(column), mirrored_value(column, value))
            } else {
                (column.clone(), value.clone())
            }
        })
        .collect();
    numbers.sort_by(|(a, _), (b, _)| a.cmp(b));
    numbers
}

fn mirrored_value(column: &str, value: &Value) -> Value {
    let is_signed = ["change", "low", "high"].iter().any(|end| column.ends_with(end));
    match value {
        Value::String(word) if column == "calls_verdict" => match &**word {
            "more" => "fewer".into(),
            "fewer" => "more".into(),
            word => word.into(),
        },
        Value::String(word) => mirrored_word(word).into(),
        Value::Number(number) if is_signed => match number.as_i64() {
            Some(number) => (-number).into(),
            None => (-number.as_f64().expect("it is a number")).into(),
        },
        other => other.clone(),
    }
}

fn is_close(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-7 * one.abs().max(1e-6),
        _ => one == other,
    }
}

fn check_mirror(old: &str, new: &str) -> bool {
    let (there, back) = (rows(old, new), rows(new, old));
    assert_eq!(there.is_some(), back.is_some(), "{old} -- {new}");
    let (Some(there), Some(back)) = (there, back) else {
        return false;
    };
    // Rows with the same change may be in another order, by the names of either side.
    let sorted = |rows: &[Value], is_mirrored| {
        let numbers = rows.iter().map(|row| numbers_of(row, is_mirrored));
        let mut numbers: Vec<_> = numbers.collect();
        let rounded = |row: &Vec<(String, Value)>| {
            let cell = |(column, value): &(String, Value)| match value.as_f64() {
                Some(number) => format!("{column} {number:.9}"),
                None => format!("{column} {value}"),
            };
            let is_fact = |(column, _): &&(String, Value)| {
                !["low", "high", "change"].iter().any(|end| column.ends_with(end))
            };
            row.iter().filter(is_fact).map(cell).collect::<Vec<_>>()
        };
        numbers.sort_by_cached_key(rounded);
        numbers
    };
    let (there, back) = (sorted(&there, false), sorted(&back, true));
    assert_eq!(there.len(), back.len(), "{old} -- {new}");
    for (there, back) in there.iter().zip(&back) {
        let columns =
            |row: &[(String, Value)]| row.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        assert_eq!(columns(there), columns(back), "{old} -- {new}");
        for ((column, one), (_, other)) in there.iter().zip(back) {
            assert!(
                is_close(one, other),
                "{old} -- {new}: {column} {one} {other}: {there:?} {back:?}"
            );
        }
    }
    true
}

#[test]
fn sides_that_change_places_turn_every_change_around() {
    let inputs = inputs();
    // Sets are in the order of their directories: neighbours are of one kind.
    let pairs = |step: usize| inputs.iter().zip(inputs.iter().skip(step)).step_by(6);
    let pairs: Vec<_> = pairs(1).chain(pairs(5)).collect();
    let n_compared = for_all(&pairs, |(old, new)| check_mirror(&joined(old), &joined(new)));
    assert!(n_compared > 60, "only {n_compared} of {} were", pairs.len());
}

/// Five runs of each of two builds.
fn runs_of(side: &str, order: [usize; 5]) -> String {
    let directory = "fixtures/compare";
    let runs = order.map(|run| format!("{directory}/{side}-{run}.gmon"));
    format!("{} {directory}/{side}", runs.join(" "))
}

#[test]
fn the_order_of_files_of_a_side_does_not_matter() {
    let (old, new) = (runs_of("old", [1, 2, 3, 4, 5]), runs_of("new", [1, 2, 3, 4, 5]));
    let (old_too, new_too) = (runs_of("old", [4, 1, 5, 3, 2]), runs_of("new", [5, 4, 3, 2, 1]));
    for options in ["--all", "--all -p -q", "-l --all", "--normalize", "--format markdown"] {
        let (one, other) = (diff(options, &old, &new), diff(options, &old_too, &new_too));
        assert!(one.stdout == other.stdout, "{options}");
        assert!(!one.stdout.is_empty());
    }
}

#[test]
fn events_that_only_a_later_file_has_are_compared() {
    let [few, more] =
        ["levels", "shapes"].map(|name| format!("fixtures/callgrind/{name}/callgrind.out"));
    let in_order = |old: String| rows(&old, &more).expect("they are comparable");
    let one = in_order(format!("{few} {more}"));
    assert_eq!(one, in_order(format!("{more} {few}")));
    assert!(one.iter().any(|row| row["Bc_new"].as_f64() > Some(0.0)), "{one:?}");
}

#[test]
fn threads_do_not_change_a_byte() {
    let (old, new) = (runs_of("old", [1, 2, 3, 4, 5]), runs_of("new", [3, 2, 1, 5, 4]));
    for options in ["--all -p -q", "--format json -p -q", "-l --format csv"] {
        let with = |n: &str| diff_in(&[("PROFAN_THREADS", n)], options, &old, &new);
        let one = with("1");
        assert_eq!(one.status, 0);
        for n in ["2", "7"] {
            assert!(one.stdout == with(n).stdout, "{options} with {n} threads");
        }
    }
}

#[test]
fn exact_changes_add_up_to_that_of_the_whole() {
    let directory = "fixtures/compare";
    let pairs = [
        ("old.heap", "new.heap", ["change", "unfreed_bytes_change", "unfreed_count_change"]),
        ("old.callgrind", "new.callgrind", ["change"; 3]),
        ("old.entries", "new.entries", ["change"; 3]),
    ];
    for (old, new, columns) in pairs {
        let table =
            if old == "old.entries" { format!(" {directory}/entry-table") } else { String::new() };
        let side = |file: &str| format!("{directory}/{file}{table}");
        let rows = rows(&side(old), &side(new)).expect("they are comparable");
        let sum_of = |column: &str, is_whole: bool| -> i64 {
            let is_total = |row: &&Value| (row.get("kind") == Some(&"total".into())) == is_whole;
            let of_kind = rows.iter().filter(is_total);
            of_kind.map(|row| row[column].as_i64().expect("it was counted")).sum()
        };
        for column in columns {
            assert_eq!(sum_of(column, false), sum_of(column, true), "{old} {column}");
        }
        assert_ne!(sum_of("change", true), 0);
    }
}

#[test]
fn any_saved_report_is_compared_or_refused() {
    let directory = tempfile::tempdir().expect("a temporary folder can be made");
    let claims = [
        "-1",
        "1e300",
        "1.7976931348623157e308",
        "-1e308",
        "170141183460469231731687303715884105727",
        "-170141183460469231731687303715884105728",
        "18446744073709551615",
        "\"NaN\"",
        "null",
    ];
    for kept in ["kept-heap", "kept-itself"] {
        let path = format!("fixtures/compare/expected/profan/{kept}.inputs/kept.json");
        let report = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let report = std::fs::read_to_string(report).expect("it was kept");
        for claim in claims {
            let changed = with_number(&report, "self", claim);
            assert_ne!(changed, report);
            let (one, other) =
                (directory.path().join("one.json"), directory.path().join("other.json"));
            std::fs::write(&one, changed).expect("it can be written");
            std::fs::write(&other, &report).expect("it can be written");
            let (one, other) = (one.display().to_string(), other.display().to_string());
            for (old, new) in [(&one, &other), (&other, &one), (&one, &one)] {
                let outcome = diff("--all --sort total --fail-on new,more,slower", old, new);
                assert!((0..=2).contains(&outcome.status), "{kept} {claim}");
                let text = String::from_utf8_lossy(&outcome.stdout);
                let is_number = |word: &str| !["inf", "-inf", "+inf", "NaN", "nan"].contains(&word);
                assert!(text.split_whitespace().all(is_number), "{kept} {claim}: {text}");
            }
        }
    }
}

/// A report in which every number of a column is another one.
fn with_number(report: &str, column: &str, number: &str) -> String {
    let start = format!("\"{column}\":");
    let mut parts = report.split(&start);
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([',', '}', ']']).unwrap_or(part.len());
        let is_number = part.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        changed.push_str(&start);
        changed.push_str(if is_number { number } else { &part[..end] });
        changed.push_str(&part[end..]);
    }
    changed
}

fn copy_of_fixtures() -> Scratch {
    Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/compare"))
}

/// What `profan diff` prints in a directory.
fn passing_diff(scratch: &Scratch, line: &str) -> String {
    let outcome = run_line_in(&[], &format!("profan diff {line}"), &[], scratch.path());
    assert_eq!(outcome.status, 0, "{line}");
    String::from_utf8(outcome.stdout).expect("it is UTF-8")
}

#[test]
fn a_baseline_keeps_earlier_runs_that_show_how_runs_vary() {
    let scratch = copy_of_fixtures();
    let run = |line: &str| passing_diff(&scratch, line);
    run("--baseline two.json --update old-1.gmon old-2.gmon old-3.gmon old");
    run("--baseline two.json --update new-1.gmon new-2.gmon new-3.gmon new");
    run("--baseline one.json --update new-1.gmon new-2.gmon new-3.gmon new");
    let saved = std::fs::read(scratch.path().join("two.json")).expect("it was written");
    let saved: Value = serde_json::from_slice(&saved).expect("it is JSON");
    let rows = saved["sections"][0]["rows"].as_array().expect("it has rows");
    let totals = rows.iter().filter(|row| row["kind"] == "total");
    let generations: Vec<_> = totals.map(|row| row["generation"].as_u64()).collect();
    let expected = [0, 0, 0, 1, 1, 1].map(Some);
    assert_eq!(generations, expected);
    let of_scan = |baseline: &str| {
        let text = run(&format!("--baseline {baseline} --format jsonl new-4.gmon new-5.gmon new"));
        let rows = text.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
        let mut rows = rows.filter(|row: &Value| row["name"] == "scan");
        rows.next().expect("it takes time")
    };
    let (one, two) = (of_scan("one.json"), of_scan("two.json"));
    // Earlier runs are not part of the old side, and show more of a function's variation.
    for side in ["old", "new"] {
        let [one, two] = [&one, &two].map(|row| row[side].as_f64().expect("it has a time"));
        assert!((one - two).abs() < 1e-12, "{side}: {one} {two}");
    }
    let visible = |row: &Value| row["visible_percent"].as_f64().expect("it is seen");
    assert!(visible(&two) < visible(&one), "{one} {two}");
    run("--baseline two.json --update old-4.gmon old");
    let text = run("--baseline two.json old-5.gmon old");
    let note = "Earlier runs show how functions vary, and that the program varies by ";
    assert!(text.contains(note) && !text.contains("as assumed"), "{text}");
    let stated = run("--variation 5 --baseline two.json old-5.gmon old");
    assert!(!stated.contains(note) && stated.contains("by 5.0 % (--variation)"), "{stated}");
    let several = run("--variation 5 --baseline two.json new-4.gmon new-5.gmon new");
    assert_eq!(several, run("--baseline two.json new-4.gmon new-5.gmon new"));
}

#[test]
fn a_baseline_of_a_job_has_the_runs_of_each_program() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let scratch = Scratch::copy_of(&tour);
    let run = |line: &str| passing_diff(&scratch, line);
    let files = |ranks: [u32; 3]| {
        let ranks = ranks.map(|rank| format!("ranks/gmon.out.{rank}"));
        format!("{} rounds.gmon primes rounds", ranks.join(" "))
    };
    let (old, new) = (files([0, 1, 2]), files([7, 8, 9]));
    run(&format!("--baseline base.json --update {old}"));
    // The functions of both programs, with the same numbers as from their profiles.
    let tables = |text: String| {
        let rows = text.lines().skip(1).map(|row| serde_json::from_str(row).expect("it is JSON"));
        rows.collect::<Vec<Value>>()
    };
    let saved = run(&format!("--baseline base.json --format jsonl {new}"));
    let saved = tables(saved);
    let direct = tables(run(&format!("--format jsonl {old} -- {new}")));
    let key = |row: &Value| {
        let [section, name, program] = ["section", "name", "program"].map(|key| &row[key]);
        format!("{section} {name} {program} {} {}", row["old"], row["new"])
    };
    let keys = |rows: &[Value]| rows.iter().map(key).collect::<Vec<_>>();
    let has_costs = |row: &&Value| row["old"] != 0.0 || row["new"] != 0.0;
    let with_costs =
        |rows: &[Value]| keys(&rows.iter().filter(has_costs).cloned().collect::<Vec<_>>());
    assert_eq!(with_costs(&saved), with_costs(&direct));
    assert!(saved.iter().any(|row| row["program"] == "primes"), "{saved:?}");
    // The next update keeps both.
    run(&format!("--baseline base.json --update {new}"));
    let text = run(&format!("--baseline base.json {old}"));
    assert!(text.contains("The job has 3 runs of `primes` and 1 run of `rounds`"), "{text}");
}

#[test]
fn a_baseline_learns_from_runs_of_one_program_how_runs_vary() {
    let scratch = copy_of_fixtures();
    let run = |line: &str| passing_diff(&scratch, line);
    let note = "Earlier runs show how functions vary";
    run("--baseline base.json --update old-1.gmon old");
    let before = run("--baseline base.json new-5.gmon new");
    assert!(!before.contains(note), "{before}");
    let learned =
        "--self --baseline base.json --update new-1.gmon new-2.gmon new-3.gmon new-4.gmon new";
    assert!(run(learned).contains("Saved in base.json: how much runs vary"));
    let after = run("--baseline base.json new-5.gmon new");
    assert!(after.contains(note) && !after.contains("as assumed"), "{after}");
    // The old side is still its one run.
    assert!(after.contains("Old: 1 run. New: 1 run."), "{after}");
    // A new baseline consists of these runs.
    run(&learned.replace("base.json", "other.json"));
    let other = run("--baseline other.json new-5.gmon new");
    assert!(other.contains("Old: 4 runs. New: 1 run."), "{other}");
}

#[test]
fn a_baseline_keeps_the_runs_of_all_jobs_that_update_it_at_once() {
    let scratch = copy_of_fixtures();
    std::thread::scope(|jobs| {
        for run in ["old-1", "old-2", "old-3", "old-4", "old-5"] {
            let line = format!("profan diff --baseline all.json --update {run}.gmon old");
            let directory = scratch.path();
            jobs.spawn(move || assert_eq!(run_line_in(&[], &line, &[], directory).status, 0));
        }
    });
    let saved = std::fs::read(scratch.path().join("all.json")).expect("it was written");
    let saved: Value = serde_json::from_slice(&saved).expect("it is JSON");
    let rows = saved["sections"][0]["rows"].as_array().expect("it has rows");
    assert_eq!(rows.iter().filter(|row| row["kind"] == "total").count(), 5);
}

#[test]
fn a_baseline_does_not_keep_runs_of_a_program_that_failed() {
    let scratch = copy_of_fixtures();
    let run = |line: &str| {
        let line = format!("profan diff --baseline base.json --update {line}");
        assert_eq!(run_line_in(&[], &line, &[], scratch.path()).status, 0);
        std::fs::read(scratch.path().join("base.json")).expect("it was written")
    };
    let first = run("old-1.gmon old");
    assert!(run("crashed.gmon new") == first);
    assert!(run("new-1.gmon new") != first);
}

#[test]
fn the_limits_of_hidden_totals_are_not_shown() {
    let runs = |side: &str| format!("fixtures/tour/{side}/visits fixtures/tour/{side}/1.out");
    let json = diff("--format json", &runs("old"), &runs("new")).stdout;
    let shown = |options: &str| {
        let line = format!("profan {options} -");
        run_line_in(&[], &line, &json, Path::new(env!("CARGO_MANIFEST_DIR"))).stdout
    };
    let text = shown("--all");
    assert!(text.starts_with(b"Difference:"));
    assert_eq!(shown("--all --error"), text);
}
