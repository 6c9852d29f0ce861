//! Calls of RISC-V, with compressed instructions, seen from where they return to.
//! Source: the architecture's manual.

use super::super::static_calls::Piece;
use super::{Address, Target, away, back};

pub(super) fn call(before: &[u8], address: Address, has_short_call: bool) -> Option<Target> {
    let last = before
        .last_chunk::<4>()
        .map(|bytes| u32::from_le_bytes(*bytes));
    if let Some(word) = last {
        // The link registers of the ABI are x1 and x5.
        let links = matches!(word >> 7 & 31, 1 | 5);
        match word & 0x7f {
            0x6f if links => return Some(Target::At(away(back(address, 4), jump(word)))),
            0x67 if links && word >> 12 & 7 == 0 => {
                return Some(by_register(before, address, word));
            }
            _ => {}
        }
    }
    let half = u16::from_le_bytes(*before.last_chunk()?);
    if half & 0xf07f == 0x9002 && half >> 7 & 31 != 0 {
        return Some(Target::Register);
    }
    let is_short = has_short_call && half & 0xe003 == 0x2001;
    is_short.then(|| Target::At(away(back(address, 2), short_jump(half))))
}

/// A jump to a register, which the instruction before it may have set to a place not far.
fn by_register(before: &[u8], address: Address, word: u32) -> Target {
    let upper = before
        .len()
        .checked_sub(8)
        .and_then(|start| before[start..].first_chunk())
        .map(|bytes| u32::from_le_bytes(*bytes));
    match upper {
        Some(upper) if upper & 0x7f == 0x17 && upper >> 7 & 31 == word >> 15 & 31 => {
            let distance = i64::from((upper & 0xffff_f000).cast_signed());
            let rest = i64::from(word.cast_signed() >> 20);
            Target::At(away(back(address, 8), distance + rest))
        }
        _ => Target::Register,
    }
}

fn jump(word: u32) -> i64 {
    let sign = i64::from(word.cast_signed() >> 31) << 20;
    let bits = word & 0x000f_f000 | word >> 9 & 0x800 | word >> 20 & 0x7fe;
    sign | i64::from(bits)
}

fn short_jump(half: u16) -> i64 {
    let half = i64::from(half);
    let bit = |from: u32, to: u32| (half >> from & 1) << to;
    let bits = bit(11, 4) | bit(9, 8) | bit(10, 9) | bit(6, 7) | bit(7, 6) | bit(2, 5) | bit(8, 10);
    let sign = -(half >> 12 & 1) << 11;
    sign | bits | (half >> 3 & 7) << 1
}

/// Whether a jump without link leaves the piece, or goes to a register other than that
/// of the return address.
pub(super) fn may_jump_away(body: &Piece<'_>) -> bool {
    let end = body.start.0.wrapping_add(body.bytes.len() as u64);
    let is_outside = |target: Address| !(body.start.0..end).contains(&target.0);
    let mut offset = 0;
    while let Some(half) = body
        .bytes
        .get(offset..)
        .and_then(|rest| rest.first_chunk::<2>())
    {
        let place = Address(body.start.0.wrapping_add(offset as u64));
        let half = u16::from_le_bytes(*half);
        if half & 3 != 3 {
            let is_jump = half & 0xe003 == 0xa001 && is_outside(away(place, short_jump(half)));
            let is_register = half & 0xf07f == 0x8002 && !matches!(half >> 7 & 31, 0 | 1);
            if is_jump || is_register {
                return true;
            }
            offset += 2;
            continue;
        }
        let Some(bytes) = body.bytes[offset..].first_chunk::<4>() else {
            return true;
        };
        let word = u32::from_le_bytes(*bytes);
        let links_nothing = word >> 7 & 31 == 0;
        let leaves = match word & 0x7f {
            0x6f => links_nothing && is_outside(away(place, jump(word))),
            0x67 => links_nothing && word >> 15 & 31 != 1,
            0x63 => is_outside(away(place, branch(word))),
            _ => false,
        };
        if leaves {
            return true;
        }
        offset += 4;
    }
    false
}

fn branch(word: u32) -> i64 {
    let sign = i64::from(word.cast_signed() >> 31) << 12;
    let bits = word << 4 & 0x800 | word >> 20 & 0x7e0 | word >> 7 & 0x1e;
    sign | i64::from(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &[u8], address: u64, expected: Option<Target>) {
        assert_eq!(call(code, Address(address), true), expected, "{code:02x?}");
    }

    /// As objdump shows them.
    #[test]
    fn calls_are_read_in_all_their_forms() {
        let at = |target| Some(Target::At(Address(target)));
        check(&0xee5f_f0ef_u32.to_le_bytes(), 0x1_07a0, at(0x1_0680)); // 1079c: jal 10680
        check(&0xfabf_f0ef_u32.to_le_bytes(), 0x1_07b2, at(0x1_0758)); // 107ae: jal 10758
        // 1000: auipc ra,0x1; 1004: jalr -16(ra)
        let far = [0x0000_1097_u32.to_le_bytes(), 0xff00_80e7_u32.to_le_bytes()].concat();
        check(&far, 0x1008, at(0x1ff0));
        check(&0x9782_u16.to_le_bytes(), 0x1002, Some(Target::Register)); // jalr a5
        check(&0x8782_u16.to_le_bytes(), 0x1002, None); // jr a5
        check(&0x8082_u16.to_le_bytes(), 0x1002, None); // ret
        check(&0x2011_u16.to_le_bytes(), 0x1002, at(0x1004)); // 1000: jal 1004
    }
}
