//! Calls of machines whose instructions are words, and of s390x, seen from where they
//! return to. Source: the processors' manuals and ABIs.

use super::super::static_calls::{Piece, aarch64 as branches};
use super::{Address, Target, away, back};
use crate::model::Endian;

/// Instructions before a call through a register in which the load of its target is
/// looked for.
const MAX_LOAD_DISTANCE: usize = 4;

/// Instructions without effect.
pub(super) const NOPS_AARCH64: &[u32] = &[0, 0xd503_201f];

pub(super) fn aarch64(before: &[u8], address: Address) -> Option<Target> {
    let word = u32::from_le_bytes(*before.last_chunk()?);
    let place = back(address, 4);
    if word & 0xfc00_0000 == 0x9400_0000 {
        return Some(Target::At(Address(branches::target(word, place.0))));
    }
    // blr, also with a check of the pointer.
    let is_register = word & 0xffff_fc1f == 0xd63f_0000 || word & 0xfeff_f800 == 0xd63f_0800;
    is_register.then_some(Target::Register)
}

/// Where the words at the end begin that are all among those without effect.
pub(super) fn padding_of(body: &Piece<'_>, nops: &[u32]) -> Address {
    let (words, _) = body.bytes.as_chunks::<4>();
    let fillers = words.iter().rev();
    let n_fillers = fillers
        .take_while(|word| nops.contains(&u32::from_le_bytes(**word)))
        .count();
    let n_used = words.len() - n_fillers;
    Address(body.start.0.wrapping_add(4 * n_used as u64))
}

pub(super) fn powerpc(before: &[u8], address: Address, endian: Endian) -> Option<Target> {
    let word = word(before.last_chunk()?, endian);
    let distance = i64::from(((word & 0x03ff_fffc) << 6).cast_signed() >> 6);
    match word {
        _ if word & 0xfc00_0003 == 0x4800_0001 => {
            Some(Target::At(away(back(address, 4), distance)))
        }
        _ if word & 0xfc00_0003 == 0x4800_0003 => Some(Target::At(Address(distance as u64))),
        // bctrl, blrl
        0x4e80_0421 | 0x4e80_0021 => Some(Target::Register),
        _ => None,
    }
}

/// A call returns behind its delay slot.
pub(super) fn mips(before: &[u8], address: Address, endian: Endian) -> Option<Target> {
    let (words, []) = before.get(before.len() % 4..)?.as_chunks::<4>() else {
        return None;
    };
    let words: Vec<u32> = words
        .iter()
        .rev()
        .take(2 + MAX_LOAD_DISTANCE)
        .map(|bytes| word(bytes, endian))
        .collect();
    let (&call, place) = (words.get(1)?, back(address, 8));
    if call >> 26 == 3 {
        let region = (place.0 + 4) & !0x0fff_ffff;
        return Some(Target::At(Address(
            region | u64::from(call & 0x03ff_ffff) << 2,
        )));
    }
    // bal
    if call >> 16 == 0x0411 {
        let distance = i64::from((call << 16).cast_signed() >> 14);
        return Some(Target::At(away(place, 4 + distance)));
    }
    // jalr to $25, which the ABI has for it, and the load of it from the table.
    let is_register = call & 0xfc1f_f83f == 0x0000_f809;
    is_register.then(|| table_place(&words[2..]).map_or(Target::Register, Target::Relative))
}

/// The place in the table of addresses that $25 was loaded from, in the words before a
/// call, the last first.
fn table_place(words: &[u32]) -> Option<i64> {
    let load = words.iter().find(|&&word| {
        let is_load = matches!(word >> 26, 0x23 | 0x37) && word >> 16 & 31 == 25;
        let is_move = word >> 26 == 0 && word >> 11 & 31 == 25;
        is_load || is_move
    })?;
    let is_from_table = *load >> 26 != 0 && *load >> 21 & 31 == 28;
    is_from_table.then(|| i64::from((*load << 16).cast_signed() >> 16))
}

/// The call at the start of the bytes: what its register holds is its own address.
pub(super) fn sparc(code: &[u8], address: Address) -> Option<Target> {
    let word = u32::from_be_bytes(*code.first_chunk()?);
    if word >> 30 == 1 {
        let distance = i64::from((word << 2).cast_signed());
        return Some(Target::At(away(address, distance)));
    }
    // jmpl to the register of return addresses
    (word & 0xfff8_0000 == 0x9fc0_0000).then_some(Target::Register)
}

pub(super) fn s390x(before: &[u8], address: Address) -> Option<Target> {
    if let Some(&[0xc0, operands, ref distance @ ..]) = before.last_chunk::<6>()
        && operands & 0x0f == 5
    {
        let distance = i64::from(i32::from_be_bytes(*distance)) * 2;
        return Some(Target::At(away(back(address, 6), distance)));
    }
    let is_register = matches!(before.last_chunk()?, [0x0d, operands] if operands & 0x0f != 0);
    is_register.then_some(Target::Register)
}

pub(super) fn word(bytes: &[u8; 4], endian: Endian) -> u32 {
    match endian {
        Endian::Little => u32::from_le_bytes(*bytes),
        Endian::Big => u32::from_be_bytes(*bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Option<Target>, target: u64) {
        assert_eq!(found, Some(Target::At(Address(target))));
    }

    /// As objdump shows them: a place, its word, and what is called from there.
    #[test]
    fn calls_of_all_machines_lead_where_objdump_says() {
        let little = |word: u32| word.to_le_bytes();
        let big = |word: u32| word.to_be_bytes();
        check(aarch64(&little(0x97ff_ff80), Address(0x40_0894)), 0x40_0690);
        let powerpc = |word, address| powerpc(&big(word), Address(address), Endian::Big);
        check(powerpc(0x4800_03a5, 0x1000_0604), 0x1000_09a4);
        check(powerpc(0x4bff_ff59, 0x1000_0620), 0x1000_0574);
        assert_eq!(powerpc(0x4e80_0020, 0x1000_0648), None); // blr
        let bal = [big(0x0411_ffd2), big(0)].concat();
        check(mips(&bal, Address(0x40_094c), Endian::Big), 0x40_0890);
        check(sparc(&big(0x4007_fde4), Address(0xab0)), 0x20_0240);
        check(sparc(&big(0x7fff_ffdc), Address(0xab8)), 0xa28);
        check(s390x(&[0xc0, 0xe5, 0, 0, 0, 0x10], Address(0x1006)), 0x1020);
    }

    #[test]
    fn calls_through_the_table_of_mips_have_their_place_in_it() {
        // lw $25,-32676($28); jalr $25; nop
        let words = [0x8f99_805c_u32, 0x0320_f809, 0];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let target = mips(&code, Address(0x40_0954), Endian::Big);
        assert_eq!(target, Some(Target::Relative(-32676)));
        // move $25,$18 between them
        let words = [0x8f99_805c_u32, 0x0240_c825, 0x0320_f809, 0];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let target = mips(&code, Address(0x40_0958), Endian::Big);
        assert_eq!(target, Some(Target::Register));
    }
}
