//! The order of functions.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::placement::{PlacedArcs, Placement};
use super::{OrderArc, OrderNode, OrderedFunctions, OrderedName, busiest_first};
use crate::sorting::ColdSort;
use crate::symbols::SymbolId;

/// Share of all calls whose callees count as used.
const USED_SHARE: f64 = 0.9;

/// One of this many used functions is placed first.
const USED_PER_TAKEN: usize = 80;

/// Functions with at most this many uses are not.
const TOO_FEW_USES: u32 = 5;

/// Called functions by their arcs, then the others by address. `is_used` returns whether a
/// function was called by others, `sorted_arcs` the ends of a function's arcs if they have an
/// order of their own: otherwise the last comes first.
pub fn order_of_functions(
    nodes: &OrderedFunctions,
    is_used: impl Fn(SymbolId) -> bool,
    sorted_arcs: impl Fn(SymbolId) -> Vec<(OrderNode, OrderNode)>,
) -> Vec<OrderedName> {
    let arcs = &*nodes.arcs;
    let mut placement = Placement::new(nodes);
    let symbols = (0..).map(SymbolId).take(nodes.n_functions);
    let (used, unused): (Vec<_>, Vec<_>) = symbols.partition(|&symbol| is_used(symbol));
    for &symbol in &unused {
        placement.set_placed(symbol.into(), true);
    }
    let listed = busiest_first(arcs, (0..arcs.len()).collect());
    let most_used = most_used(&used, arcs, &listed, &placement);
    let taken = take(&most_used, arcs, sorted_arcs, &mut placement);
    // Without the last one it is the order that scripts for linkers were made from.
    let but_last = &most_used[..most_used.len().saturating_sub(1)];
    placement.put_marked(but_last.iter().map(|&symbol| symbol.into()));
    let mut left = placement.place(arcs, &busiest_first(arcs, taken), PlacedArcs::All);
    left.extend(placement.place(arcs, &listed, PlacedArcs::Busiest));
    placement.place(arcs, &left, PlacedArcs::All);
    placement.put_rest(used.iter().map(|&symbol| symbol.into()));
    let unused = unused.into_iter().map(OrderNode::from);
    let placed = placement.into_order().into_iter().chain(unused);
    placed.map(|node| nodes.name(node)).collect()
}

/// The callees of most of the busiest arcs.
fn most_used(
    used: &[SymbolId],
    arcs: &[OrderArc],
    listed: &[usize],
    placement: &Placement,
) -> Vec<SymbolId> {
    let mut n_uses = vec![0u32; placement.n_nodes()];
    let mut n_calls: u64 = 0;
    for arc in listed.iter().map(|&index| &arcs[index]) {
        n_calls = n_calls.wrapping_add(arc.count);
        if placement.share(n_calls) > USED_SHARE {
            break;
        }
        n_uses[arc.callee.0] += 1;
    }
    let mut most_used = used.to_vec();
    most_used.cold_sort_by_key(|symbol| Reverse(n_uses[symbol.index()]));
    most_used.truncate(used.len() / USED_PER_TAKEN);
    let end = most_used.iter().position(|symbol| n_uses[symbol.index()] == TOO_FEW_USES);
    most_used.truncate(end.unwrap_or(most_used.len()));
    most_used
}

/// Marks functions and their arcs as placed. Returns the arcs between them, whose ends are no
/// longer marked.
fn take(
    most_used: &[SymbolId],
    arcs: &[OrderArc],
    sorted_arcs: impl Fn(SymbolId) -> Vec<(OrderNode, OrderNode)>,
    placement: &mut Placement,
) -> Vec<usize> {
    let mut outgoing = vec![Vec::new(); placement.n_nodes()];
    let mut incoming = vec![Vec::new(); placement.n_nodes()];
    for (index, arc) in arcs.iter().enumerate().rev() {
        outgoing[arc.caller.0].push(index);
        incoming[arc.callee.0].push(index);
    }
    let mut collected = Vec::new();
    for &symbol in most_used {
        let places: HashMap<_, usize, RandomState> =
            sorted_arcs(symbol).into_iter().zip(0..).collect();
        for lists in [&mut outgoing, &mut incoming] {
            let list = &mut lists[symbol.index()];
            list.cold_sort_by_key(|&index| places.get(&(arcs[index].caller, arcs[index].callee)));
            for &index in &*list {
                placement.set_arc_placed(index, true);
                collected.push(index);
            }
        }
        placement.set_placed(symbol.into(), true);
    }
    collected.retain(|&index| {
        let arc = &arcs[index];
        let is_kept = placement.is_placed(arc.caller) && placement.is_placed(arc.callee);
        if is_kept {
            placement.set_placed(arc.caller, false);
            placement.set_placed(arc.callee, false);
        }
        is_kept
    });
    collected
}
