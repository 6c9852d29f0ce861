//! A heap as a whole, and its history over the events of a trace.

use super::{AllocationIndex, ContextId, SizeClass};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockTotal {
    pub count: u64,
    /// The sum of their sizes.
    pub bytes: u64,
}

impl BlockTotal {
    /// Adds a block of `size` bytes. What is too large for a sum stays the largest.
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
/// Events are the allocations, reallocations and frees, counted from 1: a trace
/// knows no other time. A reallocation that an old trace records as a free and an
/// allocation has two numbers, and is one reallocation at the second.
///
/// Lists are bounded, and in a total order: what they rank by, then the number of
/// the event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapHistory {
    pub n_events: u64,
    pub allocations: BlockTotal,
    /// What blocks were reallocated to.
    pub reallocations: BlockTotal,
    /// What was freed, reallocations apart.
    pub frees: BlockTotal,
    /// What came from the system for the heap. Traces miss some of it.
    pub reserved: BlockTotal,
    /// What came from the system for the tracing library. Traces miss some of it.
    pub internal: BlockTotal,
    /// The smallest and the largest size of an allocation or reallocation.
    pub sizes: Option<(u64, u64)>,
    pub live: BlockTotal,
    pub peak_blocks: Peak,
    pub peak_bytes: Peak,
    pub series: LiveHeapSeries,
    /// Blocks that were freed by the event right after their allocation.
    pub temporary: BlockTotal,
    pub longest_lived: Box<[BlockLife]>,
    pub largest_unfreed: Box<[BlockLife]>,
    /// How many blocks were reallocated at all.
    pub n_chains: u64,
    /// The blocks that were reallocated most often.
    pub chains: Box<[ReallocationChain]>,
    /// What there is to tell of places, by context: of all those where blocks were
    /// allocated, and perhaps others before them.
    pub places: Box<[PlaceHistory]>,
    /// What was in use after the events for which that was asked, in their order.
    pub snapshots: Box<[HeapSnapshot]>,
    /// The threads, in order of first appearance.
    pub threads: Box<[ThreadHistory]>,
    /// Events of a block that had been freed before.
    pub already_freed: InvalidEvents,
    /// Frees and reallocations of a block that was never allocated.
    pub unknown_blocks: InvalidEvents,
    /// Allocations of a block that is in use. The one before it counts as never
    /// freed.
    pub allocated_twice: InvalidEvents,
}

/// What became of the blocks of one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceHistory {
    /// Those in use when the most bytes were.
    pub live_at_peak: BlockTotal,
    /// Those that were freed before the next one was allocated there. What another place
    /// reallocated is that place's.
    pub temporary: BlockTotal,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapSnapshot {
    pub event: u64,
    /// What was in use, by the context where it was allocated or reallocated last; later
    /// contexts are not there.
    pub live: Box<[BlockTotal]>,
}

/// A point in the history of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapPoint {
    Start,
    Event(u64),
    Peak,
    End,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// The event that led to it, the first of several; 0 when nothing was ever in use.
    pub event: u64,
    pub live: BlockTotal,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveHeapSeries {
    /// The events that one point stands for; the last one may stand for fewer.
    pub n_events_per_point: u64,
    /// The most blocks and the most bytes in use after any of these events.
    pub points: Box<[BlockTotal]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLife {
    pub index: AllocationIndex,
    pub size: u64,
    pub allocated: u64,
    pub context: ContextId,
    /// The event that freed it, and what did.
    pub freed: Option<(u64, ContextId)>,
}

/// The life of a block that was reallocated.
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
    /// The program's own number of it; 0 where it has only one.
    pub thread: u64,
    pub n_events: u64,
    /// What it allocated, and what it reallocated blocks to.
    pub allocated: BlockTotal,
    /// What it freed, reallocations apart.
    pub freed: BlockTotal,
}

/// Events of one kind that cannot be. They change nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvalidEvents {
    pub count: u64,
    pub first: Vec<InvalidEvent>,
}

/// An event that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidEvent {
    pub event: u64,
    pub index: AllocationIndex,
    pub context: ContextId,
}

impl InvalidEvents {
    /// How many are remembered one by one.
    const N_FIRST: usize = 8;

    /// Adds one that came after those that are here.
    pub fn add(&mut self, invalid_event: InvalidEvent) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < Self::N_FIRST {
            self.first.push(invalid_event);
        }
    }
}

/// The largest sizes of small, medium and large blocks.
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
    /// mpatrol's, where nothing else is asked for.
    fn default() -> Self {
        Self {
            small: 32,
            medium: 256,
            large: 2048,
        }
    }
}

/// Blocks by size: bin 0 counts those of one byte, and so on; the last one counts
/// those of its size and all larger ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeBins {
    /// Blocks by size. A block of no bytes is counted with those of one. Never longer
    /// than the file that they came from, or than 1024 for a trace.
    pub counts: Box<[u64]>,
    pub last_bytes: u64,
    /// How many of the first bin's blocks have no bytes, where that is known: a trace
    /// tells, and a profile counts them as of one byte.
    pub n_empty: u64,
}

/// What a heap profile says of the heap as a whole. These totals include blocks
/// whose allocation has no context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Where the classes of sizes end.
    pub bounds: SizeBounds,
    pub allocated: SizeBins,
    pub freed: SizeBins,
}

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
    /// Whether nothing was counted by size.
    pub fn is_empty(&self) -> bool {
        self.allocated.counts.is_empty() && self.freed.counts.is_empty()
    }
}
