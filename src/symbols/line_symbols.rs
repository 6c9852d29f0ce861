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

use super::sources::LineRun;
use super::table::Symbol;
use crate::model::Address;

/// Lines: one for each stretch of code from one place. It
/// reaches to the next symbol, but not out of its function or, where there is
/// none, out of what is known to come from there.
pub(super) fn lines_of(runs: &[LineRun], functions: &[Symbol]) -> Vec<Symbol> {
    let nexts = runs.iter().skip(1).map(|next| next.addresses.start);
    let nexts = nexts.chain([Address(u64::MAX)]);
    let lines = runs.iter().zip(nexts).filter_map(|(run, next)| {
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
        Some(Symbol {
            range: start..end,
            ticks_end: end,
            name: run.function.clone(),
            is_function: false,
            is_static: function.is_some_and(|function| function.is_static),
            source: Some(run.source),
        })
    });
    lines.collect()
}

/// The symbol that an address lies in, of symbols in address order.
pub(crate) fn symbol_containing(symbols: &[Symbol], address: Address) -> Option<&Symbol> {
    let n_before = symbols.partition_point(|symbol| symbol.range.start <= address);
    let symbol = &symbols[n_before.checked_sub(1)?];
    symbol.range.contains(&address).then_some(symbol)
}
