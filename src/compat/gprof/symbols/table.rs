//! The ranges of symbols by gprof's rules, and its table by line.

use std::ops::Range;
use std::sync::Arc;

use super::sources::{CodeLines, FunctionLineRun};
use crate::model::Address;
use crate::symbols::{Granularity, SourceFiles, Symbol, SymbolCandidate, SymbolRank, SymbolTable};

/// gprof's symbols from candidates by address: each ends at the next one, and the last at the
/// end of `.text`, even if it starts after that. No look-up finds it then.
///
/// The last symbol gets no ticks: gprof takes their upper bound from beyond its table, where
/// it reads 0.
pub(super) fn symbols(kept: Vec<SymbolCandidate>, text: &Range<Address>) -> Vec<Symbol> {
    let nexts: Vec<_> = kept.iter().skip(1).map(|next| next.address).collect();
    let symbols = kept.into_iter().enumerate().map(|(index, candidate)| {
        let next = nexts.get(index).copied();
        let no_ticks = candidate.address;
        candidate.into_symbol(next.unwrap_or(text.end), next.unwrap_or(no_ticks))
    });
    symbols.collect()
}

/// The table by line: lines and functions are sorted together, lines first. A last function
/// after `.text` is omitted, but the line before it ends at its start.
pub(super) fn by_line(
    mut functions: Vec<Symbol>,
    lines: &CodeLines,
    files: SourceFiles,
    text: &Range<Address>,
    step: u64,
) -> SymbolTable {
    let starts = line_starts(&lines.runs, &functions, text.start, step);
    let behind = functions.pop_if(|last| last.range.is_empty());
    let last_end = behind.map_or(text.end, |function| function.range.start);
    let mut merged =
        Merged { symbols: Vec::with_capacity(starts.len() + functions.len()), last_is_line: false };
    let mut functions = functions.into_iter().peekable();
    for line in &starts {
        while let Some(function) = functions.next_if(|function| is_before(function, line)) {
            merged.push(function, false);
        }
        merged.push(line.symbol(lines), true);
    }
    functions.for_each(|function| merged.push(function, false));
    let symbols = merged.up_to(last_end);
    SymbolTable::new(symbols, files, Granularity::Lines)
}

/// Returns whether a function precedes a line, as among candidates.
fn is_before(function: &Symbol, line: &LineStart<'_>) -> bool {
    let key = (function.range.start, !function.is_function, function.is_static);
    key < (line.address, true, line.is_static)
}

/// Symbols by address, one for each. Lines, and the ticks of all, end at the next one.
struct Merged {
    symbols: Vec<Symbol>,
    /// A function keeps its range among functions.
    last_is_line: bool,
}

impl Merged {
    fn push(&mut self, symbol: Symbol, is_line: bool) {
        let start = symbol.range.start;
        match self.symbols.last_mut() {
            Some(last) if last.range.start == start => {
                if !standing(&symbol).replaces(&standing(last)) {
                    return;
                }
                *last = symbol;
            }
            Some(last) => {
                close(last, self.last_is_line, start, start);
                self.symbols.push(symbol);
            }
            None => self.symbols.push(symbol),
        }
        self.last_is_line = is_line;
    }

    /// All symbols. The last one gets no ticks.
    fn up_to(mut self, end: Address) -> Vec<Symbol> {
        if let Some(last) = self.symbols.last_mut() {
            let no_ticks = last.range.start;
            close(last, self.last_is_line, end, no_ticks);
        }
        self.symbols
    }
}

fn standing(symbol: &Symbol) -> SymbolRank<'_> {
    SymbolRank { is_function: symbol.is_function, is_static: symbol.is_static, name: &symbol.name }
}

fn close(symbol: &mut Symbol, is_line: bool, end: Address, ticks_end: Address) {
    if is_line {
        symbol.range.end = end;
    }
    symbol.ticks_end = ticks_end;
}

struct LineStart<'r> {
    address: Address,
    run: &'r FunctionLineRun,
    is_static: bool,
}

impl LineStart<'_> {
    fn symbol(&self, lines: &CodeLines) -> Symbol {
        Symbol {
            range: self.address..self.address,
            ticks_end: self.address,
            name: Arc::clone(&lines.names[self.run.function]),
            is_function: false,
            is_static: self.is_static,
            source: Some(self.run.source),
        }
    }
}

/// gprof's lines: a line starts where file, line or function change, and unknown code between
/// two belongs to the first. On machines with fixed instruction size, gprof looks up only
/// every `step` bytes from `start` on.
///
/// A line is static if the one before it is and both belong to the same function, otherwise
/// if the symbol is.
fn line_starts<'r>(
    runs: &'r [FunctionLineRun],
    functions: &[Symbol],
    start: Address,
    step: u64,
) -> Vec<LineStart<'r>> {
    let mut lines: Vec<LineStart<'r>> = Vec::with_capacity(runs.len());
    // Lines and functions both come in order of addresses.
    let mut n_functions_before = 0;
    for run in runs {
        let n_steps = (run.addresses.start.0 - start.0).div_ceil(step);
        let address = Address(start.0 + n_steps * step);
        if address >= run.addresses.end {
            continue;
        }
        let before = lines.last().filter(|last| last.run.shares_function(run));
        if before.is_some_and(|last| last.run.source == run.source) {
            continue;
        }
        let is_static = match before {
            Some(line) => line.is_static,
            None => {
                let rest = functions[n_functions_before..].iter();
                let passed = rest.take_while(|function| function.range.start <= address);
                n_functions_before += passed.count();
                let function = functions[..n_functions_before].last();
                function.is_some_and(|f| f.is_static && f.range.contains(&address))
            }
        };
        lines.push(LineStart { address, run, is_static });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::{FileId, SourceLine};

    fn function(address: u64, name: &str) -> SymbolCandidate {
        SymbolCandidate {
            address: Address(address),
            size: 0,
            name: name.as_bytes().into(),
            is_function: true,
            is_static: false,
            source: None,
        }
    }

    #[test]
    fn the_last_line_reaches_to_a_function_after_the_text() {
        let text = Address(0x10)..Address(0x40);
        let functions = symbols(vec![function(0x10, "f"), function(0x100, "data")], &text);
        let line = std::num::NonZeroU32::MIN;
        let run = FunctionLineRun {
            addresses: Address(0x20)..Address(0x40),
            function: 0,
            source: SourceLine { file: FileId(0), line },
        };
        let lines = CodeLines { runs: vec![run], names: vec![b"f".as_slice().into()] };
        let table = by_line(functions, &lines, SourceFiles::default(), &text, 1);
        let found = |address| table.containing(Address(address)).map(|id| id.index());
        assert_eq!([0x1f, 0x20, 0x50, 0x100].map(found), [Some(0), Some(1), Some(1), None]);
    }
}
