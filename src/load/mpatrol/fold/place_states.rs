//! Blocks in use by context.
//!
//! The peak is known only at the end. So each context stores its value at the highest peak so
//! far, and a list has the contexts that changed since then. A new peak costs at most as much
//! as the events before it, and all peaks as much as all events.

use crate::model::{AllocationIndex, BlockTotal, ContextId, PlaceHistory};

#[derive(Debug, Default)]
pub(super) struct PlaceStates {
    places: Vec<PlaceState>,
    /// Contexts that changed since the peak, without duplicates.
    changed: Vec<ContextId>,
}

#[derive(Clone, Debug, Default)]
struct PlaceState {
    live: BlockTotal,
    at_peak: BlockTotal,
    has_changed: bool,
    latest: Option<AllocationIndex>,
    temporary: BlockTotal,
}

impl PlaceStates {
    pub(super) fn allocate(&mut self, at: ContextId, index: AllocationIndex, size: u64) {
        let place = self.change(at);
        place.live.add(size);
        place.latest = Some(index);
    }

    /// A block is freed, or reallocated elsewhere.
    pub(super) fn release(&mut self, at: ContextId, size: u64) {
        self.change(at).live.remove(size);
    }

    /// A block is freed. If it is the last one allocated in this context, it counts as
    /// temporary.
    pub(super) fn free(&mut self, at: ContextId, index: AllocationIndex, size: u64) {
        let place = self.change(at);
        place.live.remove(size);
        if place.latest == Some(index) {
            place.latest = None;
            place.temporary.add(size);
        }
    }

    /// Records a new peak.
    pub(super) fn reach_peak(&mut self) {
        for at in self.changed.drain(..) {
            let place = &mut self.places[at.index()];
            place.at_peak = place.live;
            place.has_changed = false;
        }
    }

    /// Blocks in use by context. Linear in the number of contexts.
    pub(super) fn live(&self) -> Box<[BlockTotal]> {
        self.places.iter().map(|place| place.live).collect()
    }

    pub(super) fn finish(self) -> Box<[PlaceHistory]> {
        let history = |place: &PlaceState| PlaceHistory {
            live_at_peak: place.at_peak,
            temporary: place.temporary,
        };
        self.places.iter().map(history).collect()
    }

    fn change(&mut self, at: ContextId) -> &mut PlaceState {
        if at.index() >= self.places.len() {
            self.places.resize(at.index() + 1, PlaceState::default());
        }
        let place = &mut self.places[at.index()];
        if !place.has_changed {
            place.has_changed = true;
            self.changed.push(at);
        }
        place
    }
}
