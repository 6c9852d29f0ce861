//! The numbers of mprof's tables, as mprof 1.3 gets them.
//!
//! All sums are words of the profiled machine and wrap round as they do. Rows are
//! contexts that stand next to each other by address and are of one function, so a
//! function may have several rows where functions overlap.
//!
//! Everything costs about as much as there are contexts, however they are spread
//! over functions and however deep stacks are: stacks are told apart by numbers
//! (see `stacks`), and the call graph is summed over the tree of contexts (see `sweep`).

mod amounts;
mod bins;
mod direct;
mod dot;
mod edges;
mod graph;
mod leaks;
mod share;
mod sites;
mod stacks;
mod sweep;
#[cfg(test)]
mod tests;
mod tree;

pub use amounts::Measure;
pub use bins::{BinAmounts, BinRow, BinTable, BinTotal};
pub use direct::{DirectRow, DirectTable, DirectTotal};
pub use dot::Drawing;
pub use graph::{AllocationGraph, Edge, Node};
pub use leaks::{Leak, LeakAmounts, LeakTable};
pub use share::{Classes, Part, Share};

use crate::compat::words::Words;
use crate::model::{AddressSize, Heap, Profile};
use crate::threads;
use sites::Sites;
use tree::Levels;

/// What mprof can be asked to do.
#[derive(Clone, Copy, Debug)]
pub struct MprofOptions {
    /// Rows are of single return addresses, not of functions.
    pub by_address: bool,
    /// What tables are about in the first place.
    pub measure: Measure,
    /// How many frames of a stack make leaks different; `None` for all.
    pub stack_depth: Option<u64>,
    /// Whether there must be a call graph.
    pub has_graph: bool,
}

/// The numbers of all tables.
#[derive(Clone, Debug)]
pub struct MprofReport {
    /// Blocks by size.
    pub bins: BinTable,
    /// What was allocated where.
    pub direct: DirectTable,
    /// What was not freed.
    pub leaks: LeakTable,
    /// Who called for what.
    pub graph: Option<AllocationGraph>,
}

/// From so many contexts on the tables are made side by side.
const SIDE_BY_SIDE: usize = 1 << 15;

/// Counts what is in an allocation profile of a machine with words of this size.
pub fn mprof(profile: &Profile, word: AddressSize, options: &MprofOptions) -> MprofReport {
    let words = Words::of(word);
    let no_heap = Heap::default();
    let heap = profile.heap.as_ref().unwrap_or(&no_heap);
    let measure = options.measure;
    let bins = BinTable::new(heap, words);
    let is_large = profile.costs.contexts.len() >= SIDE_BY_SIDE;
    let sites = || Sites::new(&profile.costs, options.by_address);
    let levels = || {
        let contexts = &profile.costs.contexts;
        options.has_graph.then(|| Levels::new(contexts))
    };
    let (sites, levels) = threads::side_by_side(is_large, sites, levels);
    let direct = || DirectTable::new(&sites, &bins.total, measure, words);
    let leaks = || LeakTable::new(&sites, &bins.total, measure, words, options.stack_depth);
    let graph = || {
        let levels = levels?;
        Some(AllocationGraph::new(levels, &sites, measure, words))
    };
    let (graph, (direct, leaks)) = threads::side_by_side(is_large, graph, || (direct(), leaks()));
    MprofReport {
        bins,
        direct,
        leaks,
        graph,
    }
}
