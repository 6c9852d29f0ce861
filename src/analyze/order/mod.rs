//! An order of functions, or of object files, for the linker: those that call
//! each other often are to stand close together.
//!
//! Procedures are placed by the weight of their arcs, heaviest first. Costs n log n in functions and arcs.

mod chains;
mod files;
mod functions;
mod links;
mod placement;

pub use files::order_of_files;
pub use functions::{OrderedFunctions, order_of_functions};

use super::call_graph::CallGraph;
use crate::symbols::SymbolId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderedName {
    Symbol(SymbolId),
    /// What no symbol stands for: a file, or whatever a register leads to.
    Other(Box<[u8]>),
}

/// A symbol, by its number, or behind these something else that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Those of a call graph, without calls of functions to themselves.
    pub fn all(graph: &CallGraph) -> impl Iterator<Item = Self> {
        let arcs = graph.arcs().iter();
        arcs.filter(|arc| !arc.is_self_call()).map(|arc| Self {
            caller: arc.caller.into(),
            callee: arc.callee.into(),
            count: arc.count,
        })
    }
}

/// The numbers of arcs, from most calls to fewest.
fn busiest_first(arcs: &[OrderArc], mut indices: Vec<usize>) -> Vec<usize> {
    indices.sort_by_key(|&index| std::cmp::Reverse(arcs[index].count));
    indices
}
