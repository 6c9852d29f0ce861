//! Instruction sets whose instructions are words. Sources: the architecture manuals and
//! psABIs of AArch64, ARM, PowerPC, MIPS, SPARC and z/Architecture.

use super::{Address, CallTarget, Chunk, CodeFlow, WordFlow, away};
use crate::model::Endian;

/// Instructions before an indirect call to search for the load of its target.
const LOAD_DISTANCE: usize = 4;

pub(crate) fn aarch64(word: u32, place: u64, _next: u32) -> CodeFlow {
    let near = place.wrapping_add_signed(4 * signed(word, 26));
    let short = place.wrapping_add_signed(4 * signed(word >> 5, 19));
    match word {
        _ if word & 0xfc00_0000 == 0x9400_0000 => CodeFlow::call(near),
        // blr, also with a check of the pointer.
        _ if word & 0xffff_fc1f == 0xd63f_0000 || word & 0xfeff_f800 == 0xd63f_0800 => {
            CodeFlow::Call(CallTarget::Register)
        }
        _ if word & 0xfc00_0000 == 0x1400_0000 => CodeFlow::Jump(near),
        _ if word & 0xff00_0010 == 0x5400_0000 => CodeFlow::Jump(short),
        _ if word & 0x7e00_0000 == 0x3400_0000 => CodeFlow::Jump(short),
        _ => CodeFlow::away_if(
            word & 0xffff_fc1f == 0xd61f_0000 || word & 0xfeff_f800 == 0xd61f_0800,
        ),
    }
}

pub(super) fn powerpc(word: u32, place: u64, _next: u32) -> CodeFlow {
    let distance = 4 * signed(word >> 2, 24);
    match word & 0xfc00_0003 {
        0x4800_0001 => CodeFlow::call(place.wrapping_add_signed(distance)),
        0x4800_0003 => CodeFlow::call(distance.cast_unsigned()),
        0x4800_0000 => CodeFlow::Jump(place.wrapping_add_signed(distance)),
        0x4000_0000 => CodeFlow::Jump(place.wrapping_add_signed(4 * signed(word >> 2, 14))),
        // bctrl, blrl
        _ if matches!(word, 0x4e80_0421 | 0x4e80_0021) => CodeFlow::Call(CallTarget::Register),
        // To the count register.
        _ => CodeFlow::away_if(word & 0xfc00_07ff == 0x4c00_0420),
    }
}

pub(super) fn mips(word: u32, place: u64, _next: u32) -> CodeFlow {
    let next = place.wrapping_add(4);
    let region = next & !0x0fff_ffff | u64::from(word & 0x03ff_ffff) << 2;
    let near = next.wrapping_add_signed(4 * signed(word, 16));
    match word >> 26 {
        2 => CodeFlow::Jump(region),
        3 => CodeFlow::call(region),
        // bal; other branches that link are calls too.
        _ if word >> 16 == 0x0411 => CodeFlow::call(near),
        1 if word >> 20 & 1 == 1 => CodeFlow::On,
        1 | 4..=7 | 20..=23 => CodeFlow::Jump(near),
        // jalr that links to the register of return addresses
        0 if word & 0x001f_f83f == 0x0000_f809 => CodeFlow::Call(CallTarget::Register),
        0 => CodeFlow::away_if(word & 0x3f == 8 && word >> 21 & 31 != 31),
        _ => CodeFlow::On,
    }
}

/// The MIPS call that returns to an offset, after its delay slot.
pub(super) fn mips_call_before(
    code: &Chunk<'_>,
    offset: usize,
    endian: Endian,
) -> Option<CallTarget> {
    let place = offset.checked_sub(8)?;
    match mips(code.word(place, endian)?, code.at(place).0, 0).called()? {
        CallTarget::Register => Some(mips_target(code, place, endian)),
        target => Some(target),
    }
}

/// The target of an indirect MIPS call, from the instructions before it: by the o32 ABI, it
/// is loaded to $25 from the table at $28.
fn mips_target(code: &Chunk<'_>, call_offset: usize, endian: Endian) -> CallTarget {
    let before = (1..=LOAD_DISTANCE).map_while(|n| call_offset.checked_sub(4 * n));
    let mut words = before.filter_map(|offset| code.word(offset, endian));
    let load = words.find(|word| {
        let is_load = matches!(word >> 26, 0x23 | 0x37) && word >> 16 & 31 == 25;
        let is_move = word >> 26 == 0 && word >> 11 & 31 == 25;
        is_load || is_move
    });
    let from_table = load.filter(|load| load >> 26 != 0 && load >> 21 & 31 == 28);
    from_table.map_or(CallTarget::Register, |load| CallTarget::Relative(signed(load, 16)))
}

/// A call that restores its return register in the delay slot is a jump.
pub(super) fn sparc(word: u32, place: u64, next: u32) -> CodeFlow {
    let is_restored = next >> 30 == 2 && (next >> 19 & 0x3f == 0x3d || next >> 25 & 31 == 15);
    match (word >> 30, word >> 22 & 7) {
        (1, _) if is_restored => CodeFlow::Away,
        (1, _) => CodeFlow::call(place.wrapping_add_signed(4 * signed(word, 30))),
        (0, 1 | 5) => CodeFlow::Jump(place.wrapping_add_signed(4 * signed(word, 19))),
        (0, 2 | 6) => CodeFlow::Jump(place.wrapping_add_signed(4 * signed(word, 22))),
        // jmpl to the register of return addresses
        _ if word & 0xfff8_0000 == 0x9fc0_0000 => CodeFlow::Call(CallTarget::Register),
        (2, _) if word >> 19 & 0x3f == 0x38 && word >> 25 & 31 == 0 => {
            CodeFlow::away_if(!matches!(word >> 14 & 31, 15 | 31))
        }
        _ => CodeFlow::On,
    }
}

/// ARM. The program counter is two instructions ahead.
pub(super) fn arm(word: u32, place: u64, _next: u32) -> CodeFlow {
    let near = place.wrapping_add_signed(8 + 4 * signed(word, 24));
    let is_pop = word & 0x0fff_ffff == 0x049d_f004;
    match word {
        // blx, to the other set
        _ if word & 0xfe00_0000 == 0xfa00_0000 => {
            CodeFlow::call(near.wrapping_add(u64::from(word >> 24 & 1) * 2))
        }
        _ if word & 0x0f00_0000 == 0x0b00_0000 => CodeFlow::call(near),
        _ if word & 0x0f00_0000 == 0x0a00_0000 => CodeFlow::Jump(near),
        _ if word & 0x0fff_fff0 == 0x012f_ff30 => CodeFlow::Call(CallTarget::Register),
        // bx, mov pc: of the register of return addresses it is a return.
        _ if word & 0x0fff_fff0 == 0x012f_ff10 || word & 0x0fff_fff0 == 0x01a0_f000 => {
            CodeFlow::away_if(word & 15 != 14)
        }
        _ => CodeFlow::away_if(word & 0x0c10_f000 == 0x0410_f000 && !is_pop),
    }
}

/// The s390x call that ends at an address; instructions have two, four or six bytes.
pub(super) fn s390x_call_before(before: &[u8], address: Address) -> Option<CallTarget> {
    if let Some(&[0xc0, operands, ref distance @ ..]) = before.last_chunk::<6>()
        && operands & 0x0f == 5
    {
        let distance = i64::from(i32::from_be_bytes(*distance)) * 2;
        return Some(CallTarget::At(away(address, distance - 6)));
    }
    let is_register = matches!(before.last_chunk()?, [0x0d, operands] if operands & 0x0f != 0);
    is_register.then_some(CallTarget::Register)
}

/// The word that an AArch64 stub jumps through: `adrp x16, PAGE` and `ldr x17, [x16,
/// OFFSET]`, possibly after `bti`.
pub(super) fn aarch64_slot(stub: &Chunk<'_>) -> Option<Address> {
    let word = |offset| stub.word(offset, Endian::Little);
    let offset = [0, 4].into_iter().find(|&offset| {
        word(offset).is_some_and(|page| page & 0x9f00_001f == 0x9000_0010)
            && word(offset + 4).is_some_and(|load| load & 0xffc0_03ff == 0xf940_0211)
    })?;
    let (page, load) = (word(offset)?, word(offset + 4)?);
    // 21 bits with a sign, in two parts.
    let distance = signed((page >> 5 & 0x7_ffff) << 2 | page >> 29 & 3, 21) << 12;
    let page = Address(stub.at(offset).0 & !0xfff);
    Some(away(page, distance + i64::from(load >> 10 & 0xfff) * 8))
}

/// The word that a RISC-V stub jumps through: `auipc t3, PAGE` and `ld t3, OFFSET(t3)`, or
/// `lw` for RV32.
pub(super) fn riscv_slot(stub: &Chunk<'_>) -> Option<Address> {
    let (page, load) = (stub.word(0, Endian::Little)?, stub.word(4, Endian::Little)?);
    let is_load = matches!(load & 0xf_ffff, 0xe_3e03 | 0xe_2e03);
    let distance = i64::from((page & !0xfff).cast_signed()) + signed(load >> 20, 12);
    (page & 0xfff == 0xe17 && is_load).then(|| away(stub.start, distance))
}

/// Start of the trailing words without effect (AArch64).
pub(super) fn aarch64_padding(body: &Chunk<'_>) -> Address {
    const NOPS: [u32; 2] = [0, 0xd503_201f];
    let used = body.words(Endian::Little);
    let used = used.filter(|(word, _)| !NOPS.contains(word));
    used.last().map_or(body.start, |(_, place)| Address(place.wrapping_add(4)))
}

/// The control flow of each word, from the word, its address and the next word.
pub(super) fn flows<'a>(
    code: Chunk<'a>,
    endian: Endian,
    flow: WordFlow,
) -> Box<dyn Iterator<Item = CodeFlow> + 'a> {
    let nexts = code.words(endian).skip(1).map(|(next, _)| next);
    let pairs = code.words(endian).zip(nexts.chain(std::iter::once(0)));
    Box::new(pairs.map(move |((word, place), next)| flow(word, place, next)))
}

/// The lowest bits of a word, sign-extended.
pub(super) fn signed(word: u32, n_bits: u32) -> i64 {
    let unused = 32 - n_bits;
    i64::from((word << unused).cast_signed() >> unused)
}

#[cfg(test)]
mod tests {
    use super::super::{Code, CodeMachine};
    use super::*;
    use Endian::{Big, Little};

    fn bytes_of(words: &[u32], endian: Endian) -> Vec<u8> {
        let bytes = words.iter().map(|word| match endian {
            Little => word.to_le_bytes(),
            Big => word.to_be_bytes(),
        });
        bytes.flatten().collect()
    }

    /// The call that returns after these words.
    fn call(machine: CodeMachine, words: &[u32], end: u64, endian: Endian) -> Option<CallTarget> {
        let bytes = bytes_of(&[words, &[0]].concat(), endian);
        let start = Address(end - 4 * words.len() as u64);
        let code = Code::of_bytes(machine, start, &bytes);
        code.call_returning_to(Address(end))
    }

    /// As in the output of objdump: words, the address after them, and the target.
    #[test]
    fn calls_of_all_machines_lead_where_objdump_says() {
        let check = |machine, words: &[u32], end, endian, target| {
            let expected = Some(CallTarget::At(Address(target)));
            assert_eq!(call(machine, words, end, endian), expected, "{words:x?}");
        };
        let powerpc = CodeMachine::PowerPc(Big);
        check(CodeMachine::AArch64, &[0x97ff_ff80], 0x40_0894, Little, 0x40_0690);
        check(powerpc, &[0x4800_03a5], 0x1000_0604, Big, 0x1000_09a4);
        check(powerpc, &[0x4bff_ff59], 0x1000_0620, Big, 0x1000_0574);
        let blr = call(powerpc, &[0x4e80_0020], 0x1000_0648, Big);
        assert_eq!(blr, None);
        check(CodeMachine::Mips(Big), &[0x0411_ffd2, 0], 0x40_094c, Big, 0x40_0890);
        // The recorded address is the call itself, or the address after its delay slot.
        check(CodeMachine::Sparc, &[0x4007_fde4, 0], 0xab8, Big, 0x20_0240);
        check(CodeMachine::Sparc, &[0x7fff_ffdc, 0], 0xac0, Big, 0xa28);
        let s390x = s390x_call_before(&[0xc0, 0xe5, 0, 0, 0, 0x10], Address(0x1006));
        assert_eq!(s390x, Some(CallTarget::At(Address(0x1020))));
    }

    #[test]
    fn calls_through_the_table_of_mips_have_their_place_in_it() {
        let check = |words: &[u32], expected| {
            let found = call(CodeMachine::Mips(Big), words, 0x40_0954, Big);
            assert_eq!(found, Some(expected), "{words:x?}");
        };
        // lw $25,-32676($28); jalr $25; nop
        check(&[0x8f99_805c, 0x0320_f809, 0], CallTarget::Relative(-32676));
        // move $25,$18 between them
        check(&[0x8f99_805c, 0x0240_c825, 0x0320_f809, 0], CallTarget::Register);
    }

    /// Pairs of a return and another jump.
    #[test]
    fn returns_are_told_from_jumps() {
        let check = |machine, endian, words: &[u32], leaves: bool| {
            let bytes = bytes_of(words, endian);
            let code = Code::of_bytes(machine, Address(0x1000), &bytes);
            let body = Address(0x1000)..Address(0x1000 + bytes.len() as u64);
            assert_eq!(code.may_jump_away(&body), leaves, "{words:x?}");
        };
        // ret; b .+0x40
        check(CodeMachine::AArch64, Little, &[0xd65f_03c0], false);
        check(CodeMachine::AArch64, Little, &[0x1400_0010], true);
        // a branch within and blr; b .+0x40
        let powerpc = CodeMachine::PowerPc(Big);
        check(powerpc, Big, &[0x4800_0004, 0x4e80_0020], false);
        check(powerpc, Big, &[0x4800_0040], true);
        // jr $31; jr $25
        check(CodeMachine::Mips(Big), Big, &[0x03e0_0008, 0], false);
        check(CodeMachine::Mips(Big), Big, &[0x0320_0008, 0], true);
        // jmp %o7+8; call and restore
        check(CodeMachine::Sparc, Big, &[0x81c3_e008, 0x0100_0000], false);
        check(CodeMachine::Sparc, Big, &[0x4000_0010, 0x81e8_0000], true);
        // bx lr; b .+0x40
        check(CodeMachine::Arm, Little, &[0xe12f_ff1e], false);
        check(CodeMachine::Arm, Little, &[0xea00_000e], true);
    }
}
