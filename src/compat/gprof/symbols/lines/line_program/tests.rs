//! The cases were put to GNU addr2line 2.40; the answers are its own.

use super::*;

/// Sequences `(rows, end)` of rows `(address, line)`.
type Case<'a> = &'a [(&'a [(u64, u32)], u64)];

fn check(case: Case<'_>, expected: &[(u64, u32)]) {
    let mut sequences = Vec::new();
    for (rows, end) in case {
        let mut sequence = Sequence::default();
        for &(address, line) in *rows {
            let place = LinePosition::new(1, line);
            sequence.add(LineTableRow { address, place });
        }
        sequence.finish(*end);
        sequences.push(sequence);
    }
    let places = merge(sequences);
    for &(address, line) in expected {
        let found = places.at(address).0.map_or(0, |place| place.line);
        assert_eq!(found, line, "at {address:#x} of {case:x?}");
    }
}

#[test]
fn the_last_row_at_or_below_counts_up_to_the_end() {
    let case: Case<'_> = &[(&[(0, 5), (0x10, 6)], 0x20), (&[(0x40, 9)], 0x50)];
    check(case, &[(8, 5), (0x10, 6), (0x1f, 6), (0x20, 0), (0x4f, 9), (0x50, 0)]);
}

#[test]
fn of_rows_at_one_address_the_last_counts() {
    check(&[(&[(0, 5), (0x10, 6), (0x10, 7), (0x10, 8)], 0x20)], &[(0xf, 5), (0x10, 8)]);
    check(&[(&[(0, 5), (0x10, 6), (0x20, 8)], 0x20)], &[(0x1f, 6), (0x20, 0)]);
}

#[test]
fn rows_that_step_back_find_their_place() {
    let case: Case<'_> = &[(&[(0x10, 5), (0x18, 6), (0x8, 7), (0x14, 8)], 0x20)];
    check(case, &[(0x8, 0), (0x10, 5), (0x14, 8), (0x18, 6), (0x1c, 6)]);
    check(&[(&[(0x10, 5), (0x18, 6), (0x10, 7)], 0x20)], &[(0x10, 5), (0x14, 5)]);
}

#[test]
fn rows_beyond_the_end_are_not_seen() {
    check(&[(&[(0, 5), (0x30, 6)], 0x20)], &[(8, 5), (0x20, 0), (0x34, 0)]);
    check(&[(&[(0x30, 5)], 0x20)], &[(0x20, 0), (0x30, 0)]);
}

#[test]
fn of_equal_sequences_the_last_counts() {
    check(&[(&[(0, 5)], 0x20), (&[(0, 6)], 0x20), (&[(0, 7)], 0x20)], &[(8, 7)]);
}

#[test]
fn of_sequences_with_one_start_the_larger_counts() {
    check(&[(&[(0, 5)], 0x10), (&[(0, 7)], 0x20)], &[(4, 7), (0x10, 7)]);
}

#[test]
fn a_sequence_inside_another_is_dropped() {
    let case: Case<'_> = &[(&[(8, 7)], 0x18), (&[(0, 5), (0x10, 6)], 0x30)];
    check(case, &[(4, 5), (8, 5), (0x10, 6), (0x18, 6)]);
}

#[test]
fn a_sequence_that_reaches_beyond_another_begins_at_its_end() {
    let low: &[(u64, u32)] = &[(0, 5), (0x18, 6)];
    let high: &[(u64, u32)] = &[(0x10, 7), (0x14, 8), (0x28, 9)];
    let expected = [(4, 5), (0x14, 5), (0x18, 6), (0x20, 8), (0x24, 8), (0x28, 9)];
    check(&[(low, 0x20), (high, 0x30)], &expected);
    check(&[(high, 0x30), (low, 0x20)], &expected);
}

#[test]
fn an_empty_sequence_is_not_seen() {
    check(&[(&[(0, 5)], 0x20), (&[(0x10, 7)], 0x10), (&[], 0x18)], &[(0x10, 5), (0x18, 5)]);
    check(&[(&[], 0x30), (&[(0x20, 5)], 0x40)], &[(8, 0), (0x28, 5), (0x30, 5)]);
}
