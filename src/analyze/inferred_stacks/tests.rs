use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::filter::{FilterSets, FilterSpecs};
use crate::model::{Address, CallArc, Clock, Histogram, InstructionStarts, MergePolicy, Profile};
use crate::symbols::SymbolTable;

/// Functions are sixteen bytes long, bins four.
const LOW: u64 = 0x1000;
const SIZE: u64 = 16;

/// Calls by caller, callee and count; `None` is an address outside of functions.
type Call = (Option<usize>, usize, u64);

fn costs(calls: &[Call], ticks: &[u64]) -> CostGraph {
    let start = |function: usize| Address(LOW + SIZE * function as u64);
    let mut profile = Profile::default();
    for &(caller, callee, count) in calls {
        profile.add_arc(CallArc {
            call_site: caller.map_or(Address(0x10), |caller| Address(start(caller).0 + 4)),
            callee: start(callee),
            count,
        });
    }
    let bins: Vec<u64> = ticks.iter().flat_map(|&ticks| [0, ticks, 0, 0]).collect();
    let histogram = Histogram {
        low: Address(LOW),
        high: start(ticks.len()),
        n_bins: bins.len() as u64,
        bins: bins.into(),
        full_bins: Vec::new(),
        instructions: InstructionStarts::default(),
        clock: Clock::seconds(100),
    };
    let added = profile.add_histogram(histogram, MergePolicy::LENIENT);
    added.expect("there is one");
    profile.sort_records();
    let table = SymbolTable::of_entries((0..ticks.len()).map(start));
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    CostGraph::from_histograms(&profile, &table, &filters, &[])
}

fn tree(costs: &CostGraph) -> CallTree {
    CallTree::inferred(costs).expect("calls were counted")
}

/// A line for each stack that costs anything, in the order of frames.
fn stacks(tree: &CallTree) -> Vec<String> {
    let name = |frame: &TreeFrame| match frame.of {
        FrameOf::Function(id) => id.0.to_string(),
        FrameOf::Cycle(cycle) => format!("cycle{}", cycle.0),
        FrameOf::Hidden => "hidden".to_owned(),
    };
    let line = |frame: &TreeFrame| {
        let mut names = vec![name(frame)];
        let mut caller = frame.caller;
        while let Some(index) = caller {
            let frame = &tree.frames[index as usize];
            names.push(name(frame));
            caller = frame.caller;
        }
        names.reverse();
        format!("{} {}", names.join(";"), frame.self_cost.as_f64())
    };
    let frames = tree.frames.iter();
    let costly = frames.filter(|frame| !frame.self_cost.is_zero());
    costly.map(line).collect()
}

#[test]
fn flows_continue_in_the_proportions_of_calls() {
    // 0 calls 2 three times, 1 once; 2 calls 3.
    let costs = costs(&[(Some(0), 2, 3), (Some(1), 2, 1), (Some(2), 3, 7)], &[1, 1, 4, 8]);
    let mut found = stacks(&tree(&costs));
    found.sort();
    assert_eq!(found, ["0 1", "0;2 3", "0;2;3 6", "1 1", "1;2 1", "1;2;3 2"]);
}

#[test]
fn flows_below_a_piece_are_not_lost() {
    let calls: Vec<Call> = (0..8).map(|caller| (Some(caller), 8, 1)).collect();
    let mut ticks = vec![0; 9];
    ticks[8] = 1;
    // A tick of eight callers: an eighth each is in no piece, but all of it is there.
    let found = stacks(&tree(&costs(&calls, &ticks)));
    assert_eq!(found.len(), 8, "{found:?}");
    assert!(found.iter().all(|stack| stack.ends_with(";8 0.125")));
}

#[test]
fn a_cycle_is_a_frame_above_its_members() {
    let calls = [(Some(0), 1, 1), (Some(1), 2, 5), (Some(2), 1, 4), (Some(2), 3, 1)];
    let mut found = stacks(&tree(&costs(&calls, &[1, 2, 4, 8])));
    found.sort();
    assert_eq!(found, ["0 1", "0;cycle1;1 2", "0;cycle1;2 4", "0;cycle1;2;3 8"]);
}

#[test]
fn calls_without_cost_appear_once_below_their_caller() {
    let calls = [(Some(0), 1, 1), (Some(1), 2, 5), (Some(0), 2, 1), (Some(2), 2, 9)];
    let tree = tree(&costs(&calls, &[3, 0, 0]));
    assert_eq!(stacks(&tree), ["0 3"]);
    let frames = tree.frames.iter().map(|frame| (frame.caller, frame.arc.is_some()));
    let frames: Vec<_> = frames.collect();
    assert_eq!(frames, [(None, false), (Some(0), true), (Some(0), true), (Some(1), true)]);
}

#[test]
fn calls_without_cost_are_omitted_before_callers_are() {
    // Each calls all that follow: more calls than there may be frames.
    let n = 1030;
    let calls: Vec<Call> = (0..n)
        .flat_map(|caller| (caller + 1..n).map(move |callee| (Some(caller), callee, 1)))
        .collect();
    let mut ticks = vec![0; n];
    ticks[1] = 2;
    let tree = tree(&costs(&calls, &ticks));
    assert!(tree.lacks_zero_cost_calls && !tree.lacks_callers);
    assert_eq!(stacks(&tree), ["0;1 2"]);
    assert!(tree.frames.len() <= n);
}

fn check(calls: &[Call], ticks: &[u64]) -> Result<(), TestCaseError> {
    let costs = costs(calls, ticks);
    let tree = tree(&costs);
    check_sums(&costs, &tree)?;
    let whole: u64 = ticks.iter().sum();
    let n_stacks = stacks(&tree).len() as u64;
    let n_arcs = costs.calls.arcs().len() as u64;
    let most = ticks.len() as u64 + n_arcs + 2 * whole;
    prop_assert!(n_stacks <= most, "{n_stacks} stacks, {most} at most");
    Ok(())
}

/// Whether the frames of each function add up to its self and total costs, and the frames below
/// each caller to the flow along its calls.
fn check_sums(costs: &CostGraph, tree: &CallTree) -> Result<(), TestCaseError> {
    let whole = super::whole(costs).max(1.0);
    let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * whole;
    let unit_of = |id: SymbolId| match costs.cycle_of(id) {
        Some(cycle) => FrameOf::Cycle(cycle),
        None => FrameOf::Function(id),
    };
    let mut own: HashMap<FrameOf, f64> = HashMap::new();
    let mut totals: HashMap<FrameOf, f64> = HashMap::new();
    let mut along: HashMap<(FrameOf, FrameOf), f64> = HashMap::new();
    for (frame, total) in tree.frames.iter().zip(&tree.totals) {
        *own.entry(frame.of).or_default() += frame.self_cost.as_f64();
        *totals.entry(frame.of).or_default() += total.as_f64();
        if let Some(caller) = frame.caller {
            let caller = tree.frames[caller as usize].of;
            *along.entry((caller, frame.of)).or_default() += total.as_f64();
        }
    }
    let metric = costs.shape.primary;
    for id in (0..).map(SymbolId).take(costs.n_nodes()) {
        let of = FrameOf::Function(id);
        let found = own.get(&of).copied().unwrap_or_default();
        let expected = costs.self_cost(id, metric).as_f64();
        prop_assert!(is_near(found, expected), "self of {id:?}: {found}, not {expected}");
        let found = totals.get(&of).copied().unwrap_or_default();
        let expected = costs.total(id, metric).as_f64();
        prop_assert!(is_near(found, expected), "total of {id:?}: {found}, not {expected}");
    }
    let mut expected: HashMap<(FrameOf, FrameOf), f64> = HashMap::new();
    for (index, arc) in (0..).zip(costs.calls.arcs()) {
        if unit_of(arc.caller) != unit_of(arc.callee) {
            let ends = (FrameOf::Function(arc.caller), unit_of(arc.callee));
            let flow = costs.flow(index, metric).expect("time flows along calls");
            *expected.entry(ends).or_default() += flow.total().as_f64();
        }
    }
    for (ends, expected) in expected {
        let found = along.get(&ends).copied().unwrap_or_default();
        prop_assert!(is_near(found, expected), "{ends:?}: {found}, not {expected}");
    }
    Ok(())
}

fn graph() -> impl Strategy<Value = (Vec<Call>, Vec<u64>)> {
    (1_usize..24).prop_flat_map(|n| {
        let ticks = prop_oneof![Just(0_u64), 1_u64..4, 0_u64..500];
        let call = (prop::option::weighted(0.95, 0..n), 0..n, 1_u64..1000);
        (prop::collection::vec(call, 0..80), prop::collection::vec(ticks, n))
    })
}

/// Functions call later ones only, so that ways through the graph are many and long.
fn ladder() -> impl Strategy<Value = (Vec<Call>, Vec<u64>)> {
    (2_usize..60, 1_usize..5).prop_flat_map(|(n, n_callees)| {
        let call = move |caller: usize| {
            let to = (caller + 1..n).take(n_callees);
            to.map(|callee| (Some(caller), callee, 1)).collect::<Vec<_>>()
        };
        let calls: Vec<Call> = (0..n).flat_map(call).collect();
        (Just(calls), prop::collection::vec(0_u64..40, n))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 32 } else { 256 }))]

    #[test]
    fn stacks_add_up_to_the_graph((calls, ticks) in graph()) {
        check(&calls, &ticks)?;
    }

    #[test]
    fn long_ways_make_no_more_stacks_than_ticks_tell_apart((calls, ticks) in ladder()) {
        check(&calls, &ticks)?;
    }

    #[test]
    fn pieces_and_ways_out_are_as_large_as_before(
        pieces in prop::collection::vec(0.01_f64..50.0, 1..40),
        shares in prop::collection::vec(0.001_f64..1.0, 1..40),
    ) {
        let whole: f64 = pieces.iter().sum();
        let scale = whole / shares.iter().sum::<f64>();
        let outs: Vec<f64> = shares.iter().map(|share| share * scale).collect();
        let mut of_pieces = vec![0.0; pieces.len()];
        let mut of_outs = vec![0.0; outs.len()];
        let mut parts: HashMap<(usize, usize), f64> = HashMap::new();
        split(&pieces, &outs, (1.0, whole * ROUNDING), |piece, out, part| {
            of_pieces[piece] += part;
            of_outs[out] += part;
            *parts.entry((piece, out)).or_default() += part;
        });
        for (found, expected) in of_pieces.iter().zip(&pieces).chain(of_outs.iter().zip(&outs)) {
            prop_assert!((found - expected).abs() < 1e-9 * whole, "{found}, not {expected}");
        }
        let count = |parts: &mut dyn Iterator<Item = f64>| -> f64 {
            parts.map(|part| part.max(1.0)).sum()
        };
        let before = count(&mut pieces.iter().copied());
        let after = count(&mut parts.values().copied());
        let most = before + outs.len() as f64 - 1.0;
        prop_assert!(after <= most + 1e-6, "{after}, {most} at most");
    }
}
