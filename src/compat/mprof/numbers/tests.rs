//! The short ways against the long ones, on any tree of contexts.

use std::collections::HashMap;

use proptest::prelude::*;

use super::amounts::TableMeasure;
use super::graph::{EdgeEnd, StackEdges};
use super::leaks::caller_stacks;
use super::sites::{ContextSites, VertexId};
use super::sweep::sweep;
use super::tree::ContextTree;
use crate::compat::words::MachineWords;
use crate::model::{
    Address, AddressSize, Context, ContextId, Extent, Function, FunctionId, Quantity,
    RecordedCosts, SampleKey, Samples, SizeClass, Unit, ValueType,
};

/// What a context is made from: its function, how far before it its caller stands,
/// and the bytes that were allocated there.
type Seed = (u32, usize, Option<u64>);

const N_FUNCTIONS: u32 = 4;

fn costs(seeds: &[Seed]) -> RecordedCosts {
    let quantities = [Quantity::ALLOCATED, Quantity::FREED];
    let types = quantities.map(|quantity| {
        SizeClass::ALL.map(|class| ValueType {
            quantity,
            unit: Unit::BYTES,
            extent: Extent::Exclusive,
            class: Some(class),
        })
    });
    let mut costs =
        RecordedCosts { samples: Samples::new(types.as_flattened()), ..RecordedCosts::default() };
    costs.functions = (0..N_FUNCTIONS)
        .map(|number| Function {
            entry: Some(Address(u64::from(number) * 0x100)),
            ..Function::named(format!("f{number}").into_bytes())
        })
        .collect();
    for (number, &(function, distance, value)) in (0..).zip(seeds) {
        let caller = (number as usize).checked_sub(distance + 1);
        let caller = caller.map(|caller| ContextId(u32::try_from(caller).unwrap()));
        let id = ContextId(number);
        costs.contexts.push(Context {
            address: Some(Address(u64::from(function) * 0x100 + u64::from(number % 3))),
            // One of the functions has no symbol.
            function: Some(FunctionId(function)).filter(|id| id.0 < N_FUNCTIONS),
            location: None,
            caller,
        });
        if let Some(value) = value {
            costs.samples.push(SampleKey::Context(id), &[value, 0, 0, 0, value / 2, 0, 0, 0]);
        }
    }
    costs
}

fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let seed = (0..=N_FUNCTIONS, 0..4usize, proptest::option::of(1..1000u64));
    proptest::collection::vec(seed, 0..60)
}

/// The vertices of a stack, the innermost first.
fn stack(sites: &ContextSites<'_>, id: ContextId) -> Vec<VertexId> {
    let caller = |id: &ContextId| sites.contexts[id.index()].caller;
    std::iter::successors(Some(id), caller).map(|id| sites.node(id)).collect()
}

/// What each edge gets, and whether it is flagged, by following each stack.
fn followed(sites: &ContextSites<'_>) -> HashMap<(EdgeEnd, EdgeEnd), (u64, bool)> {
    let amounts_of = sites.amounts(TableMeasure::Bytes);
    let mut edges: HashMap<(EdgeEnd, EdgeEnd), (u64, bool)> = HashMap::new();
    for &id in &sites.by_address {
        let Some(amounts) = amounts_of(id) else {
            continue;
        };
        let amount = amounts.allocated[0];
        let stack = stack(sites, id);
        let mut add = |caller, callee| edges.entry((caller, callee)).or_default().0 += amount;
        add(EdgeEnd::Vertex(stack[0]), EdgeEnd::Allocation);
        add(EdgeEnd::Start, EdgeEnd::Vertex(stack[stack.len() - 1]));
        for place in 1..stack.len() {
            let (caller, callee) = (stack[place], stack[place - 1]);
            let edge = edges.entry((EdgeEnd::Vertex(caller), EdgeEnd::Vertex(callee)));
            let edge = edge.or_default();
            if stack[..place].contains(&caller) { edge.1 = true } else { edge.0 += amount }
        }
    }
    edges
}

proptest! {
    #[test]
    fn the_sweep_gives_what_following_each_stack_gives(
        seeds in seeds(), distinguishes_addresses in any::<bool>(),
    ) {
        let costs = costs(&seeds);
        let sites = ContextSites::new(&costs, distinguishes_addresses);
        let tree = ContextTree::new(&sites);
        let edges = StackEdges::of(&sites, &tree);
        let flows = sweep(&sites, &tree, &edges, TableMeasure::Bytes);
        let words = MachineWords::of(AddressSize::Eight);
        let swept: HashMap<_, _> = edges.ends.iter().zip(flows).map(|(&ends, flow)| {
            let amount = words.sum(flow.amounts.allocated);
            (ends, (amount, flow.is_cyclic))
        }).collect();
        prop_assert_eq!(swept, followed(&sites));
    }

    #[test]
    fn stacks_have_one_number_exactly_when_they_are_equal(
        seeds in seeds(), depth in 0..12u64,
    ) {
        let costs = costs(&seeds);
        let sites = ContextSites::new(&costs, false);
        let stacks = caller_stacks(&sites, Some(depth).filter(|&depth| depth > 0));
        let n_callers = match depth {
            0 => usize::MAX,
            depth => usize::try_from(depth - 1).unwrap(),
        };
        let callers = |id: ContextId| -> Vec<_> {
            let caller = |id: &ContextId| sites.contexts[id.index()].caller;
            let frames = std::iter::successors(caller(&id), caller).take(n_callers);
            frames.map(|id| sites.vertex(id)).collect()
        };
        for &one in &sites.by_address {
            for &other in &sites.by_address {
                let is_same = stacks.of(one) == stacks.of(other);
                prop_assert_eq!(is_same, callers(one) == callers(other), "{:?} {:?}", one, other);
            }
        }
    }
}
