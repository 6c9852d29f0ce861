//! Symbols for source lines, beside those for functions.
//!
//! ```text
//! functions  [ f               ][ g        ]
//! lines      [ 1 ][ 2  ][ 1    ][ 7 ][ 8   ]
//! table      f    f:2   f:1     g    g:8
//! ```
//!
//! A function stands for its first line too, keeps its whole extent, and owns
//! the ticks of that line alone.

use std::sync::Arc;

use super::debug_info::{CodeRange, Inlined, InlinedId};
use super::table::Symbol;
use crate::model::Address;

/// Lines: one for each stretch of code from one place, with what is inlined there. It
/// reaches to the next symbol, but not out of its function or, where there is none, out
/// of what is known to come from there.
///
/// A line has the name of what is inlined there, or else of the symbol it lies in.
pub(super) fn lines_of(
    stretches: &[CodeRange],
    chains: &[Inlined],
    functions: &[Symbol],
) -> Vec<(Symbol, Option<InlinedId>)> {
    let runs = || stretches.iter().filter(|stretch| stretch.source.is_some());
    let nexts = runs().skip(1).map(|next| next.addresses.start);
    let nexts = nexts.chain([Address(u64::MAX)]);
    let lines = runs().zip(nexts).filter_map(|(run, next)| {
        let start = run.addresses.start;
        let n_before = functions.partition_point(|function| function.range.start <= start);
        let next_function = functions.get(n_before).map(|function| function.range.start);
        let function = symbol_containing(functions, start);
        let limit = match function {
            Some(function) if function.range.start == start => return None,
            Some(function) => function.range.end,
            None => next_function.map_or(run.addresses.end, |next| next.min(run.addresses.end)),
        };
        let end = limit.min(next);
        let inlined = run.inlined.map(|id| &chains[id.0 as usize].name);
        let holder = function.map(|function| &function.name);
        let symbol = Symbol {
            range: start..end,
            ticks_end: end,
            name: Arc::clone(inlined.or(holder).or(run.function.as_ref())?),
            is_function: false,
            is_static: function.is_some_and(|function| function.is_static),
            source: run.source,
        };
        Some((symbol, run.inlined))
    });
    lines.collect()
}

/// The symbol that an address lies in, of symbols in address order.
fn symbol_containing(symbols: &[Symbol], address: Address) -> Option<&Symbol> {
    let n_before = symbols.partition_point(|symbol| symbol.range.start <= address);
    let symbol = &symbols[n_before.checked_sub(1)?];
    symbol.range.contains(&address).then_some(symbol)
}
