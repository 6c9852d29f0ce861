//! Several runs a side on machines of many kinds: alarms, changes found, innocents blamed, and
//! whether "seen four times of five" is true.

use profan::compare::difference::{Comparison, DifferenceOptions, PowerEstimate, SideRun};

use crate::dice::Dice;
use crate::simulation::{
    EVEN, Program, SAMPLING, SECONDS_PER_TICK, Setting, Variation, both, compared, is_change,
    says_any_change, setting, side_of,
};
use crate::{n_comparisons, percent};

/// Programs and machines.
const MACHINES: [Setting; 14] = [
    setting("even clock", 30, 5000.0, EVEN),
    setting("random clock", 30, 5000.0, SAMPLING),
    setting("each by 2 %", 30, 5000.0, Variation { each: 0.02, ..EVEN }),
    setting("each by 5 %, random clock", 30, 5000.0, Variation { each: 0.05, ..SAMPLING }),
    setting("each by 10 %", 30, 5000.0, Variation { each: 0.1, ..EVEN }),
    setting("all by 10 %", 30, 2000.0, Variation { runs: 0.1, ..EVEN }),
    setting("all by 10 %, 5 functions", 5, 2000.0, Variation { runs: 0.1, ..SAMPLING }),
    setting("all by 10 %, 1000 functions", 1000, 20_000.0, Variation { runs: 0.1, ..EVEN }),
    setting(
        "all by 10 %, each by 5 %, random clock",
        30,
        5000.0,
        Variation { runs: 0.1, each: 0.05, ..SAMPLING },
    ),
    setting("drift of 2 % a run", 30, 2000.0, Variation { drift: 0.02, ..EVEN }),
    setting("10 %, like the run before", 30, 2000.0, Variation { neighbours: 0.1, ..EVEN }),
    setting(
        "10 %, like the run before, each by 2 %",
        100,
        5000.0,
        Variation { neighbours: 0.1, each: 0.02, ..SAMPLING },
    ),
    setting("half of the runs 20 % longer", 30, 2000.0, Variation { two_kinds: 0.2, ..EVEN }),
    setting("one run in ten 50 % longer", 30, 2000.0, Variation { outliers: 0.5, ..EVEN }),
];

/// Numbers of runs of both sides.
const SIDES: [[usize; 2]; 7] = [[1, 1], [2, 2], [3, 3], [5, 5], [10, 10], [20, 20], [10, 2]];

/// The share of the first function, and how many times as long it takes.
const CHANGES: [(&str, f64, f64); 4] = [
    ("none", 0.09, 1.0),
    ("9 % takes +50 %", 0.09, 1.5),
    ("40 % takes +25 %", 0.4, 1.25),
    ("9 % under a new name", 0.09, 1e-9),
];

fn chosen(runs: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    SIDES.into_iter().filter(|[old, new]| runs.contains(old) && runs.contains(new))
}

/// Found, and in parentheses anything else called changed.
pub(crate) fn changes(runs: &[usize]) {
    println!("| runs vary | runs | {} |", CHANGES.map(|(name, ..)| name).join(" | "));
    println!("|---|---|{}", "--:|".repeat(CHANGES.len()));
    for setting in &MACHINES {
        for n_runs in chosen(runs) {
            let cells = CHANGES.map(|(_, share, times)| {
                let [found, blamed] = n_found(setting, n_runs, share, times).map(percent);
                if times == 1.0 { blamed } else { format!("{found} ({blamed})") }
            });
            let [old, new] = n_runs;
            println!("| {} | {old} and {new} | {} |", setting.name, cells.join(" | "));
        }
    }
}

/// Comparisons that find the change of the first function, and that call others changed.
fn n_found(setting: &Setting, n_runs: [usize; 2], share: f64, times: f64) -> [u32; 2] {
    let mut dice = Dice(1000 * n_runs[1] as u64 + n_runs[0] as u64);
    let mut counts = [0; 2];
    for _ in 0..n_comparisons() {
        let old = Program::draw(&mut dice, setting.n_functions, setting.n_ticks).with_first(share);
        let mut new = old.clone().with_first_slower(times);
        let mut n_changed = usize::from(times != 1.0);
        let mut old = old;
        if times < 0.1 {
            // The second function of the new program was the first one of the old.
            new.means.insert(1, old.means[0]);
            old.means.insert(1, 1e-9);
            n_changed = 2;
        }
        let found = verdicts(&mut dice, [&old, &new], n_runs, &setting.variation);
        let [first, others] = found;
        let n_first = first.iter().take(n_changed).filter(|found| **found).count();
        counts[0] += u32::from(n_changed > 0 && n_first == n_changed);
        let is_blamed = first[n_changed..].contains(&true);
        counts[1] += u32::from(is_blamed || n_changed != 1 && others[0]);
    }
    counts
}

/// Whether each function changed, and whether the program did.
fn verdicts(
    dice: &mut Dice,
    programs: [&Program; 2],
    n_runs: [usize; 2],
    variation: &Variation,
) -> [Vec<bool>; 2] {
    let comparison = comparison(dice, programs, n_runs, variation);
    let functions = comparison.functions.iter().map(|one| is_change(one.verdict));
    [functions.collect(), vec![is_change(comparison.total.verdict)]]
}

fn comparison(
    dice: &mut Dice,
    programs: [&Program; 2],
    n_runs: [usize; 2],
    variation: &Variation,
) -> Comparison {
    let sides = both(dice, programs, n_runs, variation);
    let [old, new] = sides.each_ref().map(side_of);
    compared(&old, &new, &DifferenceOptions::default())
}

/// The shares of the first function, in percent.
const SEEN: [f64; 2] = [0.09, 0.4];

/// How often changes are found that are said to be "seen four times of five".
pub(crate) fn seen(runs: &[usize]) {
    let sides: Vec<[usize; 2]> = chosen(runs).filter(|[old, new]| old == new).collect();
    let heads = sides.iter().flat_map(|[n_runs, _]| {
        SEEN.map(|share| format!("{:.0} %, {n_runs} and {n_runs}", 100.0 * share))
    });
    let heads: Vec<_> = heads.collect();
    println!("| runs vary | {} |", heads.join(" | "));
    println!("|---|{}", "--:|".repeat(heads.len()));
    for setting in &MACHINES {
        let cells = sides.iter().flat_map(|&n_runs| {
            SEEN.map(|share| {
                let found = n_seen(setting, n_runs, share);
                found.map_or_else(|| "-".to_owned(), percent)
            })
        });
        println!("| {} | {} |", setting.name, cells.collect::<Vec<_>>().join(" | "));
    }
}

/// Comparisons that find the change of which an unchanged pair of sides says that it is seen four
/// times of five: half of the pairs say less. `None` if that is more than tenfold.
fn n_seen(setting: &Setting, n_runs: [usize; 2], share: f64) -> Option<u32> {
    let mut dice = Dice(7 + n_runs[0] as u64);
    let draw = |dice: &mut Dice| {
        Program::draw(dice, setting.n_functions, setting.n_ticks).with_first(share)
    };
    let mut visible: Vec<f64> = (0..101)
        .map(|_| {
            let program = draw(&mut dice);
            let found = comparison(&mut dice, [&program; 2], n_runs, &setting.variation);
            let seen = PowerEstimate::of_function(&found, 0).least_visible_share;
            seen.unwrap_or(f64::INFINITY)
        })
        .collect();
    visible.sort_by(f64::total_cmp);
    let typical = visible[50];
    (typical < 10.0).then(|| {
        let is_found = |_: &u32| {
            let old = draw(&mut dice);
            let new = old.clone().with_first_slower(1.0 + typical);
            let found = verdicts(&mut dice, [&old, &new], n_runs, &setting.variation);
            found[0][0]
        };
        u32::try_from((0..n_comparisons()).filter(is_found).count()).unwrap_or(u32::MAX)
    })
}

/// Numbers of runs of both sides, and how far they vary.
const UNEQUAL: [([usize; 2], [f64; 2]); 8] = [
    ([10, 1], [0.01, 0.1]),
    ([10, 2], [0.01, 0.1]),
    ([10, 3], [0.01, 0.1]),
    ([10, 5], [0.01, 0.1]),
    ([10, 1], [0.03, 0.03]),
    ([10, 2], [0.03, 0.03]),
    ([10, 3], [0.03, 0.03]),
    ([10, 5], [0.03, 0.03]),
];

/// False alarms, and changes of the whole program and of a function that are found.
pub(crate) fn unequal() {
    println!("| runs | all vary by | as it is | program +10 % | program +25 % | 9 % takes +50 % |");
    println!("|---|---|--:|--:|--:|--:|");
    for (n_runs, spreads) in UNEQUAL {
        let cells = [(1.0, 1.0), (1.1, 1.0), (1.25, 1.0), (1.0, 1.5)]
            .map(|(all, first)| percent(n_unequal(n_runs, spreads, all, first)));
        let spreads = spreads.map(|spread| format!("{:.0} %", 100.0 * spread)).join(" and ");
        let n_runs = n_runs.map(|n_runs| n_runs.to_string()).join(" and ");
        println!("| {n_runs} | {spreads} | {} |", cells.join(" | "));
    }
}

/// Comparisons in which the program or the first function changed, or if they did not, anything.
fn n_unequal(n_runs: [usize; 2], spreads: [f64; 2], all: f64, first: f64) -> u32 {
    let mut dice = Dice(5);
    let options = DifferenceOptions::default();
    let is_found = |_: &u32| {
        let old = Program::draw(&mut dice, 60, 2000.0).with_first(0.09);
        let new = old.clone().with_all_slower(all).with_first_slower(first);
        let [old, new] = [(&old, 0), (&new, 1)].map(|(program, side): (&Program, usize)| {
            let variation = Variation { runs: spreads[side], ..EVEN };
            program.side(&mut dice, n_runs[side], &variation)
        });
        let found = compared(&old, &new, &options);
        if first != 1.0 {
            is_change(found.functions[0].verdict)
        } else if all != 1.0 {
            is_change(found.total.verdict)
        } else {
            says_any_change(&found)
        }
    };
    u32::try_from((0..n_comparisons()).filter(is_found).count()).unwrap_or(u32::MAX)
}

/// One run a side, with no, three and ten earlier sets of three runs.
const SETS: [u32; 3] = [0, 3, 10];

/// One run a side after earlier ones: found, and in parentheses anything else called changed.
pub(crate) fn earlier() {
    println!("| runs vary | earlier sets | none | 9 % takes +50 % | 40 % takes +25 % |");
    println!("|---|---|--:|--:|--:|");
    for setting in &MACHINES {
        for n_sets in SETS {
            let cells = [(0.09, 1.0), (0.09, 1.5), (0.4, 1.25)].map(|(share, times)| {
                let [found, blamed] = n_after(setting, n_sets, share, times).map(percent);
                if times == 1.0 { blamed } else { format!("{found} ({blamed})") }
            });
            println!("| {} | {n_sets} | {} |", setting.name, cells.join(" | "));
        }
    }
}

/// Comparisons that find the change of the first function, and that call others changed.
fn n_after(setting: &Setting, n_sets: u32, share: f64, times: f64) -> [u32; 2] {
    let mut dice = Dice(u64::from(n_sets));
    let mut counts = [0; 2];
    for _ in 0..n_comparisons() {
        let old = Program::draw(&mut dice, setting.n_functions, setting.n_ticks).with_first(share);
        let new = old.clone().with_first_slower(times);
        let sides = both(&mut dice, [&old, &new], [1; 2], &setting.variation);
        let [mut before, after] = sides.each_ref().map(side_of);
        for set in 0..n_sets {
            let [runs, _] = both(&mut dice, [&old, &new], [3, 0], &setting.variation);
            for run in runs {
                let ticks = run.iter().sum();
                let totals = SideRun { seconds_per_tick: SECONDS_PER_TICK, ticks, n_runs: 1 };
                before.add_earlier_run(set, totals, run.into_iter().enumerate());
            }
        }
        let comparison = compared(&before, &after, &DifferenceOptions::default());
        let found = comparison.functions.iter().map(|one| is_change(one.verdict));
        let found: Vec<bool> = found.collect();
        let is_same = times == 1.0;
        counts[0] += u32::from(found[0] && !is_same);
        let of_program = is_change(comparison.total.verdict) && is_same;
        counts[1] += u32::from(found[usize::from(!is_same)..].contains(&true) || of_program);
    }
    counts
}
