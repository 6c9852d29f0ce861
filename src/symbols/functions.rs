//! From chosen symbols to a table in which each has its addresses.

use std::ops::Range;

use super::files::SourceFiles;
use super::table::{Candidate, Symbol, SymbolTable, one_per_address};
use crate::model::Address;

/// Bytes behind a function that count as padding up to the next one: compilers
/// align functions to 64 bytes at most.
const MAX_PADDING: u64 = 63;

/// The table as gprof has it: each symbol reaches to the next, across whatever
/// lies between, and the last one to the end of `.text`.
///
/// The last one gets no ticks. gprof takes their upper bound from behind the end
/// of its table, where it finds 0.
pub(super) fn gprof_table(
    candidates: Vec<Candidate>,
    files: SourceFiles,
    text: &Range<Address>,
) -> SymbolTable {
    let kept = one_per_address(candidates);
    let nexts: Vec<_> = kept.iter().skip(1).map(|next| next.address).collect();
    let symbols = kept.into_iter().enumerate().map(|(index, candidate)| {
        let start = candidate.address;
        let next = nexts.get(index).copied();
        let end = next.unwrap_or(text.end.max(start));
        symbol_of(candidate, end, next.unwrap_or(start))
    });
    SymbolTable::new(symbols.collect(), files)
}

/// The table by profan's own rules: a symbol reaches to the next one, but not
/// out of its piece of code, and not further than its size and some padding.
pub(super) fn complete_table(
    candidates: Vec<Candidate>,
    files: SourceFiles,
    code: &[Range<Address>],
    trusts_sizes: bool,
) -> SymbolTable {
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
            Some(symbol_of(candidate, end, end))
        });
    SymbolTable::new(symbols.collect(), files)
}

fn piece_of(code: &[Range<Address>], address: Address) -> Option<&Range<Address>> {
    let n_before = code.partition_point(|piece| piece.start <= address);
    let piece = &code[n_before.checked_sub(1)?];
    piece.contains(&address).then_some(piece)
}

fn symbol_of(candidate: Candidate, end: Address, ticks_end: Address) -> Symbol {
    Symbol {
        range: candidate.address..end,
        ticks_end,
        name: candidate.name,
        is_function: candidate.is_function,
        is_static: candidate.is_static,
        source: candidate.source,
    }
}
