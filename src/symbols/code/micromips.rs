//! Calls of microMIPS, whose instructions have one or two halfwords, the first one at the
//! lower address in any byte order. Source: MIPS Architecture for Programmers, volume II-B:
//! The microMIPS32 Instruction Set.

use super::words::signed;
use super::{Address, CallTarget, Chunk, away};
use crate::model::Endian;

/// The call that returns to an offset, after its delay slot. The delay slot has two halfwords, or
/// one after calls with an `s` in their name.
pub(super) fn call_before(
    code: &Chunk<'_>,
    offset: usize,
    endian: Endian,
    is_code: impl Fn(Address) -> bool,
) -> Option<CallTarget> {
    let calls = [(4, 4), (4, 2), (2, 4), (2, 2)].into_iter().filter_map(|(size, slot)| {
        let place = offset.checked_sub(size + slot)?;
        let first = half(code, place, endian)?;
        match size {
            2 => short_call(first, slot),
            _ => long_call(code.at(place), first << 16 | half(code, place + 2, endian)?, slot),
        }
    });
    calls.into_iter().find(|call| match *call {
        CallTarget::At(target) => is_code(target),
        _ => true,
    })
}

fn short_call(half: u32, slot: usize) -> Option<CallTarget> {
    // jalr16, jalrs16
    let is_call = matches!((half & 0xffe0, slot), (0x45c0, 4) | (0x45e0, 2));
    is_call.then_some(CallTarget::Register)
}

fn long_call(place: Address, word: u32, slot: usize) -> Option<CallTarget> {
    let next = place.0.wrapping_add(4);
    let region = |bits: u32, shift: u32| {
        let low = u64::from(word & 0x03ff_ffff) << shift;
        CallTarget::At(Address(next & !u64::from(u32::MAX >> (32 - bits)) | low))
    };
    match (word >> 26, slot) {
        // jal, jals, and jalx to the other set
        (0x3d, 4) | (0x1d, 2) => Some(region(27, 1)),
        (0x3c, 4) => Some(region(28, 2)),
        // bgezal and bgezals of register 0
        (0x10, _) if matches!((word >> 16, slot), (0x4060, 4) | (0x4260, 2)) => {
            Some(CallTarget::At(away(Address(next), 2 * signed(word, 16))))
        }
        // jalr and jalrs that link to the register of return addresses
        (0, _)
            if word >> 21 == 31 && matches!((word & 0xffff, slot), (0x0f3c, 4) | (0x4f3c, 2)) =>
        {
            Some(CallTarget::Register)
        }
        _ => None,
    }
}

fn half(code: &Chunk<'_>, offset: usize, endian: Endian) -> Option<u32> {
    let bytes = *code.bytes.get(offset..)?.first_chunk()?;
    Some(
        match endian {
            Endian::Little => u16::from_le_bytes(bytes),
            Endian::Big => u16::from_be_bytes(bytes),
        }
        .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the output of objdump.
    #[test]
    fn calls_of_both_lengths_are_read_in_front_of_their_delay_slots() {
        let check = |halves: &[u16], end: u64, expected: Option<CallTarget>| {
            for endian in [Endian::Big, Endian::Little] {
                let bytes = halves.iter().flat_map(|half| match endian {
                    Endian::Big => half.to_be_bytes(),
                    Endian::Little => half.to_le_bytes(),
                });
                let bytes: Vec<_> = bytes.collect();
                let start = Address(end - bytes.len() as u64);
                let code = Chunk { start, bytes: &bytes };
                let found = call_before(&code, bytes.len(), endian, |_| true);
                assert_eq!(found, expected, "{halves:04x?}");
            }
        };
        let at = |target| Some(CallTarget::At(Address(target)));
        // jal 80001088; addiu sp,sp,-8
        check(&[0xf400, 0x0844, 0x33bd, 0xfff8], 0x8000_100e, at(0x8000_1088));
        // jals 80001030; addiu s0,s0,1
        check(&[0x7400, 0x0818, 0x6c00], 0x8000_107a, at(0x8000_1030));
        check(&[0x45d9, 0x0000, 0x0000], 0x1006, Some(CallTarget::Register)); // jalr t9; nop
        check(&[0x45f9, 0x0c00], 0x1004, Some(CallTarget::Register)); // jalrs t9; nop
        check(&[0x0c00, 0x45bf, 0x0c00], 0x1006, None); // jrc ra
    }
}
