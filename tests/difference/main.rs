//! How often a change is said where there is none, and found where there is one.
//!
//! `cargo test --release --test difference` prints the tables of `docs/difference.md`, in
//! about half an hour. It draws the same runs each time.
#![expect(clippy::print_stdout, reason = "tables are what it is for")]

#[path = "../all/dice.rs"]
mod dice;
mod simulation;

use std::time::Instant;

use profan::compare::difference::{
    ChangeVerdict, Comparison, DifferenceOptions, PowerEstimate, Side, SideRun,
};

use dice::Dice;
use simulation::{Program, VARIATIONS, Variation, compared, is_change, says_any_change};

const N_PAIRS: u32 = 2000;
const N_TRIES: u32 = 400;

fn main() {
    println!("## Time\n");
    time();
    println!();
    println!("## False alarms, of {N_PAIRS} pairs each, in percent\n");
    false_alarms();
    println!("\n## Found, of {N_TRIES} tries each, in percent: measured / best\n");
    power();
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
            let run = SideRun {
                seconds_per_tick: 0.01,
                ticks: ticks.iter().sum(),
                n_runs: 1,
            };
            side.add_run(run, ticks.into_iter().enumerate());
        }
        side
    });
    println!(
        "drawing and adding up: {:.1} s",
        start.elapsed().as_secs_f64()
    );
    let start = Instant::now();
    let comparison = compared(&sides[0], &sides[1], &DifferenceOptions::default());
    println!("comparing: {:.1} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let functions = (0..comparison.functions.len()).step_by(1000);
    let estimate = |function: &usize| PowerEstimate::of_function(&comparison, *function);
    let n_seen = functions.filter(|function| estimate(function).more_runs == Some(0));
    let n_seen = n_seen.count();
    println!(
        "power estimates: {:.1} s ({n_seen})",
        start.elapsed().as_secs_f64()
    );
}

/// Runs of both sides.
const RUNS: [[usize; 2]; 8] = [
    [1, 1],
    [2, 2],
    [3, 3],
    [5, 5],
    [10, 10],
    [1, 2],
    [1, 5],
    [2, 10],
];

fn false_alarms() {
    let heads = RUNS.map(|[old, new]| format!("{old} and {new}"));
    println!("| runs vary | {} |", heads.join(" | "));
    println!("|---|{}", "--:|".repeat(RUNS.len()));
    for (place, variation) in (1u64..).zip(VARIATIONS) {
        let cells = RUNS.map(|n_runs| {
            let [seconds, shares] = n_false(place, n_runs, variation);
            let percent = |count| 100.0 * f64::from(count) / f64::from(N_PAIRS);
            format!("{:.1} ({:.1})", percent(seconds), percent(shares))
        });
        println!("| {} | {} |", described(variation), cells.join(" | "));
    }
}

/// Pairs with a false alarm, by seconds and by shares.
fn n_false(seed: u64, n_runs: [usize; 2], variation: Variation) -> [u32; 2] {
    let mut dice = Dice(seed);
    let mut n_false = [0; 2];
    for _ in 0..N_PAIRS {
        let program = Program::draw_any(&mut dice, variation);
        let [old, new] = n_runs.map(|n_runs| program.side(&mut dice, n_runs, variation));
        for (count, normalize) in n_false.iter_mut().zip([false, true]) {
            let options = DifferenceOptions {
                normalize,
                ..DifferenceOptions::default()
            };
            *count += u32::from(says_any_change(&compared(&old, &new, &options)));
        }
    }
    n_false
}

const N_FUNCTIONS: usize = 100;
const N_TICKS: f64 = 10_000.0;

fn power() {
    println!("| runs vary | runs a side | share | +5 % | +10 % | +20 % | +50 % | others |");
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    let variations = [
        Variation::Sampling,
        Variation::Functions(0.05),
        Variation::Runs(0.03),
    ];
    for variation in variations {
        for n_runs in [1, 2, 3, 5, 10, 20] {
            if n_runs == 1 && variation != Variation::Sampling {
                continue;
            }
            for share in [0.02, 0.1, 0.4] {
                power_of(variation, n_runs, share);
            }
        }
    }
}

fn power_of(variation: Variation, n_runs: usize, share: f64) {
    let mut n_others = 0;
    let cells = [0.05, 0.1, 0.2, 0.5].map(|change| {
        let mut dice = Dice(97);
        let mut n_found = 0u32;
        for _ in 0..N_TRIES {
            let program = Program::draw(&mut dice, N_FUNCTIONS, N_TICKS).with_first(share);
            let slower = program.clone().with_first_slower(1.0 + change);
            let old = program.side(&mut dice, n_runs, variation);
            let new = slower.side(&mut dice, n_runs, variation);
            let found = compared(&old, &new, &DifferenceOptions::default());
            n_found += u32::from(found.functions[0].verdict == ChangeVerdict::Slower);
            n_others += u32::from(says_others_changed(&found));
        }
        let measured = 100.0 * f64::from(n_found) / f64::from(N_TRIES);
        let best = 100.0 * best_power(variation, n_runs, share * N_TICKS, change);
        format!("{measured:.0} / {best:.0}")
    });
    println!(
        "| {} | {n_runs} | {:.0} % | {} | {:.1} |",
        described(variation),
        100.0 * share,
        cells.join(" | "),
        100.0 * f64::from(n_others) / f64::from(4 * N_TRIES)
    );
}

fn says_others_changed(comparison: &Comparison) -> bool {
    let mut others = comparison.functions[1..].iter();
    others.any(|difference| is_change(difference.verdict))
}

/// How often a test would find the change that knew how far everything varies, and that
/// gives as rare false alarms for as many functions.
fn best_power(variation: Variation, n_runs: usize, mean: f64, change: f64) -> f64 {
    let of_runs = match variation {
        Variation::Functions(spread) | Variation::Runs(spread) => spread * spread,
        _ => 0.0,
    };
    let variance = (1.0 / mean + 1.0 / (mean * (1.0 + change)) + 2.0 * of_runs) / n_runs as f64;
    // Half of one percent for a hundred functions, on two sides: 2.5e-5.
    const DEVIATE: f64 = 4.055_627;
    normal_below(change.ln_1p() / variance.sqrt() - DEVIATE)
}

/// Abramowitz and Stegun, 26.2.17.
fn normal_below(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_below(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let factors = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let sum = factors
        .iter()
        .rev()
        .fold(0.0, |sum, factor| t * (factor + sum));
    1.0 - (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum
}

fn described(variation: Variation) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    match variation {
        Variation::Sampling => "by sampling".to_owned(),
        Variation::Functions(spread) => format!("each function by {}", percent(spread)),
        Variation::Overdispersed(overdisperse) => format!("in clumps of {overdisperse} ticks"),
        Variation::Runs(spread) => format!("all together by {}", percent(spread)),
        Variation::RunsAndFunctions(all, each) => {
            format!("all by {}, each by {}", percent(all), percent(each))
        }
        Variation::First(spread) => format!("half of it by {}", percent(spread)),
        Variation::Some(most, some) => {
            format!("most by {}, some by {}", percent(most), percent(some))
        }
    }
}
