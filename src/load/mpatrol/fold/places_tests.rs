//! Compares the memory in use by place with a heap computed anew for each event.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::fold;
use super::tests::trace;
use crate::load::mpatrol::TraceReader;
use crate::model::{BlockTotal, HeapHistory, Profile};

/// An event of a made trace.
#[derive(Clone, Copy)]
enum Event {
    Allocate(u64, u64, usize),
    Reallocate(u64, u64, usize),
    Free(u64),
}

const PLACES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Bytes and blocks by place.
type Live = BTreeMap<String, (u64, u64)>;

/// The blocks in use after so many events: their sizes and places, and since when they belong to
/// that place.
fn blocks_after(events: &[Event]) -> BTreeMap<u64, (u64, usize, usize)> {
    let mut blocks = BTreeMap::new();
    for (number, &event) in events.iter().enumerate() {
        match event {
            Event::Allocate(index, size, place) => {
                blocks.insert(index, (size, place, number));
            }
            Event::Reallocate(index, size, place) => {
                if let Some(block) = blocks.get_mut(&index) {
                    *block = (size, place, number);
                }
            }
            Event::Free(index) => {
                blocks.remove(&index);
            }
        }
    }
    blocks
}

fn live_after(events: &[Event]) -> Live {
    let mut live = Live::new();
    for (size, place, _) in blocks_after(events).into_values() {
        let (bytes, blocks) = live.entry(PLACES[place].to_owned()).or_default();
        *bytes += size;
        *blocks += 1;
    }
    live
}

fn bytes_of(live: &Live) -> u64 {
    live.values().map(|(bytes, _)| bytes).sum()
}

/// For every free, whether anything came to its block's place after the block.
fn temporary(events: &[Event]) -> Live {
    let mut found = Live::new();
    for (number, &event) in events.iter().enumerate() {
        let Event::Free(index) = event else { continue };
        let blocks = blocks_after(&events[..number]);
        let Some(&(size, place, since)) = blocks.get(&index) else {
            continue;
        };
        let is_later = |event: &Event| match *event {
            Event::Allocate(_, _, at) | Event::Reallocate(_, _, at) => at == place,
            Event::Free(_) => false,
        };
        if !events[since + 1..number].iter().any(is_later) {
            let (bytes, n_blocks) = found.entry(PLACES[place].to_owned()).or_default();
            *bytes += size;
            *n_blocks += 1;
        }
    }
    found
}

/// Numbers that look like chance, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// Events in which blocks come and go, and their numbers come again.
fn made(seed: u64, n_events: usize) -> Vec<Event> {
    let mut dice = Dice(seed);
    let mut events: Vec<Event> = Vec::new();
    while events.len() < n_events {
        let live: Vec<u64> = blocks_after(&events).into_keys().collect();
        let place = usize::try_from(dice.below(PLACES.len() as u64)).expect("it is small");
        let size = dice.below(1000);
        let one_of_live = |dice: &mut Dice| {
            let n_live = u64::try_from(live.len()).expect("it is small");
            let nth = dice.below(n_live.max(1));
            live.get(usize::try_from(nth).expect("it is small")).copied()
        };
        events.push(match (dice.below(10), one_of_live(&mut dice)) {
            (0..=3, Some(index)) => Event::Free(index),
            (4, Some(index)) => Event::Reallocate(index, size, place),
            _ => {
                let free = (1..).find(|index| !live.contains(index));
                Event::Allocate(free.expect("there are enough"), size, place)
            }
        });
    }
    events
}

fn formatted(events: &[Event]) -> String {
    let mut words = String::new();
    for event in events {
        let written = match *event {
            Event::Allocate(index, size, at) => write!(words, "A{index}:{size}@{} ", PLACES[at]),
            Event::Reallocate(index, size, at) => write!(words, "R{index}:{size}@{} ", PLACES[at]),
            Event::Free(index) => write!(words, "F{index}@z "),
        };
        written.expect("strings take everything");
    }
    words
}

fn folded(version: u32, events: &str, kept: [Option<u64>; 2]) -> (Profile, HeapHistory) {
    let bytes = trace(version, events);
    let reader = TraceReader::new(Box::new(bytes.as_slice())).expect("the header is whole");
    let profile = fold(reader, kept).profile;
    let history = profile.history.clone().expect("it is a trace");
    (profile, history)
}

fn by_name(profile: &Profile, totals: impl Iterator<Item = BlockTotal>) -> Live {
    let costs = &profile.costs;
    let named = costs.contexts.iter().zip(totals).map(|(context, total)| {
        let function = context.function.expect("all places have names");
        let name = &costs.functions[function.0 as usize].name;
        let name = String::from_utf8_lossy(name).into_owned();
        (name, (total.bytes, total.count))
    });
    named.filter(|(_, (_, count))| *count > 0).collect()
}

#[test]
fn places_have_what_a_heap_worked_out_anew_has() {
    for seed in 1..40 {
        let n_events = 3 + usize::try_from(seed * 4).expect("it is small");
        let events = made(seed, n_events);
        let middle = seed.min(n_events as u64 / 2);
        let kept = [Some(middle), Some(n_events as u64)];
        let (profile, history) = folded(10501, &formatted(&events), kept);

        let lives: Vec<Live> = (0..=n_events).map(|n| live_after(&events[..n])).collect();
        let peak = lives.iter().map(bytes_of).max().expect("there are some");
        let first = lives.iter().position(|live| bytes_of(live) == peak);
        let first = first.expect("it is one of them");
        assert_eq!(history.peak_bytes.event, first as u64, "seed {seed}");
        let at_peak = history.places.iter().map(|place| place.live_at_peak);
        assert_eq!(by_name(&profile, at_peak), lives[first], "seed {seed}");

        let found = history.places.iter().map(|place| place.temporary);
        assert_eq!(by_name(&profile, found), temporary(&events), "seed {seed}");

        let snapshot = |event: u64| {
            let mut all = history.snapshots.iter();
            let one = all.find(|one| one.event == event);
            let one = one.expect("it was asked for");
            by_name(&profile, one.live.iter().copied())
        };
        let nth = usize::try_from(middle).expect("it is small");
        assert_eq!(snapshot(middle), lives[nth], "seed {seed}");
        assert_eq!(snapshot(n_events as u64), lives[n_events], "seed {seed}");
    }
}

#[test]
fn a_free_that_is_half_of_a_reallocation_is_none_yet() {
    // Before version 1.4.4 a reallocation was a free and an allocation of one block.
    let live_after = |events: &str, event| {
        let (_, history) = folded(10300, events, [Some(event), None]);
        let live = &history.snapshots[0].live;
        live.iter().map(|total| total.bytes).sum::<u64>()
    };
    let pair = "A1:5 A2:7 F1 A1:9 F2";
    assert_eq!(live_after(pair, 3), 12);
    assert_eq!(live_after(pair, 4), 16);
    assert_eq!(live_after(pair, 5), 9);
    let apart = "A1:5 A2:7 F1 A3:9";
    assert_eq!(live_after(apart, 3), 7);
    assert_eq!(live_after(apart, 4), 16);
}

#[test]
fn events_that_never_happened_are_not_kept() {
    let (_, history) = folded(10501, "A1:5@a F1@a", [Some(0), Some(3)]);
    assert!(history.snapshots.is_empty());
}
