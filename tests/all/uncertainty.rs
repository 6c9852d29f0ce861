//! Compares the uncertainties in reports with the truth, for simulated profiles.
//!
//! Profiles are drawn: the ticks of each function are a Poisson number of known mean.
//! They go the way of all profiles, to the cells and sentences of the flat profile.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use profan::analyze::{CostGraph, FocusPart, Material, SectionOptions, TickBounds, flat_section};
use profan::filter::{FilterSets, FilterSpecs, SymSpec};
use profan::model::{Address, CallArc, Clock, Histogram, InstructionStarts, MergePolicy, Profile};
use profan::render::{self, RenderOptions, json};
use profan::report::{Cell, RowKind};
use profan::symbols::{SymbolId, SymbolTable};

use crate::dice::Dice;
use crate::support::Scratch;
use crate::tables::{TableRow, rows_of};

const LOW: u64 = 0x1000;

/// Bytes of a function; bins are a quarter of that.
const SIZE: u64 = 16;

/// A profile of functions with so many ticks.
fn profile(ticks: &[u64]) -> Profile {
    let bins = ticks.iter().flat_map(|&ticks| [ticks / 3, 0, ticks - ticks / 3, 0]);
    let bins: Vec<u64> = bins.collect();
    let mut profile = Profile::default();
    let added = profile.add_histogram(
        Histogram {
            low: Address(LOW),
            high: Address(LOW + SIZE * ticks.len() as u64),
            n_bins: bins.len() as u64,
            bins: bins.into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(100),
        },
        MergePolicy::LENIENT,
    );
    added.expect("there is one histogram");
    profile
}

/// The parsed report: the rows with their functions, and the sentence about their order.
struct Shown {
    rows: Vec<(usize, TableRow)>,
    sentence: String,
}

fn shown(ticks: &[u64]) -> Shown {
    let profile = profile(ticks);
    let starts = (0..ticks.len() as u64).map(|function| Address(LOW + SIZE * function));
    let table = SymbolTable::of_entries(starts);
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    let costs = CostGraph::from_histograms(&profile, &table, &filters, &[]);
    let (costs, table) = (Arc::new(costs), Arc::new(table));
    let material = Material {
        costs: &costs,
        table: &table,
        filters: &filters,
        options: SectionOptions {
            shows_zero_cost: true,
            has_error: true,
            n_runs: 1,
            ..SectionOptions::default()
        },
    };
    let section = flat_section(&material, None);
    let rows = rows_of(&section).into_iter().map(|row| match row.get("name") {
        Cell::Name(id) => (id.0 as usize, row),
        other => panic!("{other:?} is no function"),
    });
    Shown { rows: rows.collect(), sentence: section.uncertainty.summary.join("\n") }
}

impl Shown {
    fn claims_order(&self) -> bool {
        self.sentence.contains("in the right order")
    }

    /// Whether no function of the first rows takes less time than one further down.
    fn has_right_order(&self, rates: &[f64]) -> bool {
        let rates: Vec<_> = self.rows.iter().map(|&(function, _)| rates[function]).collect();
        let first = rates.iter().enumerate().take(10);
        first.clone().all(|(row, rate)| rates[row..].iter().all(|below| below <= rate))
    }
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    const N_PROFILES: u32 = 2000;
    // Ticks of each function in the shortest run; runs are up to twice as long.
    let means = [5.0, 7.0, 10.0, 15.0, 22.0, 40.0, 80.0, 150.0, 400.0];
    let mut dice = Dice(2024);
    let mut n_held = [0u32; 9];
    for _ in 0..N_PROFILES {
        let length = dice.between(1.0, 2.0);
        let rates = means.map(|mean| mean * length);
        let shown = shown(&rates.map(|rate| dice.poisson(rate)));
        for (function, row) in &shown.rows {
            let limits = row.real("self_low_seconds")..=row.real("self_high_seconds");
            n_held[*function] += u32::from(limits.contains(&(rates[*function] / 100.0)));
        }
    }
    for (mean, n_held) in means.iter().zip(n_held) {
        let held = 100.0 * f64::from(n_held) / f64::from(N_PROFILES);
        assert!((93.5..=96.5).contains(&held), "of {mean} ticks: {held} %");
    }
    let held = 100.0 * f64::from(n_held.iter().sum::<u32>()) / f64::from(9 * N_PROFILES);
    assert!((94.5..=95.5).contains(&held), "of all: {held} %");
}

#[test]
fn rows_reported_in_order_are_wrong_at_most_once_in_twenty() {
    let mut dice = Dice(10);
    let (mut n_claims, mut n_false) = (0, 0);
    for _ in 0..1500 {
        // Twelve functions, each a bit shorter than the one before.
        let mut rate = dice.between(1e3, 1e5);
        let step = dice.between(0.7, 0.995);
        let rates: Vec<f64> = (0..12)
            .map(|_| {
                rate *= dice.between(step, 1.0);
                rate
            })
            .collect();
        let ticks: Vec<_> = rates.iter().map(|&rate| many(&mut dice, rate)).collect();
        let shown = shown(&ticks);
        if shown.claims_order() {
            n_claims += 1;
            n_false += u32::from(!shown.has_right_order(&rates));
        }
    }
    assert!(n_claims > 100, "{n_claims} claims");
    assert!(20 * n_false <= n_claims, "{n_false} of {n_claims} are false");
}

/// A Poisson number of a large mean, which is as good as normal (Box and Muller).
fn many(dice: &mut Dice, mean: f64) -> u64 {
    let angle = dice.between(0.0, std::f64::consts::TAU);
    let normal = (-2.0 * dice.share().ln()).sqrt() * angle.cos();
    let ticks = (mean + mean.sqrt() * normal).round().max(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "means are below a million")]
    #[expect(clippy::cast_sign_loss, reason = "it is not negative")]
    let ticks = ticks as u64;
    ticks
}

#[test]
fn equal_functions_are_reported_in_order_at_most_once_in_twenty() {
    let mut dice = Dice(5);
    let n_claims: u32 = (0..2000)
        .map(|_| {
            let ticks = [1000.0, 60.0, 60.0, 5.0].map(|rate| dice.poisson(rate));
            // The last function has too few ticks to be sure of, so leave it out.
            u32::from(shown(&ticks[..3]).claims_order())
        })
        .sum();
    // Either order would be claimed one time in forty.
    assert!((60..=130).contains(&n_claims), "{n_claims} of 2000");
}

#[test]
fn so_many_more_runs_tell_rows_apart_four_times_of_five() {
    let sentence = shown(&[1000, 110, 90]).sentence;
    assert_eq!(sentence, "The order of rows 2 and 3 is uncertain; 3 more runs would settle it.");
    let mut dice = Dice(80);
    let n_told: u32 = (0..1000)
        .map(|_| {
            // Four runs, added up.
            let ticks = [4000.0, 440.0, 360.0].map(|rate| dice.poisson(rate));
            u32::from(shown(&ticks).claims_order())
        })
        .sum();
    assert!((770..=850).contains(&n_told), "{n_told} of 1000");
}

/// The totals of functions in a report of the tour, with their lower and upper limits.
fn totals(files: &str) -> HashMap<String, [f64; 3]> {
    let tour = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let scratch = Scratch::copy_of(&tour);
    let line = format!("profan --format json -q {files}");
    let outcome = crate::support::run_line(&line, b"", scratch.path());
    let report: serde_json::Value = serde_json::from_slice(&outcome.stdout).expect("it is JSON");
    let rows = report["sections"][0]["rows"].as_array().expect("there are rows");
    let totals = rows.iter().map(|row| {
        let number = |key: &str| row[key].as_f64();
        let total = number("total_seconds").or(number("total")).expect("it has a total");
        let limits = [number("total_low_seconds"), number("total_high_seconds")];
        let name = row["name"].as_str().expect("names are text");
        (name.to_owned(), [total, limits[0].unwrap_or(total), limits[1].unwrap_or(total)])
    });
    totals.collect()
}

#[test]
fn bounds_contain_callgrinds_counts_where_shares_by_calls_do_not() {
    let shown = totals("unequal.gmon unequal");
    let counted = totals("unequal.callgrind");
    let share = |function: &str| counted[function][0] / counted["main"][0];
    for (function, true_share) in [("heavy", 0.9), ("light", 0.1), ("main", 1.0)] {
        assert!((share(function) - true_share).abs() < 0.002, "{function}");
        let [_, low, high] = shown[function];
        let real = share(function) * shown["main"][0];
        assert!((low - 0.01..=high + 0.01).contains(&real), "{function}: {low} to {high}");
    }
    // By calls, one of a hundred is heavy's.
    assert!(shown["heavy"][0] * 80.0 < share("heavy") * shown["main"][0]);
    assert!(shown["light"][0] > 9.0 * share("light") * shown["main"][0]);
    let [total, low, high] = shown["main"];
    // main has it all in any case: 216 samples, with the error of their number.
    assert_eq!(total, 2.16);
    assert!((1.88..1.89).contains(&low) && (2.46..2.47).contains(&high));
}

#[test]
fn ticks_between_two_functions_are_within_the_limits_of_both() {
    // A bin of four bytes, half of it in either function.
    let mut profile = Profile::default();
    let added = profile.add_histogram(
        Histogram {
            low: Address(LOW),
            high: Address(LOW + 12),
            n_bins: 3,
            bins: [40, 100, 0].into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(100),
        },
        MergePolicy::LENIENT,
    );
    added.expect("there is one histogram");
    let table = SymbolTable::of_entries([Address(LOW), Address(LOW + 6)].into_iter());
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    let costs = CostGraph::from_histograms(&profile, &table, &filters, &[]);
    let (costs, table) = (Arc::new(costs), Arc::new(table));
    let material = Material {
        costs: &costs,
        table: &table,
        filters: &filters,
        options: SectionOptions { has_error: true, ..SectionOptions::default() },
    };
    let rows = rows_of(&flat_section(&material, None));
    let [first, second] = &rows[..] else {
        panic!("there are two functions");
    };
    assert_eq!(first.kind, RowKind::Entry);
    // The second may have any number of a hundred ticks; 40 belong to the first.
    assert_eq!(second.real("self_low_seconds"), 0.0);
    assert!(second.real("self_high_seconds") > 1.2);
    assert!(first.real("self_low_seconds") < 0.4);
    assert!(first.real("self_high_seconds") > 1.6);
    assert_eq!(*first.get("marks"), Cell::text("="));
    assert_eq!(*second.get("marks"), Cell::text("/"));
}

#[test]
fn the_manual_quotes_the_printed_text() {
    let tour = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let scratch = Scratch::copy_of(&tour);
    let printed = |line: &str| {
        let outcome = crate::support::run_line(line, b"", scratch.path());
        String::from_utf8(outcome.stdout).expect("it is text")
    };
    let manual = printed("profan man").replace("\\-", "-");
    let (_, example) = manual.split_once("\n.nf\n$ ").expect("there is an example");
    let (example, _) = example.split_once("\n.fi").expect("it ends");
    let (command, quoted) = example.split_once('\n').expect("something is printed");
    assert!(printed(command).contains(quoted), "{quoted}");
}

#[test]
fn a_saved_report_says_how_sure_it_is_as_the_profile_does() {
    let tour = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let scratch = Scratch::copy_of(&tour);
    let run = |line: &str, input: &[u8]| crate::support::run_line(line, input, scratch.path());
    for files in ["unequal.gmon unequal", "gmon.out primes", "time.txt time.out"] {
        for style in ["-p", "-q"] {
            let kept = run(&format!("profan --format json {style} {files}"), b"").stdout;
            std::fs::write(scratch.path().join("kept.json"), kept).expect("it can be written");
            let shown = run(&format!("profan --error {style} kept.json"), b"");
            let direct = run(&format!("profan --error {style} {files}"), b"");
            assert_eq!(shown.stdout, direct.stdout, "{style} {files}");
        }
    }
}

#[test]
fn limits_of_totals_and_calls_hold_the_truth_as_often_as_they_say() {
    const N_PROFILES: u32 = 2000;
    // main calls heavy and light, both call work, and heavy causes nine tenths of its time.
    let start = |function: u64| Address(LOW + SIZE * function);
    let calls = [(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 99)];
    let table = SymbolTable::of_entries((0..4).map(start));
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    let mut dice = Dice(17);
    let mut n_held = [0u32; 6];
    for _ in 0..N_PROFILES {
        let work = dice.between(5.0, 100.0);
        let rates = [2.0, 4.0, 9.0, work];
        let mut profile = profile(&rates.map(|rate| dice.poisson(rate)));
        profile.add_arcs(calls.map(|(caller, callee, count)| CallArc {
            call_site: Address(start(caller).0 + 4),
            callee: start(callee),
            count,
        }));
        profile.sort_records();
        let costs = CostGraph::from_histograms(&profile, &table, &filters, &[]);
        let bounds = costs.flow_bounds().expect("calls were counted");
        let totals = [15.0 + work, 4.0 + 0.9 * work, 9.0 + 0.1 * work, work];
        let functions = (0..4).map(|id| bounds.of_function(SymbolId(id)));
        let of_work = std::iter::repeat_n(bounds.of_call(SymbolId(3)), 2);
        let truths = totals.into_iter().chain([0.9 * work, 0.1 * work]);
        for ((bounds, truth), n_held) in functions.chain(of_work).zip(truths).zip(&mut n_held) {
            let limits = costs.with_sampling_error(bounds);
            *n_held += u32::from(limits.low <= truth && truth <= limits.high);
        }
    }
    let held = n_held.map(|n_held| 100.0 * f64::from(n_held) / f64::from(N_PROFILES));
    // The uncertainty of main and work comes from sampling alone; single limits are wider.
    for (index, held) in held.iter().enumerate() {
        let most = if [0, 3].contains(&index) { 96.5 } else { 100.0 };
        assert!((93.5..=most).contains(held), "{index}: {held} %");
    }
}

/// A program: its functions with their mean self ticks by call path. Calls may recurse.
struct DrawnRun {
    n_functions: usize,
    /// The calls: the enclosing call, the function and its mean ticks.
    calls: Vec<(Option<usize>, usize, f64)>,
}

impl DrawnRun {
    /// Few functions call each other in cycles, many do not.
    fn draw(dice: &mut Dice) -> Self {
        let n_functions = 4 + dice.below(12);
        let recurses = dice.below(2) == 0;
        let mut calls = vec![(None, 0, 2.0)];
        for _ in 0..5 + dice.below(60) {
            let caller = dice.below(calls.len() as u64);
            let first = if recurses { 1 } else { calls[caller].1 + 1 };
            if first < n_functions {
                let function = first + dice.below((n_functions - first) as u64);
                let ticks = if dice.below(3) == 0 { dice.between(0.0, 40.0) } else { 0.0 };
                calls.push((Some(caller), function, ticks));
            }
        }
        Self { n_functions, calls }
    }

    fn functions_above(&self, call: usize) -> HashSet<usize> {
        let calls = std::iter::successors(Some(call), |&call| self.calls[call].0);
        calls.map(|call| self.calls[call].1).collect()
    }

    /// The mean time with each function on the stack.
    fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.n_functions];
        for call in 0..self.calls.len() {
            self.functions_above(call).iter().for_each(|&one| totals[one] += self.calls[call].2);
        }
        totals
    }

    /// The costs that a run records.
    fn record(&self, filters: &FilterSpecs, dice: &mut Dice) -> CostGraph {
        let mut means = vec![0.0; self.n_functions];
        self.calls.iter().for_each(|&(_, function, ticks)| means[function] += ticks);
        let ticks: Vec<u64> = means.iter().map(|&mean| dice.poisson(mean)).collect();
        let mut profile = profile(&ticks);
        let start = |function: usize| Address(LOW + SIZE * function as u64);
        profile.add_arcs(self.calls.iter().map(|&(caller, function, _)| CallArc {
            call_site:
                caller.map_or(Address(0x10), |call| Address(start(self.calls[call].1).0 + 4)),
            callee: start(function),
            count: 1,
        }));
        profile.sort_records();
        let table = SymbolTable::of_entries((0..self.n_functions).map(start));
        let filters = FilterSets::resolve(filters, &table);
        CostGraph::from_histograms(&profile, &table, &filters, &[])
    }
}

#[test]
fn limits_of_totals_hold_in_programs_that_recurse() {
    const N_TOTALS: [u32; 2] = [5000; 2];
    let mut dice = Dice(37);
    // Functions outside of cycles, and members.
    let (mut n_totals, mut n_held, mut n_marked) = ([0u32; 2], [0u32; 2], 0);
    while n_totals.iter().zip(N_TOTALS).any(|(n_totals, enough)| *n_totals < enough) {
        let run = DrawnRun::draw(&mut dice);
        let costs = run.record(&FilterSpecs::default(), &mut dice);
        let bounds = costs.flow_bounds().expect("calls were counted");
        for (id, truth) in (0..).map(SymbolId).zip(run.totals()).filter(|(_, truth)| *truth > 0.0) {
            let limits = costs.with_sampling_error(bounds.of_function(id));
            let kind = usize::from(costs.cycle_of(id).is_some());
            n_totals[kind] += 1;
            n_held[kind] += u32::from(limits.low <= truth && truth <= limits.high);
        }
        n_marked += u32::from(costs.guesses().is_some());
    }
    for (kind, (n_held, n_totals)) in n_held.iter().zip(n_totals).enumerate() {
        let held = 100.0 * f64::from(*n_held) / f64::from(n_totals);
        println!("{kind}: {n_held} of {n_totals} hold ({held:.1} %)");
        assert!((94.0..=100.0).contains(&held), "{kind}: {held} % of {n_totals}");
    }
    assert!(n_marked > 0);
}

#[test]
fn limits_of_a_selected_part_hold_whatever_calls_cost() {
    let mut dice = Dice(38);
    let (mut n_parts, mut n_held, mut n_between) = (0, 0, 0);
    for _ in 0..2000 {
        let run = DrawnRun::draw(&mut dice);
        let truths = run.totals();
        let selected = dice.below(run.n_functions as u64);
        let name = Address(LOW + SIZE * selected as u64).to_string();
        let mut specs = FilterSpecs::default();
        specs.focus.include = vec![SymSpec::function(&name)];
        let costs = run.record(&specs, &mut dice);
        let Some(selections) = costs.focus().and_then(FocusPart::selections) else {
            continue;
        };
        if truths[selected] == 0.0 {
            continue;
        }
        let bounds = selections.iter().map(|selection| selection.bounds());
        let bounds = bounds.fold(TickBounds::default(), |all, one| TickBounds {
            low: all.low + one.low,
            high: all.high + one.high,
        });
        let limits = costs.with_sampling_error(bounds);
        n_parts += 1;
        n_held += u32::from((limits.low..=limits.high).contains(&truths[selected]));
        n_between += u32::from(!bounds.are_tight());
        // The selected function has the whole part, with the same limits.
        let id = SymbolId(u32::try_from(selected).expect("there are few"));
        let of_function = costs.flow_bounds().expect("calls were counted").of_function(id);
        assert!((of_function.high - bounds.high).abs() < 1e-6, "{of_function:?} {bounds:?}");
    }
    println!("{n_held} of {n_parts} hold, {n_between} of them between limits");
    assert!(
        n_parts > 500 && n_held * 100 >= n_parts * 94 && n_between > 100,
        "{n_held} of {n_parts}"
    );
}

#[test]
fn signs_of_a_saved_report_cannot_reach_the_terminal() {
    let tour = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let scratch = Scratch::copy_of(&tour);
    let line = "profan --format json unequal.gmon unequal";
    let kept = crate::support::run_line(line, b"", scratch.path()).stdout;
    let kept = String::from_utf8(kept).expect("it is text");
    let hostile = kept.replace("\"marks\":\"~\"", "\"marks\":\"\\u001b[2J\"");
    assert_ne!(kept, hostile);
    let report = json::read(hostile.as_bytes()).expect("it is a report");
    let options =
        RenderOptions { escapes_controls: true, shows_error: true, ..RenderOptions::default() };
    let mut text = Vec::new();
    let shown = render::named("text").expect("it is a format");
    shown.render(&report, &options, &mut text).expect("it is shown");
    assert!(!text.contains(&0x1b));
    assert!(String::from_utf8_lossy(&text).contains("[2J"));
}
