//! How often comparisons report changes that do not exist, and find changes that do.
//!
//! `cargo test --release --test difference` prints the tables of `docs/difference.md`, in
//! about an hour: `-- alarms`, `-- found` and `-- time` print one of them. It draws the same
//! runs each time.
#![expect(clippy::print_stdout, reason = "tables are what it is for")]

#[path = "../all/dice.rs"]
mod dice;
mod rivals;
#[expect(dead_code, reason = "`tests/all` uses the rest")]
mod simulation;

use std::env;
use std::time::Instant;

use profan::compare::difference::{DifferenceOptions, PowerEstimate, Side, SideRun};

use dice::Dice;
use rivals::RIVALS;
use simulation::{
    EVEN, Program, SAMPLING, SETTINGS, Setting, Variation, both, compared, is_change,
    says_any_change, side_of,
};

const N_PAIRS: u32 = 2000;
const N_TRIES: u32 = 200;

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |table: &str| wanted.is_empty() || wanted.iter().any(|word| word == table);
    if is_wanted("time") {
        println!("## Time\n");
        time();
    }
    if is_wanted("alarms") {
        println!("\n## False alarms, of {N_PAIRS} pairs each, in percent\n");
        false_alarms();
    }
    if is_wanted("found") {
        println!("\n## Found, of {N_TRIES} tries each, in percent\n");
        found();
    }
}

/// Many functions, and many runs of them.
fn time() {
    const N_FUNCTIONS: usize = 100_000;
    const N_RUNS: usize = 1000;
    let mut dice = Dice(3);
    let start = Instant::now();
    let sides = [0, 1].map(|_| {
        let mut side = Side::default();
        for _ in 0..N_RUNS {
            let ticks: Vec<f64> = (0..N_FUNCTIONS)
                .map(|function| (dice.word() % (2 + function as u64 % 7)) as f64)
                .collect();
            let run = SideRun { seconds_per_tick: 0.01, ticks: ticks.iter().sum(), n_runs: 1 };
            side.add_run(run, ticks.into_iter().enumerate());
        }
        side
    });
    println!("drawing and adding up: {:.1} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let comparison = compared(&sides[0], &sides[1], &DifferenceOptions::default());
    println!("comparing: {:.1} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let functions = (0..comparison.functions.len()).step_by(1000);
    let estimate = |function: &usize| PowerEstimate::of_function(&comparison, *function);
    let n_seen = functions.filter(|function| estimate(function).more_runs == Some(0));
    let n_seen = n_seen.count();
    println!("power estimates: {:.1} s ({n_seen})", start.elapsed().as_secs_f64());
}

const RUNS: [usize; 6] = [1, 2, 3, 5, 10, 20];

fn false_alarms() {
    let heads = RUNS.map(|n_runs| n_runs.to_string()).join(" | ");
    println!("| runs vary | {heads} | 5, normalized |");
    println!("|---|{}", "--:|".repeat(RUNS.len() + 1));
    for (seed, setting) in (1u64..).zip(&SETTINGS) {
        let by_seconds = RUNS.map(|n_runs| (n_runs, false));
        let cells = by_seconds.into_iter().chain([(5, true)]);
        let cells = cells.map(|(n_runs, normalize)| {
            let n_false = n_false(seed, n_runs, setting, normalize);
            format!("{:.1}", 100.0 * f64::from(n_false) / f64::from(N_PAIRS))
        });
        let cells: Vec<_> = cells.collect();
        println!("| {} | {} |", setting.name, cells.join(" | "));
    }
}

/// Pairs with a false alarm.
fn n_false(seed: u64, n_runs: usize, setting: &Setting, normalize: bool) -> u32 {
    let mut dice = Dice(100 * seed + n_runs as u64);
    let options = DifferenceOptions { normalize, ..DifferenceOptions::default() };
    let is_false = |_: &u32| {
        let program = drawn(&mut dice, setting);
        let sides = both(&mut dice, [&program; 2], [n_runs; 2], &setting.variation);
        let [old, new] = sides.each_ref().map(side_of);
        says_any_change(&compared(&old, &new, &options))
    };
    let n_false = (0..N_PAIRS).filter(is_false).count();
    u32::try_from(n_false).unwrap_or(u32::MAX)
}

fn drawn(dice: &mut Dice, setting: &Setting) -> Program {
    Program::draw(dice, setting.n_functions, setting.n_ticks).with_first(SHARE)
}

/// The share of the first function.
const SHARE: f64 = 0.4;

/// Settings in which the first function changes.
const CHANGED: [Setting; 6] = [
    Setting {
        name: "even clock, 10 functions, 200 ticks",
        n_functions: 10,
        n_ticks: 200.0,
        variation: EVEN,
    },
    Setting {
        name: "random clock, 100 functions, 5000 ticks",
        n_functions: 100,
        n_ticks: 5000.0,
        variation: SAMPLING,
    },
    Setting {
        name: "each by 5 %, 60 functions, 2000 ticks",
        n_functions: 60,
        n_ticks: 2000.0,
        variation: Variation { each: 0.05, ..EVEN },
    },
    Setting {
        name: "all by 3 %, 60 functions, 2000 ticks",
        n_functions: 60,
        n_ticks: 2000.0,
        variation: Variation { runs: 0.03, ..EVEN },
    },
    Setting {
        name: "four groups by 10 %, 60 functions, 2000 ticks",
        n_functions: 60,
        n_ticks: 2000.0,
        variation: Variation { groups: 0.1, ..EVEN },
    },
    Setting {
        name: "5 %, like the run before, 60 functions, 2000 ticks",
        n_functions: 60,
        n_ticks: 2000.0,
        variation: Variation { neighbours: 0.05, ..EVEN },
    },
];

fn found() {
    println!(
        "| runs vary | slower by | runs | profan | Welch | moderated t | max-T | ranks | benchstat |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for setting in &CHANGED {
        for change in [0.1, 0.25] {
            for n_runs in [3, 5, 10, 20] {
                let cells = n_found(setting, n_runs, change)
                    .map(|count| format!("{:.0}", 100.0 * f64::from(count) / f64::from(N_TRIES)));
                let percent = 100.0 * change;
                println!(
                    "| {} | {percent:.0} % | {n_runs} | {} |",
                    setting.name,
                    cells.join(" | ")
                );
            }
        }
    }
}

/// How often the first function was found, by profan and the others.
fn n_found(setting: &Setting, n_runs: usize, change: f64) -> [u32; 1 + RIVALS.len()] {
    let mut dice = Dice(97);
    let mut n_found = [0; 1 + RIVALS.len()];
    let options = DifferenceOptions::default();
    for _ in 0..N_TRIES {
        let old = drawn(&mut dice, setting);
        let new = old.clone().with_first_slower(1.0 + change);
        let sides = both(&mut dice, [&old, &new], [n_runs; 2], &setting.variation);
        let [old, new] = sides.each_ref().map(side_of);
        let found = compared(&old, &new, &options).functions[0].verdict;
        n_found[0] += u32::from(is_change(found));
        for (count, rival) in n_found[1..].iter_mut().zip(RIVALS) {
            let found: Vec<usize> = rival.found(&mut dice, &sides, options.alpha);
            *count += u32::from(found.contains(&0));
        }
    }
    n_found
}
