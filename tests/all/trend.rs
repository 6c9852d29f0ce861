//! Lasting changes in a history: found where they are, and nowhere else.

use std::fs;
use std::path::Path;

use profan::compare::by_file::ChangeTest;
use serde_json::Value;

use crate::dice::Dice;
use crate::schema::Schema;
use crate::support::{Outcome, Scratch, run_line};

/// How the costs of a program vary from night to night.
#[derive(Clone, Copy)]
struct Nights {
    n_nights: usize,
    n_functions: usize,
    /// The correlation of a night with the one before.
    correlation: f64,
    /// The share of nights with some other load, which takes up to ten times as long.
    disturbed: f64,
    /// The mean number of samples of a function.
    mean: f64,
}

const USUAL: Nights =
    Nights { n_nights: 90, n_functions: 12, correlation: 0.0, disturbed: 0.0, mean: 400.0 };

impl Nights {
    /// The costs of each function, without any change.
    fn draw(self, dice: &mut Dice) -> Vec<Vec<f64>> {
        let mut functions = vec![Vec::new(); self.n_functions];
        let mut deviation = dice.normal();
        for _ in 0..self.n_nights {
            let own = (1.0 - self.correlation * self.correlation).sqrt() * dice.normal();
            deviation = self.correlation * deviation + own;
            let is_disturbed = dice.share() < self.disturbed;
            let load = if is_disturbed { dice.between(1.0, 10.0) } else { 1.0 };
            for costs in &mut functions {
                let mean = self.mean * load * (1.0 + 0.05 * deviation).max(0.0);
                let samples = mean + mean.sqrt() * dice.normal();
                costs.push(samples.round().max(0.0));
            }
        }
        functions
    }
}

fn changes(functions: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let test = ChangeTest::of(functions[0].len(), functions.iter().cloned());
    let found = functions.iter().enumerate();
    found
        .flat_map(|(function, costs)| {
            test.change_points(costs).into_iter().map(move |night| (function, night))
        })
        .collect()
}

#[test]
fn a_history_without_changes_has_a_finding_in_one_of_100_at_most() {
    let settings = [
        USUAL,
        Nights { disturbed: 0.05, ..USUAL },
        Nights { correlation: 0.7, ..USUAL },
        Nights { mean: 0.7, ..USUAL },
        Nights { n_nights: 24, n_functions: 3, ..USUAL },
    ];
    let n_histories = if cfg!(debug_assertions) { 100 } else { 1000 };
    for (place, nights) in settings.into_iter().enumerate() {
        let mut dice = Dice(place as u64);
        let histories = (0..n_histories).map(|_| changes(&nights.draw(&mut dice)));
        let n_alarms = histories.filter(|found| !found.is_empty()).count();
        assert!(n_alarms * 100 <= n_histories, "{n_alarms} alarms in setting {place}");
    }
}

#[test]
fn a_change_of_one_function_is_found_within_a_night() {
    let mut dice = Dice(365);
    for percent in [15.0, -15.0] {
        let nights = Nights { n_nights: 365, n_functions: 8, mean: 2000.0, ..USUAL };
        let mut functions = nights.draw(&mut dice);
        functions[5][199..].iter_mut().for_each(|cost| *cost *= 1.0 + percent / 100.0);
        let found = changes(&functions);
        assert!(matches!(found[..], [(5, 198..=200)]), "{percent} %: {found:?}");
    }
}

#[test]
fn several_changes_and_one_of_the_last_nights_are_found() {
    let mut dice = Dice(7);
    let mut functions = Nights { n_nights: 365, mean: 2000.0, ..USUAL }.draw(&mut dice);
    functions[0][100..160].iter_mut().for_each(|cost| *cost *= 1.3);
    functions[3][360..].iter_mut().for_each(|cost| *cost *= 2.0);
    let found = changes(&functions);
    let are_near = matches!(found[..], [(0, 98..=102), (0, 158..=162), (3, 358..=362)]);
    assert!(are_near, "{found:?}");
}

#[test]
fn exact_counts_that_change_once_are_no_slow_drift() {
    let mut functions = vec![vec![1000.0; 60]; 3];
    functions[1][40..].fill(1001.0);
    assert_eq!(changes(&functions), [(1, 40)]);
    let drift = |night: i32| f64::from(night) + f64::from(night * night % 7);
    assert_eq!(changes(&[(0..60).map(drift).collect()]), []);
}

const N_NIGHTS: usize = 40;

/// Writes folded stacks of some nights; from the 25th on, `slower` takes half as much again.
fn write_nights(directory: &Path) {
    let mut dice = Dice(52);
    for night in 1..=N_NIGHTS {
        let mut samples = |mean: f64| (mean * dice.between(0.97, 1.03)).round();
        let slower = samples(if night < 25 { 2000.0 } else { 3000.0 });
        let stacks = format!("main;slower {slower}\nmain;same {}\n", samples(5000.0));
        fs::write(directory.join(format!("night-{night}.folded")), stacks).expect("it is written");
    }
}

fn files(end: &str) -> String {
    (1..=N_NIGHTS).rev().map(|night| format!("night-{night}.{end} ")).collect()
}

fn run(line: &str, directory: &Path) -> Outcome {
    let outcome = run_line(line, b"", directory);
    let said = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status, 0, "{line}: {said}");
    outcome
}

fn rows(outcome: &Outcome) -> Vec<Value> {
    let text = String::from_utf8(outcome.stdout.clone()).expect("JSON is text");
    let rows = text.lines().map(|row| serde_json::from_str(row).expect("each line is JSON"));
    rows.filter(|row: &Value| row["section"] == "trend").collect()
}

#[test]
fn profiles_and_saved_reports_have_the_same_history() {
    let scratch = Scratch::empty();
    let directory = scratch.path();
    write_nights(directory);
    for night in 1..=N_NIGHTS {
        run(&format!("profan -o night-{night}.json night-{night}.folded"), directory);
    }
    for end in ["folded", "json"] {
        let line = format!("profan --trend --format jsonl {}", files(end));
        let rows = rows(&run(&line, directory));
        let [all, function] = &rows[..] else { panic!("{end}: {rows:?}") };
        assert_eq!((&all["kind"], &function["name"]), (&"total".into(), &"slower".into()));
        for row in [all, function] {
            assert_eq!(row["first_file"], format!("night-25.{end}"));
            assert_eq!((&row["file_number"], &row["files_after"]), (&25.into(), &16.into()));
        }
        let percent = function["change_percent"].as_f64().expect("it is a number");
        assert!((percent - 50.0).abs() < 2.0, "{percent}");
    }
    let text = run(&format!("profan --trend {}", files("json")), directory).stdout;
    let text = String::from_utf8(text).expect("it is text");
    assert!(text.contains("40 files, from night-1.json to night-40.json."), "{text}");
    run(&format!("profan --trend -o trend.json {}", files("json")), directory);
    let kept = run("profan trend.json", directory).stdout;
    assert_eq!(String::from_utf8_lossy(&kept), text);
    let line = format!("profan --trend --format json {}", files("json"));
    let report = serde_json::from_slice(&run(&line, directory).stdout).expect("it is JSON");
    let schema = run("profan schema", directory).stdout;
    let schema = Schema::new(&String::from_utf8(schema).expect("it is text"));
    schema.check(&report).expect("the schema knows the section");
}

#[test]
fn a_function_keeps_its_history_if_its_name_or_file_changes() {
    let scratch = Scratch::empty();
    let directory = scratch.path();
    write_nights(directory);
    // A Rust function gets another hash on night 10, and is slower from night 25 on.
    for night in 1..=N_NIGHTS {
        let path = directory.join(format!("night-{night}.folded"));
        let hash = if night < 10 { "a" } else { "b" }.repeat(16);
        let stacks = fs::read_to_string(&path).expect("it is there");
        fs::write(path, stacks.replace("slower", &format!("walk::slower::h{hash}"))).expect("so");
    }
    let line = format!("profan --trend --format jsonl {}", files("folded"));
    let rows = rows(&run(&line, directory));
    let [_, function] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&function["file_number"], &function["files_before"]), (&25.into(), &24.into()));
    let text = run(&format!("profan --trend {}", files("folded")), directory).stdout;
    let text = String::from_utf8(text).expect("it is text");
    assert!(text.contains("1 name or file changed"), "{text}");
}

#[test]
fn three_of_the_last_nights_are_enough_for_a_large_change() {
    let mut dice = Dice(3);
    let mut found = || {
        let mut functions = Nights { n_nights: 365, mean: 2000.0, ..USUAL }.draw(&mut dice);
        functions[3][362..].iter_mut().for_each(|cost| *cost *= 1.5);
        changes(&functions).iter().any(|&(function, night)| function == 3 && night == 362)
    };
    let n_found = (0..20).filter(|_| found()).count();
    assert!(n_found >= 12, "{n_found} of 20");
}

#[test]
fn formats_without_histories_refuse_them() {
    let scratch = Scratch::empty();
    write_nights(scratch.path());
    for (option, section) in
        [("--trend", "trend"), ("--by-file=spread", "spread"), ("--by-file=files", "spread-files")]
    {
        for format in ["speedscope", "callgrind", "firefox", "folded"] {
            let line = format!("profan {option} --format {format} night-1.folded night-2.folded");
            let outcome = run_line(&line, b"", scratch.path());
            let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
            assert_eq!(outcome.status, 2, "{line}: {said}");
            assert!(said.contains(&format!("`{format}` cannot show `{section}`")), "{said}");
        }
    }
}

#[test]
fn too_few_files_are_named() {
    let scratch = Scratch::empty();
    write_nights(scratch.path());
    let line = "profan --trend night-1.folded night-2.folded night-30.folded";
    let text = String::from_utf8(run(line, scratch.path()).stdout).expect("it is text");
    assert!(text.contains("3 files are too few to find lasting changes of 2 functions"), "{text}");
    assert!(!text.contains("slower"), "{text}");
}
