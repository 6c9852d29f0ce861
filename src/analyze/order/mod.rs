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
pub use functions::order_of_functions;

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

#[derive(Debug)]
pub struct OrderedFunctions {
    /// Number of functions: the first nodes, named by symbols.
    pub n_functions: usize,
    /// Names of further nodes.
    pub others: Vec<OrderedName>,
    /// For each of the last of these nodes, the next one, if any. No arcs join them to other
    /// nodes.
    pub links: Vec<Option<usize>>,
    pub arcs: Vec<OrderArc>,
}

impl OrderedFunctions {
    fn name(&self, node: OrderNode) -> OrderedName {
        match node.0.checked_sub(self.n_functions) {
            Some(other) => self.others[other].clone(),
            None => {
                let id = u32::try_from(node.0).expect("functions are numbered with 32 bits");
                OrderedName::Symbol(SymbolId(id))
            }
        }
    }
}

/// Indices of arcs, most calls first.
fn busiest_first(arcs: &[OrderArc], mut indices: Vec<usize>) -> Vec<usize> {
    indices.cold_sort_by_key(|&index| std::cmp::Reverse(arcs[index].count));
    indices
}
