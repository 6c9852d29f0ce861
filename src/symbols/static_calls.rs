//! Calls in machine code, whether executed or not (`-c`).

use object::Object;

use super::code::{CallTarget, Code};
use super::executable::{Executable, ExecutableError};
use super::symbol::SymbolId;
use super::table::SymbolTable;
use crate::model::Address;

/// A call in the code of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticCall {
    pub caller: SymbolId,
    /// The callee; `None` for an indirect call.
    pub callee: Option<SymbolId>,
}

/// Why calls could not be found.
#[derive(Debug, thiserror::Error)]
pub enum StaticCallError {
    #[error("profan cannot find calls in the machine code of {machine}")]
    UnknownMachine { machine: String },
    #[error(transparent)]
    Executable(#[from] ExecutableError),
}

impl StaticCallError {
    pub(crate) fn unknown_machine(object: &object::File<'_>) -> Self {
        Self::UnknownMachine { machine: format!("{:?}", object.architecture()) }
    }
}

/// Decodes all code and returns its calls, by caller and address.
///
/// # Errors
/// If the machine is unknown or the executable is damaged.
pub fn static_calls(
    executable: &Executable,
    table: &SymbolTable,
) -> Result<Vec<StaticCall>, StaticCallError> {
    let code = Code::new(executable)?;
    if !code.decodes_functions() {
        return Err(StaticCallError::unknown_machine(&executable.parse()?));
    }
    let mut calls = Vec::new();
    for (caller, symbol) in table.iter() {
        for target in code.targets(&symbol.range) {
            if code.is_mcount(CallTarget::At(target)) {
                continue;
            }
            let callee = starting_at(table, target).filter(|&callee| callee != caller);
            calls.extend(callee.map(|callee| StaticCall { caller, callee: Some(callee) }));
        }
    }
    Ok(calls)
}

/// The symbol that starts at an address.
pub(crate) fn starting_at(table: &SymbolTable, address: Address) -> Option<SymbolId> {
    let symbol = table.containing(address)?;
    (table.get(symbol).range.start == address).then_some(symbol)
}
