//! The numbers of mprof's tables, as mprof 1.3 gets them.
//!
//! All sums are words of the profiled machine and wrap round as they do. Rows are
//! contexts that stand next to each other by address and are of one function, so a
//! function may have several rows where functions overlap.
//!
//! Everything costs about as much as there are contexts, however they are spread
//! over functions and however deep stacks are: stacks are told apart by numbers
//! (see `leaks`), and the call graph is summed over the tree of contexts (see `sweep`).

mod amounts;
mod bins;
mod graph;
mod leaks;
mod sites;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use amounts::{AmountPercent, ClassedAmount, Classes, SizeShare, TableMeasure};
pub use bins::{BinTable, DirectRow, DirectTable};
pub use graph::{AllocationGraph, Drawing, Edge, EdgeEnd};
pub use leaks::{LeakAmounts, LeakTable};

use sites::ContextSites;

use crate::compat::words::MachineWords;
use crate::model::{AddressSize, Heap, Profile};
use crate::threads;

/// What mprof can be asked to do.
#[derive(Clone, Copy, Debug, Default)]
pub struct MprofOptions {
    /// Rows are of single return addresses, not of functions.
    pub by_address: bool,
    /// What tables are about in the first place.
    pub measure: TableMeasure,
    /// How many frames of a stack make leaks different; `None` for all.
    pub stack_depth: Option<u64>,
    /// Whether there must be a call graph.
    pub has_graph: bool,
}

/// The numbers of all tables.
#[derive(Clone, Debug)]
pub struct MprofReport {
    pub bins: BinTable,
    /// What was allocated where.
    pub direct: DirectTable,
    /// What was not freed.
    pub leaks: LeakTable,
    /// Who called for what.
    pub graph: Option<AllocationGraph>,
}

/// From so many contexts on the graph is made by a thread of its own.
const WORTH_THREADS: usize = 1 << 15;

/// Counts what is in an allocation profile of a machine with words of this size.
pub fn mprof(profile: &Profile, word: AddressSize, options: &MprofOptions) -> MprofReport {
    let words = MachineWords::of(word);
    let no_heap = Heap::default();
    let heap = profile.heap.as_ref().unwrap_or(&no_heap);
    let measure = options.measure;
    let bins = BinTable::new(heap, words);
    let is_large = profile.costs.contexts.len() >= WORTH_THREADS;
    let sites = ContextSites::new(&profile.costs, options.by_address);
    let direct = || DirectTable::new(&sites, &bins.total, measure, words);
    let leaks = || LeakTable::new(&sites, &bins.total, measure, words, options.stack_depth);
    let graph = || {
        let has_graph = options.has_graph;
        has_graph.then(|| AllocationGraph::new(&sites, measure, words))
    };
    let (graph, (direct, leaks)) = threads::in_parallel(is_large, graph, || (direct(), leaks()));
    MprofReport {
        bins,
        direct,
        leaks,
        graph,
    }
}
