//! Which blocks a trace comes back to after they were freed.

use crate::model::AllocationIndex;
use crate::model::{IndexSet, TraceEvent};

/// The blocks that are mentioned again after they were freed, found in a pass over
/// the trace. Genuine new traces have none; in those from before 10404 every
/// reallocated block is one, as a reallocation is a free and an allocation there.
#[derive(Clone, Debug, Default)]
pub struct Revisited {
    indices: IndexSet,
}

impl Revisited {
    /// Looks through the events of a trace, as far as they go.
    pub fn among(events: impl Iterator<Item = TraceEvent>) -> Self {
        let mut freed = IndexSet::default();
        let mut indices = IndexSet::default();
        for event in events {
            let (index, was_freed) = match event {
                TraceEvent::Allocated(index, _) | TraceEvent::Reallocated(index, _) => {
                    (index, freed.contains(index))
                }
                TraceEvent::Freed(index) => (index, !freed.insert(index)),
                TraceEvent::Reserved(_) | TraceEvent::Internal(_) => continue,
            };
            if was_freed {
                indices.insert(index);
            }
        }
        Self { indices }
    }

    pub(super) fn contains(&self, index: AllocationIndex) -> bool {
        !self.indices.is_empty() && self.indices.contains(index)
    }
}
