//! From chosen symbols to a table in which each has its addresses.
//!
//! A table by line is made from one of functions, see [`super::line_symbols`].

use std::ops::Range;

use super::files::SourceFiles;
use super::line_symbols::lines_of;
use super::sources::LineRun;
use super::table::{Candidate, Granularity, Symbol, SymbolTable, one_per_address};
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
    let kept = one_per_address(candidates);
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
    runs: &[LineRun],
    files: SourceFiles,
) -> SymbolTable {
    let mut symbols = lines_of(runs, &functions);
    symbols.extend(functions);
    symbols.sort_by_key(|symbol| symbol.range.start);
    for index in 1..symbols.len() {
        let next = symbols[index].range.start;
        let ticks_end = &mut symbols[index - 1].ticks_end;
        *ticks_end = next.min(*ticks_end);
    }
    SymbolTable::new(symbols, files, Granularity::Lines)
}

fn piece_of(code: &[Range<Address>], address: Address) -> Option<&Range<Address>> {
    let n_before = code.partition_point(|piece| piece.start <= address);
    let piece = &code[n_before.checked_sub(1)?];
    piece.contains(&address).then_some(piece)
}
