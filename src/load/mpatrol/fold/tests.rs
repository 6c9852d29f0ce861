//! Small traces, folded.

use crate::load::mpatrol::TraceReader;
use crate::model::{BlockTotal, ContextId, HeapHistory, Profile};

use super::fold;

/// The bytes of a trace of version 10501 or 10300: a word for each event.
///
/// `A5:24@f` allocates block 5 with 24 bytes in function f, `R5:30@g` reallocates
/// it, `F5@f` frees it; `H100` and `I100` reserve memory. `#3` sets the thread.
pub(super) fn trace(version: u32, events: &str) -> Vec<u8> {
    let mut bytes = b"MTRC\x01\0\0\0\0\0\0\0".to_vec();
    bytes.extend(u64::from(version).to_le_bytes());
    let mut thread = 0;
    for word in events.split_whitespace() {
        let (tag, rest) = word.split_at(1);
        let (rest, function) = rest.split_once('@').unwrap_or((rest, ""));
        let numbers: Vec<u64> = rest.split(':').map(|n| n.parse().unwrap()).collect();
        match tag {
            "#" => {
                thread = numbers[0];
                continue;
            }
            "A" | "R" => push(&mut bytes, tag, &[numbers[0], 0x1000, numbers[1]]),
            "F" => push(&mut bytes, tag, &numbers),
            _ => {
                push(&mut bytes, tag, &[0x9000, numbers[0]]);
                continue;
            }
        }
        if version >= 10405 {
            push(&mut bytes, "", &[thread]);
            if function.is_empty() {
                bytes.extend([0, 0, 0]);
            } else {
                bytes.push(0x81);
                bytes.extend(function.as_bytes());
                bytes.extend(b"\0\x81a.c\0\x07");
            }
        }
    }
    bytes.extend(b"MTRC");
    bytes
}

fn push(bytes: &mut Vec<u8>, tag: &str, numbers: &[u64]) {
    bytes.extend(tag.as_bytes());
    for &number in numbers {
        let mut rest = number;
        while rest >= 0x80 {
            bytes.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
            rest >>= 7;
        }
        bytes.push(u8::try_from(rest).unwrap());
    }
}

fn profile(version: u32, events: &str) -> Profile {
    let bytes = trace(version, events);
    let reader = TraceReader::new(Box::new(bytes.as_slice())).expect("the header is whole");
    let reading = fold(reader, [None; 2]);
    assert_eq!(reading.damage, None, "{events}");
    let profile = reading.profile;
    check_sums(&profile, events);
    profile
}

/// Properties that hold for any trace.
fn check_sums(profile: &Profile, events: &str) {
    let history = profile.history.as_ref().unwrap();
    let heap = profile.heap.as_ref().unwrap();
    let mut sums = [0; 7];
    for (_, values) in profile.costs.samples.rows() {
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value;
        }
    }
    let bytes = history.allocations.bytes + history.reallocations.bytes;
    let count = history.allocations.count + history.reallocations.count;
    assert_eq!(sums[..2], [count, bytes], "allocated: {events}");
    assert_eq!(sums[2..4], sums[4..6], "freed and released: {events}");
    let live = [sums[0] - sums[2], sums[1] - sums[3]];
    assert_eq!(live, [history.live.count, history.live.bytes], "{events}");
    let n_binned = |counts: &[u64]| counts.iter().sum::<u64>();
    assert_eq!(n_binned(&heap.allocated.counts), sums[0], "{events}");
    assert_eq!(n_binned(&heap.freed.counts), sums[2], "{events}");
    assert!(history.peak_bytes.live.bytes >= history.live.bytes, "{events}");
    let most = history.series.points.iter().map(|point| point.bytes).max();
    assert_eq!(most.unwrap_or(0), history.peak_bytes.live.bytes, "{events}");
    let n_in_threads: u64 = history.threads.iter().map(|thread| thread.n_events).sum();
    assert_eq!(n_in_threads, history.n_events, "{events}");
}

fn check(version: u32, events: &str, of: fn(&HeapHistory) -> String, expected: &str) {
    let profile = profile(version, events);
    assert_eq!(of(&profile.history.unwrap()), expected, "{events}");
}

fn block_total(block_total: BlockTotal) -> String {
    format!("{}/{}", block_total.count, block_total.bytes)
}

#[test]
fn peaks_are_where_they_were_reached_first() {
    let peaks = |history: &HeapHistory| {
        let (blocks, bytes) = (history.peak_blocks, history.peak_bytes);
        let (b, s) = (block_total(blocks.live), block_total(bytes.live));
        format!("{}: {b}, {}: {s}", blocks.event, bytes.event)
    };
    check(10501, "", peaks, "0: 0/0, 0: 0/0");
    check(10501, "A1:10 F1 A2:4 A3:5 F2 F3 A4:10", peaks, "4: 2/9, 1: 1/10");
    check(10501, "A1:10 A2:10 R1:30 R2:5", peaks, "2: 2/20, 3: 2/40");
}

#[test]
fn a_free_and_an_allocation_of_old_traces_are_a_reallocation() {
    let moves = |history: &HeapHistory| {
        let frees = block_total(history.frees);
        format!("{} {frees}", block_total(history.reallocations))
    };
    check(10300, "A1:10 F1 A1:20 F1", moves, "1/20 1/20");
    check(10300, "A1:10 F1 H4096 A1:20 F1", moves, "1/20 1/20");
    check(10300, "A1:10 F1 A2:20 F2", moves, "0/0 2/30");
    check(10300, "A1:10 F1", moves, "0/0 1/10");
    check(10300, "F1 A1:10", moves, "0/0 0/0");
    check(10501, "A1:10 F1 A1:20 F1", moves, "0/0 2/30");
}

#[test]
fn invalid_events_are_counted_and_change_nothing() {
    let counts = |history: &HeapHistory| {
        let all = [&history.already_freed, &history.unknown_blocks, &history.allocated_twice];
        let text = all.map(|c| match c.first.first() {
            Some(first) => format!("{} from {}", c.count, first.event),
            None => "none".to_owned(),
        });
        format!("{}; live {}", text.join(", "), block_total(history.live))
    };
    check(10501, "A1:5 F1 F1 R1:9 F1", counts, "3 from 3, none, none; live 0/0");
    check(10501, "F7 A1:5 R8:1", counts, "none, 2 from 1, none; live 1/5");
    check(10501, "A1:5 A1:6 F1", counts, "none, none, 1 from 2; live 1/5");
    check(10501, "A1:5 F1 A1:6 F1", counts, "none, none, none; live 0/0");
}

#[test]
fn lists_have_the_longest_and_the_largest_first() {
    let lists = |history: &HeapHistory| {
        let lists = [&history.longest_lived, &history.largest_unfreed];
        let texts = lists.map(|list| {
            let lives: Vec<_> = list.iter().map(|life| life.index.0.to_string()).collect();
            lives.join(" ")
        });
        texts.join(", ")
    };
    check(10501, "A1:5 A2:5 A3:1 A4:9 F2 F1", lists, "1 2, 4 3");
    check(10501, "A1:5 A1:6 F1", lists, "1, 1");
}

#[test]
fn chains_remember_where_they_began() {
    let chains = |history: &HeapHistory| {
        let chain = history.chains.iter().map(|chain| {
            let (first, last) = (chain.first_context.0, chain.last_context.0);
            let sizes = (chain.first_size, chain.last_size);
            format!("{}x{} {sizes:?} {first}-{last}", chain.index.0, chain.n_reallocations)
        });
        let texts: Vec<_> = chain.collect();
        format!("{} {}", history.n_chains, texts.join(", "))
    };
    let events = "A1:5@f A2:8@g R1:6@g R1:7@h R2:1@g A3:1@f F1@f";
    check(10501, events, chains, "2 1x2 (5, 7) 0-2, 2x1 (8, 1) 1-1");
}

#[test]
fn blocks_freed_at_once_are_temporary() {
    let temporary = |history: &HeapHistory| block_total(history.temporary);
    check(10501, "A1:5 F1 A2:6 A3:7 F3 F2 A4:1 R4:2 F4", temporary, "2/12");
    check(10300, "A1:5 F1 A1:6 F1", temporary, "0/0");
}

#[test]
fn values_are_charged_by_place_and_thread() {
    let profile = profile(10501, "#1 A1:5@f #2 A2:6@f R1:7@g #1 F1@g F2");
    let rows = profile.costs.samples.rows();
    let texts: Vec<_> = rows.map(|(key, v)| format!("{key:?} {v:?}")).collect();
    assert_eq!(
        texts,
        [
            "ThreadContext(ContextId(0), 1) [1, 5, 1, 5, 0, 0]",
            "ThreadContext(ContextId(0), 2) [1, 6, 1, 6, 0, 0]",
            "ThreadContext(ContextId(1), 2) [1, 7, 1, 7, 1, 5]",
            "ThreadContext(ContextId(1), 1) [0, 0, 0, 0, 1, 7]",
            "ThreadContext(ContextId(2), 1) [0, 0, 0, 0, 1, 6]",
        ]
    );
    assert_eq!(profile.costs.functions.len(), 2);
    assert_eq!(profile.costs.locations.len(), 1);
    assert_eq!(profile.costs.contexts.get(ContextId(2)).function, None);
}

#[test]
fn what_is_cut_off_counts_up_to_the_last_whole_event() {
    let bytes = trace(10501, "A1:5@f A2:300@g F1@f A3:1");
    let mut n_seen = Vec::new();
    for end in 20..bytes.len() {
        let reader = TraceReader::new(Box::new(&bytes[..end])).expect("the header is whole");
        let reading = fold(reader, [None; 2]);
        let n_lost = reading.damage.expect("something is missing").n_lost;
        assert!(n_lost < 16, "{end}: {n_lost}");
        check_sums(&reading.profile, "cut off");
        n_seen.push(reading.profile.history.unwrap().n_events);
    }
    assert!(n_seen.is_sorted() && n_seen.last() == Some(&4), "{n_seen:?}");
}
