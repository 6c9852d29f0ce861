//! Reads a whole trace into one profile, in one pass.
//!
//! Allocations and frees are charged to the context of the event. A reallocation frees the
//! old block and allocates the new one, both in its context.

mod costs;
mod live_heap;
mod place_states;
#[cfg(test)]
mod places_tests;
mod series;
mod sites;
#[cfg(test)]
mod tests;
mod top;

use std::io::Read;

use super::super::error::ReadError;
use super::super::format::StreamReader;
use super::super::sparse::Bytes;
use super::super::{Claim, Damage, Format, Hints, Layout, Loaded};
use super::trace::TraceReader;
use super::{TRACE_FORMAT, TRACE_MAGIC};
use crate::model::{FileKind, Profile, TraceEvent};
use live_heap::{BlockEvent, LiveHeap};
use sites::EventSites;

/// An allocation trace.
pub(in super::super) struct Trace;

impl Format for Trace {
    fn name(&self) -> &'static str {
        TRACE_FORMAT
    }

    fn sniff(&self, data: Bytes<'_>, _hints: &Hints) -> Claim {
        Claim::certain_if(data.start().starts_with(TRACE_MAGIC))
    }

    fn read(&self, data: Bytes<'_>, hints: &Hints) -> Result<Loaded, ReadError> {
        read(&mut data.whole()?, hints)
    }

    fn stream(&self) -> Option<StreamReader> {
        Some(read)
    }
}

fn read(stream: &mut dyn Read, hints: &Hints) -> Result<Loaded, ReadError> {
    let reader = TraceReader::new(Box::new(stream))?;
    Ok(fold(reader, hints.policy.heap_events))
}

/// First version with reallocation events. Earlier versions record a free and an allocation
/// of the same block in succession.
const FIRST_WITH_REALLOCATIONS: u32 = 10404;

/// Reads a trace up to its end or the first error. Saves the blocks in use after
/// `kept_events`.
fn fold(mut reader: TraceReader<'_>, kept_events: [Option<u64>; 2]) -> Loaded {
    let mut fold = Fold::new(reader.version(), kept_events);
    let damage = loop {
        match reader.next_event() {
            Ok(Some(event)) => fold.event(event, &mut reader),
            Ok(None) => break None,
            Err(error) => break Some(damage(error, &reader)),
        }
    };
    Loaded {
        encoding: Some(reader.encoding()),
        version: Some(reader.version()),
        damage,
        ..Loaded::of(Layout::named("mpatrol allocation trace"), fold.finish())
    }
}

/// The number of bytes after an invalid event is not determined.
fn damage(error: ReadError, reader: &TraceReader<'_>) -> Damage {
    let n_lost = if error.is_cut_off() { reader.n_lost() } else { 0 };
    Damage { error, n_lost }
}

struct Fold {
    heap: LiveHeap,
    sites: EventSites,
    n_events: u64,
    joins_pairs: bool,
    /// Events after which to save the blocks in use.
    kept_events: [Option<u64>; 2],
    /// A free that may be the first half of a reallocation.
    pending: Option<BlockEvent>,
}

impl Fold {
    fn new(version: u32, kept_events: [Option<u64>; 2]) -> Self {
        Self {
            heap: LiveHeap::default(),
            sites: EventSites::default(),
            n_events: 0,
            joins_pairs: version < FIRST_WITH_REALLOCATIONS,
            kept_events,
            pending: None,
        }
    }

    fn event(&mut self, event: TraceEvent, reader: &mut TraceReader<'_>) {
        let index = match event {
            TraceEvent::Reserved(region) => return self.heap.history.reserved.add(region.size),
            TraceEvent::Internal(region) => return self.heap.history.internal.add(region.size),
            TraceEvent::Allocated(index, _)
            | TraceEvent::Reallocated(index, _)
            | TraceEvent::Freed(index) => index,
        };
        self.n_events += 1;
        let block = BlockEvent { number: self.n_events, index, row: self.sites.row_id(reader) };
        self.heap.note_event(block, &self.sites);
        let pending = self.pending.take();
        if let (Some(freed), TraceEvent::Allocated(_, region)) = (pending, event)
            && freed.index == index
            && self.heap.has(index)
        {
            self.keep_snapshot(freed.number);
            self.heap.reallocate(block, region.size, &self.sites);
            return self.keep_snapshot(block.number);
        }
        if let Some(freed) = pending {
            self.heap.free(freed, &self.sites);
            self.keep_snapshot(freed.number);
        }
        match event {
            TraceEvent::Allocated(_, region) => {
                self.heap.allocate(block, region.size, &self.sites);
            }
            TraceEvent::Reallocated(_, region) => {
                self.heap.reallocate(block, region.size, &self.sites);
            }
            _ if self.joins_pairs => {
                self.pending = Some(block);
                return;
            }
            _ => self.heap.free(block, &self.sites),
        }
        self.keep_snapshot(block.number);
    }

    /// Saves the blocks in use after an event, if requested. A pending free happens once the
    /// next event shows that it is not a reallocation.
    fn keep_snapshot(&mut self, event: u64) {
        if self.kept_events.contains(&Some(event)) {
            self.heap.keep_snapshot(event);
        }
    }

    fn finish(mut self) -> Profile {
        if let Some(freed) = self.pending.take() {
            self.heap.free(freed, &self.sites);
            self.keep_snapshot(freed.number);
        }
        let (costs, heap, history) = self.heap.finish(self.n_events, self.sites);
        let kind = FileKind { adds_up: false, ..FileKind::named("an allocation trace") };
        let mut profile = Profile::of_costs(kind, costs);
        profile.heap = Some(heap);
        profile.history = Some(history);
        profile
    }
}
