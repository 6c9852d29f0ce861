//! The symbols that gprof 2.40 treats as functions, and their priority.
//!
//! Source: observed output; `docs/dev/differences.md` describes where the native mode differs.

use std::sync::Arc;

use super::local_names::LocalNames;
use crate::symbols::{Binding, RawSymbol, SymbolCandidate, SymbolLocation, SymbolOptions, Type};

/// Symbols that old compilers wrote for debuggers.
const COMPILER_NOTES: [&[u8]; 2] = [b"__gnu_compiled", b"___gnu_compiled"];

/// Properties of an object file that the rules depend on.
pub(super) struct ObjectTarget {
    /// The prefix of C names on the target, if any.
    pub(super) underscore: Option<u8>,
    /// COFF files: static functions do not count as having the type of a function.
    pub(super) is_coff: bool,
}

/// Selects symbols, in the order of the table.
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
                    && target.underscore.is_none_or(|prefix| symbol.name.first() == Some(&prefix))
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
        .filter(|candidate| !COMPILER_NOTES.iter().any(|note| candidate.name.starts_with(note)))
        .collect()
}

/// Returns whether a symbol is static; `None` if it is not a candidate.
fn class(symbol: &RawSymbol<'_>) -> Option<bool> {
    if symbol.place == SymbolLocation::Nowhere
        || matches!(symbol.r#type, Type::IndirectFunction | Type::Other)
    {
        return None;
    }
    match (symbol.binding, symbol.place) {
        // Weak symbols count in any section, unless they are data.
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
        // The name is the last string of the table.
        [] => LocalNames::default().accepts(symbol.name),
        strings => local_names.accepts(strings),
    }
}

fn with_dot(symbol: &RawSymbol<'_>) -> Arc<[u8]> {
    if symbol.is_synthetic { [b".", symbol.name].concat().into() } else { symbol.name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Address;

    #[test]
    fn weak_symbols_are_functions_unless_their_type_is_object() {
        let symbol = |r#type, binding| RawSymbol {
            name: b"weak",
            strings_from_name: b"weak",
            address: Address(0),
            size: 4,
            r#type,
            binding,
            place: SymbolLocation::Data,
            is_synthetic: false,
        };
        assert_eq!(class(&symbol(Type::ThreadLocal, Binding::Weak)), Some(false));
        assert_eq!(class(&symbol(Type::Object, Binding::Weak)), None);
        assert_eq!(class(&symbol(Type::ThreadLocal, Binding::Global)), None);
    }
}
