//! The state of the heap during a trace, and its history.

use std::cmp::Reverse;

use super::costs::SiteValues;
use super::place_states::PlaceStates;
use super::series::SeriesBuilder;
use super::sites::{EventSites, RowId};
use super::top::Top;
use crate::model::{
    AllocationIndex, BlockLife, BlockTotal, ContextId, Heap, HeapHistory, HeapSnapshot, IndexMap,
    IndexSet, InvalidEvent, InvalidEvents, Peak, ReallocationChain, RecordedCosts, ThreadHistory,
};

#[derive(Clone, Copy, Debug)]
struct LiveBlock {
    allocated: u64,
    first_size: u64,
    size: u64,
    /// Context of its allocation.
    first_row: RowId,
    /// Context of its last allocation or reallocation.
    row: RowId,
    n_reallocations: u32,
}

/// The heap, event by event. Memory depends on the blocks in use, the places of events, and a
/// few bits for each freed block. A hot path.
#[derive(Default)]
pub(super) struct LiveHeap {
    blocks: IndexMap<LiveBlock>,
    freed: IndexSet,
    costs: SiteValues,
    places: PlaceStates,
    snapshots: Vec<HeapSnapshot>,
    series: SeriesBuilder,
    pub(super) history: HeapHistory,
    threads: Vec<ThreadHistory>,
    longest_lived: Top<(u64, u64, Reverse<u64>), BlockLife>,
    chains: Top<(u32, u64, Reverse<u64>), ReallocationChain>,
    largest_unfreed: Top<(u64, Reverse<u64>), BlockLife>,
}

/// An event of a block: event number, block and context.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockEvent {
    pub(super) number: u64,
    pub(super) index: AllocationIndex,
    pub(super) row: RowId,
}

impl LiveHeap {
    pub(super) fn has(&self, index: AllocationIndex) -> bool {
        self.blocks.contains_key(&index)
    }

    /// Counts an event.
    pub(super) fn note_event(&mut self, event: BlockEvent, sites: &EventSites) {
        let row = sites.row(event.row);
        if row.thread_index == self.threads.len() {
            self.threads.push(ThreadHistory {
                thread: row.thread,
                n_events: 0,
                allocated: BlockTotal::default(),
                freed: BlockTotal::default(),
            });
        }
        self.thread(event, sites).n_events += 1;
    }

    pub(super) fn allocate(&mut self, event: BlockEvent, size: u64, sites: &EventSites) {
        self.thread(event, sites).allocated.add(size);
        self.history.allocations.add(size);
        self.freed.remove(event.index);
        let block = LiveBlock {
            allocated: event.number,
            first_size: size,
            size,
            first_row: event.row,
            row: event.row,
            n_reallocations: 0,
        };
        if let Some(lost) = self.blocks.insert(event.index, block) {
            self.history.allocated_twice.add(invalid_event(event, sites));
            self.keep_unfreed(event.index, lost, sites);
        }
        self.costs.allocate(event.row, size);
        self.places.allocate(context(event.row, sites), event.index, size);
        self.history.live.add(size);
        self.note_size(size);
        self.note_live(event.number);
    }

    pub(super) fn reallocate(&mut self, event: BlockEvent, size: u64, sites: &EventSites) {
        let Some(block) = self.blocks.get_mut(&event.index) else {
            self.note_invalid(event, sites);
            return;
        };
        let old = *block;
        block.size = size;
        block.row = event.row;
        block.n_reallocations = block.n_reallocations.saturating_add(1);
        self.thread(event, sites).allocated.add(size);
        self.history.n_chains += u64::from(old.n_reallocations == 0);
        self.history.reallocations.add(size);
        self.costs.release(old.row, event.row, old.size);
        self.costs.allocate(event.row, size);
        self.places.release(context(old.row, sites), old.size);
        self.places.allocate(context(event.row, sites), event.index, size);
        self.history.live.remove(old.size);
        self.history.live.add(size);
        self.note_size(size);
        self.note_live(event.number);
    }

    pub(super) fn free(&mut self, event: BlockEvent, sites: &EventSites) {
        let Some(block) = self.blocks.remove(&event.index) else {
            self.note_invalid(event, sites);
            return;
        };
        self.freed.insert(event.index);
        self.thread(event, sites).freed.add(block.size);
        self.history.frees.add(block.size);
        self.costs.release(block.row, event.row, block.size);
        self.places.free(context(block.row, sites), event.index, block.size);
        let life = event.number - block.allocated;
        if life == 1 && block.n_reallocations == 0 {
            self.history.temporary.add(block.size);
        }
        let rank = (life, block.size, Reverse(block.allocated));
        self.longest_lived.offer(rank, || BlockLife {
            freed: Some((event.number, context(event.row, sites))),
            ..life_of(event.index, block, sites)
        });
        self.keep_chain(event.index, block, sites);
        self.history.live.remove(block.size);
        self.note_live(event.number);
    }

    /// Saves the blocks in use by context, after an event.
    pub(super) fn keep_snapshot(&mut self, event: u64) {
        let live = self.places.live();
        self.snapshots.push(HeapSnapshot { event, live });
    }

    /// The history, after `n_events` events.
    pub(super) fn finish(
        mut self,
        n_events: u64,
        sites: EventSites,
    ) -> (RecordedCosts, Heap, HeapHistory) {
        for (index, block) in std::mem::take(&mut self.blocks) {
            self.keep_unfreed(index, block, &sites);
        }
        let history = HeapHistory {
            n_events,
            series: self.series.finish(),
            longest_lived: self.longest_lived.into_sorted(),
            largest_unfreed: self.largest_unfreed.into_sorted(),
            chains: self.chains.into_sorted(),
            threads: self.threads.into(),
            places: self.places.finish(),
            snapshots: self.snapshots.into(),
            ..self.history
        };
        let (costs, heap) = self.costs.finish(sites);
        (costs, heap, history)
    }

    fn thread(&mut self, event: BlockEvent, sites: &EventSites) -> &mut ThreadHistory {
        &mut self.threads[sites.row(event.row).thread_index]
    }

    /// Counts an event of a block that is not in use, without any other effect.
    fn note_invalid(&mut self, event: BlockEvent, sites: &EventSites) {
        let invalid_events: &mut InvalidEvents = if self.freed.contains(event.index) {
            &mut self.history.already_freed
        } else {
            &mut self.history.unknown_blocks
        };
        invalid_events.add(invalid_event(event, sites));
        self.series.note(event.number, self.history.live);
    }

    fn keep_unfreed(&mut self, index: AllocationIndex, block: LiveBlock, sites: &EventSites) {
        let rank = (block.size, Reverse(block.allocated));
        self.largest_unfreed.offer(rank, || life_of(index, block, sites));
        self.keep_chain(index, block, sites);
    }

    fn keep_chain(&mut self, index: AllocationIndex, block: LiveBlock, sites: &EventSites) {
        if block.n_reallocations == 0 {
            return;
        }
        let rank = (block.n_reallocations, block.size, Reverse(block.allocated));
        self.chains.offer(rank, || ReallocationChain {
            index,
            n_reallocations: u64::from(block.n_reallocations),
            allocated: block.allocated,
            first_size: block.first_size,
            last_size: block.size,
            first_context: context(block.first_row, sites),
            last_context: context(block.row, sites),
        });
    }

    fn note_size(&mut self, size: u64) {
        let (smallest, largest) = self.history.sizes.get_or_insert((size, size));
        *smallest = size.min(*smallest);
        *largest = size.max(*largest);
    }

    fn note_live(&mut self, event: u64) {
        let live = self.history.live;
        if live.count > self.history.peak_blocks.live.count {
            self.history.peak_blocks = Peak { event, live };
        }
        if live.bytes > self.history.peak_bytes.live.bytes {
            self.history.peak_bytes = Peak { event, live };
            self.places.reach_peak();
        }
        self.series.note(event, live);
    }
}

fn context(row: RowId, sites: &EventSites) -> ContextId {
    sites.row(row).context
}

fn invalid_event(event: BlockEvent, sites: &EventSites) -> InvalidEvent {
    InvalidEvent { event: event.number, index: event.index, context: context(event.row, sites) }
}

fn life_of(index: AllocationIndex, block: LiveBlock, sites: &EventSites) -> BlockLife {
    BlockLife {
        index,
        size: block.size,
        allocated: block.allocated,
        context: context(block.row, sites),
        freed: None,
    }
}
