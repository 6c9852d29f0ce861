//! Contradictions in a trace.

use super::{FirstOf, Warning};
use crate::model::{InvalidEvents, Profile, RecordedCosts};

/// Warns of blocks freed twice, never allocated, or allocated while in use.
pub fn check_trace(profile: &Profile) -> Vec<Warning> {
    let Some(history) = &profile.history else {
        return Vec::new();
    };
    let first = |of: &InvalidEvents| first_of(of, &profile.costs);
    let kinds = [
        first(&history.already_freed).map(|first| Warning::AlreadyFreed { first }),
        first(&history.unknown_blocks).map(|first| Warning::UnknownBlocks { first }),
        first(&history.allocated_twice).map(|first| Warning::AllocatedTwice { first }),
    ];
    kinds.into_iter().flatten().collect()
}

fn first_of(invalid_events: &InvalidEvents, costs: &RecordedCosts) -> Option<FirstOf> {
    let first = invalid_events.first.first()?;
    let context = costs.contexts.get(first.context);
    let location = context.location.map(|id| {
        let location = costs.locations.get(id);
        let file = String::from_utf8_lossy(&location.file);
        let line = location.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{file}{line}")
    });
    let function = context.function.map(|id| {
        let name = &costs.functions[id.index()].name;
        String::from_utf8_lossy(name).into_owned()
    });
    let location = match (function, location) {
        (Some(function), Some(location)) => Some(format!("{function} ({location})")),
        (function, location) => function.or(location),
    };
    Some(FirstOf {
        count: invalid_events.count,
        event: first.event,
        index: first.index.0,
        location,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        AllocationIndex, Context, ContextId, Function, FunctionId, HeapHistory, InvalidEvent,
        LocationId, RecordedLocation,
    };

    fn check(names: &str, expected: &str) {
        let (function, file) = names.split_once(' ').unwrap();
        let mut profile = Profile::default();
        profile.costs.functions.push(Function::named(function.as_bytes()));
        profile
            .costs
            .locations
            .push(RecordedLocation { file: file.as_bytes().into(), line: 7.try_into().ok() });
        profile.costs.contexts.push(Context {
            address: None,
            function: (!function.is_empty()).then_some(FunctionId(0)),
            location: (!file.is_empty()).then_some(LocationId(0)),
            caller: None,
        });
        let mut history = HeapHistory::default();
        for event in [3, 5] {
            history.already_freed.add(InvalidEvent {
                event,
                index: AllocationIndex(9),
                context: ContextId(0),
            });
        }
        profile.history = Some(history);
        let warnings = check_trace(&profile);
        let texts = warnings.iter().map(|w| format!("{} {}", w.code(), w.cause()));
        assert_eq!(texts.collect::<Vec<_>>(), [expected], "{names}");
    }

    #[test]
    fn the_first_block_that_is_freed_twice_is_named() {
        let start =
            "W028 2 events free or reallocate a block that is already free, first event 3, block 9";
        check("f a.c", &format!("{start}, in f (a.c:7): ignored"));
        check("f ", &format!("{start}, in f: ignored"));
        check(" a.c", &format!("{start}, in a.c:7: ignored"));
        check(" ", &format!("{start}: ignored"));
    }
}
