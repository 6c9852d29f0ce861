use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::analyze::cost_graph::CostGraph;
use crate::filter::{FilterSets, FilterSpecs};
use crate::model::{Address, CallArc, Clock, Histogram, InstructionStarts, MergePolicy, Profile};
use crate::symbols::SymbolTable;

/// Functions are sixteen bytes long, bins four.
const LOW: u64 = 0x1000;
const SIZE: u64 = 16;

/// A call: the enclosing call, the function, and its own ticks. Calls of a function may cost
/// nothing, or much.
type Call = (Option<usize>, usize, u64);

fn costs(calls: &[Call], n_functions: usize) -> CostGraph {
    let start = |function: usize| Address(LOW + SIZE * function as u64);
    let mut profile = Profile::default();
    let mut bins = vec![0; n_functions * 4];
    for &(caller, function, ticks) in calls {
        bins[function * 4 + 1] += ticks;
        let call_site = match caller {
            Some(call) => Address(start(calls[call].1).0 + 4),
            None => Address(0x10),
        };
        profile.add_arc(CallArc { call_site, callee: start(function), count: 1 });
    }
    let histogram = Histogram {
        low: Address(LOW),
        high: start(n_functions),
        n_bins: bins.len() as u64,
        bins: bins.into(),
        full_bins: Vec::new(),
        instructions: InstructionStarts::default(),
        clock: Clock::seconds(100),
    };
    let added = profile.add_histogram(histogram, MergePolicy::LENIENT);
    added.expect("there is one");
    profile.sort_records();
    let table = SymbolTable::of_entries((0..n_functions).map(start));
    let filters = FilterSets::resolve(&FilterSpecs::default(), &table);
    CostGraph::from_histograms(&profile, &table, &filters, &[])
}

fn bounds(calls: &[Call], n_functions: usize) -> FlowBounds {
    bounds_of(&costs(calls, n_functions))
}

fn id(function: usize) -> SymbolId {
    SymbolId(u32::try_from(function).expect("there are few"))
}

#[test]
fn a_function_above_all_callers_has_all_the_time() {
    // main calls heavy and light, and both call work: 90 ticks for heavy, 1 for light.
    let calls = [(None, 0, 5), (Some(0), 1, 2), (Some(0), 2, 3), (Some(1), 3, 90), (Some(2), 3, 1)];
    let bounds = bounds(&calls, 4);
    let check = |function, low, high| {
        assert_eq!(bounds.of_function(id(function)), TickBounds { low, high });
    };
    check(0, 101.0, 101.0);
    check(1, 2.0, 93.0);
    check(2, 3.0, 94.0);
    check(3, 91.0, 91.0);
    let expected = TickBounds { low: 0.0, high: 91.0 };
    assert_eq!(bounds.of_call(id(3)), expected);
    assert!(bounds.of_call(id(1)).low > 0.0, "main alone calls heavy");
}

#[test]
fn the_only_caller_has_it_all() {
    let calls = [(None, 0, 1), (Some(0), 1, 2), (Some(1), 2, 3), (Some(0), 1, 4)];
    let bounds = bounds(&calls, 3);
    for (function, total) in [(0, 10.0), (1, 9.0), (2, 3.0)] {
        assert!(bounds.of_call(id(function)).are_tight());
        assert_eq!(bounds.of_function(id(function)).low, total);
    }
}

#[test]
fn a_callee_with_other_callers_does_not_raise_the_lower_bound() {
    let calls = [(None, 0, 1), (Some(0), 1, 2), (None, 1, 2)];
    let bounds = bounds(&calls, 2);
    assert_eq!(bounds.of_function(id(0)), TickBounds { low: 1.0, high: 5.0 });
}

#[test]
fn members_of_a_cycle_include_the_others() {
    // main calls a alone, which calls b, which calls a and c; c calls leaf, and so does a.
    let calls = [
        (None, 0, 10),
        (Some(0), 1, 20),
        (Some(1), 2, 30),
        (Some(2), 1, 0),
        (Some(2), 3, 40),
        (Some(4), 4, 1000),
        (Some(1), 4, 0),
    ];
    let bounds = bounds(&calls, 5);
    let check = |function, low, high| {
        assert_eq!(bounds.of_function(id(function)), TickBounds { low, high });
    };
    check(1, 1090.0, 1090.0);
    check(2, 70.0, 1090.0);
    check(3, 40.0, 1040.0);
    assert_eq!(bounds.of_call(id(1)), bounds.of_function(id(1)));
}

#[test]
fn a_member_dominates_only_what_no_other_way_leads_to() {
    // main calls a and b, which call each other; b calls c, which calls a.
    let calls = [
        (None, 0, 1),
        (Some(0), 1, 10),
        (Some(0), 2, 100),
        (Some(1), 2, 0),
        (Some(2), 1, 0),
        (Some(2), 3, 1000),
        (Some(5), 1, 0),
    ];
    let bounds = bounds(&calls, 4);
    let lows = [1, 2, 3].map(|function| bounds.of_function(id(function)).low);
    assert_eq!(lows, [10.0, 1100.0, 1000.0]);
}

#[test]
fn a_chain_as_long_as_a_graph_may_be_is_worked_out() {
    let n = if cfg!(debug_assertions) { 2_000 } else { 20_000 };
    let mut calls = vec![(None, 0, 1)];
    calls.extend((1..n).map(|function| (Some(function - 1), function, 1)));
    let bounds = bounds(&calls, n);
    assert_eq!(bounds.of_function(id(0)).low, n as f64);
    assert!(bounds.of_function(id(0)).are_tight());
}

#[test]
fn a_cycle_as_long_as_a_graph_may_be_is_worked_out() {
    let n = if cfg!(debug_assertions) { 2_000 } else { 20_000 };
    let down = (0..n).map(|function: usize| (function.checked_sub(1), function, 1));
    let up = (1..n).map(|function| (Some(function), function - 1, 0));
    let calls: Vec<Call> = down.chain(up).collect();
    let bounds = bounds(&calls, n);
    assert_eq!(bounds.of_function(id(0)), TickBounds { low: n as f64, high: n as f64 });
    assert_eq!(bounds.of_function(id(n - 1)), TickBounds { low: 1.0, high: n as f64 });
}

#[test]
fn sums_of_sums_are_too_much_and_never_too_little() {
    // main calls two, which call work: twice its time, were there no limit.
    let calls = [(None, 0, 1), (Some(0), 1, 0), (Some(0), 2, 0), (Some(1), 3, 8), (Some(2), 3, 8)];
    let costs = costs(&calls, 4);
    let topology = costs.topology().expect("calls were counted");
    let dag = CallDag::new(&costs.calls, topology);
    let ticks = [1.0, 0.0, 0.0, 16.0];
    assert_eq!(reach::reachable(&dag, &ticks), [17.0, 16.0, 16.0, 16.0]);
    assert_eq!(reach::summed_up(&dag, &ticks), [17.0, 16.0, 16.0, 16.0]);
}

/// The time with a function, a call or a cycle on the stack.
#[derive(Default)]
struct Truth {
    functions: HashMap<usize, f64>,
    /// Calls within a cycle are omitted.
    calls: HashMap<(usize, usize), f64>,
    cycles: HashMap<CycleNumber, f64>,
}

fn truth(calls: &[Call], costs: &CostGraph) -> Truth {
    let cycle_of = |function| costs.cycle_of(id(function));
    let mut truth = Truth::default();
    for &(caller, function, ticks) in calls {
        let ticks = ticks as f64;
        let mut stack = vec![function];
        let mut next = caller;
        while let Some(call) = next {
            stack.push(calls[call].1);
            next = calls[call].0;
        }
        let functions: HashSet<usize> = stack.iter().copied().collect();
        let mut pairs = HashSet::new();
        let cycles: HashSet<_> = stack.iter().filter_map(|&one| cycle_of(one)).collect();
        for pair in stack.windows(2) {
            let (callee, caller) = (pair[0], pair[1]);
            let is_within = cycle_of(caller).is_some() && cycle_of(caller) == cycle_of(callee);
            if caller != callee && !is_within {
                pairs.insert((caller, callee));
            }
        }
        for function in functions {
            *truth.functions.entry(function).or_default() += ticks;
        }
        for pair in pairs {
            *truth.calls.entry(pair).or_default() += ticks;
        }
        for cycle in cycles {
            *truth.cycles.entry(cycle).or_default() += ticks;
        }
    }
    truth
}

fn calls(n_functions: usize) -> impl Strategy<Value = Vec<Call>> {
    let call = (0usize..80, 0..n_functions, prop_oneof![Just(0u64), 1u64..3, 1u64..1000]);
    proptest::collection::vec(call, 1..80).prop_map(|calls| {
        let calls = calls.into_iter().enumerate();
        calls
            .map(|(index, (caller, function, ticks))| {
                ((caller < index).then_some(caller), function, ticks)
            })
            .collect()
    })
}

fn holds(bounds: TickBounds, ticks: f64) -> bool {
    (bounds.low - 1e-6..=bounds.high + 1e-6).contains(&ticks)
}

/// The ticks that are only reached through a function, by a search that omits it.
fn only_through(function: usize, calls: &[Call], costs: &CostGraph, n_functions: usize) -> f64 {
    let pairs: HashSet<_> = calls
        .iter()
        .map(|&(caller, callee, _)| (caller.map(|call| calls[call].1), callee))
        .collect();
    let mut reached = vec![false; n_functions];
    let mut open = vec![None];
    while let Some(caller) = open.pop() {
        for &(_, callee) in pairs.iter().filter(|(by, _)| *by == caller) {
            if callee != function && !std::mem::replace(&mut reached[callee], true) {
                open.push(Some(callee));
            }
        }
    }
    let others = (0..n_functions).filter(|&other| !reached[other]);
    others.map(|other| costs.self_cost(id(other), 0).as_f64()).sum()
}

fn check_all(calls: &[Call], n_functions: usize) -> Result<(), TestCaseError> {
    let costs = costs(calls, n_functions);
    let bounds = bounds_of(&costs);
    let truth = truth(calls, &costs);
    for function in 0..n_functions {
        let found = bounds.of_function(id(function));
        let real = truth.functions.get(&function).copied().unwrap_or(0.0);
        prop_assert!(holds(found, real), "{function}: {real} in {found:?}");
        if truth.functions.contains_key(&function) {
            let least = only_through(function, calls, &costs, n_functions);
            prop_assert!((found.low - least).abs() < 1e-6, "{function}: {least} in {found:?}");
        }
        let shown = costs.total(id(function), 0).as_f64();
        let is_member = costs.cycle_of(id(function)).is_some();
        prop_assert!(is_member || holds(found, shown), "{function}: {shown} in {found:?}");
    }
    for (&(caller, callee), &real) in &truth.calls {
        let found = bounds.of_call(id(callee));
        prop_assert!(holds(found, real), "{caller} to {callee}: {real} in {found:?}");
    }
    for (index, arc) in (0..).zip(costs.calls.arcs()) {
        let flow = costs.flow(index, 0).expect("time flows").total().as_f64();
        let is_between = truth.calls.contains_key(&(arc.caller.index(), arc.callee.index()));
        prop_assert!(!is_between || holds(bounds.of_call(arc.callee), flow));
    }
    for (&cycle, &real) in &truth.cycles {
        prop_assert!(holds(bounds.of_cycle(cycle), real), "{cycle:?}: {real}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 32 } else { 256 }))]

    // Few functions make cycles of all kinds; many functions make acyclic graphs.
    #[test]
    fn bounds_hold_what_was_spent_whatever_calls_cost(calls in calls(6)) {
        check_all(&calls, 6)?;
    }

    #[test]
    fn bounds_hold_it_where_more_than_a_word_of_functions_took_time(calls in calls(200)) {
        check_all(&calls, 200)?;
    }

    #[test]
    fn bounds_hold_it_where_cycles_stand_among_other_functions(calls in calls(15)) {
        check_all(&calls, 15)?;
    }
}

fn bounds_of(costs: &CostGraph) -> FlowBounds {
    let topology = costs.topology().expect("calls were counted");
    let ids = (0..).map(SymbolId).take(costs.n_nodes());
    let ticks = ids.map(|id| costs.self_cost(id, 0).as_f64());
    let ticks: Vec<_> = ticks.map(|ticks| TickBounds { low: ticks, high: ticks }).collect();
    FlowBounds::new(&costs.calls, topology, &ticks)
}
