//! The native mode's rules: all code counts, with any name and in any section.
//!
//! Local symbols of any name are functions, so `.isra`, `.part` and `.cold` clones keep their
//! time. So are labels without a type (handwritten assembly, DOS and Windows object files),
//! unless they lie inside a function of known size. Mapping symbols for disassemblers are
//! not.

use super::SymbolOptions;
use super::raw::{Binding, RawSymbol, SymbolLocation, Type};
use super::table::SymbolCandidate;
use crate::model::Address;
use crate::threads;

/// Selects symbols, in the order of the table.
pub(super) fn choose(symbols: &[RawSymbol<'_>], options: &SymbolOptions) -> Vec<SymbolCandidate> {
    let candidates: Vec<_> = symbols
        .iter()
        .filter(|symbol| is_code(symbol) && !is_mark(symbol))
        .filter(|symbol| {
            let is_local = symbol.binding == Binding::Local;
            let is_untyped = symbol.r#type == Type::Untyped;
            !(is_local && (options.skips_static || options.skips_untyped && is_untyped))
        })
        .map(|symbol| SymbolCandidate {
            address: symbol.address,
            size: symbol.size,
            name: symbol.name.into(),
            is_function: symbol.r#type != Type::Untyped,
            is_static: symbol.binding == Binding::Local,
            source: None,
        })
        .collect();
    without_inner_labels(candidates)
}

fn is_code(symbol: &RawSymbol<'_>) -> bool {
    let is_callable =
        matches!(symbol.r#type, Type::Function | Type::IndirectFunction | Type::Untyped);
    symbol.place == SymbolLocation::Code && is_callable && !symbol.name.is_empty()
}

/// Returns whether a symbol is a mapping symbol (`$a`, `$d.1`, `$x…` of ARM and RISC-V) or a
/// local label.
fn is_mark(symbol: &RawSymbol<'_>) -> bool {
    symbol.r#type == Type::Untyped
        && symbol.binding == Binding::Local
        && is_name_of_mark(symbol.name)
}

pub(super) fn is_name_of_mark(name: &[u8]) -> bool {
    match name {
        [b'$', letter @ (b'a' | b'd' | b't' | b'x'), rest @ ..] => {
            rest.first().is_none_or(|&byte| byte == b'.' || *letter == b'x')
        }
        name => name.starts_with(b".L"),
    }
}

/// Removes labels inside a function of known size.
fn without_inner_labels(candidates: Vec<SymbolCandidate>) -> Vec<SymbolCandidate> {
    let is_inside = bodies(&candidates);
    let mut kept = candidates;
    kept.retain(|c| c.is_function || !is_inside(c.address));
    kept
}

/// Returns whether an address is inside a function of known size, after its start.
pub(super) fn bodies(candidates: &[SymbolCandidate]) -> impl Fn(Address) -> bool + use<> {
    let mut bodies: Vec<(Address, Address)> = candidates
        .iter()
        .filter(|c| c.is_function && c.size > 0)
        .map(|c| (c.address, Address(c.address.0.saturating_add(c.size))))
        .collect();
    threads::sort(&mut bodies);
    // How far the bodies reach that start at or before each one.
    let mut reach = Address(0);
    for (_, end) in &mut bodies {
        reach = reach.max(*end);
        *end = reach;
    }
    move |address| {
        let n_before = bodies.partition_point(|&(start, _)| start < address);
        n_before > 0 && address < bodies[n_before - 1].1
    }
}
