//! gprof's way of finding calls: what resembles a call instruction, and leads to
//! the start of a symbol, is one.
//!
//! On x86 that is any byte 0xE8, and the distance behind it counts as unsigned, so
//! only calls forward are found. Only code that histograms cover is searched, and
//! targets must lie in one by the lower half of their address.

use std::ops::Range;

use object::{Architecture, Object, ObjectSection};

use crate::model::{Address, Endian};
use crate::symbols::machine_code::{Piece, aarch64, bytes_of, pieces, starting_at};
use crate::symbols::{Executable, StaticCall, StaticCallError, Symbol, SymbolId, SymbolTable};

/// Finds what resembles a call in the section named `.text`, where one of `ranges`
/// has ticks, by caller and place.
///
/// # Errors
/// When the machine is unknown or the executable is damaged.
pub fn static_calls(
    executable: &Executable,
    table: &SymbolTable,
    ranges: &[Range<Address>],
) -> Result<Vec<StaticCall>, StaticCallError> {
    let object = executable.parse()?;
    let machine = Machine::of(&object);
    let machine = machine.ok_or_else(|| StaticCallError::unknown_machine(&object))?;
    let text = pieces(&object, |section| section.name() == Ok(".text"));
    Ok(scan(machine, &text, table, ranges))
}

/// The processors whose calls gprof knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    X86,
    Aarch64,
    Sparc,
    Alpha,
    Mips(Endian),
}

impl Machine {
    fn of(object: &object::File<'_>) -> Option<Self> {
        use Architecture as A;
        match object.architecture() {
            A::I386 | A::X86_64 | A::X86_64_X32 => Some(Self::X86),
            A::Aarch64 | A::Aarch64_Ilp32 => Some(Self::Aarch64),
            A::Sparc | A::Sparc32Plus | A::Sparc64 => Some(Self::Sparc),
            A::Alpha => Some(Self::Alpha),
            A::Mips | A::Mips64 | A::Mips64_N32 => Some(Self::Mips(if object.is_little_endian() {
                Endian::Little
            } else {
                Endian::Big
            })),
            _ => None,
        }
    }

    /// What the code seems to call.
    fn targets(self, code: &Piece<'_>, all: &Piece<'_>) -> Vec<Target> {
        match self {
            Self::X86 => x86_targets(code, all),
            Self::Aarch64 => words_of(code, Endian::Little)
                .filter(|(word, _)| word & 0x7c00_0000 == 0x1400_0000)
                .map(|(word, place)| Target::Address(aarch64::target(word, place)))
                .collect(),
            Self::Sparc => words_of(code, Endian::Big)
                .filter_map(|(word, place)| sparc_target(word, place))
                .collect(),
            Self::Alpha => words_of(code, Endian::Little)
                .filter_map(|(word, place)| alpha_target(word, place))
                .collect(),
            Self::Mips(endian) => words_of(code, endian)
                .filter_map(|(word, place)| mips_target(word, place))
                .collect(),
        }
    }
}

/// Where a call seems to lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Address(u64),
    InRegister,
}

/// Searches `text`, the section of that name, symbol by symbol.
fn scan(
    machine: Machine,
    text: &[Piece<'_>],
    table: &SymbolTable,
    ranges: &[Range<Address>],
) -> Vec<StaticCall> {
    let mut calls = Vec::new();
    let Some(all) = text.first() else {
        return calls;
    };
    let end = Address(all.start.0.saturating_add(all.bytes.len() as u64));
    for (caller, symbol) in table.iter() {
        // What of a symbol lies outside of the section is not searched.
        let range =
            clipped(symbol, ranges).map(|range| range.start.max(all.start)..range.end.min(end));
        let Some(code) = range.and_then(|range| bytes_of(text, &range)) else {
            continue;
        };
        for target in machine.targets(&code, all) {
            let callee = match target {
                Target::InRegister => None,
                Target::Address(address) => match callee_at(address, table, ranges) {
                    None => continue,
                    callee => callee,
                },
            };
            calls.push(StaticCall { caller, callee });
        }
    }
    calls
}

/// The part of a symbol, up to the next one, that lies in the first histogram to
/// meet it, in the order in which they appeared.
fn clipped(symbol: &Symbol, ranges: &[Range<Address>]) -> Option<Range<Address>> {
    let (start, end) = (symbol.range.start, symbol.ticks_end);
    ranges.iter().find_map(|range| {
        let part = start.max(range.start)..end.min(range.end);
        (part.start < part.end).then_some(part)
    })
}

fn callee_at(address: u64, table: &SymbolTable, ranges: &[Range<Address>]) -> Option<SymbolId> {
    let low_half = Address(address & u64::from(u32::MAX));
    let is_covered = ranges.iter().any(|range| range.contains(&low_half));
    starting_at(table, Address(address)).filter(|_| is_covered)
}

fn x86_targets(code: &Piece<'_>, all: &Piece<'_>) -> Vec<Target> {
    const CALL: u8 = 0xe8;
    const SIZE: u64 = 5;
    let places = (code.start.0..).zip(code.bytes);
    let calls = places.filter(|&(_, &byte)| byte == CALL);
    calls
        .filter_map(|(place, _)| {
            // The distance may lie behind the end of the code that is searched.
            let offset = usize::try_from(place + 1 - all.start.0).ok()?;
            let distance = all.bytes.get(offset..)?.first_chunk::<4>()?;
            let distance = u64::from(u32::from_le_bytes(*distance));
            Some(Target::Address(place.wrapping_add(SIZE + distance)))
        })
        .collect()
}

/// Words with their addresses, from wherever the code starts, which may be within one.
fn words_of(code: &Piece<'_>, endian: Endian) -> impl Iterator<Item = (u32, u64)> {
    let start = code.start.0;
    let (words, _) = code.bytes.as_chunks::<4>();
    let words = words.iter().map(move |word| match endian {
        Endian::Little => u32::from_le_bytes(*word),
        Endian::Big => u32::from_be_bytes(*word),
    });
    words.zip((start..).step_by(4))
}

/// `call` leads to a place by a distance in words, which gprof takes for one in bytes.
fn sparc_target(word: u32, place: u64) -> Option<Target> {
    let distance = i64::from((word << 2).cast_signed() >> 2);
    (word >> 30 == 1).then(|| Target::Address(place.wrapping_add_signed(distance)))
}

/// `bsr` leads to a place, `jsr` and its coroutine form to a register.
fn alpha_target(word: u32, place: u64) -> Option<Target> {
    match (word >> 26, word >> 14 & 3) {
        (0x1a, 1 | 3) => Some(Target::InRegister),
        (0x34, _) => {
            let distance = i64::from((word << 11).cast_signed() >> 9);
            let target = place.wrapping_add(4).wrapping_add_signed(distance);
            Some(Target::Address(target))
        }
        _ => None,
    }
}

/// `jal` leads to a place in the same 256 MiB, `jalr` to a register.
fn mips_target(word: u32, place: u64) -> Option<Target> {
    if word & 0xfc00_0000 == 0x0c00_0000 {
        let region = place & !0x0fff_ffff;
        return Some(Target::Address(region | u64::from(word & 0x03ff_ffff) << 2));
    }
    (word & 0xfc00_f83f == 0x0000_f809).then_some(Target::InRegister)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_where_processors_go() {
        assert_eq!(
            mips_target(0x0c10_0040, 0x40_0000),
            Some(Target::Address(0x40_0100))
        );
        assert_eq!(mips_target(0x0320_f809, 0), Some(Target::InRegister));
        assert_eq!(
            sparc_target(0x7fff_ffa8, 0x1000),
            Some(Target::Address(0x0fa8))
        );
        assert_eq!(sparc_target(0x0100_0000, 0), None);
        assert_eq!(
            alpha_target(0xd340_0003, 0x1000),
            Some(Target::Address(0x1010))
        );
        assert_eq!(
            alpha_target(0xd35f_ffff, 0x1000),
            Some(Target::Address(0x1000))
        );
        assert_eq!(alpha_target(0x6b5b_4000, 0), Some(Target::InRegister));
        assert_eq!(alpha_target(0x6bfa_8001, 0), None);
    }

    #[test]
    fn any_byte_like_a_call_counts_and_distances_are_unsigned() {
        let bytes = [0x90, 0xe8, 0x10, 0, 0, 0, 0xe8, 0xff, 0xff, 0xff, 0xff];
        let code = Piece {
            start: Address(0x100),
            bytes: &bytes,
        };
        let expected = [0x116, 0x1_0000_010a].map(Target::Address);
        assert_eq!(x86_targets(&code, &code), expected);
    }
}
