//! Checks the truth of comparisons, with runs of known programs.
//!
//! The larger run, whose figures are in `docs/dev/validation.md`, is `tests/difference`.

use profan::compare::difference::{
    ChangeVerdict, DifferenceOptions, OtherTests, PowerEstimate, Presence, Side, SideRun, compare,
};
use proptest::prelude::*;

use crate::dice::Dice;
use crate::simulation::{
    EVEN, N_USUAL, Program, SAMPLING, SETTINGS, Variation, both, compared, is_change,
    says_any_change, side_of,
};

const OPTIONS: DifferenceOptions = DifferenceOptions {
    alpha: 0.01,
    min_change_of_function: 0.02,
    min_change_of_program: 0.005,
    min_share: 0.005,
    normalize: false,
    variation: 0.02,
    others: OtherTests { all: 0.0, left: 0.0 },
};

fn side(runs: &[&[f64]]) -> Side {
    let mut side = Side::default();
    for ticks in runs {
        let run = SideRun { seconds_per_tick: 0.01, ticks: ticks.iter().sum(), n_runs: 1 };
        side.add_run(run, ticks.iter().copied().enumerate());
    }
    side
}

#[test]
fn identical_programs_rarely_differ() {
    const N_PAIRS: usize = 2000;
    let mut dice = Dice(1);
    let usual = &SETTINGS[..N_USUAL];
    let alarm = |pair: usize| {
        let setting = &usual[pair % usual.len()];
        // Two a side find little, and more take longer.
        let n_runs = [0, 1].map(|_| 2 + dice.below(7));
        let program = Program::draw(&mut dice, setting.n_functions, setting.n_ticks.min(5000.0));
        let program = program.with_first(0.4);
        let sides = both(&mut dice, [&program; 2], n_runs, &setting.variation);
        let [old, new] = sides.each_ref().map(side_of);
        says_any_change(&compared(&old, &new, &OPTIONS)).then_some(setting.name)
    };
    let alarms: Vec<_> = (0..N_PAIRS).filter_map(alarm).collect();
    let n_false = alarms.len();
    // Twenty are one in a hundred; twice the deviation more is nine.
    assert!(n_false <= 29, "{n_false} of {N_PAIRS}: {alarms:?}");
    // At least some changes must be reported.
    assert!(n_false >= 2, "{n_false} of {N_PAIRS}");
}

#[test]
fn the_programs_of_a_job_have_no_more_false_alarms_than_one() {
    const N_JOBS: usize = 150;
    const N_PROGRAMS: usize = 6;
    let mut dice = Dice(6);
    let mut alarms = |others: OtherTests| {
        let options = DifferenceOptions { others, ..OPTIONS };
        let job = |job: usize| {
            let setting = &SETTINGS[job % N_USUAL];
            (0..N_PROGRAMS).any(|_| {
                let program = Program::draw(&mut dice, setting.n_functions, 2000.0).with_first(0.4);
                let sides = both(&mut dice, [&program; 2], [4, 4], &setting.variation);
                let [old, new] = sides.each_ref().map(side_of);
                says_any_change(&compared(&old, &new, &options))
            })
        };
        (0..N_JOBS).map(job).filter(|is_alarm| *is_alarm).count()
    };
    let others = (N_PROGRAMS - 1) as f64;
    let divided = alarms(OtherTests { all: others, left: others });
    let each_alone = alarms(OtherTests { all: 0.0, left: 0.0 });
    // One or two are one in a hundred; twice the deviation more is three.
    assert!(divided <= 4 && each_alone > divided, "{divided} and {each_alone} of {N_JOBS}");
}

fn each(each: f64) -> Variation {
    Variation { each, ..SAMPLING }
}

/// How often of thirty a change of the first function is found.
fn n_found(seed: u64, n_runs: usize, change: f64, variation: &Variation) -> u32 {
    let mut dice = Dice(seed);
    (0..30)
        .map(|_| {
            let program = Program::draw(&mut dice, 60, 5000.0).with_first(0.2);
            let slower = program.clone().with_first_slower(1.0 + change);
            let old = program.side(&mut dice, n_runs, variation);
            let new = slower.side(&mut dice, n_runs, variation);
            let verdict = compared(&old, &new, &OPTIONS).functions[0].verdict;
            u32::from(verdict == ChangeVerdict::Slower)
        })
        .sum()
}

#[test]
fn pairs_of_runs_in_turn_find_more_on_a_machine_that_changes_slowly() {
    let setting = Variation { neighbours: 0.05, ..SAMPLING };
    let mut dice = Dice(5);
    let (mut in_pairs, mut by_themselves) = (0, 0);
    for _ in 0..100 {
        let old = Program::draw(&mut dice, 20, 5000.0);
        let new = old.clone().with_all_slower(1.05);
        let sides = both(&mut dice, [&old, &new], [10; 2], &setting);
        let [mut old, new] = sides.each_ref().map(side_of);
        let found = |old: &Side| u32::from(is_change(compared(old, &new, &OPTIONS).total.verdict));
        in_pairs += found(&old);
        old.set_order(Vec::new());
        by_themselves += found(&old);
    }
    assert!(by_themselves <= 35 && in_pairs >= 45, "{by_themselves} and {in_pairs}");
}

#[test]
fn five_runs_on_a_machine_that_varies_show_a_change_of_one_function() {
    let mut dice = Dice(11);
    let drifting = Variation { drift: 0.02, ..EVEN };
    let busy = Variation { runs: 0.1, ..EVEN };
    for machine in [busy, Variation { neighbours: 0.1, ..EVEN }, drifting] {
        let (mut n_found, mut n_blamed) = (0, 0);
        for pair in 0..40 {
            let old = Program::draw(&mut dice, 30, 2000.0).with_first(0.09);
            let new = old.clone().with_first_slower(1.5);
            let mut sides = both(&mut dice, [&old, &new], [5; 2], &machine);
            sides.rotate_left(pair % 2);
            let [old, new] = sides.each_ref().map(side_of);
            let found = compared(&old, &new, &OPTIONS).functions;
            n_found += u32::from(is_change(found[0].verdict));
            n_blamed += u32::from(found[1..].iter().any(|one| is_change(one.verdict)));
        }
        // By times alone, 25 of 40 are found on a busy machine.
        assert!(n_found >= 36 && n_blamed <= 2, "{n_found} {n_blamed} {machine:?}");
    }
}

#[test]
fn changes_are_seen_about_four_times_of_five_where_the_estimate_says_so() {
    let mut dice = Dice(17);
    for (n_runs, machine) in [(3, EVEN), (5, Variation { runs: 0.1, ..EVEN })] {
        let mut pair = |times: f64| {
            let old = Program::draw(&mut dice, 30, 2000.0).with_first(0.4);
            let new = old.clone().with_first_slower(times);
            let sides = both(&mut dice, [&old, &new], [n_runs; 2], &machine);
            let [old, new] = sides.each_ref().map(side_of);
            compared(&old, &new, &OPTIONS)
        };
        let mut visible: Vec<f64> = (0..41)
            .filter_map(|_| PowerEstimate::of_function(&pair(1.0), 0).least_visible_share)
            .collect();
        visible.sort_by(f64::total_cmp);
        let times = 1.0 + visible[visible.len() / 2];
        let n_found = (0..100).filter(|_| is_change(pair(times).functions[0].verdict)).count();
        assert!((70..=95).contains(&n_found), "{n_found} of 100 with {times} {machine:?}");
    }
}

#[test]
fn a_function_that_varies_makes_its_runs_vary_as_well() {
    let mut side = Side::default();
    for run in 0..10 {
        let first = if run % 2 == 0 { 3600.0 } else { 4400.0 };
        let run = SideRun { seconds_per_tick: 0.01, ticks: first + 6000.0, n_runs: 1 };
        side.add_run(run, [first, 2000.0, 2000.0, 2000.0].into_iter().enumerate());
    }
    let comparison = compared(&side, &side, &OPTIONS);
    let visible = PowerEstimate::of_function(&comparison, 0).least_visible_share;
    // The difference of both means varies by 4.7 %. The test of the function by itself shows 3.1
    // times that, and four of five changes are less than 0.84 times that smaller.
    let visible = visible.expect("it has ticks");
    assert!((0.18..0.21).contains(&visible), "{visible}");
}

#[test]
fn few_busy_runs_beside_ten_quiet_ones_are_rarely_a_change() {
    let mut dice = Dice(13);
    for n_new in [1, 2] {
        let is_alarm = |_: &u32| {
            let program = Program::draw(&mut dice, 20, 2000.0);
            let [old, new] = [(10, 0.01), (n_new, 0.1)]
                .map(|(n_runs, runs)| program.side(&mut dice, n_runs, &Variation { runs, ..EVEN }));
            says_any_change(&compared(&old, &new, &OPTIONS))
        };
        let n_false = (0..200).filter(is_alarm).count();
        // Six are three in a hundred; twice the deviation more is five.
        assert!(n_false <= 11, "{n_false} of 200 with {n_new}");
    }
}

#[test]
fn changes_are_found_about_as_often_as_by_a_test_that_knows_the_spread() {
    // With 1000 ticks a run, 60 functions, 0.5 % and a known spread, a test with one run finds a
    // change of 20 % 63 times of 100. With five runs it finds 10 % 83 times; if times vary by 10
    // % on top, it never does, but finds 50 % 99 times. With an unknown spread it finds less.
    let check = |n_runs, change, variation: &Variation, expected: std::ops::RangeInclusive<u32>| {
        let found = n_found(7, n_runs, change, variation);
        assert!(expected.contains(&found), "{found} of 30 for {n_runs} {change} {variation:?}");
    };
    // A single run is compared with the functions that did not change.
    check(1, 0.2, &SAMPLING, 12..=27);
    check(1, 0.5, &SAMPLING, 28..=30);
    check(3, 0.2, &SAMPLING, 20..=30);
    check(5, 0.1, &SAMPLING, 9..=29);
    check(5, 0.2, &SAMPLING, 30..=30);
    check(5, 0.1, &each(0.1), 0..=3);
    check(5, 0.5, &each(0.1), 26..=30);
    check(5, 0.0, &SAMPLING, 0..=0);
}

#[test]
fn one_run_a_side_finds_the_function_that_changed_and_blames_no_other() {
    let mut dice = Dice(37);
    let slow_machine = Variation { runs: 0.05, each: 0.02, ..EVEN };
    let (mut n_found, mut n_blamed) = (0, 0);
    for (n_functions, share, times) in [(30, 0.4, 1.25), (30, 0.09, 1.5), (2, 0.5, 2.0)] {
        for _ in 0..40 {
            let old = Program::draw(&mut dice, n_functions, 5000.0).with_first(share);
            let new = old.clone().with_first_slower(times);
            let sides = both(&mut dice, [&old, &new], [1; 2], &slow_machine);
            let [old, new] = sides.each_ref().map(side_of);
            let found = compared(&old, &new, &OPTIONS).functions;
            n_found += u32::from(found[0].verdict == ChangeVerdict::Slower);
            n_blamed += u32::from(found[1..].iter().any(|one| is_change(one.verdict)));
        }
    }
    assert!(n_found >= 96 && n_blamed <= 5, "{n_found} of 120, {n_blamed}");
}

#[test]
fn one_run_of_a_far_slower_program_has_slower_functions() {
    let old = side(&[&[500.0, 400.0, 100.0]]);
    let new = side(&[&[1500.0, 1200.0, 300.0]]);
    let found = compared(&old, &new, &OPTIONS);
    assert_eq!(found.total.verdict, ChangeVerdict::Slower);
    let verdicts = found.functions.iter().map(|one| one.verdict);
    assert_eq!(verdicts.collect::<Vec<_>>(), [ChangeVerdict::Slower; 3]);
}

#[test]
fn a_busy_new_side_does_not_differ_from_a_quiet_baseline() {
    let mut dice = Dice(41);
    let varying = |runs| Variation { runs, ..EVEN };
    let is_alarm = |_: &u32| {
        let program = Program::draw(&mut dice, 20, 2000.0);
        let old = program.side(&mut dice, 10, &varying(0.01));
        let new = program.side(&mut dice, 3, &varying(0.1));
        says_any_change(&compared(&old, &new, &OPTIONS))
    };
    let n_alarms = (0..200).filter(is_alarm).count();
    assert!(n_alarms <= 12, "{n_alarms} of 200");
}

#[test]
fn two_runs_a_side_find_large_changes() {
    let n_found = n_found(3, 2, 1.0, &SAMPLING);
    assert!(n_found >= 15, "{n_found}");
}

#[test]
fn a_slower_machine_is_no_change_of_shares() {
    let normalize = DifferenceOptions { normalize: true, ..OPTIONS };
    let mut dice = Dice(5);
    let program = Program::draw(&mut dice, 60, 20_000.0).with_first(0.1);
    let slower = Program { means: program.means.iter().map(|mean| 1.5 * mean).collect() };
    let slower_machine = slower.side(&mut dice, 4, &SAMPLING);
    let old = program.side(&mut dice, 4, &SAMPLING);
    let seconds = compared(&old, &slower_machine, &OPTIONS);
    assert_eq!(seconds.total.verdict, ChangeVerdict::Slower);
    assert_eq!(seconds.functions[0].verdict, ChangeVerdict::Slower);
    let shares = compared(&old, &slower_machine, &normalize);
    assert!(!says_any_change(&shares));
    // Other changes are found as well.
    let changed = slower.with_first_slower(1.3);
    let new = changed.side(&mut dice, 4, &SAMPLING);
    let shares = compared(&old, &new, &normalize);
    assert_eq!(shares.functions[0].verdict, ChangeVerdict::Slower);
    assert!((shares.functions[0].old - 0.1).abs() < 0.01);
}

#[test]
fn same_is_never_reported_for_relevant_changes() {
    let mut dice = Dice(11);
    let (mut n_same, mut n_wrong) = (0, 0);
    for _ in 0..40 {
        let program = Program::draw(&mut dice, 50, 200_000.0).with_first(0.6);
        let old = program.side(&mut dice, 8, &SAMPLING);
        let equal = program.side(&mut dice, 8, &SAMPLING);
        // 0.5 % of the program is 0.84 % of the function.
        let new = program.with_first_slower(1.0084);
        let changed = new.side(&mut dice, 8, &SAMPLING);
        let verdict = |new| compared(&old, new, &OPTIONS).functions[0].verdict;
        n_same += u32::from(verdict(&equal) == ChangeVerdict::Same);
        n_wrong += u32::from(verdict(&changed) == ChangeVerdict::Same);
    }
    assert!(n_same >= 30, "{n_same}");
    assert!(n_wrong <= 2, "{n_wrong}");
}

#[test]
fn a_change_matters_if_it_is_enough_of_the_function_or_of_the_program() {
    let check = |min_change_of_function, min_change_of_program, expected: [ChangeVerdict; 2]| {
        let options =
            DifferenceOptions { min_change_of_function, min_change_of_program, ..OPTIONS };
        // The first function is nine tenths and grows by 1 %; the second by a half,
        // which is half a percent of the program.
        let runs_of = |ticks: [f64; 3]| side(&[&ticks[..]; 3]);
        let old = runs_of([900_000.0, 10_000.0, 90_000.0]);
        let new = runs_of([909_000.0, 15_000.0, 90_000.0]);
        let found = compared(&old, &new, &options);
        let verdicts = [0, 1].map(|function: usize| found.functions[function].verdict);
        let said = (min_change_of_function, min_change_of_program);
        assert_eq!(verdicts, expected, "for {said:?}");
    };
    use ChangeVerdict::{Same, Slower, Unclear};
    check(0.02, 0.004, [Slower, Slower]);
    check(0.02, 0.02, [Same, Slower]);
    check(0.6, 0.004, [Slower, Slower]);
    check(0.6, 0.02, [Same, Same]);
    check(0.0101, 0.02, [Unclear, Slower]);
    check(0.6, 0.0051, [Slower, Unclear]);
}

#[test]
fn short_profiles_report_the_needed_runs() {
    let mut dice = Dice(17);
    let program = Program::draw(&mut dice, 60, 2000.0).with_first(0.2);
    for n_runs in [1, 4] {
        let sides = [0, 1].map(|_| program.side(&mut dice, n_runs, &SAMPLING));
        let options = DifferenceOptions {
            min_change_of_function: 0.1,
            min_change_of_program: 0.02,
            ..OPTIONS
        };
        let comparison = compared(&sides[0], &sides[1], &options);
        assert_eq!(comparison.functions[0].verdict, ChangeVerdict::Unclear);
        let estimate = PowerEstimate::of_function(&comparison, 0);
        // A change reported as visible is found four times of five, ...
        let visible = estimate.least_visible_share.expect("it has ticks");
        let finds = |dice: &mut Dice, n_runs: usize, change: f64| {
            let slower = program.clone().with_first_slower(1.0 + change);
            let found = (0..30).filter(|_| {
                let old = program.side(dice, n_runs, &SAMPLING);
                let new = slower.side(dice, n_runs, &SAMPLING);
                is_change(compared(&old, &new, &OPTIONS).functions[0].verdict)
            });
            found.count()
        };
        let found = finds(&mut dice, n_runs, visible);
        assert!((17..=30).contains(&found), "{found} for {visible} of {n_runs}");
        // ... and with so many more runs, so is a relevant change.
        let n_more = comparison.more_runs(0, comparison.functions[0].least_change);
        let n_more = n_more.expect("it can be shown") as usize;
        let found = finds(&mut dice, n_runs + n_more, 0.1);
        assert!((17..=30).contains(&found), "{found} with {n_more} more than {n_runs}");
    }
}

#[test]
fn the_power_estimate_gets_better_with_runs() {
    let mut dice = Dice(19);
    let program = Program::draw(&mut dice, 60, 3000.0);
    let mut before = f64::INFINITY;
    for n_runs in [2, 6, 18] {
        let sides =
            [0, 1].map(|_| program.side(&mut dice, n_runs, &Variation { runs: 0.03, ..SAMPLING }));
        let comparison = compared(&sides[0], &sides[1], &OPTIONS);
        let visible = PowerEstimate::of_program(&comparison).least_visible / comparison.total.old;
        assert!(visible < before, "{visible} with {n_runs}");
        before = visible;
        for function in 0..program.means.len() {
            let estimate = PowerEstimate::of_function(&comparison, function);
            assert!(estimate.least_visible > 0.0 && estimate.least_visible.is_finite());
        }
    }
}

#[test]
fn one_run_can_be_compared_with_many() {
    let mut dice = Dice(23);
    let program = Program::draw(&mut dice, 60, 5000.0).with_first(0.2);
    let many = program.side(&mut dice, 8, &each(0.05));
    let one = program.side(&mut dice, 1, &each(0.05));
    assert!(!says_any_change(&compared(&many, &one, &OPTIONS)));
    let slower = program.with_first_slower(2.0);
    let one = slower.side(&mut dice, 1, &each(0.05));
    let found = compared(&many, &one, &OPTIONS);
    assert_eq!(found.functions[0].verdict, ChangeVerdict::Slower);
}

#[test]
fn rates_and_sums_of_runs_are_taken_into_account() {
    let side = |seconds_per_tick, n_runs, ticks: [f64; 2]| {
        let mut side = Side::default();
        let run = SideRun { seconds_per_tick, ticks: ticks.iter().sum(), n_runs };
        side.add_run(run, ticks.into_iter().enumerate());
        side
    };
    let old = side(0.01, 1, [100.0, 900.0]);
    // Ten times the rate, and three runs added up: a run takes as long as before.
    let new = side(0.001, 3, [3000.0, 27_000.0]);
    let found = compared(&old, &new, &OPTIONS);
    assert!(!says_any_change(&found));
    assert!((found.functions[0].old - 1.0).abs() < 1e-12);
    assert!((found.functions[0].new - 1.0).abs() < 1e-12);
    assert!((found.total.new - 10.0).abs() < 1e-12);
    let new = side(0.001, 1, [3000.0, 27_000.0]);
    assert_eq!(compared(&old, &new, &OPTIONS).total.verdict, ChangeVerdict::Slower);
}

#[test]
fn a_function_of_one_side_only_is_new_or_gone_without_a_test() {
    let old = side(&[&[100.0, 0.0, 2.0]]);
    let new = side(&[&[100.0, 1.0, 0.0]]);
    let verdicts = |presence: [Presence; 3]| {
        let found = compare(&old, &new, &presence, &OPTIONS);
        [1, 2].map(|function: usize| found.functions[function].verdict)
    };
    use Presence as P;
    let facts = verdicts([P::Both, P::NewOnly, P::OldOnly]);
    assert_eq!(facts, [ChangeVerdict::New, ChangeVerdict::Gone]);
    let guesses = verdicts([P::Unknown; 3]);
    assert_eq!(guesses, [ChangeVerdict::Unclear; 2]);
}

#[test]
fn a_profile_does_not_differ_from_itself() {
    let mut dice = Dice(29);
    for n_runs in [1, 2, 5] {
        let program = Program::draw(&mut dice, 60, 30_000.0);
        let side = program.side(&mut dice, n_runs, &each(0.1));
        let found = compared(&side, &side, &OPTIONS);
        for difference in found.functions.iter().chain([&found.total]) {
            assert_eq!((difference.change, difference.p), (0.0, 1.0));
            assert!(!is_change(difference.verdict));
        }
    }
}

#[test]
fn inclusive_times_are_judged_by_their_spread() {
    // `main` has all, `work` half of it in callees.
    let mut dice = Dice(31);
    let n_wrong = (0..40)
        .filter(|_| {
            let [old, new] = [0, 1].map(|_| {
                let mut side = Side::default();
                for _ in 0..4 {
                    let busy = 1.0 + 0.05 * dice.between(-1.0, 1.0);
                    let leaves = [0; 4].map(|_| dice.poisson(1000.0 * busy) as f64);
                    let all: f64 = leaves.iter().sum();
                    let run = SideRun { seconds_per_tick: 0.01, ticks: all, n_runs: 1 };
                    let ticks = [all, leaves[0] + 0.25 * leaves[1], leaves[2]];
                    side.add_run(run, ticks.into_iter().enumerate());
                }
                side
            });
            says_any_change(&compared(&old, &new, &OPTIONS))
        })
        .count();
    assert!(n_wrong <= 2, "{n_wrong}");
}

#[test]
fn odd_numbers_are_no_trouble() {
    for odd in [f64::NAN, f64::INFINITY, -5.0, 0.0, 1e-300, 1e300] {
        let run = SideRun { seconds_per_tick: odd, ticks: odd, n_runs: 0 };
        for n_runs in 0..4 {
            let mut side = Side::default();
            for _ in 0..n_runs {
                side.add_run(run, [(0, odd), (2, 5.0)]);
            }
            let other = self::side(&[&[10.0, 20.0, 30.0], &[11.0, 22.0, 29.0]]);
            let found = compared(&side, &other, &OPTIONS);
            assert_eq!(found.functions.len(), 3);
            let visible = |function| PowerEstimate::of_function(&found, function).least_visible;
            assert!((0..3).all(|function| visible(function) >= 0.0));
            compared(&other, &side, &OPTIONS);
            compared(&side, &side, &OPTIONS);
        }
    }
    let nothing = Side::default();
    let found = compare(&nothing, &nothing, &[], &OPTIONS);
    assert_eq!(found.total.verdict, ChangeVerdict::Unclear);
    assert!(found.functions.is_empty());
}

/// Runs of up to twelve functions, with few ticks and with many.
fn any_side() -> impl Strategy<Value = Side> {
    let ticks = prop_oneof![Just(0.0), (1..20u32).prop_map(f64::from), 0.0..5000.0f64];
    let run = (prop::collection::vec(ticks, 12), 1..4u32, 1..4u32);
    prop::collection::vec(run, 1..5).prop_map(|runs| {
        let mut side = Side::default();
        for (ticks, n_runs, rate) in runs {
            let run = SideRun {
                seconds_per_tick: 0.01 / f64::from(rate),
                ticks: 3.0 + ticks.iter().sum::<f64>(),
                n_runs,
            };
            side.add_run(run, ticks.into_iter().enumerate());
        }
        side
    })
}

fn any_presence() -> impl Strategy<Value = Presence> {
    prop_oneof![
        Just(Presence::Unknown),
        Just(Presence::Both),
        Just(Presence::OldOnly),
        Just(Presence::NewOnly),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sides_mirror_each_other(
        old in any_side(),
        new in any_side(),
        presence in prop::collection::vec(any_presence(), 12),
        normalize: bool,
    ) {
        let options = DifferenceOptions { alpha: 0.1, normalize, ..OPTIONS };
        let there = compare(&old, &new, &presence, &options);
        let turned: Vec<_> = presence
            .iter()
            .map(|presence| match presence {
                Presence::OldOnly => Presence::NewOnly,
                Presence::NewOnly => Presence::OldOnly,
                same => *same,
            })
            .collect();
        let back = compare(&new, &old, &turned, &options);
        for (one, other) in there.functions.iter().zip(&back.functions) {
            let turned = match one.verdict {
                ChangeVerdict::Slower => ChangeVerdict::Faster,
                ChangeVerdict::Faster => ChangeVerdict::Slower,
                ChangeVerdict::New => ChangeVerdict::Gone,
                ChangeVerdict::Gone => ChangeVerdict::New,
                same => same,
            };
            prop_assert_eq!(turned, other.verdict);
            prop_assert_eq!(one.change, -other.change);
            prop_assert_eq!((one.old, one.new), (other.new, other.old));
            prop_assert_eq!(one.interval, (-other.interval.1, -other.interval.0));
            prop_assert_eq!(one.p.to_bits(), other.p.to_bits());
            prop_assert_eq!(one.adjusted_p.to_bits(), other.adjusted_p.to_bits());
            prop_assert_eq!(one.least_change.to_bits(), other.least_change.to_bits());
            prop_assert_eq!(one.is_minor, other.is_minor);
        }
        let (one, other) = (there.total, back.total);
        prop_assert_eq!(one.interval, (-other.interval.1, -other.interval.0));
        prop_assert_eq!(one.p.to_bits(), other.p.to_bits());
    }

    /// The results are consistent, whatever the numbers.
    #[test]
    fn verdicts_go_with_intervals(old in any_side(), new in any_side(), normalize: bool) {
        let options = DifferenceOptions { alpha: 0.1, normalize, ..OPTIONS };
        let presence = [Presence::Both; 12];
        let found = compare(&old, &new, &presence, &options);
        for one in found.functions.iter().chain([&found.total]) {
            let (low, high) = one.interval;
            prop_assert!(low <= one.change && one.change <= high, "{:?}", one);
            prop_assert!((0.0..=1.0).contains(&one.p) && one.p <= one.adjusted_p, "{:?}", one);
            match one.verdict {
                ChangeVerdict::Slower => prop_assert!(low > 0.0, "{:?}", one),
                ChangeVerdict::Faster => prop_assert!(high < 0.0, "{:?}", one),
                ChangeVerdict::Same => prop_assert!(low.abs().max(high) < one.least_change),
                ChangeVerdict::Unclear => {}
                fact => prop_assert!(false, "{:?} of {:?}", fact, one),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn power_estimates_mirror_each_other(old in any_side(), new in any_side(), normalize: bool) {
        let options = DifferenceOptions { normalize, ..OPTIONS };
        let there = compared(&old, &new, &options);
        let back = compared(&new, &old, &options);
        let of_program = [&there, &back].map(|it| PowerEstimate::of_program(it).more_runs);
        prop_assert_eq!(of_program[0], of_program[1]);
        for function in 0..there.functions.len() {
            let [one, other] = [&there, &back].map(|it| PowerEstimate::of_function(it, function));
            prop_assert_eq!(one.least_visible.to_bits(), other.least_visible.to_bits());
            prop_assert_eq!(one.more_runs, other.more_runs);
        }
    }
}
