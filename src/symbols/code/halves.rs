//! Instruction sets with instructions of one or two halfwords. Sources: Arm Architecture
//! Reference Manual (Armv7-A), A6 and A8, for Thumb; The RISC-V Instruction Set Manual,
//! volume I, chapters "RV32I" and "C".

use super::words::signed;
use super::{Address, CallTarget, Chunk, CodeFlow, away};
use crate::model::Endian;

/// The control flow of the instruction at an offset, and its size in bytes; `None` if
/// incomplete.
pub(super) fn thumb(code: &Chunk<'_>, offset: usize) -> Option<(CodeFlow, usize)> {
    let first = half(code, offset)?;
    let to = |distance: i64| code.at(offset).0.wrapping_add_signed(4 + distance);
    if first < 0xe800 {
        let flow = match first {
            _ if first & 0xf800 == 0xe000 => CodeFlow::Jump(to(2 * signed(first, 11))),
            _ if first & 0xf000 == 0xd000 && first & 0x0f00 < 0x0e00 => {
                CodeFlow::Jump(to(2 * signed(first, 8)))
            }
            _ if first & 0xff87 == 0x4780 => CodeFlow::Call(CallTarget::Register),
            _ => {
                let is_jump = matches!(first & 0xff87, 0x4700 | 0x4687);
                CodeFlow::away_if(is_jump && first >> 3 & 15 != 14)
            }
        };
        return Some((flow, 2));
    }
    let second = half(code, offset + 2)?;
    let target = to(thumb_distance(first, second));
    let flow = match (first & 0xf800, second & 0xd000) {
        (0xf000, 0x9000) => CodeFlow::Jump(target),
        (0xf000, 0xd000) => CodeFlow::call(target),
        // blx, to the other set
        (0xf000, 0xc000) => CodeFlow::call(target & !3),
        _ => {
            let is_pop = (first, second) == (0xf85d, 0xfb04);
            let is_load = first & 0xff70 == 0xf850 && second >> 12 == 15 && !is_pop;
            let is_table = first & 0xfff0 == 0xe8d0 && second & 0xffe0 == 0xf000;
            CodeFlow::away_if(is_load || is_table)
        }
    };
    Some((flow, 4))
}

/// A 25-bit offset in five parts, two of them combined with the sign.
fn thumb_distance(first: u32, second: u32) -> i64 {
    let sign = first >> 10 & 1;
    let bit_23 = !(second >> 13 ^ sign) & 1;
    let bit_22 = !(second >> 11 ^ sign) & 1;
    let bits =
        sign << 24 | bit_23 << 23 | bit_22 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    signed(bits, 25)
}

/// The same for RISC-V. Only RV32 has a compressed call.
pub(super) fn riscv(
    code: &Chunk<'_>,
    offset: usize,
    has_short_call: bool,
) -> Option<(CodeFlow, usize)> {
    let place = code.at(offset);
    let half = half(code, offset)?;
    if half & 3 != 3 {
        let short = || away(place, riscv_short_jump(half)).0;
        let register = half >> 7 & 31;
        let flow = match (half & 0xe003, half & 0xf07f) {
            (0xa001, _) => CodeFlow::Jump(short()),
            (0x2001, _) if has_short_call => CodeFlow::call(short()),
            (_, 0x9002) if register != 0 => CodeFlow::Call(CallTarget::Register),
            (_, 0x8002) => CodeFlow::away_if(!matches!(register, 0 | 1)),
            _ => CodeFlow::On,
        };
        return Some((flow, 2));
    }
    let word = code.word(offset, Endian::Little)?;
    // The link registers of the ABI are x1 and x5.
    let (is_jump, is_call) = match word >> 7 & 31 {
        0 => (true, false),
        link => (false, matches!(link, 1 | 5)),
    };
    let flow = match word & 0x7f {
        0x6f if is_jump => CodeFlow::Jump(away(place, riscv_jump(word)).0),
        0x6f if is_call => CodeFlow::call(away(place, riscv_jump(word)).0),
        0x67 if is_jump => CodeFlow::away_if(word >> 15 & 31 != 1),
        0x67 if is_call && word >> 12 & 7 == 0 => CodeFlow::Call(riscv_target(code, offset, word)),
        0x63 => CodeFlow::Jump(away(place, riscv_branch(word)).0),
        _ => CodeFlow::On,
    };
    Some((flow, 4))
}

/// The target of an indirect call, which the instruction before it may have set to a nearby
/// address.
fn riscv_target(code: &Chunk<'_>, offset: usize, call: u32) -> CallTarget {
    let before = offset.checked_sub(4);
    let upper = before.and_then(|offset| code.word(offset, Endian::Little));
    match upper {
        Some(upper) if upper & 0x7f == 0x17 && upper >> 7 & 31 == call >> 15 & 31 => {
            let distance = i64::from((upper & 0xffff_f000).cast_signed());
            let rest = i64::from(call.cast_signed() >> 20);
            CallTarget::At(away(code.at(offset), distance + rest - 4))
        }
        _ => CallTarget::Register,
    }
}

fn riscv_jump(word: u32) -> i64 {
    let bits = word >> 11 & 0x10_0000 | word & 0x000f_f000 | word >> 9 & 0x800 | word >> 20 & 0x7fe;
    signed(bits, 21)
}

fn riscv_branch(word: u32) -> i64 {
    let bits = word >> 19 & 0x1000 | word << 4 & 0x800 | word >> 20 & 0x7e0 | word >> 7 & 0x1e;
    signed(bits, 13)
}

fn riscv_short_jump(half: u32) -> i64 {
    // From and to which bit, after the three that stay together.
    const BITS: [(u32, u32); 8] =
        [(11, 4), (9, 8), (10, 9), (6, 7), (7, 6), (2, 5), (8, 10), (12, 11)];
    let bits = BITS.iter().map(|(from, to)| (half >> from & 1) << to);
    signed(bits.sum::<u32>() | (half >> 3 & 7) << 1, 12)
}

/// The control flow of each instruction; unknown for an incomplete one.
pub(super) fn flows<'a>(
    code: Chunk<'a>,
    flow: impl Fn(&Chunk<'_>, usize) -> Option<(CodeFlow, usize)> + 'a,
) -> Box<dyn Iterator<Item = CodeFlow> + 'a> {
    let mut offset = 0;
    Box::new(std::iter::from_fn(move || {
        // A single byte at the end is not an instruction.
        if offset + 2 > code.bytes.len() {
            return None;
        }
        let (flow, size) = flow(&code, offset).unwrap_or((CodeFlow::Away, code.bytes.len()));
        offset += size;
        Some(flow)
    }))
}

fn half(code: &Chunk<'_>, offset: usize) -> Option<u32> {
    let bytes = code.bytes.get(offset..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes).into())
}

/// The target of the call that ends at an offset.
pub(super) fn call_before(
    code: &Chunk<'_>,
    offset: usize,
    flow: impl Fn(&Chunk<'_>, usize) -> Option<(CodeFlow, usize)>,
) -> Option<CallTarget> {
    [4, 2].into_iter().find_map(|size| {
        let (flow, found) = flow(code, offset.checked_sub(size)?)?;
        flow.called().filter(|_| found == size)
    })
}

/// The same for ARM and Thumb. The set does not matter, since only a target within the code
/// counts.
pub(super) fn arm_call_before(
    code: &Chunk<'_>,
    offset: usize,
    is_code: impl Fn(Address) -> bool,
) -> Option<CallTarget> {
    let targets = [call_before(code, offset, thumb), arm_word_call(code, offset)];
    let mut targets = targets.into_iter().flatten();
    targets.find(|target| match *target {
        CallTarget::At(target) => is_code(target),
        _ => true,
    })
}

/// An ARM call. Before `blx`, an indirect call was `mov lr, pc` and a load of the program
/// counter.
fn arm_word_call(code: &Chunk<'_>, offset: usize) -> Option<CallTarget> {
    let place = offset.checked_sub(4)?;
    if !code.at(place).0.is_multiple_of(4) {
        return None;
    }
    let word = |offset| code.word(offset, Endian::Little);
    let before = || place.checked_sub(4).and_then(word);
    let called = super::words::arm(word(place)?, code.at(place).0, 0).called();
    called.or_else(|| (before() == Some(0xe1a0_e00f)).then_some(CallTarget::Register))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The targets that objdump prints.
    #[test]
    fn calls_of_both_sets_of_arm_are_read() {
        let check = |bytes: &[u8], end: u64, target: u64| {
            let start = Address(end - bytes.len() as u64);
            let found = arm_call_before(&Chunk { start, bytes }, bytes.len(), |_| true);
            assert_eq!(found, Some(CallTarget::At(Address(target))), "{bytes:02x?}");
        };
        check(&[0xff, 0xf7, 0xdc, 0xff], 0x6bc, 0x674); // 6b8: bl 674
        check(&[0xff, 0xf7, 0x2c, 0xef], 0x6b6, 0x50c); // 6b2: blx 50c
        check(&0xebff_fffe_u32.to_le_bytes(), 0x1004, 0x1000); // 1000: bl 1000
    }

    #[test]
    fn calls_of_riscv_are_read_in_all_their_forms() {
        let check = |bytes: &[u8], end: u64, expected: Option<CallTarget>| {
            let start = Address(end - bytes.len() as u64);
            let code = Chunk { start, bytes };
            let found = call_before(&code, bytes.len(), |code, at| riscv(code, at, true));
            assert_eq!(found, expected, "{bytes:02x?}");
        };
        let at = |target| Some(CallTarget::At(Address(target)));
        check(&0xee5f_f0ef_u32.to_le_bytes(), 0x1_07a0, at(0x1_0680)); // 1079c: jal 10680
        check(&0xfabf_f0ef_u32.to_le_bytes(), 0x1_07b2, at(0x1_0758)); // 107ae: jal 10758
        // 1000: auipc ra,0x1; 1004: jalr -16(ra)
        let far = [0x0000_1097_u32.to_le_bytes(), 0xff00_80e7_u32.to_le_bytes()].concat();
        check(&far, 0x1008, at(0x1ff0));
        check(&0x9782_u16.to_le_bytes(), 0x1002, Some(CallTarget::Register)); // jalr a5
        check(&0x8782_u16.to_le_bytes(), 0x1002, None); // jr a5
        check(&0x8082_u16.to_le_bytes(), 0x1002, None); // ret
        check(&0x2011_u16.to_le_bytes(), 0x1002, at(0x1004)); // 1000: jal 1004
    }

    #[test]
    fn jumps_of_half_words_of_arm_are_read() {
        let jumps = |halves: &[u16]| {
            let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
            let start = Address(0x1000);
            let body = Chunk { start, bytes: &bytes };
            flows(body, thumb).any(|flow| flow.leaves(&body.range()))
        };
        assert!(!jumps(&[0x4770])); // bx lr
        assert!(!jumps(&[0xe7fe])); // b .
        assert!(jumps(&[0xe010])); // b .+0x24
        assert!(jumps(&[0xf000, 0xb810])); // b.w .+0x24
        assert!(jumps(&[0x4718])); // bx r3
        assert!(!jumps(&[0xbd08])); // pop {r3, pc}
        assert!(jumps(&[0xf000])); // cut off
    }
}
