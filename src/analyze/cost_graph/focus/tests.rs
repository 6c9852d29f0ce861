use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::analyze::cost_graph::CostGraph;
use crate::filter::{FilterSets, FilterSpecs, SymSpec};
use crate::model::{Address, CallArc, Clock, Histogram, InstructionStarts, MergePolicy, Profile};
use crate::symbols::{Granularity, SourceFiles, Symbol, SymbolId, SymbolTable};

/// Functions are sixteen bytes long, and a bin each.
const LOW: u64 = 0x1000;
const SIZE: u64 = 16;

/// Ticks of functions named by letters in order, and how often they call each other; `None` is an
/// address outside of functions.
struct TestProgram {
    ticks: Vec<u64>,
    calls: Vec<(Option<usize>, usize, u64)>,
}

fn name(function: usize) -> String {
    let letter = u8::try_from(function).map(|place| b'a' + place);
    char::from(letter.expect("there are few")).to_string()
}

fn start(function: usize) -> Address {
    Address(LOW + SIZE * function as u64)
}

fn id(function: usize) -> SymbolId {
    SymbolId(u32::try_from(function).expect("there are few"))
}

impl TestProgram {
    /// Parses functions such as `a 5` and calls such as `a>b 2`, or `?>b 1`.
    fn new(functions: &str, calls: &str) -> Self {
        let place = |letter: &str| Some(usize::from(letter.bytes().next()? - b'a'));
        let words = |text: &str| -> Vec<(String, u64)> {
            let pieces = text.split(", ").filter(|piece| !piece.is_empty());
            let pairs = pieces.map(|piece| piece.split_once(' ').expect("a name and a number"));
            let parsed = pairs.map(|(what, n)| (what.to_owned(), n.parse().expect("a number")));
            parsed.collect()
        };
        let ends = |what: &str| {
            let (caller, callee) = what.split_once('>').expect("a call has two ends");
            let caller = Some(caller).filter(|&caller| caller != "?");
            (caller.and_then(place), place(callee).expect("it has a letter"))
        };
        Self {
            ticks: words(functions).into_iter().map(|(_, ticks)| ticks).collect(),
            calls: words(calls)
                .into_iter()
                .map(|(what, count)| {
                    let (caller, callee) = ends(&what);
                    (caller, callee, count)
                })
                .collect(),
        }
    }

    fn profile(&self) -> Profile {
        let mut profile = Profile::default();
        for &(caller, callee, count) in &self.calls {
            profile.add_arc(CallArc {
                call_site: caller.map_or(Address(0x10), |caller| Address(start(caller).0 + 4)),
                callee: start(callee),
                count,
            });
        }
        let histogram = Histogram {
            low: Address(LOW),
            high: start(self.ticks.len()),
            n_bins: self.ticks.len() as u64,
            bins: self.ticks.clone().into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(100),
        };
        let added = profile.add_histogram(histogram, MergePolicy::LENIENT);
        added.expect("there is one");
        profile.sort_records();
        profile
    }

    fn table(&self) -> SymbolTable {
        let symbol = |function: usize| Symbol {
            range: start(function)..start(function + 1),
            ticks_end: start(function + 1),
            name: name(function).into_bytes().into(),
            is_function: true,
            is_static: false,
            source: None,
        };
        let symbols = (0..self.ticks.len()).map(symbol).collect();
        SymbolTable::new(symbols, SourceFiles::default(), Granularity::Functions)
    }

    /// The costs of calls that pass through some functions, but not others.
    fn costs(&self, focus: &[usize], ignored: &[usize]) -> CostGraph {
        let spec = |&function: &usize| SymSpec::function(&name(function));
        let mut specs = FilterSpecs::default();
        specs.focus.include = focus.iter().map(spec).collect();
        specs.focus.exclude = ignored.iter().map(spec).collect();
        let table = self.table();
        let filters = FilterSets::resolve(&specs, &table);
        CostGraph::from_histograms(&self.profile(), &table, &filters, &[])
    }
}

fn places(letters: &str) -> Vec<usize> {
    letters.bytes().map(|letter| usize::from(letter - b'a')).collect()
}

/// Self and total ticks of the functions that have any, then the flow along arcs with their
/// calls, then the excluded ticks.
fn summary(costs: &CostGraph) -> String {
    let ids = || (0..).map(SymbolId).take(costs.n_nodes());
    let number = |ticks: f64| format!("{}", (ticks * 1e6).round() / 1e6);
    let mut words = Vec::new();
    for function in ids() {
        let (own, total) = (costs.self_cost(function, 0), costs.total(function, 0));
        if total.is_positive() {
            let (own, total) = (number(own.as_f64()), number(total.as_f64()));
            words.push(format!("{} {own}/{total}", name(function.index())));
        }
    }
    for function in ids().filter(|id| costs.calls.calls_from_outside[id.index()] > 0) {
        let total = costs.flow_from_outside(function).total().as_f64();
        words.push(format!("?>{} {}", name(function.index()), number(total)));
    }
    for (index, arc) in (0..).zip(costs.calls.arcs()) {
        let flow = costs.flow(index, 0).expect("ticks flow along calls");
        let (caller, callee) = (name(arc.caller.index()), name(arc.callee.index()));
        let total = number(flow.total().as_f64());
        words.push(format!("{caller}>{callee} {total} ({})", arc.count));
    }
    words.push(format!("rest {}", number(rest(costs))));
    words.join(", ")
}

/// The ticks outside of functions.
fn rest(costs: &CostGraph) -> f64 {
    let ids = (0..).map(SymbolId).take(costs.n_nodes());
    let own = ids.map(|id| costs.self_cost(id, 0).as_f64());
    costs.all(0).as_f64() - costs.unattributed(0).as_f64() - own.sum::<f64>()
}

#[track_caller]
fn check(program: &TestProgram, focus: &str, ignored: &str, expected: &str) {
    let costs = program.costs(&places(focus), &places(ignored));
    assert_eq!(summary(&costs), expected, "{focus} without {ignored}");
}

/// Two callers of one function, which is called three times by one and once by the other.
fn diamond() -> TestProgram {
    TestProgram::new("a 1, b 2, c 3, d 4, e 8", "?>a 1, a>b 1, a>c 1, b>d 3, c>d 1, d>e 2")
}

#[test]
fn calls_distribute_the_cost_below_a_function() {
    let whole = "a 1/18, b 2/11, c 3/6, d 4/12, e 8/8, ?>a 18, a>b 11 (1), a>c 6 (1), \
                 b>d 9 (3), c>d 3 (1), d>e 8 (2), rest 0";
    check(&diamond(), "", "", whole);
    check(&diamond(), "a", "", whole);
    check(
        &diamond(),
        "b",
        "",
        "a 0/11, b 2/11, d 3/9, e 6/6, ?>a 11, a>b 11 (1), b>d 9 (3), d>e 6 (2), rest 7",
    );
    check(
        &diamond(),
        "",
        "b",
        "a 1/7, c 3/6, d 1/3, e 2/2, ?>a 7, a>c 6 (1), c>d 3 (1), d>e 2 (2), rest 11",
    );
}

#[test]
fn callers_include_their_callees() {
    check(
        &diamond(),
        "e",
        "",
        "a 0/8, b 0/6, c 0/2, d 0/8, e 8/8, ?>a 8, a>b 6 (1), a>c 2 (1), b>d 6 (3), \
         c>d 2 (1), d>e 8 (2), rest 10",
    );
}

#[test]
fn exclusion_has_priority() {
    check(&diamond(), "bc", "d", "a 0/5, b 2/2, c 3/3, ?>a 5, a>b 2 (1), a>c 3 (1), rest 13");
    check(&diamond(), "d", "a", "rest 18");
    check(&diamond(), "d", "d", "rest 18");
}

#[test]
fn calls_from_nowhere_have_not_run_through_anything() {
    let program = TestProgram::new("a 4, b 8", "a>b 1, ?>b 3");
    check(&program, "", "", "a 4/6, b 8/8, ?>b 6, a>b 2 (1), rest 0");
    check(&program, "a", "", "a 4/6, b 2/2, a>b 2 (1), rest 6");
    check(&program, "", "a", "b 6/6, ?>b 6, rest 6");
    check(&program, "b", "", "a 0/2, b 8/8, ?>b 6, a>b 2 (1), rest 4");
}

#[test]
fn functions_that_cost_nothing_are_shown_where_calls_lead_through_them() {
    let program = TestProgram::new("a 5, b 0, c 0", "a>b 2, b>c 7, a>c 1");
    check(&program, "b", "", "a>b 0 (2), b>c 0 (7), rest 5");
}

#[test]
fn a_cycle_with_a_function_that_is_asked_for_is_asked_for_as_a_whole() {
    // b and c call each other, and c calls itself.
    let program =
        TestProgram::new("a 1, b 2, c 4, d 8", "a>b 1, b>c 5, c>b 4, c>c 9, c>d 1, a>d 1");
    let expected = "a 0/10, b 2/2, c 4/8, d 4/4, a>b 10 (1), b>c 0 (5), c>b 0 (4), \
                    c>c 0 (9), c>d 4 (1), rest 5";
    check(&program, "b", "", expected);
    check(&program, "c", "", expected);
    let costs = program.costs(&[2], &[]);
    let cycle = costs.cycle(costs.cycle_of(id(1)).expect("it is in one"));
    let numbers = [cycle.self_cost, cycle.children].map(|amount| amount.as_f64());
    assert_eq!((numbers, cycle.calls.from_self), ([6.0, 4.0], 9));
    check(&program, "", "c", "a 1/5, d 4/4, a>d 4 (1), rest 10");
}

/// Programs of a few functions; any may call any, and be called from nowhere.
fn programs() -> impl Strategy<Value = TestProgram> {
    let ticks = proptest::collection::vec(0u64..100, 7);
    let caller = proptest::option::weighted(0.9, 0usize..7);
    let calls = proptest::collection::vec((caller, 0usize..7, 1u64..20), 0..16);
    (ticks, calls).prop_map(|(ticks, calls)| {
        let mut summed = BTreeMap::new();
        for (caller, callee, count) in calls {
            *summed.entry((caller, callee)).or_insert(0) += count;
        }
        let calls = summed.into_iter().map(|((caller, callee), count)| (caller, callee, count));
        TestProgram { ticks, calls: calls.collect() }
    })
}

impl std::fmt::Debug for TestProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.ticks, self.calls)
    }
}

/// All numbers of a graph, by their owner.
fn numbers(costs: &CostGraph) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for function in (0..).map(SymbolId).take(costs.n_nodes()) {
        let name = name(function.index());
        numbers.insert(format!("{name} own"), costs.self_cost(function, 0).as_f64());
        numbers.insert(format!("{name} in all"), costs.total(function, 0).as_f64());
        if costs.calls.calls_from_outside[function.index()] > 0 {
            let total = costs.flow_from_outside(function).total().as_f64();
            numbers.insert(format!("? to {name}"), total);
        }
    }
    for (index, arc) in (0..).zip(costs.calls.arcs()) {
        let flow = costs.flow(index, 0).expect("ticks flow along calls").total();
        let ends = [arc.caller, arc.callee].map(|end| name(end.index()));
        numbers.insert(ends.join(" to "), flow.as_f64());
    }
    numbers
}

/// The share of a function's calls that run through the first functions and not through
/// the others: each is followed back, caller by caller, on every way that it may have
/// come. There must be no cycles.
fn share_by_ways(
    program: &TestProgram,
    function: usize,
    focus: &[usize],
    ignored: &[usize],
) -> f64 {
    fn follow(
        program: &TestProgram,
        at: usize,
        has_focus: bool,
        focus: &[usize],
        ignored: &[usize],
    ) -> f64 {
        if ignored.contains(&at) {
            return 0.0;
        }
        let has_focus = has_focus || focus.contains(&at);
        let calls = program.calls.iter().filter(|(_, callee, _)| *callee == at);
        let n_calls: u64 = calls.clone().map(|(.., count)| count).sum();
        let of_nobody = if has_focus { 1.0 } else { 0.0 };
        if n_calls == 0 {
            return of_nobody;
        }
        let parts = calls.map(|&(caller, _, count)| {
            let part = match caller {
                Some(caller) => follow(program, caller, has_focus, focus, ignored),
                None => of_nobody,
            };
            part * count as f64 / n_calls as f64
        });
        parts.sum()
    }
    follow(program, function, focus.is_empty(), focus, ignored)
}

fn are_close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * a.abs().max(1.0)
}

proptest! {
    #[test]
    fn what_runs_through_functions_and_what_does_not_are_the_whole(
        program in programs(),
        chosen in proptest::collection::vec(0usize..7, 1..4),
    ) {
        let whole = program.costs(&[], &[]);
        let [through, around] = [program.costs(&chosen, &[]), program.costs(&[], &chosen)];
        let parts = [numbers(&through), numbers(&around)];
        for (what, all) in numbers(&whole) {
            let sum: f64 = parts.iter().filter_map(|part| part.get(&what)).sum();
            prop_assert!(are_close(all, sum), "{what}: {parts:?} of {all}");
        }
        let rest = rest(&through) + rest(&around);
        let all = whole.all(0).as_f64();
        prop_assert!((rest - all).abs() < 1e-5, "{rest} of {all}");
    }

    #[test]
    fn what_is_asked_for_is_all_there(program in programs(), function in 0usize..7) {
        let [whole, part] = [program.costs(&[], &[]), program.costs(&[function], &[])];
        let of = |costs: &CostGraph| {
            let id = id(function);
            match costs.cycle_of(id) {
                Some(cycle) => costs.cycle(cycle).self_cost.plus(costs.cycle(cycle).children),
                None => costs.total(id, 0),
            }
        };
        prop_assert!(are_close(of(&whole).as_f64(), of(&part).as_f64()));
    }

    #[test]
    fn shares_are_those_of_all_ways_that_calls_may_have_come(
        program in programs(),
        focus in proptest::collection::vec(0usize..7, 0..3),
        ignored in proptest::collection::vec(0usize..7, 0..3),
    ) {
        let mut program = program;
        // Only forward calls, which form no cycles.
        program.calls.retain(|(caller, callee, _)| caller.is_none_or(|caller| caller < *callee));
        let costs = program.costs(&focus, &ignored);
        for function in 0..7 {
            let share = share_by_ways(&program, function, &focus, &ignored);
            let own = costs.self_cost(id(function), 0).as_f64();
            let expected = share * program.ticks[function] as f64;
            prop_assert!(are_close(own, expected), "{}: {own}, not {expected}", name(function));
        }
    }
}
