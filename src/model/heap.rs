//! Totals of a heap, and its history in a trace.

use std::sync::Arc;

use super::{AllocationIndex, ContextId, SizeClass};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockTotal {
    pub count: u64,
    /// Sum of the block sizes.
    pub bytes: u64,
}

impl BlockTotal {
    /// Adds a block of `size` bytes. Sums saturate.
    pub fn add(&mut self, size: u64) {
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(size);
    }

    pub fn remove(&mut self, size: u64) {
        self.count = self.count.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(size);
    }
}

/// The history of a heap over the events of a trace.
///
/// Events are allocations, reallocations and frees, numbered from 1; a trace has no other
/// time. Old traces record a reallocation as a free and an allocation: it has two numbers and
/// counts as one reallocation at the second.
///
/// Lists have a maximum length and a total order: the rank, then the event number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapHistory {
    pub n_events: u64,
    pub allocations: BlockTotal,
    /// Blocks after their reallocation.
    pub reallocations: BlockTotal,
    /// Blocks freed, without reallocations.
    pub frees: BlockTotal,
    /// Memory that the heap obtained from the system. Traces omit some of it.
    pub reserved: BlockTotal,
    /// Memory that the tracing library obtained from the system. Traces omit some of it.
    pub internal: BlockTotal,
    /// Smallest and largest size of an allocation or reallocation, in bytes.
    pub sizes: Option<(u64, u64)>,
    pub live: BlockTotal,
    pub peak_blocks: Peak,
    pub peak_bytes: Peak,
    pub series: LiveHeapSeries,
    /// Blocks freed by the event directly after their allocation.
    pub temporary: BlockTotal,
    pub longest_lived: Box<[BlockLife]>,
    pub largest_unfreed: Box<[BlockLife]>,
    /// Number of blocks reallocated at least once.
    pub n_chains: u64,
    /// The blocks with the most reallocations.
    pub chains: Box<[ReallocationChain]>,
    /// By context: every context that allocated blocks, possibly with others between.
    pub places: Box<[PlaceHistory]>,
    /// Blocks in use after each requested event, in the order of the request.
    pub snapshots: Box<[HeapSnapshot]>,
    /// In order of first appearance.
    pub threads: Box<[ThreadHistory]>,
    /// Events on a block that had already been freed.
    pub already_freed: InvalidEvents,
    /// Frees and reallocations of a block without allocation.
    pub unknown_blocks: InvalidEvents,
    /// Allocations of a block that is in use. The previous block counts as never freed.
    pub allocated_twice: InvalidEvents,
}

/// The blocks of one context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceHistory {
    /// Blocks in use when the heap had the most bytes.
    pub live_at_peak: BlockTotal,
    /// Blocks freed before the next allocation in the same context. A reallocated block
    /// belongs to the context that reallocated it.
    pub temporary: BlockTotal,
}

/// The size of a heap over time, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapSeries {
    /// The unit of times, in the plural.
    pub unit: &'static str,
    pub snapshots: Box<[SnapshotTotal]>,
}

/// The size of a heap at one time, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnapshotTotal {
    pub number: u64,
    /// Since the start of the program.
    pub time: u64,
    /// Memory that the program requested.
    pub heap: u64,
    /// Overhead of the heap: headers of blocks, and alignment.
    pub extra: u64,
    pub stacks: u64,
    /// The file has its call stacks.
    pub is_detailed: bool,
    /// The heap was largest, of those with call stacks.
    pub is_peak: bool,
}

impl SnapshotTotal {
    /// All memory in use. Saturates.
    pub fn all(&self) -> u64 {
        let heap = self.heap.saturating_add(self.extra);
        heap.saturating_add(self.stacks)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapSnapshot {
    pub event: u64,
    /// Blocks in use, by the context of their last allocation or reallocation. Contexts after the
    /// last entry have no blocks.
    pub live: Box<[BlockTotal]>,
}

/// When a snapshot of the heap was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapPoint {
    Start,
    Event(u64),
    Peak,
    End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// The first event that led to this state; 0 if the heap was never used.
    pub event: u64,
    pub live: BlockTotal,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveHeapSeries {
    /// Events per point; the last point may have fewer.
    pub n_events_per_point: u64,
    /// Per point, the maximum of blocks and of bytes in use.
    pub points: Box<[BlockTotal]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLife {
    pub index: AllocationIndex,
    pub size: u64,
    pub allocated: u64,
    pub context: ContextId,
    /// The event that freed it, and its context.
    pub freed: Option<(u64, ContextId)>,
}

/// The history of a reallocated block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReallocationChain {
    pub index: AllocationIndex,
    pub n_reallocations: u64,
    pub allocated: u64,
    pub first_size: u64,
    pub last_size: u64,
    pub first_context: ContextId,
    pub last_context: ContextId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadHistory {
    /// The number that the program gave the thread; 0 in a program with one thread.
    pub thread: u64,
    pub n_events: u64,
    /// Blocks allocated, and blocks after a reallocation.
    pub allocated: BlockTotal,
    /// Blocks freed, without reallocations.
    pub freed: BlockTotal,
}

/// Invalid events of one kind. They change no other number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvalidEvents {
    pub count: u64,
    pub first: Vec<InvalidEvent>,
}

/// An event that contradicts the state of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidEvent {
    pub event: u64,
    pub index: AllocationIndex,
    pub context: ContextId,
}

impl InvalidEvents {
    /// Number of events stored individually.
    const N_FIRST: usize = 8;

    /// Adds a later event.
    pub fn add(&mut self, invalid_event: InvalidEvent) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < Self::N_FIRST {
            self.first.push(invalid_event);
        }
    }
}

/// The largest sizes of small, medium and large blocks, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeBounds {
    pub small: u64,
    pub medium: u64,
    pub large: u64,
}

impl SizeBounds {
    pub fn class(&self, size: u64) -> SizeClass {
        match size {
            _ if size <= self.small => SizeClass::Small,
            _ if size <= self.medium => SizeClass::Medium,
            _ if size <= self.large => SizeClass::Large,
            _ => SizeClass::ExtraLarge,
        }
    }
}

impl Default for SizeBounds {
    /// The bounds that mpatrol uses by default.
    fn default() -> Self {
        Self { small: 32, medium: 256, large: 2048 }
    }
}

/// Blocks by size: bin 0 counts blocks of one byte; the last bin also counts all larger
/// blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeBins {
    /// Blocks by size. Empty blocks are in the first bin. The length is at most the length in the
    /// file, or 1024 for a trace.
    pub counts: Box<[u64]>,
    pub last_bytes: u64,
    /// Empty blocks in the first bin; `None` for a profile, which does not distinguish them.
    pub n_empty: u64,
}

/// Totals of a heap profile. They include blocks whose allocation has no context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// The bounds of the size classes.
    pub bounds: SizeBounds,
    pub allocated: SizeBins,
    pub freed: SizeBins,
    /// The names of call sites that differ from the names of their functions, in ascending order;
    /// `None` for no name. No profiler writes them.
    pub other_names: Box<[SiteName]>,
    /// The symbols of call sites that are not in the table of symbols, by their numbers, in
    /// ascending order of call sites. Written by no profiler.
    pub other_symbols: Box<[(ContextId, u64)]>,
}

/// A call site and its name, if it has one.
pub type SiteName = (ContextId, Option<Arc<[u8]>>);

impl SizeBins {
    pub fn n_blocks(&self) -> i128 {
        self.counts.iter().map(|&count| i128::from(count)).sum()
    }

    pub fn n_bytes(&self) -> i128 {
        let Some((_, ordinary)) = self.counts.split_last() else {
            return 0;
        };
        let sized = (1..).zip(ordinary);
        let bytes = sized.map(|(size, &count): (i128, _)| size * i128::from(count));
        bytes.sum::<i128>() + i128::from(self.last_bytes) - i128::from(self.n_empty)
    }
}

impl Heap {
    /// Returns whether all bins are zero.
    pub fn is_empty(&self) -> bool {
        self.allocated.counts.is_empty() && self.freed.counts.is_empty()
    }
}
