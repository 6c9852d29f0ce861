//! Calls that stand in the machine code, whether they were made or not (`-c`).

mod aarch64;
mod gprof_scan;
mod x86;

use std::ops::Range;

use object::{Architecture, Object, ObjectSection};

use super::executable::{self, Executable, ExecutableError};
use super::table::{SymbolId, SymbolTable};
use crate::model::Address;

/// A call that stands in the code of one symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticCall {
    /// In whose code.
    pub caller: SymbolId,
    /// What is called: the symbol that starts at the target, or `None` where the
    /// target is in a register.
    pub callee: Option<SymbolId>,
}

/// How to look for calls.
#[derive(Clone, Copy, Debug)]
pub enum CallSearch<'a> {
    /// Decode all code.
    Decode,
    /// Look for what resembles a call, as gprof 2.40 does, see `gprof_scan`,
    /// where one of these ranges has ticks.
    Gprof(&'a [Range<Address>]),
}

/// Why there was no search.
#[derive(Debug, thiserror::Error)]
pub enum StaticCallError {
    /// Nobody here can read the code.
    #[error("calls in the machine code of {machine} cannot be told")]
    UnknownMachine {
        /// The machine.
        machine: String,
    },
    /// The executable is damaged.
    #[error(transparent)]
    Executable(#[from] ExecutableError),
}

/// Finds calls, by caller and place.
///
/// # Errors
/// When the machine is unknown or the executable is damaged.
pub fn static_calls(
    executable: &Executable,
    table: &SymbolTable,
    search: CallSearch<'_>,
) -> Result<Vec<StaticCall>, StaticCallError> {
    let object = executable.parse()?;
    match search {
        CallSearch::Decode => decode(&object, table),
        CallSearch::Gprof(ranges) => {
            let machine = gprof_scan::Machine::of(&object).ok_or_else(|| unknown(&object))?;
            let text = pieces(&object, |section| section.name() == Ok(".text"));
            Ok(gprof_scan::scan(machine, &text, table, ranges))
        }
    }
}

fn unknown(object: &object::File<'_>) -> StaticCallError {
    StaticCallError::UnknownMachine {
        machine: format!("{:?}", object.architecture()),
    }
}

fn decode(
    object: &object::File<'_>,
    table: &SymbolTable,
) -> Result<Vec<StaticCall>, StaticCallError> {
    let targets: fn(&Piece<'_>) -> Vec<u64> = match object.architecture() {
        Architecture::X86_64 | Architecture::X86_64_X32 => |code| x86::targets(code, 64),
        Architecture::I386 => |code| x86::targets(code, 32),
        Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => aarch64::targets,
        _ => return Err(unknown(object)),
    };
    let code = pieces(object, |section| executable::is_code(section));
    let mut calls = Vec::new();
    for (caller, symbol) in table.iter() {
        let Some(body) = bytes_of(&code, &symbol.range) else {
            continue;
        };
        for target in targets(&body) {
            let callee = starting_at(table, Address(target)).filter(|&callee| callee != caller);
            calls.extend(callee.map(|callee| StaticCall {
                caller,
                callee: Some(callee),
            }));
        }
    }
    Ok(calls)
}

fn starting_at(table: &SymbolTable, address: Address) -> Option<SymbolId> {
    let symbol = table.containing(address)?;
    (table.get(symbol).range.start == address).then_some(symbol)
}

/// Code and where it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) start: Address,
    pub(super) bytes: &'a [u8],
}

impl<'a> Piece<'a> {
    /// The part of it that lies in a range.
    fn within(&self, range: &Range<Address>) -> Option<Piece<'a>> {
        let offset = |address: Address| {
            let distance = address.0.saturating_sub(self.start.0);
            usize::try_from(distance).map_or(self.bytes.len(), |d| d.min(self.bytes.len()))
        };
        let (from, to) = (offset(range.start), offset(range.end));
        (from < to).then(|| Piece {
            start: Address(self.start.0 + from as u64),
            bytes: &self.bytes[from..to],
        })
    }
}

/// The sections that are wanted and have bytes, in address order.
pub(super) fn pieces<'data>(
    object: &object::File<'data>,
    is_wanted: impl Fn(&object::Section<'data, '_>) -> bool,
) -> Vec<Piece<'data>> {
    let mut pieces: Vec<_> = object
        .sections()
        .filter(is_wanted)
        .filter_map(|section| {
            Some(Piece {
                start: Address(section.address()),
                bytes: section.data().ok().filter(|bytes| !bytes.is_empty())?,
            })
        })
        .collect();
    pieces.sort_by_key(|piece| piece.start);
    pieces
}

/// The code of a range, as far as it lies in the piece in which the range starts.
fn bytes_of<'a>(code: &[Piece<'a>], range: &Range<Address>) -> Option<Piece<'a>> {
    let n_before = code.partition_point(|piece| piece.start <= range.start);
    code[n_before.checked_sub(1)?].within(range)
}
