//! An order of functions or object files for the linker, in which frequent callers and
//! callees are close.
//!
//! Places functions by the weight of their arcs, heaviest first (Pettis and Hansen, *Profile
//! Guided Code Positioning*, 1990). n log n in functions and arcs.

mod chains;
mod files;
mod functions;
mod links;
mod placement;

pub use files::order_of_files;
pub use functions::{OrderedFunctions, order_of_functions};

use super::call_graph::CallGraph;
use crate::sorting::ColdSort;
use crate::symbols::SymbolId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderedName {
    Symbol(SymbolId),
    /// Not a symbol: a file, or the target of an indirect call.
    Other(Box<[u8]>),
}

/// A symbol by number, or after these, another named node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OrderNode(pub usize);

impl From<SymbolId> for OrderNode {
    fn from(symbol: SymbolId) -> Self {
        Self(symbol.index())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderArc {
    pub caller: OrderNode,
    pub callee: OrderNode,
    pub count: u64,
}

impl OrderArc {
    /// The arcs of a call graph, without direct recursion.
    pub fn all(graph: &CallGraph) -> impl Iterator<Item = Self> {
        let arcs = graph.arcs().iter();
        arcs.filter(|arc| !arc.is_self_call()).map(|arc| Self {
            caller: arc.caller.into(),
            callee: arc.callee.into(),
            count: arc.count,
        })
    }
}

/// Indices of arcs, most calls first.
fn busiest_first(arcs: &[OrderArc], mut indices: Vec<usize>) -> Vec<usize> {
    indices.cold_sort_by_key(|&index| std::cmp::Reverse(arcs[index].count));
    indices
}
