//! Replays a trace as mptrace 1.4 does, including the oddities of its heap.
//!
//! The original stores every allocation. Here freed ones are forgotten: a genuine new trace
//! numbers allocations consecutively and does not refer to freed ones. If a trace does
//! ([`OutOfOrder`]), it is searched for the blocks that it refers to again ([`Revisited`]),
//! and replayed with these stored.

mod slots;
mod statistics;
#[cfg(test)]
mod tests;

pub use slots::{Revisited, SlotTable, TooManySlots};
pub use statistics::Statistics;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::num::NonZeroU64;

use foldhash::fast::RandomState;

use crate::model::{
    Address, AddressSize, AllocationIndex, BlockTotal, IndexMap, Region, TraceEvent,
};

/// A row of the table of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventRow {
    /// Memory for the heap.
    Reserved(Region),
    /// Memory for the tracing library.
    Internal(Region),
    /// An event of a block.
    Block(BlockStep),
}

/// A row about an event of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockStep {
    /// Number of the event, from 1.
    pub number: u64,
    pub index: AllocationIndex,
    /// The kind of event.
    pub kind: BlockStepKind,
    /// Present region, or the last one of a freed block.
    pub region: Region,
    /// Blocks and bytes in use after the event.
    pub in_use: BlockTotal,
}

/// The kind of event of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockStepKind {
    Allocated,
    Reallocated {
        from: Address,
        /// Whether it had been freed before, which is invalid.
        was_freed: bool,
    },
    Freed {
        /// Events since the first allocation with this index.
        life: u64,
        /// Whether it had been freed before, which is invalid.
        was_freed: bool,
    },
}

/// An invalid event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTraceEvent {
    /// The block is in use already.
    AllocatedTwice(AllocationIndex),
    /// The block was never allocated.
    Unknown(AllocationIndex),
    /// The block was freed already.
    AlreadyFreed(AllocationIndex),
}

/// An event may refer to a block that was freed and forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfOrder;

/// The state of a block.
#[derive(Clone, Copy, Debug)]
struct TraceBlock {
    /// The first event with this index.
    first_event: NonZeroU64,
    region: Region,
}

/// Expectations about the rest of the trace.
#[derive(Clone, Debug)]
enum Future {
    /// It is expected to allocate in the order of indices. The next index is this one or
    /// higher; `None` after the maximum.
    InOrder(Option<AllocationIndex>),
    Known(Revisited),
}

/// The row of an event, unless its block is unknown, and its error.
pub type EventOutcome = (Option<EventRow>, Option<InvalidTraceEvent>);

/// The same for an event of a block.
type BlockOutcome = (Option<BlockStep>, Option<InvalidTraceEvent>);

/// The heap during the trace. A hot path.
#[derive(Debug)]
pub struct Replay {
    live: IndexMap<TraceBlock>,
    /// Freed blocks that the trace refers to later.
    freed: HashMap<AllocationIndex, TraceBlock, RandomState>,
    future: Future,
    n_events: u64,
    statistics: Statistics,
}

impl Replay {
    /// An empty heap, for words of this size. `revisited` has the blocks to store after they
    /// are freed, if known.
    pub fn new(word: AddressSize, revisited: Option<Revisited>) -> Self {
        Self {
            live: IndexMap::default(),
            freed: HashMap::default(),
            future: match revisited {
                Some(revisited) => Future::Known(revisited),
                None => Future::InOrder(Some(AllocationIndex(0))),
            },
            n_events: 0,
            statistics: Statistics::new(word),
        }
    }

    /// Replays an event. An event of an unknown block has no row.
    ///
    /// # Errors
    /// If the revisited blocks must be known. The event was not replayed, and the replay must
    /// be restarted.
    #[inline(always)]
    pub fn step(&mut self, event: TraceEvent) -> Result<EventOutcome, OutOfOrder> {
        match event {
            TraceEvent::Reserved(region) => {
                self.statistics.reserve(region.size);
                return Ok((Some(EventRow::Reserved(region)), None));
            }
            TraceEvent::Internal(region) => {
                self.statistics.reserve_internal(region.size);
                return Ok((Some(EventRow::Internal(region)), None));
            }
            _ => self.n_events += 1,
        }
        let (step, invalid_event) = match event {
            TraceEvent::Allocated(index, region) => self.allocate(index, region)?,
            TraceEvent::Reallocated(index, region) => self.reallocate(index, region)?,
            TraceEvent::Freed(index) => self.free(index)?,
            TraceEvent::Reserved(_) | TraceEvent::Internal(_) => (None, None),
        };
        Ok((step.map(EventRow::Block), invalid_event))
    }

    /// The sums so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    #[inline(always)]
    fn allocate(
        &mut self,
        index: AllocationIndex,
        region: Region,
    ) -> Result<BlockOutcome, OutOfOrder> {
        if let Future::InOrder(next) = &mut self.future {
            if next.is_none_or(|next| index < next) {
                return Err(OutOfOrder);
            }
            *next = index.0.checked_add(1).map(AllocationIndex);
        }
        let first_event = self.n_events.try_into();
        let first_event = first_event.expect("this is an event at least");
        let known = match self.future {
            Future::InOrder(_) => None,
            Future::Known(_) => self.freed.remove(&index),
        };
        let first_event = known.map_or(first_event, |block| block.first_event);
        let invalid_event = match self.live.entry(index) {
            Entry::Occupied(live) => {
                live.into_mut().region = region;
                Some(InvalidTraceEvent::AllocatedTwice(index))
            }
            Entry::Vacant(free) => {
                free.insert(TraceBlock { first_event, region });
                None
            }
        };
        self.statistics.allocate(region.size);
        let step = self.block_step(index, BlockStepKind::Allocated, region);
        Ok((Some(step), invalid_event))
    }

    #[inline(always)]
    fn reallocate(
        &mut self,
        index: AllocationIndex,
        region: Region,
    ) -> Result<BlockOutcome, OutOfOrder> {
        let live = self.live.get_mut(&index);
        let was_freed = live.is_none();
        let Some(block) = live.or_else(|| self.freed.get_mut(&index)) else {
            return self.unknown(index);
        };
        let old = std::mem::replace(&mut block.region, region);
        self.statistics.reallocate(old.size, region.size);
        let from = old.address;
        let kind = BlockStepKind::Reallocated { from, was_freed };
        let step = self.block_step(index, kind, region);
        let invalid_event = was_freed.then_some(InvalidTraceEvent::AlreadyFreed(index));
        Ok((Some(step), invalid_event))
    }

    #[inline(always)]
    fn free(&mut self, index: AllocationIndex) -> Result<BlockOutcome, OutOfOrder> {
        let live = self.live.remove(&index);
        let was_freed = live.is_none();
        let Some(block) = live.or_else(|| self.freed.get(&index).copied()) else {
            return self.unknown(index);
        };
        if let Future::Known(revisited) = &self.future
            && revisited.contains(index)
        {
            self.freed.insert(index, block);
        }
        self.statistics.free(block.region.size);
        let life = self.n_events - block.first_event.get();
        let kind = BlockStepKind::Freed { life, was_freed };
        let step = self.block_step(index, kind, block.region);
        let invalid_event = was_freed.then_some(InvalidTraceEvent::AlreadyFreed(index));
        Ok((Some(step), invalid_event))
    }

    /// An unknown block was never allocated, or was forgotten.
    #[cold]
    fn unknown(&self, index: AllocationIndex) -> Result<BlockOutcome, OutOfOrder> {
        match self.future {
            Future::InOrder(_) => Err(OutOfOrder),
            Future::Known(_) => Ok((None, Some(InvalidTraceEvent::Unknown(index)))),
        }
    }

    #[inline(always)]
    fn block_step(&self, index: AllocationIndex, kind: BlockStepKind, region: Region) -> BlockStep {
        BlockStep { number: self.n_events, index, kind, region, in_use: self.statistics.in_use() }
    }
}
