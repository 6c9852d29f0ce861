//! Properties of comparisons of random runs, checked on their sections.

use std::sync::Arc;

use proptest::prelude::*;

use profan::analyze::{Amount, Amounts};
use profan::compare::Measure;
use profan::compare::comparison::{
    Compared, DifferenceMaterial, DifferenceOrder, FailOn, SideSums, compare_programs,
    difference_calls_section, difference_section, failures,
};
use profan::compare::costs::{CostArc, CostedFunction, FunctionCosts};
use profan::compare::difference::{ChangeVerdict, DifferenceOptions};
use profan::compare::matching::{
    FunctionMatcher, FunctionName, JoinRules, Joined, ShownNames, WhichSide,
};
use profan::report::{Basis, Cell, Metric, RowKind, Section};
use profan::symbols::Style;

use crate::compare::mirrored_word;
use crate::tables::{TableRow, rows_of};

const N_FUNCTIONS: usize = 8;

/// A run: for each recorded function its cost and number of calls; the cost outside of functions;
/// the number of runs in it; calls.
type RandomRun = (Vec<Option<(u32, u32)>>, u32, u32, Vec<(usize, usize, u32)>);

fn run() -> impl Strategy<Value = RandomRun> {
    let cost = prop_oneof![Just(0u32), 1u32..5, 5u32..2000, Just(u32::MAX)];
    let function = proptest::option::weighted(0.8, (cost, 0u32..9));
    let arc = (0..N_FUNCTIONS, 0..N_FUNCTIONS, 0u32..9);
    (
        proptest::collection::vec(function, N_FUNCTIONS),
        prop_oneof![Just(0u32), 0u32..100],
        1u32..4,
        proptest::collection::vec(arc, 0..6),
    )
}

fn side() -> impl Strategy<Value = Vec<RandomRun>> {
    proptest::collection::vec(run(), 1..5)
}

fn names() -> Arc<[FunctionName]> {
    let name = |index: usize| FunctionName {
        name: format!("f{index}").into_bytes().into(),
        ..FunctionName::default()
    };
    (0..N_FUNCTIONS).map(name).collect()
}

/// The measure of random costs.
#[derive(Clone, Copy, Debug)]
struct Kind {
    is_sampled: bool,
    has_all_names: bool,
    normalize: bool,
}

fn kinds() -> impl Strategy<Value = Kind> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(is_sampled, has_all_names, normalize)| Kind { is_sampled, has_all_names, normalize },
    )
}

fn tally((functions, nobody, n_runs, arcs): &RandomRun, kind: Kind) -> FunctionCosts {
    let amount = |cost: u64| {
        if kind.is_sampled { Amount::Ticks(cost as f64) } else { Amount::Exact(cost.into()) }
    };
    let seen: Vec<(u32, (u32, u32))> =
        (0..).zip(functions).filter_map(|(index, function)| Some((index, (*function)?))).collect();
    let all = u64::from(*nobody) + seen.iter().map(|(_, (cost, _))| u64::from(*cost)).sum::<u64>();
    let costs: Vec<_> = seen.iter().map(|(_, (cost, _))| amount((*cost).into())).collect();
    let totals: Vec<_> = seen.iter().map(|(_, (cost, _))| amount(2 * u64::from(*cost))).collect();
    let row = |&(function, (_, calls)): &(u32, (u32, u32))| CostedFunction {
        function,
        calls: Some(calls.into()),
    };
    let mut arcs: Vec<_> = arcs
        .iter()
        .map(|&(caller, callee, calls)| CostArc {
            caller: u32::try_from(caller).ok(),
            callee: u32::try_from(callee).expect("it is small"),
            calls: Some(calls.into()),
            total: Some(amount(calls.into())),
        })
        .collect();
    arcs.sort_by_key(|arc| (arc.caller, arc.callee));
    arcs.dedup_by_key(|arc| (arc.caller, arc.callee));
    let metric = Metric {
        source: None,
        calls_source: None,
        per_sample: None,
        is_level: false,
        id: "ticks".into(),
        quantity: "time".into(),
        unit: "seconds".into(),
        rate: None,
        parts: None,
        basis: if kind.is_sampled { Basis::Sampled } else { Basis::Recorded },
        total_basis: Some(Basis::Recorded),
    };
    FunctionCosts {
        program: None,
        amount: 1.0,
        amounts: None,
        generation: 0,
        measure: Measure {
            metrics: [metric].into(),
            primary: 0,
            seconds_per_tick: [kind.is_sampled.then_some(0.01)].into(),
        },
        n_runs: *n_runs,
        all: [amount(all)].into(),
        unattributed: [amount((*nobody).into())].into(),
        names: names(),
        has_all_names: kind.has_all_names,
        rows: seen.iter().map(row).collect(),
        self_costs: Amounts::of_cells(costs.len(), 1, |row, _| costs[row]),
        totals: Some(totals.into()),
        counts_calls: true,
        has_arcs: true,
        arcs: arcs.into(),
    }
}

/// Both sections of a comparison, and how often it would be refused.
fn sections(
    old: &[RandomRun],
    new: &[RandomRun],
    kind: Kind,
) -> (Vec<TableRow>, Vec<TableRow>, usize) {
    let mut matcher = FunctionMatcher::default();
    let counts_of_verdicts =
        [old, new].map(|side| side.iter().map(|run| tally(run, kind)).collect::<Vec<_>>());
    let numbers = [WhichSide::Old, WhichSide::New].map(|side| matcher.numbers(&names(), side));
    let joined = matcher.match_functions(&JoinRules::default());
    let sides = [0, 1].map(|side: usize| {
        let which = [WhichSide::Old, WhichSide::New][side];
        let rows = joined.rows_of(&numbers[side], which);
        let mut sums = SideSums::new(joined.rows.len());
        for tally in &counts_of_verdicts[side] {
            sums.add("", tally, &rows, true).expect("all are alike");
        }
        sums
    });
    let options = DifferenceOptions { normalize: kind.normalize, ..DifferenceOptions::default() };
    let compared = compare_programs(&[&sides], &options).expect("they are alike");
    shown(&compared[0], &joined)
}

fn shown(compared: &Compared, joined: &Joined) -> (Vec<TableRow>, Vec<TableRow>, usize) {
    let order = DifferenceOrder::Own;
    let findings = [
        ChangeVerdict::Slower,
        ChangeVerdict::Faster,
        ChangeVerdict::More,
        ChangeVerdict::Less,
        ChangeVerdict::Unclear,
        ChangeVerdict::New,
        ChangeVerdict::Gone,
    ];
    let on = findings.map(FailOn::Verdict);
    let on = [&on[..], &[FailOn::Calls, FailOn::Leaks, FailOn::Program]].concat();
    let failures = failures(compared, &on, &[], order);
    let names = ShownNames::new(joined.shown(), Style::Auto);
    let material = DifferenceMaterial {
        compared,
        joined,
        order,
        failures: &failures,
        moved: &[],
        look: None,
        rows_are_tests: false,
        program: None,
        names: &names,
    };
    let functions = difference_section(&material);
    check_sound(&functions);
    let calls = difference_calls_section(&material);
    check_sound(&calls);
    (rows_of(&functions), rows_of(&calls), failures.len())
}

/// All numbers are finite, and sentences contain only such numbers.
fn check_sound(section: &Section) {
    for row in rows_of(section) {
        for column in section.columns.iter() {
            if let Cell::Real(number) = row.get(&column.id) {
                assert!(number.is_finite(), "{} {number}", column.id);
            }
        }
    }
    for sentence in section.summary.iter().chain(&section.notes) {
        let is_sound = !sentence.contains("inf") && !sentence.contains("NaN");
        assert!(is_sound, "{sentence}");
    }
}

fn number(row: &TableRow, column: &str) -> Option<f64> {
    if !row.has(column) {
        return None;
    }
    match row.get(column) {
        Cell::Integer(number) => Some(*number as f64),
        Cell::Real(number) => Some(*number),
        _ => None,
    }
}

fn is_close(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-6 * one.abs().max(1e-3),
        (one, other) => one == other,
    }
}

fn word(row: &TableRow, column: &str) -> String {
    match row.get(column) {
        Cell::Text(word) => String::from_utf8_lossy(word).into_owned(),
        other => format!("{other:?}"),
    }
}

/// Rows by their subject.
fn by_name(mut rows: Vec<TableRow>) -> Vec<TableRow> {
    rows.sort_by_key(|row| {
        let caller = row.has("caller").then(|| format!("{:?}", row.get("caller")));
        (caller, format!("{:?}", row.get("name")))
    });
    rows
}

fn check_mirror(there: Vec<TableRow>, back: Vec<TableRow>, prefixes: &[&str]) {
    let (there, back) = (by_name(there), by_name(back));
    assert_eq!(there.len(), back.len());
    for (there, back) in there.iter().zip(&back) {
        for prefix in prefixes {
            let pair = |one: &str, other: &str| {
                (
                    number(there, &format!("{prefix}{one}")),
                    number(back, &format!("{prefix}{other}")),
                )
            };
            let same = [("old", "new"), ("new", "old")].map(|(one, other)| pair(one, other));
            let turned = [("change", "change"), ("low", "high"), ("high", "low")];
            let turned = turned.map(|(one, other)| pair(one, other));
            for (one, other) in same {
                assert!(is_close(one, other), "{prefix}: {there:?} {back:?}");
            }
            for (one, other) in turned {
                assert!(is_close(one, other.map(|one| -one)), "{prefix}: {there:?} {back:?}");
            }
        }
        let verdicts = (word(there, "verdict"), word(back, "verdict"));
        assert_eq!(verdicts.0, mirrored_word(&verdicts.1), "{there:?} {back:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_row_differs_from_itself(runs in side(), kind in kinds()) {
        let (functions, calls, _) = sections(&runs, &runs, kind);
        prop_assert!(functions.is_empty() && calls.is_empty(), "{functions:?} {calls:?}");
    }

    #[test]
    fn sides_mirror_each_other(old in side(), new in side(), kind in kinds()) {
        let (there, calls_there, _) = sections(&old, &new, kind);
        let (back, calls_back, _) = sections(&new, &old, kind);
        check_mirror(there, back, &["", "total_", "calls_"]);
        check_mirror(calls_there, calls_back, &["calls_", "total_"]);
    }

    #[test]
    fn runs_may_come_in_any_order(old in side(), new in side(), kind in kinds()) {
        let turned = |side: &[RandomRun]| side.iter().rev().cloned().collect::<Vec<_>>();
        let (one, ..) = sections(&old, &new, kind);
        let (other, ..) = sections(&turned(&old), &turned(&new), kind);
        prop_assert_eq!(one.len(), other.len());
        for (one, other) in by_name(one).iter().zip(&by_name(other)) {
            for column in ["old", "new", "change", "low", "high", "total_low", "total_high"] {
                prop_assert!(is_close(number(one, column), number(other, column)), "{one:?} {other:?}");
            }
            prop_assert_eq!(word(one, "verdict"), word(other, "verdict"));
        }
    }

    #[test]
    fn changes_add_up_to_that_of_the_whole(old in side(), new in side(), kind in kinds()) {
        let (rows, ..) = sections(&old, &new, kind);
        let (whole, parts): (Vec<_>, Vec<_>) =
            rows.iter().partition(|row| row.kind == RowKind::Total);
        for column in ["old", "new", "change"] {
            let sum = |rows: &[&TableRow]| rows.iter().filter_map(|row| number(row, column)).sum::<f64>();
            let (whole, parts) = (sum(&whole), sum(&parts));
            // Rows that are the same on both sides are left out.
            let is_whole = (whole - parts).abs() <= 1e-6 * whole.abs().max(1.0);
            prop_assert!(is_whole || column != "change", "{column}: {whole} {parts}");
            prop_assert!(parts <= whole + 1e-6 * whole.abs().max(1.0) || column == "change");
        }
    }
}
