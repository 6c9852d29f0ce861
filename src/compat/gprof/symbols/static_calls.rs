//! gprof's search for calls: anything that resembles a call instruction and leads to the
//! start of a symbol.
//!
//! On x86 that is any byte 0xE8, with an unsigned distance, so only forward calls are found.
//! Only code within histograms is searched, and targets must lie in one by the lower half of
//! their address.

use std::ops::Range;

use object::ObjectSection;

use crate::model::{Address, Endian};
use crate::symbols::machine_code::{
    CallTarget, Chunk, CodeFlow, CodeMachine, aarch64, chunks, code_of, starting_at,
};
use crate::symbols::{Executable, StaticCall, StaticCallError, Symbol, SymbolId, SymbolTable};

/// Finds calls in `.text` where one of `ranges` has ticks, by caller and address.
///
/// # Errors
/// If the machine is unknown or the executable is damaged.
pub fn static_calls(
    executable: &Executable,
    table: &SymbolTable,
    ranges: &[Range<Address>],
) -> Result<Vec<StaticCall>, StaticCallError> {
    let object = executable.parse()?;
    let text = chunks(&object, |section| section.name() == Ok(".text"));
    let calls = CodeMachine::of(&object).and_then(|machine| scan(machine, &text, table, ranges));
    calls.ok_or_else(|| StaticCallError::unknown_machine(&object))
}

/// The apparent target; `None` for machines unknown to gprof.
fn targets(machine: CodeMachine, code: &Chunk<'_>, all: &Chunk<'_>) -> Option<Vec<CallTarget>> {
    let found = |endian, target: fn(u32, u64) -> Option<CallTarget>| {
        let words = code.words(endian);
        words.filter_map(|(word, place)| target(word, place)).collect()
    };
    Some(match machine {
        CodeMachine::X86 { .. } => x86_targets(code, all),
        CodeMachine::AArch64 => found(Endian::Little, aarch64_target),
        CodeMachine::Sparc => found(Endian::Big, sparc_target),
        CodeMachine::Alpha => found(Endian::Little, alpha_target),
        CodeMachine::Mips(endian) | CodeMachine::MicroMips(endian) => found(endian, mips_target),
        _ => return None,
    })
}

/// Searches `text` symbol by symbol.
fn scan(
    machine: CodeMachine,
    text: &[Chunk<'_>],
    table: &SymbolTable,
    ranges: &[Range<Address>],
) -> Option<Vec<StaticCall>> {
    let mut calls = Vec::new();
    let nothing = Chunk { start: Address(0), bytes: &[] };
    let all = text.first().unwrap_or(&nothing);
    // Whether the machine is known does not hang on any code.
    targets(machine, &nothing, all)?;
    let end = Address(all.start.0.saturating_add(all.bytes.len() as u64));
    for (caller, symbol) in table.iter() {
        // gprof does not search the part of a symbol outside of the section.
        let range =
            clipped(symbol, ranges).map(|range| range.start.max(all.start)..range.end.min(end));
        let Some(code) = range.and_then(|range| code_of(text, &range)) else {
            continue;
        };
        for target in targets(machine, &code, all)? {
            let callee = match target {
                CallTarget::At(address) => match callee_at(address, table, ranges) {
                    None => continue,
                    callee => callee,
                },
                _ => None,
            };
            calls.push(StaticCall { caller, callee });
        }
    }
    Some(calls)
}

/// The part of a symbol up to the next one within the first histogram that overlaps it.
fn clipped(symbol: &Symbol, ranges: &[Range<Address>]) -> Option<Range<Address>> {
    let (start, end) = (symbol.range.start, symbol.ticks_end);
    ranges.iter().find_map(|range| {
        let part = start.max(range.start)..end.min(range.end);
        (part.start < part.end).then_some(part)
    })
}

fn callee_at(address: Address, table: &SymbolTable, ranges: &[Range<Address>]) -> Option<SymbolId> {
    let low_half = Address(address.0 & u64::from(u32::MAX));
    let is_covered = ranges.iter().any(|range| range.contains(&low_half));
    starting_at(table, address).filter(|_| is_covered)
}

fn x86_targets(code: &Chunk<'_>, all: &Chunk<'_>) -> Vec<CallTarget> {
    const CALL: u8 = 0xe8;
    const SIZE: u64 = 5;
    let places = (code.start.0..).zip(code.bytes);
    let calls = places.filter(|&(_, &byte)| byte == CALL);
    calls
        .filter_map(|(place, _)| {
            // The distance may extend past the end of the searched code.
            let offset = usize::try_from(place + 1 - all.start.0).ok()?;
            let distance = all.bytes.get(offset..)?.first_chunk::<4>()?;
            let distance = u64::from(u32::from_le_bytes(*distance));
            Some(CallTarget::At(Address(place.wrapping_add(SIZE + distance))))
        })
        .collect()
}

/// `b` and `bl`.
fn aarch64_target(word: u32, place: u64) -> Option<CallTarget> {
    let flow = (word & 0x7c00_0000 == 0x1400_0000).then(|| aarch64(word, place, 0));
    match flow? {
        CodeFlow::Jump(target) => Some(CallTarget::At(Address(target))),
        CodeFlow::Call(target) => Some(target),
        _ => None,
    }
}

/// The distance of `call` is in words, which gprof takes for bytes.
fn sparc_target(word: u32, place: u64) -> Option<CallTarget> {
    let distance = i64::from((word << 2).cast_signed() >> 2);
    (word >> 30 == 1).then(|| CallTarget::At(Address(place.wrapping_add_signed(distance))))
}

/// `bsr` is a direct call, `jsr` and its coroutine form are indirect.
fn alpha_target(word: u32, place: u64) -> Option<CallTarget> {
    match (word >> 26, word >> 14 & 3) {
        (0x1a, 1 | 3) => Some(CallTarget::Register),
        (0x34, _) => {
            let distance = i64::from((word << 11).cast_signed() >> 9);
            let target = place.wrapping_add(4).wrapping_add_signed(distance);
            Some(CallTarget::At(Address(target)))
        }
        _ => None,
    }
}

/// `jal` is a direct call within 256 MiB, `jalr` an indirect one.
fn mips_target(word: u32, place: u64) -> Option<CallTarget> {
    if word & 0xfc00_0000 == 0x0c00_0000 {
        let region = place & !0x0fff_ffff;
        let target = region | u64::from(word & 0x03ff_ffff) << 2;
        return Some(CallTarget::At(Address(target)));
    }
    (word & 0xfc00_f83f == 0x0000_f809).then_some(CallTarget::Register)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_where_processors_go() {
        assert_eq!(mips_target(0x0c10_0040, 0x40_0000), Some(CallTarget::At(Address(0x40_0100))));
        assert_eq!(mips_target(0x0320_f809, 0), Some(CallTarget::Register));
        assert_eq!(sparc_target(0x7fff_ffa8, 0x1000), Some(CallTarget::At(Address(0x0fa8))));
        assert_eq!(sparc_target(0x0100_0000, 0), None);
        assert_eq!(alpha_target(0xd340_0003, 0x1000), Some(CallTarget::At(Address(0x1010))));
        assert_eq!(alpha_target(0xd35f_ffff, 0x1000), Some(CallTarget::At(Address(0x1000))));
        assert_eq!(alpha_target(0x6b5b_4000, 0), Some(CallTarget::Register));
        assert_eq!(alpha_target(0x6bfa_8001, 0), None);
    }

    #[test]
    fn any_byte_like_a_call_counts_and_distances_are_unsigned() {
        let bytes = [0x90, 0xe8, 0x10, 0, 0, 0, 0xe8, 0xff, 0xff, 0xff, 0xff];
        let code = Chunk { start: Address(0x100), bytes: &bytes };
        let expected = [0x116, 0x1_0000_010a].map(|target| CallTarget::At(Address(target)));
        assert_eq!(x86_targets(&code, &code), expected);
    }
}
