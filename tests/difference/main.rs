//! How often comparisons report changes that do not exist, find changes that do, and give limits
//! that contain the true change.
//!
//! `cargo test --release --test difference` prints the tables of `docs/dev/validation.md`, in
//! about 45 minutes of one core: `-- alarms`, `-- limits`, `-- single`, `-- several`, `-- seen`, `-- earlier`,
//! `-- unequal`, `-- found` and `-- time` print one of them, and `-- alarms 5 10` only its columns
//! for 5 and 10 runs. It draws the same runs each time.
#![expect(clippy::print_stdout, reason = "tables are what it is for")]

#[path = "../all/dice.rs"]
mod dice;
mod oracle;
mod rivals;
mod several;
#[expect(dead_code, reason = "`tests/all` uses the rest")]
mod simulation;

use std::env;
use std::time::Instant;

use profan::compare::difference::{DifferenceOptions, PowerEstimate, Side, SideRun};

use dice::Dice;
use oracle::Oracle;
use rivals::{RIVALS, Rival};
use simulation::{
    EVEN, Program, SAMPLING, SECONDS_PER_TICK, SETTINGS, Setting, Variation, both, compared,
    is_change, says_any_change, setting, side_of,
};

/// Comparisons for each cell: 2000, or `PROFAN_COMPARISONS`.
fn n_comparisons() -> u32 {
    let number = env::var("PROFAN_COMPARISONS").ok().and_then(|number| number.parse().ok());
    number.unwrap_or(2000)
}

/// A part of all comparisons.
fn percent(count: u32) -> String {
    format!("{:.1}", 100.0 * f64::from(count) / f64::from(n_comparisons()))
}

fn main() {
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (numbers, wanted): (Vec<_>, Vec<_>) =
        wanted.into_iter().partition(|word| word.parse::<usize>().is_ok());
    let is_wanted = |table: &str| wanted.is_empty() || wanted.iter().any(|word| word == table);
    let mut runs = RUNS.to_vec();
    runs.retain(|n_runs| numbers.is_empty() || numbers.contains(&n_runs.to_string()));
    if is_wanted("time") {
        println!("## Time\n");
        time();
    }
    let n_pairs = n_comparisons();
    if is_wanted("alarms") {
        println!("\n## False alarms, of {n_pairs} pairs each, in percent\n");
        false_alarms(&runs);
    }
    if is_wanted("limits") {
        println!("\n## Limits that contain the change, of {n_pairs} pairs each, in percent\n");
        limits(&runs);
    }
    if is_wanted("single") {
        println!("\n## One run a side, of {n_pairs} pairs each: found (blamed), in percent\n");
        single();
    }
    if is_wanted("several") {
        println!("\n## Changes, of {n_pairs} pairs each: found (blamed), in percent\n");
        several::changes(&runs);
    }
    if is_wanted("seen") {
        println!("\n## \"Seen four times of five\", of {n_pairs} pairs each, in percent\n");
        several::seen(&runs);
    }
    if is_wanted("earlier") {
        println!("\n## One run after earlier ones, of {n_pairs} pairs each, in percent\n");
        several::earlier();
    }
    if is_wanted("unequal") {
        println!("\n## Sides that vary differently, of {n_pairs} pairs each, in percent\n");
        several::unequal();
    }
    if is_wanted("found") {
        println!("\n## Found, of {n_pairs} pairs each: found (blamed), in percent\n");
        found(&runs);
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

fn false_alarms(runs: &[usize]) {
    let by_seconds = runs.iter().map(|&n_runs| (n_runs, false));
    let normalized = runs.contains(&5).then_some((5, true));
    let columns: Vec<_> = by_seconds.chain(normalized).collect();
    let head = |&(n_runs, normalize): &(usize, bool)| {
        if normalize { format!("{n_runs}, normalized") } else { n_runs.to_string() }
    };
    println!("| runs vary | {} |", columns.iter().map(head).collect::<Vec<_>>().join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len()));
    for (seed, setting) in (1u64..).zip(&SETTINGS) {
        let cells = columns.iter().copied();
        let cells = cells.map(|(n_runs, normalize)| {
            let n_false = n_false(seed, n_runs, setting, normalize);
            percent(n_false)
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
    let n_false = (0..n_comparisons()).filter(is_false).count();
    u32::try_from(n_false).unwrap_or(u32::MAX)
}

/// Settings in which limits are checked, and the ways in which runs vary.
const LIMITED: [Setting; 6] = [
    setting("all by 10 %, 30 functions", 30, 2000.0, Variation { runs: 0.1, ..EVEN }),
    setting("even clock, 30 functions, 1000 ticks", 30, 1000.0, EVEN),
    setting("random clock, 30 functions, 200 ticks", 30, 200.0, SAMPLING),
    setting("random clock, 30 functions, 5000 ticks", 30, 5000.0, SAMPLING),
    setting("all by 3 %, 30 functions", 30, 2000.0, Variation { runs: 0.03, ..EVEN }),
    setting("each by 5 %, 30 functions", 30, 2000.0, Variation { each: 0.05, ..SAMPLING }),
];

/// How many times as long the first function takes on the new side: nearly 0 if it vanishes.
const GROWTHS: [(&str, f64); 4] =
    [("as it is", 1.0), ("half as long", 0.5), ("three times as long", 3.0), ("gone", 1e-9)];

fn limits(runs: &[usize]) {
    let heads = runs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    println!("| runs vary | function | {heads} |");
    println!("|---|---|{}", "--:|".repeat(runs.len()));
    for (seed, setting) in (1u64..).zip(&LIMITED) {
        for (name, growth) in GROWTHS {
            let cells = runs.iter().map(|&n_runs| {
                let n_right = n_right(seed, n_runs, setting, growth);
                percent(n_right)
            });
            println!("| {} | {name} | {} |", setting.name, cells.collect::<Vec<_>>().join(" | "));
        }
    }
}

/// Pairs in which the limits of the first function, a tenth of the program, contain its change,
/// in either direction.
fn n_right(seed: u64, n_runs: usize, setting: &Setting, growth: f64) -> u32 {
    let mut dice = Dice(100 * seed + n_runs as u64);
    let options = DifferenceOptions::default();
    let is_right = |pair: &u32| {
        let old = Program::draw(&mut dice, setting.n_functions, setting.n_ticks).with_first(0.1);
        let new = old.clone().with_first_slower(growth);
        let sides = if pair.is_multiple_of(2) { [&old, &new] } else { [&new, &old] };
        let runs = both(&mut dice, sides, [n_runs; 2], &setting.variation);
        let comparison = compared(&side_of(&runs[0]), &side_of(&runs[1]), &options);
        let (low, high) = comparison.functions[0].interval;
        let change = SECONDS_PER_TICK * (sides[1].means[0] - sides[0].means[0]);
        low <= change && change <= high
    };
    u32::try_from((0..n_comparisons()).filter(is_right).count()).unwrap_or(u32::MAX)
}

/// Settings for one run a side.
const SINGLE: [Setting; 11] = [
    setting("even clock", 30, 5000.0, EVEN),
    setting("random clock", 30, 5000.0, SAMPLING),
    setting("random clock, all by 10 %", 30, 5000.0, Variation { runs: 0.1, ..SAMPLING }),
    setting("each by 2 %, all by 3 %", 30, 5000.0, Variation { each: 0.02, runs: 0.03, ..EVEN }),
    setting("each by 2 %, random clock", 30, 5000.0, Variation { each: 0.02, ..SAMPLING }),
    setting("each by 2 %, 300 functions", 300, 50_000.0, Variation { each: 0.02, ..EVEN }),
    setting("two functions, all by 3 %", 2, 5000.0, Variation { runs: 0.03, ..EVEN }),
    setting("four functions, all by 3 %", 4, 5000.0, Variation { runs: 0.03, ..EVEN }),
    setting("each by 5 %", 30, 5000.0, Variation { each: 0.05, ..EVEN }),
    setting("each by 5 %, as stated", 30, 5000.0, Variation { each: 0.05, ..EVEN }),
    setting("each by 20 %, as stated", 30, 5000.0, Variation { each: 0.2, ..EVEN }),
];

/// The share of the first function, and how many times as long it takes.
const SINGLE_CHANGES: [(f64, f64); 5] =
    [(0.4, 1.0), (0.4, 1.25), (0.09, 1.5), (0.6, 1.25), (0.4, 0.75)];

/// Found, and innocent functions blamed, with one run a side.
fn single() {
    let head = |&(share, times): &(f64, f64)| {
        format!("{:.0} % takes {:+.0} %", 100.0 * share, 100.0 * (times - 1.0))
    };
    let heads = SINGLE_CHANGES.iter().map(head).collect::<Vec<_>>().join(" | ");
    println!("| runs vary | {heads} |");
    println!("|---|{}", "--:|".repeat(SINGLE_CHANGES.len()));
    for (seed, setting) in (1u64..).zip(&SINGLE) {
        let cells = SINGLE_CHANGES.iter().map(|&(share, times)| {
            let [found, blamed] = n_single(seed, setting, share, times).map(percent);
            if times == 1.0 { blamed } else { format!("{found} ({blamed})") }
        });
        println!("| {} | {} |", setting.name, cells.collect::<Vec<_>>().join(" | "));
    }
}

/// Pairs in which the change was found, and in which anything else was blamed.
fn n_single(seed: u64, setting: &Setting, share: f64, times: f64) -> [u32; 2] {
    let mut dice = Dice(seed);
    let usual = DifferenceOptions::default();
    let is_stated = setting.name.ends_with("as stated");
    let variation = if is_stated { setting.variation.each } else { usual.variation };
    let options = DifferenceOptions { variation, ..usual };
    let mut counts = [0; 2];
    for _ in 0..n_comparisons() {
        let old = Program::draw(&mut dice, setting.n_functions, setting.n_ticks).with_first(share);
        let new = old.clone().with_first_slower(times);
        let runs = both(&mut dice, [&old, &new], [1; 2], &setting.variation);
        let [old, new] = runs.each_ref().map(side_of);
        let comparison = compared(&old, &new, &options);
        let found = comparison.functions.iter().map(|one| is_change(one.verdict));
        let found: Vec<bool> = found.collect();
        let is_changed = times != 1.0;
        counts[0] += u32::from(found[0] && is_changed);
        let of_program = is_change(comparison.total.verdict) && !is_changed;
        let is_blamed = found[usize::from(is_changed)..].iter().any(|found| *found);
        counts[1] += u32::from(is_blamed || of_program);
    }
    counts
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

/// Found, and in parentheses any function called changed that was not.
fn found(runs: &[usize]) {
    println!(
        "| runs vary | slower by | runs | profan | Welch | moderated t | max-T | ranks \
         | benchstat | binomial | oracle |"
    );
    println!("|---|--:|--:|{}", "--:|".repeat(2 + RIVALS.len()));
    for setting in &CHANGED {
        for &n_runs in runs {
            let oracle = Oracle::of(setting, n_runs, DifferenceOptions::default().alpha);
            for change in [0.1, 0.25] {
                let (found, n_by_oracle) = n_found(setting, n_runs, change, &oracle);
                let least_runs = std::iter::once(1).chain(RIVALS.map(Rival::least_runs));
                let cells = found.iter().zip(least_runs).map(|([found, blamed], least)| {
                    let shown = format!("{} ({})", percent(*found), percent(*blamed));
                    if n_runs < least { "-".to_owned() } else { shown }
                });
                let cells = cells.collect::<Vec<_>>().join(" | ");
                let (of_change, by_oracle) = (100.0 * change, percent(n_by_oracle));
                println!(
                    "| {} | {of_change:.0} % | {n_runs} | {cells} | {by_oracle} |",
                    setting.name
                );
            }
        }
    }
}

/// How often the first function was found, and any other blamed: by profan and its rivals; and how
/// often the oracle found it.
fn n_found(
    setting: &Setting,
    n_runs: usize,
    change: f64,
    oracle: &Oracle,
) -> ([[u32; 2]; 1 + RIVALS.len()], u32) {
    let mut dice = Dice(97);
    let mut counts = [[0; 2]; 1 + RIVALS.len()];
    let mut n_by_oracle = 0;
    let options = DifferenceOptions::default();
    for _ in 0..n_comparisons() {
        let old = drawn(&mut dice, setting);
        let new = old.clone().with_first_slower(1.0 + change);
        let sides = both(&mut dice, [&old, &new], [n_runs; 2], &setting.variation);
        n_by_oracle += u32::from(oracle.finds(&sides));
        let [old, new] = sides.each_ref().map(side_of);
        let compared = compared(&old, &new, &options);
        let by_profan = compared.functions.iter().enumerate();
        let by_profan = by_profan.filter(|(_, one)| is_change(one.verdict)).map(|(index, _)| index);
        let mut all = vec![by_profan.collect::<Vec<usize>>()];
        all.extend(RIVALS.map(|rival| {
            let shows = n_runs >= rival.least_runs();
            if shows { rival.found(&mut dice, &sides, options.alpha) } else { Vec::new() }
        }));
        for ([n_found, n_blamed], found) in counts.iter_mut().zip(all) {
            let is_innocent = |index: &usize| (1..setting.n_functions).contains(index);
            *n_found += u32::from(found.contains(&0));
            *n_blamed += u32::from(found.iter().any(is_innocent));
        }
    }
    (counts, n_by_oracle)
}
