//! Calls of AArch64. Every instruction is a little-endian word, whatever the data.

use super::Piece;

const OPCODE: u32 = 0xfc00_0000;
const BRANCH: u32 = 0x1400_0000;
const BRANCH_AND_LINK: u32 = 0x9400_0000;

/// Where calls lead, and plain branches out of the piece: at the start of a
/// function these are calls in their caller's place.
pub(in crate::symbols) fn targets(code: &Piece<'_>) -> Vec<u64> {
    let (start, end) = (code.start.0, code.start.0 + code.bytes.len() as u64);
    let (words, _) = code.bytes.as_chunks::<4>();
    let mut targets = Vec::new();
    for (place, bytes) in (start..).step_by(4).zip(words) {
        let word = u32::from_le_bytes(*bytes);
        let target = target(word, place);
        match word & OPCODE {
            BRANCH_AND_LINK => targets.push(target),
            BRANCH if !(start..end).contains(&target) => targets.push(target),
            _ => {}
        }
    }
    targets
}

/// The lower 26 bits are the signed distance in words.
pub(crate) fn target(word: u32, place: u64) -> u64 {
    let distance = i64::from((word << 6).cast_signed() >> 4);
    place.wrapping_add_signed(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    #[test]
    fn branches_lead_forward_and_backward() {
        let words: [u32; 4] = [
            0x9400_0400, // bl +0x1000
            0x97ff_fbff, // bl -0x1004
            0x1400_0000, // b .
            0x1400_07fd, // b +0x1ff4
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let code = Piece {
            start: Address(0x2000),
            bytes: &bytes,
        };
        assert_eq!(targets(&code), [0x3000, 0x1000, 0x4000]);
    }
}
