//! x86 and x86-64. Source: Intel 64 and IA-32 Architectures Software Developer's Manual,
//! volume 2.

mod instruction;

use super::{Address, CallTarget, Chunk, FunctionCode, away};
use instruction::Effect;
pub(super) use instruction::instructions;

/// The target of the call at the end of the bytes. `e8` with a distance counts only if it
/// leads into code, because many other bytes have that value.
pub(super) fn call_before(
    before: &[u8],
    address: Address,
    bits: u32,
    is_code: impl Fn(Address) -> bool,
) -> Option<CallTarget> {
    if before.last_chunk::<8>().is_some_and(|last| !may_end_in_call(*last)) {
        return None;
    }
    if let Some(&[0xe8, ref distance @ ..]) = before.last_chunk::<5>() {
        let target = in_space(away(address, i32::from_le_bytes(*distance).into()), bits);
        if is_code(target) {
            return Some(CallTarget::At(target));
        }
    }
    match before.last_chunk::<6>() {
        Some(&[0xff, 0x15, ref place @ ..]) => return Some(slot(*place, address, bits)),
        Some(&[0xff, 0x93, ref place @ ..]) => return Some(relative(*place)),
        _ => {}
    }
    ends_in_indirect_call(before).then_some(CallTarget::Register)
}

/// Returns whether the bytes have an `ff` or the `e8` of a call: most places do not, and this is
/// asked of each byte of a program.
fn may_end_in_call(last: [u8; 8]) -> bool {
    // A byte of the inverse is zero if taking 1 from it sets its highest bit, which it lacks.
    const LOWEST: u64 = u64::MAX / 255;
    const HIGHEST: u64 = LOWEST << 7;
    let bytes = u64::from_le_bytes(last);
    let has_ff = (!bytes).wrapping_sub(LOWEST) & bytes & HIGHEST != 0;
    has_ff || last[3] == 0xe8
}

/// Returns whether the last instruction may be an `ff /2` (indirect call), with its operand.
fn ends_in_indirect_call(bytes: &[u8]) -> bool {
    let end = bytes.len();
    [2, 3, 4, 6, 7].into_iter().any(|size| {
        let start = end.checked_sub(size);
        start.is_some_and(|start| is_indirect_call(&bytes[start..]))
    })
}

/// Returns whether the bytes are exactly an `ff /2`.
fn is_indirect_call(bytes: &[u8]) -> bool {
    let &[0xff, operand, ref rest @ ..] = bytes else {
        return false;
    };
    let (mode, register, base) = (operand >> 6, operand >> 3 & 7, operand & 7);
    let has_index = mode != 3 && base == 4;
    let index_base = rest.first().filter(|_| has_index).map(|index| index & 7);
    let n_displaced = match mode {
        0 if base == 5 || index_base == Some(5) => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    register == 2 && rest.len() == usize::from(has_index) + n_displaced
}

/// The word that a linker stub jumps through: `jmp *place`, possibly by way of %ebx, after
/// `endbr` or a prefix.
pub(super) fn slot_of_stub(stub: &Chunk<'_>, bits: u32) -> Option<CallTarget> {
    let mut rest = stub.bytes;
    for prefix in [&[0xf3, 0x0f, 0x1e, 0xfa][..], &[0xf3, 0x0f, 0x1e, 0xfb], &[0xf2]] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    let end = stub.at(stub.bytes.len() - rest.len() + 6);
    match *rest.first_chunk::<6>()? {
        [0xff, 0x25, ref place @ ..] => Some(slot(*place, end, bits)),
        [0xff, 0xa3, ref place @ ..] => Some(relative(*place)),
        _ => None,
    }
}

/// The address in the last four bytes of an instruction: absolute, or relative to its end.
fn slot(place: [u8; 4], end: Address, bits: u32) -> CallTarget {
    CallTarget::Slot(match bits {
        64 => away(end, i32::from_le_bytes(place).into()),
        _ => Address(u32::from_le_bytes(place).into()),
    })
}

fn relative(place: [u8; 4]) -> CallTarget {
    CallTarget::Relative(i32::from_le_bytes(place).into())
}

fn in_space(address: Address, bits: u32) -> Address {
    match bits {
        64 => address,
        _ => Address(address.0 & u64::from(u32::MAX)),
    }
}

pub(super) fn may_jump_away(body: &Chunk<'_>, bits: u32) -> bool {
    let (mut goes_on, mut is_replaced) = (true, false);
    for instruction in instructions(body, bits) {
        let effect = instruction.effect;
        if matches!(effect, Effect::Filler | Effect::Invalid) {
            continue;
        }
        // A return after the code replaced the return address is a jump, as in the thunks for
        // indirect calls.
        let is_return = effect == Effect::Return;
        if is_return && is_replaced || instruction.flow().leaves(&body.range()) {
            return true;
        }
        is_replaced = effect == Effect::Push;
        let is_jump = matches!(effect, Effect::Jump { is_conditional: false, .. });
        goes_on = !is_return && !is_jump && effect != Effect::Stop;
    }
    goes_on
}

/// Bytes of an instruction, as compilers use them.
const USUAL_SIZE: usize = 4;

pub(super) fn function_code(body: &Chunk<'_>, bits: u32) -> FunctionCode {
    let mut starts = Vec::with_capacity(body.bytes.len() / USUAL_SIZE);
    let (mut padding, mut has_data) = (body.start, false);
    for instruction in instructions(body, bits) {
        starts.push(instruction.start);
        match instruction.effect {
            Effect::Invalid => has_data = true,
            Effect::Filler => {}
            _ => padding = Address(instruction.end),
        }
    }
    let has_starts = !has_data && !starts.is_empty();
    FunctionCode { padding, starts: has_starts.then(|| starts.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: Option<CallTarget>) {
        let address = Address(0x2000);
        let is_code = |target: Address| (0x1000..0x3000).contains(&target.0);
        let target = call_before(bytes, address, 64, is_code);
        assert_eq!(target, expected, "{bytes:02x?}");
    }

    #[test]
    fn direct_calls_lead_into_the_code() {
        check(&[0xe8, 0, 1, 0, 0], Some(CallTarget::At(Address(0x2100))));
        check(&[0xe8, 0, 0, 1, 0], None);
        check(&[0xe9, 0, 1, 0, 0], None);
        check(&[0xe8, 1, 2], None);
    }

    #[test]
    fn calls_through_the_linkers_table_have_its_slot() {
        let slot = CallTarget::Slot(Address(0x2110));
        check(&[0xff, 0x15, 0x10, 1, 0, 0], Some(slot));
        check(&[0xff, 0xd0], Some(CallTarget::Register)); // call *%rax
        check(&[0xff, 0xe0], None); // jmp *%rax
    }

    #[test]
    fn stubs_jump_by_a_slot() {
        let plain = [0xff, 0x25, 0x10, 0, 0, 0];
        let check = |bytes: &[u8], bits: u32, expected: Option<CallTarget>| {
            let start = Address(0x1000);
            let found = slot_of_stub(&Chunk { start, bytes }, bits);
            assert_eq!(found, expected, "{bytes:02x?}");
        };
        check(&plain, 64, Some(CallTarget::Slot(Address(0x1016))));
        check(&plain, 32, Some(CallTarget::Slot(Address(0x10))));
        let marked = [0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x10, 0, 0, 0];
        check(&marked, 64, Some(CallTarget::Slot(Address(0x101b))));
        check(&[0xff, 0xa3, 0x10, 0, 0, 0], 32, Some(CallTarget::Relative(0x10)));
        check(&[0xe9, 0, 0, 0, 0, 0], 64, None);
    }

    #[test]
    fn a_function_jumps_away_if_a_jump_leaves_it_or_nothing_ends_it() {
        let jumps = |bytes: &[u8]| {
            let start = Address(0x1000);
            may_jump_away(&Chunk { start, bytes }, 64)
        };
        assert!(!jumps(&[0x90, 0xeb, 0xfd, 0xc3])); // jmp back to its start; ret
        assert!(jumps(&[0xeb, 0x10])); // jmp past its end
        assert!(jumps(&[0xff, 0xe0])); // jmp *%rax
        assert!(jumps(&[0x31, 0xc0])); // xor, and over the end
        assert!(!jumps(&[0x31, 0xc0, 0xc3, 0x0f, 0x1f, 0x00])); // xor; ret; padding
    }

    #[test]
    fn padding_starts_behind_the_last_instruction_that_does_something() {
        let bytes = [0x90, 0xc3, 0x90, 0x66, 0x90, 0xcc];
        let start = Address(0x1000);
        let body = Chunk { start, bytes: &bytes };
        let code = function_code(&body, 64);
        assert_eq!(code.padding, Address(0x1002));
        assert_eq!(code.starts.as_deref(), Some(&[0x1000, 0x1001, 0x1002, 0x1003, 0x1005][..]));
    }

    #[test]
    fn places_without_the_byte_of_a_call_are_passed_over() {
        assert!(!may_end_in_call([0x90, 0x48, 0xe8, 0x80, 0x7f, 0xfe, 0x01, 0x00]));
        assert!(may_end_in_call([0x90, 0x48, 0x89, 0xe8, 0x10, 0x00, 0x00, 0x00]));
        for place in 0..8 {
            let mut last = [0; 8];
            last[place] = 0xff;
            assert!(may_end_in_call(last), "{last:02x?}");
        }
    }

    fn check_indirect(bytes: &[u8], expected: bool) {
        assert_eq!(ends_in_indirect_call(bytes), expected, "{bytes:02x?}");
    }

    #[test]
    fn indirect_calls_of_all_forms_are_seen() {
        check_indirect(&[0x90, 0xff, 0xd0], true); // call *%rax
        check_indirect(&[0x41, 0xff, 0xd4], true); // call *%r12
        check_indirect(&[0xff, 0x10], true); // call *(%rax)
        check_indirect(&[0xff, 0x14, 0xc8], true); // call *(%rax,%rcx,8)
        check_indirect(&[0xff, 0x50, 0x18], true); // call *24(%rax)
        check_indirect(&[0xff, 0x54, 0x24, 0x08], true); // call *8(%rsp)
        check_indirect(&[0xff, 0x15, 1, 2, 3, 4], true); // call *n(%rip)
        check_indirect(&[0xff, 0x90, 1, 2, 3, 4], true); // call *n(%rax)
        check_indirect(&[0xff, 0x94, 0xc3, 1, 2, 3, 4], true); // call *n(%rbx,%rax,8)
        check_indirect(&[0xff, 0x14, 0xc5, 1, 2, 3, 4], true); // call *n(,%rax,8)
        check_indirect(&[], false);
        check_indirect(&[0xff, 0xe0], false); // jmp *%rax
        check_indirect(&[0xff, 0x15, 1, 2, 3], false);
        check_indirect(&[0xff, 0x50], false);
        check_indirect(&[0x48, 0x89, 0xc3], false);
    }
}
