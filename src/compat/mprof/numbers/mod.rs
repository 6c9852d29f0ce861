//! The numbers of mprof 1.3.
//!
//! All sums wrap as words of the profiled machine. Rows are adjacent contexts (by address) of
//! one function or address, so a function may have several rows if functions overlap.
//!
//! All algorithms are about linear in the number of contexts, regardless of the number of
//! functions and the depth of stacks: stacks are numbered (see `leaders`), and the call graph
//! is computed on the tree of contexts (see `sweep`).

mod amounts;
mod bins;
mod edges;
mod graph;
mod leaders;
mod leaks;
mod sites;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use amounts::{AmountPercent, ClassedAmount, Classes, SizeShare, TableMeasure};
pub use bins::{BinTable, DirectRow, DirectTable};
pub use edges::EdgeEnd;
pub use graph::{AllocationGraph, Drawing, Edge};
pub use leaks::{LeakAmounts, LeakTable};

use sites::ContextSites;

use crate::compat::words::MachineWords;
use crate::model::{AddressSize, Heap, Profile};
use crate::threads;

/// Options of mprof.
#[derive(Clone, Copy, Debug, Default)]
pub struct MprofOptions {
    /// Rows are return addresses, not functions.
    pub by_address: bool,
    /// The primary measure of tables.
    pub measure: TableMeasure,
    /// Number of frames that distinguish leaks; `None` for all.
    pub stack_depth: Option<u64>,
    /// Whether to make a call graph.
    pub has_graph: bool,
}

/// The numbers of all tables.
#[derive(Clone, Debug)]
pub struct MprofReport {
    pub bins: BinTable,
    /// Allocations by place.
    pub direct: DirectTable,
    /// Unfreed blocks.
    pub leaks: LeakTable,
    /// Calls with allocated amounts.
    pub graph: Option<AllocationGraph>,
}

/// Computes the numbers of an allocation profile, with words of this size.
pub fn mprof(profile: &Profile, word: AddressSize, options: &MprofOptions) -> MprofReport {
    let words = MachineWords::of(word);
    let no_heap = Heap::default();
    let heap = profile.heap.as_ref().unwrap_or(&no_heap);
    let measure = options.measure;
    let bins = BinTable::new(heap, words);
    let is_large = profile.costs.contexts.len() >= threads::WORTH_ITEMS;
    let sites = ContextSites::new(&profile.costs, &heap.other_symbols, options.by_address);
    let direct = || DirectTable::new(&sites, &bins.total, measure, words);
    let leaks = || LeakTable::new(&sites, &bins.total, measure, words, options.stack_depth);
    let graph = || {
        let has_graph = options.has_graph;
        has_graph.then(|| AllocationGraph::new(&sites, measure, words))
    };
    let (graph, (direct, leaks)) = threads::in_parallel(is_large, graph, || (direct(), leaks()));
    MprofReport { bins, direct, leaks, graph }
}
