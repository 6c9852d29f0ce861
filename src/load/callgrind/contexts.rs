//! The contexts of a profile without callers: functions at places.

use std::ops::Range;

use super::super::numbered_set::number_of;
use super::super::pair_numbers::PairNumbers;
use crate::model::{Context, ContextId, Contexts, FunctionId, LocationId};

/// The contexts of functions, each once.
///
/// Most files have all lines of a function together. So the places of a function are looked up in
/// a small table, and only those of functions that come again are kept in a large one.
#[derive(Debug, Default)]
pub(super) struct FunctionContexts {
    contexts: Contexts,
    current: Option<FunctionId>,
    /// The places of the current function, and its first context, while it is there for the first
    /// time.
    first: Option<(PairNumbers<()>, u32)>,
    /// By function, from 1, after one for costs outside of functions. Empty if it came again.
    first_contexts: Vec<Option<Range<u32>>>,
    again: PairNumbers<Option<FunctionId>>,
}

impl FunctionContexts {
    /// The context of a function at a place, and whether it is new.
    pub(super) fn number(
        &mut self,
        function: Option<FunctionId>,
        location: Option<LocationId>,
    ) -> (ContextId, bool) {
        if self.current != function || self.first_contexts.is_empty() {
            self.enter(function);
        }
        let (next, place) = (self.contexts.len(), place_number(location));
        let number = match &mut self.first {
            Some((places, _)) => places.number_or((), place, next),
            None => self.again.number_or(function, place, next),
        };
        let is_new = number as usize == next;
        if is_new {
            self.contexts.push(Context { function, location, ..Context::default() });
        }
        (ContextId(number), is_new)
    }

    pub(super) fn finish(self) -> Contexts {
        self.contexts
    }

    fn enter(&mut self, function: Option<FunctionId>) {
        let index_of = |function: Option<FunctionId>| function.map_or(0, |id| id.index() + 1);
        let next = number_of(self.contexts.len());
        if let Some((_, start)) = self.first.take() {
            self.first_contexts[index_of(self.current)] = Some(start..next);
        }
        self.current = function;
        let n_functions = self.first_contexts.len().max(index_of(function) + 1);
        self.first_contexts.resize(n_functions, None);
        match &mut self.first_contexts[index_of(function)] {
            None => self.first = Some((PairNumbers::default(), next)),
            Some(first) => {
                for number in std::mem::take(first) {
                    let place = place_number(self.contexts.get(ContextId(number)).location);
                    self.again.number_or(function, place, number as usize);
                }
            }
        }
    }
}

fn place_number(location: Option<LocationId>) -> u32 {
    location.map_or(u32::MAX, |location| location.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_come_again_keep_their_contexts() {
        let mut contexts = FunctionContexts::default();
        let pairs = [(0, 7), (0, 8), (1, 7), (0, 7), (0, 9), (2, 7), (1, 8), (1, 7), (0, 9)];
        let numbers = pairs.map(|(function, place)| {
            let function = Some(function).filter(|&function| function > 0).map(FunctionId);
            contexts.number(function, Some(LocationId(place))).0.0
        });
        assert_eq!(numbers, [0, 1, 2, 0, 3, 4, 5, 2, 3]);
        assert_eq!(contexts.number(None, None), (ContextId(6), true));
        assert_eq!(contexts.finish().len(), 7);
    }
}
