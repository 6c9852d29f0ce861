//! Calls that stand in the machine code, whether they were made or not (`-c`).

pub(crate) mod aarch64;
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

impl StaticCallError {
    pub(crate) fn unknown_machine(object: &object::File<'_>) -> Self {
        Self::UnknownMachine {
            machine: format!("{:?}", object.architecture()),
        }
    }
}

/// Decodes all code and finds the calls in it, by caller and place.
///
/// # Errors
/// When the machine is unknown or the executable is damaged.
pub fn static_calls(
    executable: &Executable,
    table: &SymbolTable,
) -> Result<Vec<StaticCall>, StaticCallError> {
    let object = executable.parse()?;
    let targets: fn(&Piece<'_>) -> Vec<u64> = match object.architecture() {
        Architecture::X86_64 | Architecture::X86_64_X32 => |code| x86::targets(code, 64),
        Architecture::I386 => |code| x86::targets(code, 32),
        Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => aarch64::targets,
        _ => return Err(StaticCallError::unknown_machine(&object)),
    };
    let code = pieces(&object, |section| executable::is_code(section));
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

/// The symbol that starts at an address.
pub(crate) fn starting_at(table: &SymbolTable, address: Address) -> Option<SymbolId> {
    let symbol = table.containing(address)?;
    (table.get(symbol).range.start == address).then_some(symbol)
}

/// Code and where it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) start: Address,
    pub(crate) bytes: &'a [u8],
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
pub(crate) fn pieces<'data>(
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
pub(crate) fn bytes_of<'a>(code: &[Piece<'a>], range: &Range<Address>) -> Option<Piece<'a>> {
    let n_before = code.partition_point(|piece| piece.start <= range.start);
    code[n_before.checked_sub(1)?].within(range)
}
