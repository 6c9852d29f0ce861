//! Numbers the blocks in use, for a program that replays a trace.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{BlockStep, BlockStepKind};
use crate::model::{AllocationIndex, IndexSet, TraceEvent};

/// Maximum number of blocks in use that the original can number.
const N_SLOTS: usize = 4096;

/// More blocks are in use than can be numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many allocations in use at a time for a program: there can be 4096")]
pub struct TooManySlots;

/// Numbers blocks in use from 1; the last free number is used first.
#[derive(Debug, Default)]
pub struct SlotTable {
    slots: HashMap<AllocationIndex, usize, RandomState>,
    given_back: Vec<usize>,
    n_slots: usize,
}

impl SlotTable {
    /// The number of a step's block; `None` if it was freed before.
    ///
    /// # Errors
    /// If all numbers are in use.
    pub fn slot(&mut self, step: &BlockStep) -> Result<Option<usize>, TooManySlots> {
        match step.kind {
            BlockStepKind::Allocated => {
                let slot = self.next_slot()?;
                self.slots.insert(step.index, slot);
                Ok(Some(slot))
            }
            BlockStepKind::Reallocated { .. } => Ok(self.slots.get(&step.index).copied()),
            BlockStepKind::Freed { .. } => {
                let slot = self.slots.remove(&step.index);
                self.given_back.extend(slot);
                Ok(slot)
            }
        }
    }

    /// The highest number so far.
    pub fn n_slots(&self) -> usize {
        self.n_slots
    }

    fn next_slot(&mut self) -> Result<usize, TooManySlots> {
        if let Some(slot) = self.given_back.pop() {
            return Ok(slot);
        }
        if self.n_slots == N_SLOTS {
            return Err(TooManySlots);
        }
        self.n_slots += 1;
        Ok(self.n_slots)
    }
}

/// Blocks that a trace refers to after they were freed. Genuine traces of version 10404 or later
/// contain no such references. In older ones they are reallocated blocks, where a reallocation is
/// a free and an allocation.
#[derive(Clone, Debug, Default)]
pub struct Revisited {
    indices: IndexSet,
}

impl Revisited {
    /// Searches the events of a trace, up to its end or first error.
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
