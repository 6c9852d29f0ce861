//! A trace acted out again, as mptrace 1.4 does it, oddities of the heap included.
//!
//! The original remembers every allocation for ever. Here a freed one is forgotten: a
//! genuine new trace counts its allocations up and never comes back to one. Where a trace
//! does something else ([`OutOfOrder`]) it is gone through for the blocks that it comes
//! back to ([`Revisited`]), and acted out again with these remembered.

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

/// What the table of events says of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventRow {
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
    Allocated,
    Reallocated {
        from: Address,
        /// Whether it had been freed before, which cannot be.
        was_freed: bool,
    },
    Freed {
        /// Events since the first allocation of this index.
        life: u64,
        /// Whether it had been freed before, which cannot be.
        was_freed: bool,
    },
}

/// Something in a trace that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidTraceEvent {
    /// A block was allocated while it was in use.
    AllocatedTwice(AllocationIndex),
    /// A block was reallocated or freed that was never allocated.
    Unknown(AllocationIndex),
    /// A block was reallocated or freed that had been freed.
    AlreadyFreed(AllocationIndex),
}

/// An event may be of a block that was freed and forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfOrder;

/// What is known of a block.
#[derive(Clone, Copy, Debug)]
struct TraceBlock {
    /// The event that used this index first.
    first_event: NonZeroU64,
    region: Region,
}

/// What a trace does behind the event that is acted out.
#[derive(Clone, Debug)]
enum Future {
    /// It is thought to allocate in the order of indices, each once. The next one is
    /// this one or a higher one; `None` behind the last that there is.
    InOrder(Option<AllocationIndex>),
    Known(Revisited),
}

/// What comes of one event: its line, unless it is of an unknown block, and what is wrong
/// with it.
pub type EventOutcome = (Option<EventRow>, Option<InvalidTraceEvent>);

/// The same of an event of a block.
type BlockOutcome = (Option<BlockStep>, Option<InvalidTraceEvent>);

/// The heap as the trace describes it, event by event. This is a hot path.
#[derive(Debug)]
pub struct Replay {
    live: IndexMap<TraceBlock>,
    /// Freed blocks that the trace comes back to.
    freed: HashMap<AllocationIndex, TraceBlock, RandomState>,
    future: Future,
    n_events: u64,
    statistics: Statistics,
}

impl Replay {
    /// An empty heap of a machine with words of this size. `revisited` are the blocks that
    /// have to be remembered once they are freed, where these are known.
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

    /// Acts out one event. An event of an unknown block leaves no row in the table.
    ///
    /// # Errors
    /// When the revisited blocks have to be known. Nothing was acted out then, and nothing
    /// can be any more.
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

    /// What the trace adds up to so far.
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
                free.insert(TraceBlock {
                    first_event,
                    region,
                });
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

    /// A block that is not known was never allocated, or was forgotten.
    #[cold]
    fn unknown(&self, index: AllocationIndex) -> Result<BlockOutcome, OutOfOrder> {
        match self.future {
            Future::InOrder(_) => Err(OutOfOrder),
            Future::Known(_) => Ok((None, Some(InvalidTraceEvent::Unknown(index)))),
        }
    }

    #[inline(always)]
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
