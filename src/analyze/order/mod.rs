//! An order of functions, or of object files, for the linker: those that call
//! each other often are to stand close together.
//!
//! The order is gprof's, after the idea of the linkers that place procedures by
//! the weight of their arcs. Costs n log n in functions and arcs.

mod chains;
mod files;
mod functions;
mod placement;

use super::Analysis;
use crate::filter::Filters;
use crate::symbols::{FileMap, SymbolId, SymbolTable};

/// What to put in order.
#[derive(Clone, Copy, Debug)]
pub enum OrderOf<'a> {
    /// All functions.
    Functions(&'a Filters),
    /// The object files of a map; the first function of each stands for it.
    Files(&'a FileMap),
}

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderedName {
    /// A symbol.
    Symbol(SymbolId),
    /// A file that no symbol stands for.
    File(Box<[u8]>),
}

/// An order of functions or files.
#[must_use]
pub fn order(analysis: &Analysis, table: &SymbolTable, of: OrderOf<'_>) -> Vec<OrderedName> {
    match of {
        OrderOf::Functions(filters) => functions::order(&analysis.graph, table, filters),
        OrderOf::Files(map) => files::order(&analysis.graph, table, map),
    }
}

/// A symbol, or a range of symbols that the spec of an arc names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeId(usize);

impl From<SymbolId> for NodeId {
    fn from(symbol: SymbolId) -> Self {
        Self(symbol.index())
    }
}

/// Calls between two nodes.
#[derive(Clone, Copy, Debug)]
struct OrderArc {
    caller: NodeId,
    callee: NodeId,
    count: u64,
}

/// The numbers of arcs, from most calls to fewest.
fn busiest_first(arcs: &[OrderArc], mut indices: Vec<usize>) -> Vec<usize> {
    indices.sort_by_key(|&index| std::cmp::Reverse(arcs[index].count));
    indices
}
