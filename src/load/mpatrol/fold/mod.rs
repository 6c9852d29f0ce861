//! A whole trace, folded into one profile in one pass.
//!
//! Allocations and frees are charged to the place of the event. A reallocation frees
//! what the block was and allocates what it becomes, at the place where it happens.

mod costs;
mod live_heap;
mod series;
mod sites;
#[cfg(test)]
mod tests;
mod top;

use super::super::error::{ReadError, ReadErrorKind};
use super::super::{Damage, Layout, Reading};
use super::TraceError;
use super::trace::TraceReader;
use crate::model::{Profile, TraceEvent};
use live_heap::{BlockEvent, LiveHeap};
use sites::Sites;

/// From this version on traces have reallocations. Before it they were a free and an
/// allocation of the same block, one right after the other.
const FIRST_WITH_REALLOCATIONS: u32 = 10404;

/// Reads a trace to its end, or as far as it goes.
pub(in super::super) fn fold(mut reader: TraceReader<'_>) -> Reading {
    let mut fold = Fold::new(reader.version());
    let damage = loop {
        match reader.next_event() {
            Ok(Some(event)) => fold.event(event, &mut reader),
            Ok(None) => break None,
            Err(error) => break Some(damage(error, &reader)),
        }
    };
    Reading {
        profile: fold.finish(),
        layout: Layout::AllocationTrace,
        encoding: Some(reader.encoding()),
        version: Some(reader.version()),
        damage,
    }
}

/// What follows something senseless may be any number of bytes: nobody looks.
fn damage(error: ReadError, reader: &TraceReader<'_>) -> Damage {
    let n_lost = match error.kind {
        ReadErrorKind::Trace(TraceError::CutOff(_)) => reader.n_lost(),
        _ => 0,
    };
    Damage { error, n_lost }
}

struct Fold {
    heap: LiveHeap,
    sites: Sites,
    n_events: u64,
    joins_pairs: bool,
    /// A free that may turn out to be half of a reallocation.
    pending: Option<BlockEvent>,
}

impl Fold {
    fn new(version: u32) -> Self {
        Self {
            heap: LiveHeap::new(),
            sites: Sites::default(),
            n_events: 0,
            joins_pairs: version < FIRST_WITH_REALLOCATIONS,
            pending: None,
        }
    }

    fn event(&mut self, event: TraceEvent, reader: &mut TraceReader<'_>) {
        let index = match event {
            TraceEvent::Reserved(region) => return self.heap.reserve(region.size),
            TraceEvent::Internal(region) => return self.heap.reserve_internal(region.size),
            TraceEvent::Allocated(index, _)
            | TraceEvent::Reallocated(index, _)
            | TraceEvent::Freed(index) => index,
        };
        self.n_events += 1;
        let block = BlockEvent {
            number: self.n_events,
            index,
            row: self.sites.row_id(reader),
        };
        self.heap.note_event(block, &self.sites);
        let pending = self.pending.take();
        if let (Some(freed), TraceEvent::Allocated(_, region)) = (pending, event)
            && freed.index == index
            && self.heap.has(index)
        {
            return self.heap.reallocate(block, region.size, &self.sites);
        }
        if let Some(freed) = pending {
            self.heap.free(freed, &self.sites);
        }
        match event {
            TraceEvent::Allocated(_, region) => {
                self.heap.allocate(block, region.size, &self.sites);
            }
            TraceEvent::Reallocated(_, region) => {
                self.heap.reallocate(block, region.size, &self.sites);
            }
            _ if self.joins_pairs => self.pending = Some(block),
            _ => self.heap.free(block, &self.sites),
        }
    }

    fn finish(mut self) -> Profile {
        if let Some(freed) = self.pending.take() {
            self.heap.free(freed, &self.sites);
        }
        let (costs, heap, history) = self.heap.finish(self.n_events, self.sites);
        let mut profile = Profile::default();
        profile.costs = costs;
        profile.heap = Some(heap);
        profile.history = Some(history);
        profile
    }
}
