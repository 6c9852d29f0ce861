//! Where symbols begin and end by gprof's rules, and its table by line.

use std::ops::Range;

use super::sources::LineRun;
use crate::model::Address;
use crate::symbols::{
    Candidate, Granularity, SourceFiles, Symbol, SymbolTable, one_per_address, symbol_containing,
};

/// Symbols as gprof has them: each reaches to the next, across whatever lies
/// between, and the last one to the end of `.text`, even where it starts behind that.
/// No look-up finds it then, and what it stands in of a selection ends with `.text`.
///
/// The last one gets no ticks. gprof takes their upper bound from behind the end
/// of its table, where it finds 0.
pub(super) fn symbols(candidates: Vec<Candidate>, text: &Range<Address>) -> Vec<Symbol> {
    symbols_up_to(candidates, text.end)
}

fn symbols_up_to(candidates: Vec<Candidate>, last_end: Address) -> Vec<Symbol> {
    let kept = one_per_address(candidates);
    let nexts: Vec<_> = kept.iter().skip(1).map(|next| next.address).collect();
    let symbols = kept.into_iter().enumerate().map(|(index, candidate)| {
        let start = candidate.address;
        let next = nexts.get(index).copied();
        let end = candidate.end.or(next).unwrap_or(last_end);
        candidate.into_symbol(end, next.unwrap_or(start))
    });
    symbols.collect()
}

/// The table by line: lines and functions are sorted out together, lines first. A
/// function at the end that lies behind `.text` has no place in it, but the line before
/// reaches to where it starts.
pub(super) fn by_line(
    mut functions: Vec<Symbol>,
    runs: &[LineRun],
    files: SourceFiles,
    text: &Range<Address>,
    step: u64,
) -> SymbolTable {
    let mut candidates = line_candidates(runs, &functions, text.start, step);
    let behind = functions.pop_if(|last| last.range.is_empty());
    let last_end = behind.map_or(text.end, |function| function.range.start);
    candidates.extend(functions.into_iter().map(settled));
    let symbols = symbols_up_to(candidates, last_end);
    SymbolTable::new(symbols, files, Granularity::Lines)
}

/// Lines as gprof has them: one starts where file, line or function differ from
/// those of the line before, and code between two that comes from nowhere is the
/// first one's. On machines whose instructions have a fixed size gprof looks only
/// at every `step` bytes from `start` on.
///
/// A line is static as the one before it is, if both are of one function, else
/// as the symbol there is.
fn line_candidates(
    runs: &[LineRun],
    functions: &[Symbol],
    start: Address,
    step: u64,
) -> Vec<Candidate> {
    let mut lines: Vec<Candidate> = Vec::new();
    let mut last: Option<&LineRun> = None;
    for run in runs {
        let n_steps = (run.addresses.start.0 - start.0).div_ceil(step);
        let address = Address(start.0 + n_steps * step);
        if address >= run.addresses.end {
            continue;
        }
        let before = last
            .zip(lines.last())
            .filter(|(last, _)| last.shares_function(run));
        if before.is_some_and(|(last, _)| last.source == run.source) {
            continue;
        }
        let is_static = match before {
            Some((_, line)) => line.is_static,
            None => symbol_containing(functions, address).is_some_and(|symbol| symbol.is_static),
        };
        lines.push(Candidate {
            address,
            size: 0,
            end: None,
            name: run.function.clone(),
            is_function: false,
            is_static,
            source: Some(run.source),
        });
        last = Some(run);
    }
    lines
}

/// A function again as a candidate, with the extent that it has among functions.
fn settled(function: Symbol) -> Candidate {
    Candidate {
        address: function.range.start,
        size: 0,
        end: Some(function.range.end),
        name: function.name,
        is_function: function.is_function,
        is_static: function.is_static,
        source: function.source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::{FileId, SourceLine};

    fn function(address: u64, name: &str) -> Candidate {
        Candidate {
            address: Address(address),
            size: 0,
            end: None,
            name: name.as_bytes().into(),
            is_function: true,
            is_static: false,
            source: None,
        }
    }

    #[test]
    fn the_last_line_reaches_to_a_function_behind_the_text() {
        let text = Address(0x10)..Address(0x40);
        let functions = symbols(vec![function(0x10, "f"), function(0x100, "data")], &text);
        let line = std::num::NonZeroU32::MIN;
        let run = LineRun {
            addresses: Address(0x20)..Address(0x40),
            function: b"f".as_slice().into(),
            source: SourceLine {
                file: FileId(0),
                line,
            },
        };
        let table = by_line(functions, &[run], SourceFiles::default(), &text, 1);
        let found = |address| table.containing(Address(address)).map(|id| id.index());
        assert_eq!(
            [0x1f, 0x20, 0x50, 0x100].map(found),
            [Some(0), Some(1), Some(1), None]
        );
    }
}
