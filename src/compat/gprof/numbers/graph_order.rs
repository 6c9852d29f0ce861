//! The order of entries: everything by time, then cycles before functions and by their
//! numbers, plain names before those that start with `_`, more calls before fewer, at last
//! by name.

use std::cmp::{Ordering, Reverse};

use super::rows::GraphNode;
use super::sorting::{by_size, sort_stably};
use crate::analyze::{CycleNumber, Propagation};
use crate::symbols::{SymbolId, SymbolTable};

/// Functions, which come by name, and cycles in the order of entries.
pub(super) fn in_order(
    times: &Propagation,
    by_name: &[SymbolId],
    table: &SymbolTable,
) -> Vec<GraphNode> {
    // The names that start with `_` are neighbours.
    let n_not_behind = |is_behind: fn(u8) -> bool| {
        by_name.partition_point(|&id| !table.get(id).name.first().is_some_and(|&b| is_behind(b)))
    };
    let low = n_not_behind(|byte| byte >= b'_')..n_not_behind(|byte| byte > b'_');
    let cycles = (1..).map(CycleNumber).zip(&times.cycles);
    let cycles = cycles.map(|(number, node)| Ranked {
        total: Reverse(by_size(node.shown_total())),
        kind: Kind::Cycle,
        calls: Reverse(0),
        subject: GraphNode::Cycle(number),
    });
    let functions = by_name.iter().enumerate().map(|(place, &symbol)| {
        let node = times.function(symbol);
        Ranked {
            total: Reverse(by_size(node.shown_total())),
            kind: if low.contains(&place) {
                Kind::LowFunction
            } else {
                Kind::Function
            },
            calls: Reverse(node.calls),
            subject: GraphNode::Function(symbol),
        }
    });
    let mut order: Vec<_> = cycles.chain(functions).collect();
    // What is equal stays by number or by name.
    sort_stably(&mut order, Ranked::compare);
    order.into_iter().map(|ranked| ranked.subject).collect()
}

/// What functions and cycles are sorted by.
struct Ranked {
    total: Reverse<u64>,
    kind: Kind,
    calls: Reverse<u64>,
    subject: GraphNode,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Cycle,
    Function,
    LowFunction,
}

impl Ranked {
    fn compare(&self, other: &Self) -> Ordering {
        let key = |ranked: &Self| (ranked.total, ranked.kind, ranked.calls);
        key(self).cmp(&key(other))
    }
}
