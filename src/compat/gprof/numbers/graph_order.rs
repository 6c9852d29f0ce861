//! The order of entries: everything by time, then cycles before functions and by their
//! numbers, plain names before those that start with `_`, more calls before fewer, at last
//! by name.

use std::cmp::Reverse;

use super::name_order::NameOrder;
use super::rows::GraphNode;
use super::size::by_size;
use crate::analyze::{CycleNumber, Propagation};
use crate::symbols::{SymbolId, SymbolTable};
use crate::threads;

/// Functions and cycles in the order of entries.
pub(super) fn in_order(
    times: &Propagation,
    by_name: &NameOrder,
    table: &SymbolTable,
) -> Vec<GraphNode> {
    // The names that start with `_` are neighbours.
    let n_not_behind = |is_behind: fn(u8) -> bool| {
        let is_before = |&id: &SymbolId| !table.get(id).name.first().is_some_and(|&b| is_behind(b));
        let n_before = by_name.symbols.partition_point(is_before);
        u32::try_from(n_before).expect("symbols have 32-bit numbers")
    };
    let low = n_not_behind(|byte| byte >= b'_')..n_not_behind(|byte| byte > b'_');
    let cycles = (1..).map(CycleNumber).zip(&times.cycles);
    let cycles = cycles.map(|(number, node)| Ranked {
        total: Reverse(by_size(node.shown_total())),
        kind: Kind::Cycle,
        calls: Reverse(0),
        place: number.0,
        number: number.0,
    });
    let functions = by_name.in_memory().map(|(symbol, place)| {
        let node = times.function(symbol);
        Ranked {
            total: Reverse(by_size(node.shown_total())),
            kind: if low.contains(&place) {
                Kind::LowFunction
            } else {
                Kind::Function
            },
            calls: Reverse(node.calls),
            place,
            number: symbol.0,
        }
    });
    let mut order: Vec<_> = cycles.chain(functions).collect();
    threads::sort(&mut order);
    order.into_iter().map(|ranked| ranked.subject()).collect()
}

/// What functions and cycles are sorted by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    total: Reverse<u64>,
    kind: Kind,
    calls: Reverse<u64>,
    /// By name, or that of the cycle.
    place: u32,
    /// Of the symbol or cycle.
    number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Cycle,
    Function,
    LowFunction,
}

impl Ranked {
    fn subject(&self) -> GraphNode {
        match self.kind {
            Kind::Cycle => GraphNode::Cycle(CycleNumber(self.number)),
            Kind::Function | Kind::LowFunction => GraphNode::Function(SymbolId(self.number)),
        }
    }
}
