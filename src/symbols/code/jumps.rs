//! Whether a function may go on in another one without a call, on machines with
//! instructions of one size: by a branch out of it, or to where a register says that is
//! not that of the return address. Source: the processors' manuals.

use super::super::static_calls::{Piece, aarch64 as branches};
use super::words::word;
use crate::model::Endian;

/// An instruction and its place.
type At = (u64, u32);

pub(super) fn aarch64(body: &Piece<'_>) -> bool {
    any(body, Endian::Little, |(place, word), _| {
        let short = place.wrapping_add_signed(4 * signed(word >> 5, 19));
        match word {
            _ if word & 0xfc00_0000 == 0x1400_0000 => Leaves::To(branches::target(word, place)),
            _ if word & 0xff00_0010 == 0x5400_0000 => Leaves::To(short),
            _ if word & 0x7e00_0000 == 0x3400_0000 => Leaves::To(short),
            _ => Leaves::if_so(
                word & 0xffff_fc1f == 0xd61f_0000 || word & 0xfeff_f800 == 0xd61f_0800,
            ),
        }
    })
}

pub(super) fn powerpc(body: &Piece<'_>, endian: Endian) -> bool {
    any(body, endian, |(place, word), _| match word {
        _ if word & 0xfc00_0003 == 0x4800_0000 => {
            Leaves::To(place.wrapping_add_signed(4 * signed(word >> 2, 24)))
        }
        _ if word & 0xfc00_0003 == 0x4000_0000 => {
            Leaves::To(place.wrapping_add_signed(4 * signed(word >> 2, 14)))
        }
        // To the count register.
        _ => Leaves::if_so(word & 0xfc00_07ff == 0x4c00_0420),
    })
}

pub(super) fn mips(body: &Piece<'_>, endian: Endian) -> bool {
    any(body, endian, |(place, word), _| {
        let next = place.wrapping_add(4);
        match word >> 26 {
            2 => Leaves::To(next & !0x0fff_ffff | u64::from(word & 0x03ff_ffff) << 2),
            // A branch that links is a call.
            1 if word >> 20 & 1 == 1 => Leaves::Not,
            1 | 4..=7 | 20..=23 => Leaves::To(next.wrapping_add_signed(4 * signed(word, 16))),
            0 => Leaves::if_so(word & 0x3f == 8 && word >> 21 & 31 != 31),
            _ => Leaves::Not,
        }
    })
}

/// A call that sets its register back in the instruction behind it is a jump.
pub(super) fn sparc(body: &Piece<'_>) -> bool {
    any(body, Endian::Big, |(place, word), next| {
        let is_restored = next >> 30 == 2 && (next >> 19 & 0x3f == 0x3d || next >> 25 & 31 == 15);
        match (word >> 30, word >> 22 & 7) {
            (1, _) => Leaves::if_so(is_restored),
            (0, 1 | 5) => Leaves::To(place.wrapping_add_signed(4 * signed(word, 19))),
            (0, 2 | 6) => Leaves::To(place.wrapping_add_signed(4 * signed(word, 22))),
            (2, _) if word >> 19 & 0x3f == 0x38 && word >> 25 & 31 == 0 => {
                Leaves::if_so(!matches!(word >> 14 & 31, 15 | 31))
            }
            _ => Leaves::Not,
        }
    })
}

/// In the instruction set of words.
pub(super) fn arm(body: &Piece<'_>) -> bool {
    any(body, Endian::Little, |(place, word), _| {
        let is_pop = word & 0x0fff_ffff == 0x049d_f004;
        match word {
            _ if word & 0x0f00_0000 == 0x0a00_0000 => {
                Leaves::To(place.wrapping_add_signed(8 + 4 * signed(word, 24)))
            }
            // bx, mov pc: of the register of return addresses it is a return.
            _ if word & 0x0fff_fff0 == 0x012f_ff10 || word & 0x0fff_fff0 == 0x01a0_f000 => {
                Leaves::if_so(word & 15 != 14)
            }
            _ => Leaves::if_so(word & 0x0c10_f000 == 0x0410_f000 && !is_pop),
        }
    })
}

/// In the instruction set of half words, of which an instruction has one or two.
pub(super) fn thumb(body: &Piece<'_>) -> bool {
    let (halves, _) = body.bytes.as_chunks::<2>();
    let range = body.start.0..body.start.0.wrapping_add(body.bytes.len() as u64);
    let mut halves = halves.iter().zip(places(range.start, 2));
    while let Some((bytes, place)) = halves.next() {
        let first = u32::from(u16::from_le_bytes(*bytes));
        let to = |distance: i64| Leaves::To(place.wrapping_add_signed(4 + distance));
        let leaves = if first >= 0xe800 {
            let Some((bytes, _)) = halves.next() else {
                return true;
            };
            let second = u32::from(u16::from_le_bytes(*bytes));
            let is_pop = (first, second) == (0xf85d, 0xfb04);
            match (first & 0xf800, second & 0xd000) {
                (0xf000, 0x9000) => to(super::arm::thumb_distance(first, second)),
                _ => {
                    let is_load = first & 0xff70 == 0xf850 && second >> 12 == 15 && !is_pop;
                    let is_table = first & 0xfff0 == 0xe8d0 && second & 0xffe0 == 0xf000;
                    Leaves::if_so(is_load || is_table)
                }
            }
        } else {
            match first {
                _ if first & 0xf800 == 0xe000 => to(2 * signed(first, 11)),
                _ if first & 0xf000 == 0xd000 && first & 0x0f00 < 0x0e00 => {
                    to(2 * signed(first, 8))
                }
                _ => {
                    let is_jump = matches!(first & 0xff87, 0x4700 | 0x4687);
                    Leaves::if_so(is_jump && first >> 3 & 15 != 14)
                }
            }
        };
        if leaves.is_away(&range) {
            return true;
        }
    }
    false
}

/// Where an instruction goes on.
enum Leaves {
    /// Behind it, or where a call was made.
    Not,
    /// At an address.
    To(u64),
    /// Nobody knows where.
    Somewhere,
}

impl Leaves {
    fn if_so(leaves: bool) -> Self {
        if leaves { Self::Somewhere } else { Self::Not }
    }

    fn is_away(&self, body: &std::ops::Range<u64>) -> bool {
        match self {
            Self::Not => false,
            Self::To(target) => !body.contains(target),
            Self::Somewhere => true,
        }
    }
}

/// Whether any word goes away, given itself and the one behind it.
fn any(body: &Piece<'_>, endian: Endian, leaves: impl Fn(At, u32) -> Leaves) -> bool {
    let (words, _) = body.bytes.as_chunks::<4>();
    let range = body.start.0..body.start.0.wrapping_add(body.bytes.len() as u64);
    let nexts = words.iter().skip(1).map(|bytes| word(bytes, endian));
    let nexts = nexts.chain(std::iter::once(0));
    let words = words.iter().zip(nexts).zip(places(range.start, 4));
    let mut gone = words.map(|((bytes, next), place)| leaves((place, word(bytes, endian)), next));
    gone.any(|leaves| leaves.is_away(&range))
}

/// The places of instructions of one size.
fn places(start: u64, size: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(start), move |place| Some(place.wrapping_add(size)))
}

/// The lowest bits of a word as a signed number.
fn signed(word: u32, n_bits: u32) -> i64 {
    let unused = 32 - n_bits;
    i64::from((word << unused).cast_signed() >> unused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    fn body(bytes: &[u8]) -> Piece<'_> {
        let start = Address(0x1000);
        Piece { start, bytes }
    }

    fn bytes_of(words: &[u32], endian: Endian) -> Vec<u8> {
        let bytes = words.iter().map(|word| match endian {
            Endian::Little => word.to_le_bytes(),
            Endian::Big => word.to_be_bytes(),
        });
        bytes.flatten().collect()
    }

    /// Each: what returns, and what goes on elsewhere.
    #[test]
    fn returns_are_told_from_jumps() {
        use Endian::{Big, Little};
        type Jumps = fn(&Piece<'_>) -> bool;
        let cases: [(Jumps, Endian, &[u32], &[u32]); 5] = [
            // ret; b .+0x40
            (aarch64, Little, &[0xd65f_03c0], &[0x1400_0010]),
            // blr, and a branch within; b .+0x40
            (
                |b| powerpc(b, Big),
                Big,
                &[0x4800_0004, 0x4e80_0020],
                &[0x4800_0040],
            ),
            // jr $31; jr $25
            (|b| mips(b, Big), Big, &[0x03e0_0008, 0], &[0x0320_0008, 0]),
            // jmp %o7+8; call and restore
            (
                sparc,
                Big,
                &[0x81c3_e008, 0x0100_0000],
                &[0x4000_0010, 0x81e8_0000],
            ),
            // bx lr; b .+0x40
            (arm, Little, &[0xe12f_ff1e], &[0xea00_000e]),
        ];
        for (jumps, endian, returns, leaves) in cases {
            assert!(!jumps(&body(&bytes_of(returns, endian))), "{returns:x?}");
            assert!(jumps(&body(&bytes_of(leaves, endian))), "{leaves:x?}");
        }
    }

    #[test]
    fn half_words_of_arm_are_read() {
        let of = |halves: &[u16]| -> Vec<u8> {
            halves.iter().flat_map(|half| half.to_le_bytes()).collect()
        };
        assert!(!thumb(&body(&of(&[0x4770])))); // bx lr
        assert!(!thumb(&body(&of(&[0xe7fe])))); // b .
        assert!(thumb(&body(&of(&[0xe010])))); // b .+0x24
        assert!(thumb(&body(&of(&[0xf000, 0xb810])))); // b.w .+0x24
        assert!(thumb(&body(&of(&[0x4718])))); // bx r3
        assert!(!thumb(&body(&of(&[0xbd08])))); // pop {r3, pc}
    }
}
