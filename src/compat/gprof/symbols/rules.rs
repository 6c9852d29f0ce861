//! The symbols that gprof 2.40 takes for functions, and how it sorts them out.
//!
//! The rules are those observed on its output; see `docs/differences.md` for where profan's
//! own rules differ.

use std::sync::Arc;

use super::local_names::LocalNames;
use crate::symbols::{Binding, RawSymbol, SymbolCandidate, SymbolLocation, SymbolOptions, Type};

/// Names by which old compilers told the debugger about a file.
const COMPILER_NOTES: [&[u8]; 2] = [b"__gnu_compiled", b"___gnu_compiled"];

/// What gprof's choice depends on beside the symbols.
pub(super) struct ObjectTarget {
    /// The character that the target puts before the names of C, if any.
    pub(super) underscore: Option<u8>,
    /// Object files of the COFF family: static functions there do not count as
    /// having the type of a function.
    pub(super) is_coff: bool,
}

/// Chooses, in the order of the symbol table.
pub(super) fn choose(
    symbols: &[RawSymbol<'_>],
    target: &ObjectTarget,
    options: &SymbolOptions,
) -> Vec<SymbolCandidate> {
    let mut local_names = LocalNames::default();
    symbols
        .iter()
        .filter_map(|symbol| {
            let is_static = class(symbol)?;
            let is_function = symbol.r#type == Type::Function && !(target.is_coff && is_static);
            let is_kept = !is_static
                || (!options.skips_static
                    && (is_function || !options.skips_untyped)
                    && target
                        .underscore
                        .is_none_or(|prefix| symbol.name.first() == Some(&prefix))
                    && !symbol.name.is_empty()
                    && accepts_local(&mut local_names, symbol));
            is_kept.then(|| SymbolCandidate {
                address: symbol.address,
                size: symbol.size,
                name: with_dot(symbol),
                is_function,
                is_static,
                source: None,
            })
        })
        .filter(|candidate| {
            !COMPILER_NOTES
                .iter()
                .any(|note| candidate.name.starts_with(note))
        })
        .collect()
}

/// Whether a symbol is a static one; `None` when it is no candidate at all.
fn class(symbol: &RawSymbol<'_>) -> Option<bool> {
    if symbol.place == SymbolLocation::Nowhere
        || matches!(symbol.r#type, Type::IndirectFunction | Type::Other)
    {
        return None;
    }
    match (symbol.binding, symbol.place) {
        // Wherever it is, unless it is said to be data.
        (Binding::Weak, _) => (symbol.r#type != Type::Object).then_some(false),
        (Binding::Global, SymbolLocation::Code) => Some(false),
        (Binding::Local, SymbolLocation::Code) => Some(true),
        _ => None,
    }
}

fn accepts_local(local_names: &mut LocalNames, symbol: &RawSymbol<'_>) -> bool {
    if symbol.is_synthetic {
        // Its name starts with a dot and goes on with a letter.
        return false;
    }
    match symbol.strings_from_name {
        // There is no string behind it.
        [] => LocalNames::default().accepts(symbol.name),
        strings => local_names.accepts(strings),
    }
}

fn with_dot(symbol: &RawSymbol<'_>) -> Arc<[u8]> {
    if symbol.is_synthetic {
        [b".", symbol.name].concat().into()
    } else {
        symbol.name.into()
    }
}
