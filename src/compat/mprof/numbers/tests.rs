//! The short ways against the long ones, on any tree of contexts.

use std::collections::HashMap;

use proptest::prelude::*;

use super::amounts::TableMeasure;
use super::edges::{EdgeEnd, StackEdges};
use super::leaders::{caller_stacks, leaders, leaders_of_flows};
use super::sites::{ContextSites, VertexId};
use super::sweep::sweep;
use super::tree::ContextTree;
use crate::compat::words::MachineWords;
use crate::model::{
    Address, AddressSize, Context, ContextId, Extent, Function, FunctionId, Quantity,
    RecordedCosts, SampleKey, Samples, SizeClass, Unit, ValueType,
};

/// The description of a context: its function, its address in units, the distance back to its
/// caller, and the bytes allocated there.
type Seed = (u32, u64, usize, Option<u64>);

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
    for (number, &(function, address, distance, value)) in (0..).zip(seeds) {
        let caller = (number as usize).checked_sub(distance + 1);
        let caller = caller.map(|caller| ContextId(u32::try_from(caller).unwrap()));
        let id = ContextId(number);
        costs.contexts.push(Context {
            address: Some(Address(address)),
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

/// Contexts whose addresses have one symbol each.
fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let seed = (0..=N_FUNCTIONS, 0..3u64, 0..4usize, proptest::option::of(1..1000u64));
    let placed = |(function, offset, distance, value): Seed| {
        (function, u64::from(function) * 0x100 + offset, distance, value)
    };
    proptest::collection::vec(seed.prop_map(placed), 0..60)
}

/// Contexts of a damaged file: any address with any symbol. Small addresses are numbers of
/// symbols, too.
fn damaged_seeds() -> impl Strategy<Value = Vec<Seed>> {
    let seed = (0..=N_FUNCTIONS, 0..9u64, 0..4usize, proptest::option::of(1..1000u64));
    proptest::collection::vec(seed, 0..40)
}

/// The contexts with allocations in address order, each with the contexts that mprof merges into
/// it.
fn merged(sites: &ContextSites<'_>, depth: Option<u64>) -> Vec<(ContextId, Vec<ContextId>)> {
    let callers = |id| stack_of(sites, id).skip(1);
    let have_same_callers = |one, other| {
        let n_callers = depth.map_or(usize::MAX, |depth| usize::try_from(depth).unwrap() - 1);
        let [mut one, mut other] = [one, other].map(|id| callers(id).take(n_callers));
        loop {
            match (one.next(), other.next()) {
                (None, None) => return true,
                (Some(one), Some(other)) if sites.agree(one, other) => {}
                _ => return false,
            }
        }
    };
    let mut rest = sites.by_address.as_slice();
    let mut merged: Vec<(ContextId, Vec<ContextId>)> = Vec::new();
    while let [first, behind @ ..] = rest {
        rest = behind;
        let is_taken = |id| merged.iter().any(|(_, others)| others.contains(id));
        if !sites.has_data(*first) || is_taken(first) {
            continue;
        }
        let adjacent = behind.iter().take_while(|id| sites.agree(*first, **id));
        let others = adjacent
            .filter(|id| sites.has_data(**id) && !is_taken(id) && have_same_callers(*first, **id));
        let others = others.copied().collect();
        merged.push((*first, others));
    }
    merged
}

fn stack_of(sites: &ContextSites<'_>, id: ContextId) -> impl Iterator<Item = ContextId> {
    std::iter::successors(Some(id), |id| sites.contexts.get(*id).caller)
}

/// The vertices of a stack, the innermost first.
fn stack(sites: &ContextSites<'_>, id: ContextId) -> Vec<VertexId> {
    stack_of(sites, id).map(|id| sites.node(id)).collect()
}

/// The amount of each edge and whether it is flagged, found by following each stack.
fn followed(sites: &ContextSites<'_>) -> HashMap<(EdgeEnd, EdgeEnd), (u64, bool)> {
    let amounts_of = sites.amounts(TableMeasure::Bytes);
    let mut edges: HashMap<(EdgeEnd, EdgeEnd), (u64, bool)> = HashMap::new();
    for (id, others) in merged(sites, None) {
        let amounts = [id].into_iter().chain(others).filter_map(&amounts_of);
        let amount: u64 = amounts.map(|amounts| amounts.allocated[0]).sum();
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
        seeds in prop_oneof![seeds(), damaged_seeds()], distinguishes_addresses in any::<bool>(),
    ) {
        let costs = costs(&seeds);
        let sites = ContextSites::new(&costs, &[], distinguishes_addresses);
        let leaders = leaders_of_flows(&sites);
        let tree = ContextTree::new(&sites, &leaders);
        let edges = StackEdges::of(&sites, &tree);
        let flows = sweep(&sites, &tree, &edges, &leaders, TableMeasure::Bytes);
        let words = MachineWords::of(AddressSize::Eight);
        let swept: HashMap<_, _> = edges.ends.iter().zip(flows).map(|(&ends, flow)| {
            let amount = words.sum(flow.amounts.allocated);
            (ends, (amount, flow.is_cyclic))
        }).collect();
        prop_assert_eq!(swept, followed(&sites));
    }

    #[test]
    fn stacks_are_led_as_in_mprof(
        seeds in prop_oneof![seeds(), damaged_seeds()], depth in 0..5u64,
    ) {
        let costs = costs(&seeds);
        let sites = ContextSites::new(&costs, &[], false);
        let depth = Some(depth).filter(|&depth| depth > 0);
        let leaders = leaders(&sites, depth);
        let mut expected = vec![None; seeds.len()];
        for (leader, others) in merged(&sites, depth) {
            for id in others.into_iter().chain([leader]) {
                expected[id.index()] = Some(leader);
            }
        }
        prop_assert_eq!(leaders, expected);
    }

    #[test]
    fn stacks_have_one_number_exactly_when_they_are_equal(
        seeds in seeds(), depth in 0..12u64,
    ) {
        let costs = costs(&seeds);
        let sites = ContextSites::new(&costs, &[], false);
        let stacks = caller_stacks(&sites, Some(depth).filter(|&depth| depth > 0));
        let n_callers = match depth {
            0 => usize::MAX,
            depth => usize::try_from(depth - 1).unwrap(),
        };
        let callers = |id: ContextId| -> Vec<_> {
            let caller = |id: &ContextId| sites.contexts.get(*id).caller;
            let frames = std::iter::successors(caller(&id), caller).take(n_callers);
            frames.map(|id| sites.class(id)).collect()
        };
        for &one in &sites.by_address {
            for &other in &sites.by_address {
                let is_same = stacks(one) == stacks(other);
                prop_assert_eq!(is_same, callers(one) == callers(other), "{:?} {:?}", one, other);
            }
        }
    }
}
