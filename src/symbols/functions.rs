//! From chosen symbols to a table in which each has its addresses.
//!
//! A table by line is made from one of functions, see [`super::line_symbols`].

use std::ops::Range;

use super::debug_info::{CodeRange, Inlined};
use super::files::SourceFiles;
use super::inline_symbols::InlineNumbers;
use super::line_symbols::lines_of;
use super::table::{
    Candidate, Granularity, Symbol, SymbolId, SymbolTable, at_places, id_of, one_per_address,
};
use crate::model::Address;

/// Bytes behind a function that count as padding up to the next one: compilers
/// align functions to 64 bytes at most.
const MAX_PADDING: u64 = 63;

/// Symbols: each reaches to the next one, but not out of its
/// piece of code, and not further than its size and some padding.
pub(super) fn symbols_of(
    candidates: Vec<Candidate>,
    code: &[Range<Address>],
    trusts_sizes: bool,
) -> Vec<Symbol> {
    let places = one_per_address(&candidates);
    let kept = at_places(candidates, &places);
    let nexts: Vec<_> = kept.iter().skip(1).map(|next| next.address).collect();
    let symbols = kept
        .into_iter()
        .enumerate()
        .filter_map(|(index, candidate)| {
            let start = candidate.address;
            let piece = piece_of(code, start)?;
            let limit = nexts
                .get(index)
                .map_or(piece.end, |&next| next.min(piece.end));
            let stated_end = Address(start.0.saturating_add(candidate.size));
            let is_short = limit.0.saturating_sub(stated_end.0) > MAX_PADDING;
            let end = match candidate.size {
                0 => limit,
                _ if trusts_sizes && is_short => stated_end,
                _ => limit,
            };
            Some(candidate.into_symbol(end, end))
        });
    symbols.collect()
}

/// The table by line: a line reaches to the next one at most, and so do the ticks
/// of a function.
pub(super) fn line_table(
    functions: Vec<Symbol>,
    stretches: &[CodeRange],
    chains: &[Inlined],
    files: SourceFiles,
) -> SymbolTable {
    let mut parts = lines_of(stretches, chains, &functions);
    parts.extend(functions.into_iter().map(|function| (function, None)));
    parts.sort_by_key(|(symbol, _)| symbol.range.start);
    let mut numbers = InlineNumbers::new(chains);
    let mut holders = Vec::with_capacity(parts.len());
    // The last function that began, and where it ends.
    let mut function = (SymbolId(0), Address(0));
    for index in 0..parts.len() {
        let next = parts.get(index + 1).map(|(next, _)| next.range.start);
        let (symbol, inlined) = &mut parts[index];
        if let Some(next) = next {
            symbol.ticks_end = next.min(symbol.ticks_end);
        }
        let id = id_of(index);
        // Lines lie in their function or behind it.
        if symbol.range.start >= function.1 {
            function = (id, symbol.range.end);
        }
        holders.push(function.0);
        let is_held = function.0 != id;
        numbers.push(
            inlined
                .filter(|_| is_held)
                .map(|inlined| (function.0, inlined)),
        );
    }
    let symbols = parts.into_iter().map(|(symbol, _)| symbol).collect();
    let inlines = numbers.finish(holders);
    SymbolTable::new(symbols, files, Granularity::Lines).with_inlines(inlines)
}

fn piece_of(code: &[Range<Address>], address: Address) -> Option<&Range<Address>> {
    let n_before = code.partition_point(|piece| piece.start <= address);
    let piece = &code[n_before.checked_sub(1)?];
    piece.contains(&address).then_some(piece)
}
