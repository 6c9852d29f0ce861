use super::*;
use crate::analyze::testing::heap;
use crate::filter::{FilterSets, FilterSpecs, SymSpec};
use crate::symbols::{ContextKeys, NamedContexts, SymbolId};

/// Own and total bytes of each function, then the bytes along each arc.
fn summary(stacks: &[(&str, u64, u64)], specs: &FilterSpecs) -> String {
    let profile = heap(stacks);
    let names = NamedContexts::new(&profile.costs, None, ContextKeys::Functions);
    let filters = FilterSets::resolve(specs, &names.table);
    let costs = CostGraph::from_values(&profile, &names, &filters, Some("bytes"));
    let name = |id: SymbolId| String::from_utf8_lossy(&names.table.get(id).name).into_owned();
    let exact = |amount: Amount| match amount {
        Amount::Exact(amount) => amount,
        Amount::Ticks(ticks) => panic!("{ticks} ticks of bytes"),
    };
    let mut words: Vec<_> = names
        .table
        .iter()
        .map(|(id, _)| {
            let (own, total) = (costs.self_cost(id, 0), costs.total(id, 0));
            format!("{} {}/{}", name(id), exact(own), exact(total))
        })
        .collect();
    words.extend((0..).zip(costs.calls.arcs()).map(|(index, arc)| {
        let flow = costs.flow(index, 0).unwrap();
        let (own, total) = (exact(flow.self_cost.unwrap()), exact(flow.total()));
        format!("{}>{} {own}/{total}", name(arc.caller), name(arc.callee))
    }));
    words.join(", ")
}

fn check(stacks: &[(&str, u64, u64)], expected: &str) {
    assert_eq!(summary(stacks, &FilterSpecs::default()), expected, "{stacks:?}");
}

#[test]
fn allocations_count_once_for_each_function_on_the_stack() {
    check(
        &[("main a", 8, 0), ("main b a", 4, 0)],
        "a 12/12, b 0/4, main 0/12, b>a 4/4, main>a 8/8, main>b 0/4",
    );
}

#[test]
fn recursion_counts_once() {
    check(&[("main w w n", 8, 0)], "main 0/8, n 8/8, w 0/8, main>w 0/8, w>n 8/8, w>w 0/8");
    check(&[("a b a b", 8, 0), ("a b", 1, 0)], "a 0/9, b 9/9, a>b 9/9, b>a 0/8");
}

#[test]
fn arcs_that_are_left_out_end_the_stack() {
    let mut specs = FilterSpecs::default();
    let Ok(spec) = "main/b".parse();
    specs.arcs.exclude.push(spec);
    assert_eq!(
        summary(&[("main a", 8, 0), ("main b a", 4, 0)], &specs),
        "a 12/12, b 0/4, main 0/8, b>a 4/4, main>a 8/8",
    );
}

#[test]
fn only_the_costs_of_selected_functions_flow() {
    let mut specs = FilterSpecs::default();
    let Ok(spec) = "b".parse();
    specs.time.include.push(spec);
    assert_eq!(
        summary(&[("main a", 8, 0), ("main b", 4, 0)], &specs),
        "a 0/0, b 4/4, main 0/4, main>a 0/0, main>b 4/4",
    );
}

#[test]
fn stacks_through_the_focus_stay() {
    let of = |focus: &str, ignored: &str| {
        let named = |word: &str| -> Vec<SymSpec> {
            let words = word.split(' ').filter(|word| !word.is_empty());
            words.map(SymSpec::function).collect()
        };
        let mut specs = FilterSpecs::default();
        specs.focus.include = named(focus);
        specs.focus.exclude = named(ignored);
        let stacks = [("main a", 8, 0), ("main b a", 4, 0), ("main b a b", 2, 0)];
        summary(&stacks, &specs)
    };
    let through_b = "a 4/6, b 2/6, main 0/6, a>b 2/2, b>a 4/6, main>a 0/0, main>b 0/6";
    assert_eq!(of("b", ""), through_b);
    let around_b = "a 8/8, b 0/0, main 0/8, a>b 0/0, b>a 0/0, main>a 8/8, main>b 0/0";
    assert_eq!(of("", "b"), around_b);
    // An omitted function is omitted anywhere on the stack.
    assert_eq!(of("b", "a"), of("a", "main"));
    assert_eq!(of("a b", ""), of("", ""));
    assert_eq!(of("nobody", ""), of("", ""));
}
