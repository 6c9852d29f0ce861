//! Files with something in them changed.

use super::chance_bytes::Dice;

/// Maximum size of a mutated file.
const MOST_BYTES: usize = 4 << 20;

/// Numbers that are at the edge of something.
const EDGES: [u64; 10] =
    [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 57, u64::MAX];

/// A file with one to six changes, which may insert a part of `other`.
pub fn mutated(bytes: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + dice.below(6) {
        change(&mut bytes, other, dice);
        bytes.truncate(MOST_BYTES);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let place = dice.below(bytes.len());
    let most = if dice.below(4) == 0 { 4096 } else { 24 };
    let length = 1 + dice.below(most);
    let end = (place + length).min(bytes.len());
    match dice.below(10) {
        // A bit, a byte.
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << dice.below(8);
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = dice.word().to_le_bytes()[0];
            }
        }
        // A number of any width and byte order, at an alignment usual in headers and tables.
        3..=5 => {
            let size = 1 << dice.below(4);
            let place = if dice.below(2) == 0 { place / size * size } else { place };
            let number = EDGES[dice.below(EDGES.len())].wrapping_add(dice.word() % 3);
            let written = match dice.below(2) {
                0 => number.to_le_bytes()[..size].to_vec(),
                _ => number.to_be_bytes()[8 - size..].to_vec(),
            };
            for (byte, new) in bytes.iter_mut().skip(place).zip(written) {
                *byte = new;
            }
        }
        6 => bytes.truncate(place),
        7 => drop(bytes.drain(place..end)),
        // A part once more, up to many times.
        8 => {
            let part = bytes[place.min(end)..end].repeat(1 + dice.below(64));
            bytes.splice(place..place, part);
        }
        _ => {
            let from = dice.below(other.len());
            let part = &other[from..(from + length).min(other.len())];
            bytes.splice(place..end, part.iter().copied());
        }
    }
}
