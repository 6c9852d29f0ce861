//! What is in use by place, as it comes and goes.
//!
//! What was in use at the peak is known only at the end. So each place keeps what it had
//! at the greatest peak so far, and a list says which places have changed since: a new
//! peak costs no more than the events that led to it, and all peaks no more than all
//! events.

use crate::model::{AllocationIndex, BlockTotal, ContextId, PlaceHistory};

#[derive(Debug, Default)]
pub(super) struct PlaceStates {
    places: Vec<PlaceState>,
    /// Those that have changed since the peak, each once.
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

    /// A block is in use no more, or in use as a block of another place.
    pub(super) fn release(&mut self, at: ContextId, size: u64) {
        self.change(at).live.remove(size);
    }

    /// A block is freed. Where it is the one that was allocated last at its place, it is
    /// a temporary one.
    pub(super) fn free(&mut self, at: ContextId, index: AllocationIndex, size: u64) {
        let place = self.change(at);
        place.live.remove(size);
        if place.latest == Some(index) {
            place.latest = None;
            place.temporary.add(size);
        }
    }

    /// More is in use than ever before.
    pub(super) fn reach_peak(&mut self) {
        for at in self.changed.drain(..) {
            let place = &mut self.places[at.index()];
            place.at_peak = place.live;
            place.has_changed = false;
        }
    }

    /// What is in use now. Costs places.
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
