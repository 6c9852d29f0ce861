//! Blocks that a trace comes back to.

use proptest::prelude::*;

use super::*;

const WORD: AddressSize = AddressSize::Eight;

fn region(place: u64) -> Region {
    Region { address: Address(0x1000 + 16 * place), size: 1 + place % 7 }
}

/// Events of few blocks, so that they come back, and are freed and allocated twice.
fn events() -> impl Strategy<Value = Vec<TraceEvent>> {
    let event = (0..4_u8, 0..9_u64, 0..50_u64).prop_map(|(kind, index, place)| {
        let index = AllocationIndex(index);
        match kind {
            0 => TraceEvent::Allocated(index, region(place)),
            1 => TraceEvent::Reallocated(index, region(place)),
            2 => TraceEvent::Freed(index),
            _ => TraceEvent::Reserved(region(place)),
        }
    });
    prop::collection::vec(event, 0..40)
}

/// Like the original, remembers every block for ever.
fn remembering(events: &[TraceEvent]) -> Vec<EventOutcome> {
    // A trace that is gone through twice comes back to each block that it frees.
    let all = events.iter().chain(events).copied();
    let mut replay = Replay::new(WORD, Some(Revisited::among(all)));
    let outcomes = events.iter().map(|&event| replay.step(event));
    outcomes.map(|outcome| outcome.expect("all is known")).collect()
}

proptest! {
    #[test]
    fn what_is_thought_to_be_in_order_is_as_if_all_were_remembered(events in events()) {
        let expected = remembering(&events);
        let mut replay = Replay::new(WORD, None);
        let outcomes = events.iter().map_while(|&event| replay.step(event).ok());
        let outcomes: Vec<_> = outcomes.collect();
        prop_assert_eq!(&outcomes[..], &expected[..outcomes.len()]);
    }

    #[test]
    fn what_is_revisited_is_all_that_has_to_be_remembered(events in events()) {
        let revisited = Revisited::among(events.iter().copied());
        let mut replay = Replay::new(WORD, Some(revisited));
        let outcomes = events.iter().map(|&event| replay.step(event));
        let outcomes: Result<Vec<_>, _> = outcomes.collect();
        prop_assert_eq!(outcomes, Ok(remembering(&events)));
    }
}

#[test]
fn a_trace_that_counts_up_is_in_order_to_its_end() {
    let mut replay = Replay::new(WORD, None);
    for number in 0..1000 {
        let index = AllocationIndex(3 * number);
        assert!(replay.step(TraceEvent::Allocated(index, region(number))).is_ok());
        assert!(replay.step(TraceEvent::Reallocated(index, region(7))).is_ok());
        let freed = AllocationIndex(3 * (number / 2));
        if number % 2 == 0 {
            assert!(replay.step(TraceEvent::Freed(freed)).is_ok());
        }
    }
    let again = TraceEvent::Freed(AllocationIndex(0));
    assert_eq!(replay.step(again), Err(OutOfOrder));
}
