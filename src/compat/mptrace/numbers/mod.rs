//! A trace acted out again, as mptrace 1.4 does it, oddities of the heap included.
//!
//! The original remembers every allocation for ever. Here a freed one is forgotten,
//! unless [`Revisited`] knows from a first pass that the trace comes back to it.

mod revisited;
mod slots;
mod statistics;

pub use revisited::Revisited;
pub use slots::{SlotTable, TooManySlots};
pub use statistics::Statistics;

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::{Address, AddressSize, AllocationIndex, BlockTotal, Region, TraceEvent};

/// What the table of events says of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Memory for the heap.
    Reserved(Region),
    /// Memory for the tracing library.
    Internal(Region),
    /// An event of a block.
    Block(BlockStep),
}

/// What the table of events says of an event of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockStep {
    /// The number of the event, from 1 on.
    pub number: u64,
    /// The block.
    pub index: AllocationIndex,
    /// What happened to it.
    pub kind: BlockStepKind,
    /// Where it is now, or was before it was freed.
    pub region: Region,
    /// Blocks and bytes in use afterwards.
    pub in_use: BlockTotal,
}

/// What happened to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockStepKind {
    /// It was allocated.
    Allocated,
    /// It was reallocated.
    Reallocated {
        /// Where it was.
        from: Address,
        /// Whether it had been freed before, which cannot be.
        was_freed: bool,
    },
    /// It was freed.
    Freed {
        /// Events since the first allocation of this index.
        life: u64,
        /// Whether it had been freed before, which cannot be.
        was_freed: bool,
    },
}

/// Something in a trace that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidEvent {
    /// A block was allocated while it was in use.
    AllocatedTwice(AllocationIndex),
    /// A block was reallocated or freed that was never allocated.
    Unknown(AllocationIndex),
    /// A block was reallocated or freed that had been freed.
    AlreadyFreed(AllocationIndex),
}

/// What is known of a block.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The event that used this index first.
    first_event: u64,
    region: Region,
    is_freed: bool,
}

/// The heap as the trace describes it, event by event. This is a hot path.
#[derive(Debug)]
pub struct Replay {
    entries: HashMap<AllocationIndex, Entry, RandomState>,
    revisited: Revisited,
    n_events: u64,
    statistics: Statistics,
}

impl Replay {
    /// An empty heap of a machine with words of this size. `revisited` are the
    /// blocks that have to be remembered once they are freed.
    #[must_use]
    pub fn new(word: AddressSize, revisited: Revisited) -> Self {
        Self {
            entries: HashMap::default(),
            revisited,
            n_events: 0,
            statistics: Statistics::new(word),
        }
    }

    /// Acts out one event. An event of an unknown block leaves no row in the table.
    pub fn step(&mut self, event: TraceEvent) -> (Option<Step>, Option<InvalidEvent>) {
        match event {
            TraceEvent::Reserved(region) => {
                self.statistics.reserve(region.size);
                return (Some(Step::Reserved(region)), None);
            }
            TraceEvent::Internal(region) => {
                self.statistics.reserve_internal(region.size);
                return (Some(Step::Internal(region)), None);
            }
            _ => self.n_events += 1,
        }
        let (step, invalid_event) = match event {
            TraceEvent::Allocated(index, region) => self.allocate(index, region),
            TraceEvent::Reallocated(index, region) => self.reallocate(index, region),
            TraceEvent::Freed(index) => self.free(index),
            TraceEvent::Reserved(_) | TraceEvent::Internal(_) => (None, None),
        };
        (step.map(Step::Block), invalid_event)
    }

    /// What the trace adds up to so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn allocate(
        &mut self,
        index: AllocationIndex,
        region: Region,
    ) -> (Option<BlockStep>, Option<InvalidEvent>) {
        let mut invalid_event = None;
        let entry = self.entries.entry(index).or_insert(Entry {
            first_event: self.n_events,
            region,
            is_freed: true,
        });
        if !entry.is_freed {
            invalid_event = Some(InvalidEvent::AllocatedTwice(index));
        }
        entry.region = region;
        entry.is_freed = false;
        self.statistics.allocate(region.size);
        let step = self.block_step(index, BlockStepKind::Allocated, region);
        (Some(step), invalid_event)
    }

    fn reallocate(
        &mut self,
        index: AllocationIndex,
        region: Region,
    ) -> (Option<BlockStep>, Option<InvalidEvent>) {
        let Some(entry) = self.entries.get_mut(&index) else {
            return (None, Some(InvalidEvent::Unknown(index)));
        };
        let was_freed = entry.is_freed;
        let old = std::mem::replace(&mut entry.region, region);
        self.statistics.reallocate(old.size, region.size);
        let from = old.address;
        let kind = BlockStepKind::Reallocated { from, was_freed };
        let step = self.block_step(index, kind, region);
        let invalid_event = was_freed.then_some(InvalidEvent::AlreadyFreed(index));
        (Some(step), invalid_event)
    }

    fn free(&mut self, index: AllocationIndex) -> (Option<BlockStep>, Option<InvalidEvent>) {
        let Some(entry) = self.entries.get_mut(&index) else {
            return (None, Some(InvalidEvent::Unknown(index)));
        };
        let was_freed = std::mem::replace(&mut entry.is_freed, true);
        let Entry {
            region,
            first_event,
            ..
        } = *entry;
        if !self.revisited.contains(index) {
            self.entries.remove(&index);
        }
        self.statistics.free(region.size);
        let life = self.n_events - first_event;
        let kind = BlockStepKind::Freed { life, was_freed };
        let step = self.block_step(index, kind, region);
        let invalid_event = was_freed.then_some(InvalidEvent::AlreadyFreed(index));
        (Some(step), invalid_event)
    }

    fn block_step(&self, index: AllocationIndex, kind: BlockStepKind, region: Region) -> BlockStep {
        BlockStep {
            number: self.n_events,
            index,
            kind,
            region,
            in_use: self.statistics.in_use(),
        }
    }
}
