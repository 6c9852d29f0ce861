//! From selected symbols to a table with addresses.
//!
//! A table by line is made from one by function:
//!
//! ```text
//! functions  [ f               ][ g        ]
//! lines      [ 1 ][ 2  ][ 1    ][ 7 ][ 8   ]
//! table      f    f:2   f:1     g    g:8
//! ```
//!
//! The symbol of a function serves as its first line, too. It keeps the whole range, and gets the
//! ticks of that line only.

use std::ops::Range;
use std::sync::Arc;

use super::debug_info::{CodeRange, Inlined, InlinedId};
use super::files::SourceFiles;
use super::inline_symbols::InlineNumbers;
use super::symbol::{Granularity, Symbol, SymbolId, id_of};
use super::table::{SymbolCandidate, SymbolTable, at_places, one_per_address};
use crate::model::Address;
use crate::sorting::ColdSort;

/// Maximum padding after a function in bytes: compilers align functions to 64 bytes at most.
const PADDING: u64 = 63;

/// Symbols up to the next one, within their code section, and not beyond their size plus
/// padding.
pub(super) fn symbols_of(
    candidates: Vec<SymbolCandidate>,
    code: &[Range<Address>],
    trusts_sizes: bool,
) -> Vec<Symbol> {
    let places = one_per_address(&candidates);
    let kept = at_places(candidates, &places);
    let nexts: Vec<_> = kept.iter().skip(1).map(|next| next.address).collect();
    let symbols = kept.into_iter().enumerate().filter_map(|(index, candidate)| {
        let start = candidate.address;
        let piece = piece_of(code, start)?;
        let limit = nexts.get(index).map_or(piece.end, |&next| next.min(piece.end));
        let stated_end = Address(start.0.saturating_add(candidate.size));
        let is_short = limit.0.saturating_sub(stated_end.0) > PADDING;
        let end = match candidate.size {
            0 => limit,
            _ if trusts_sizes && is_short => stated_end,
            _ => limit,
        };
        Some(candidate.into_symbol(end, end))
    });
    symbols.collect()
}

/// The table by line: lines, and the ticks of a function, end at the next line.
pub(super) fn line_table(
    functions: Vec<Symbol>,
    code_ranges: &[CodeRange],
    chains: &[Inlined],
    files: SourceFiles,
) -> SymbolTable {
    let mut parts = lines_of(code_ranges, chains, &functions);
    parts.extend(functions.into_iter().map(|function| (function, None)));
    parts.cold_sort_by_key(|(symbol, _)| symbol.range.start);
    let mut numbers = InlineNumbers::new(chains);
    // The last function that began, and where it ends.
    let mut function = (SymbolId(0), Address(0));
    for index in 0..parts.len() {
        let next = parts.get(index + 1).map(|(next, _)| next.range.start);
        let (symbol, inlined) = &mut parts[index];
        if let Some(next) = next {
            symbol.ticks_end = next.min(symbol.ticks_end);
        }
        let id = id_of(index);
        // Lines are in their function or after it.
        if symbol.range.start >= function.1 {
            function = (id, symbol.range.end);
        }
        numbers.push(function.0, inlined.filter(|_| function.0 != id));
    }
    let symbols = parts.into_iter().map(|(symbol, _)| symbol).collect();
    let inlines = numbers.finish();
    let table = SymbolTable::new(symbols, files, Granularity::Lines);
    table.with_inlines(inlines).with_whole_lines()
}

/// Lines: one for each code range from one source line, with its inlined function. A line ends at
/// the next symbol, at the end of its function or, outside of functions, of its known range.
///
/// The name of a line is the name of the inlined function, or of the enclosing symbol.
fn lines_of(
    code_ranges: &[CodeRange],
    chains: &[Inlined],
    functions: &[Symbol],
) -> Vec<(Symbol, Option<InlinedId>)> {
    let runs = || code_ranges.iter().filter(|code_range| code_range.source.is_some());
    let nexts = runs().skip(1).map(|next| next.addresses.start);
    let nexts = nexts.chain([Address(u64::MAX)]);
    let lines = runs().zip(nexts).filter_map(|(run, next)| {
        let start = run.addresses.start;
        let n_before = functions.partition_point(|function| function.range.start <= start);
        let next_function = functions.get(n_before).map(|function| function.range.start);
        let function = n_before.checked_sub(1).map(|last| &functions[last]);
        let function = function.filter(|function| function.range.contains(&start));
        let limit = match function {
            Some(function) if function.range.start == start => return None,
            Some(function) => function.range.end,
            None => next_function.map_or(run.addresses.end, |next| next.min(run.addresses.end)),
        };
        let end = limit.min(next);
        let inlined = run.inlined.map(|id| &chains[id.0 as usize].name);
        let enclosing = function.map(|function| &function.name);
        let symbol = Symbol {
            range: start..end,
            ticks_end: end,
            name: Arc::clone(inlined.or(enclosing).or(run.function.as_ref())?),
            is_function: false,
            is_static: function.is_some_and(|function| function.is_static),
            source: run.source,
        };
        Some((symbol, run.inlined))
    });
    lines.collect()
}

fn piece_of(code: &[Range<Address>], address: Address) -> Option<&Range<Address>> {
    let n_before = code.partition_point(|piece| piece.start <= address);
    let piece = &code[n_before.checked_sub(1)?];
    piece.contains(&address).then_some(piece)
}
