//! Code divided where its function or line changes.
//!
//! ```text
//! symbols    [ f               ][ g        ]
//! lines      [ 1 ][ 2  ][ 1    ]   [ 7 ][ 8 ]
//! pieces     [f 1][f 2 ][f 1   ][g][g 7][g8]
//! ```
//!
//! In a table by line, a line ends at the next one and includes code without a line. Pieces
//! exclude that code. They need no search for inlined functions: the line of inlined code is a
//! line of the inlined body.

use std::ops::Range;

use super::symbol::{Granularity, SourceLine, Symbol, SymbolId};
use super::table::SymbolTable;
use crate::model::Address;

/// Consecutive code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRun {
    /// Not empty.
    pub addresses: Range<Address>,
    pub source: SourceLine,
}

/// The pieces of all code of a table.
#[derive(Debug)]
pub struct LinePieces {
    table: SymbolTable,
    owners: Box<[SymbolId]>,
}

impl LinePieces {
    /// Cuts the symbols that `cuts` selects; the others are one piece each. Linear in symbols
    /// and runs, which are by address.
    pub fn new(table: &SymbolTable, runs: &[LineRun], cuts: impl Fn(SymbolId) -> bool) -> Self {
        let mut cutter = RunCutter::default();
        let mut rest = runs;
        let mut symbols = table.iter().peekable();
        while let Some((id, symbol)) = symbols.next() {
            if !cuts(id) {
                let whole = symbol.range.start..symbol.ticks_end;
                cutter.push(id, symbol, whole, symbol.source);
                continue;
            }
            let start = symbol.range.start;
            let n_before = rest.partition_point(|run| run.addresses.end <= start);
            rest = &rest[n_before..];
            // A damaged program may have symbols that reach over others.
            let next = symbols.peek().map(|(_, next)| next.range.start);
            let end = next.map_or(symbol.ticks_end, |next| next.min(symbol.ticks_end));
            let n_inside = rest.partition_point(|run| run.addresses.start < end);
            cutter.cut(id, symbol, end, &rest[..n_inside]);
        }
        Self {
            table: SymbolTable::new(cutter.pieces, table.files().clone(), Granularity::Lines)
                .with_objects(table.objects().into()),
            owners: cutter.owners.into(),
        }
    }

    /// The pieces as symbols, with the name of the symbol that contains them.
    pub fn table(&self) -> &SymbolTable {
        &self.table
    }

    /// The symbol that contains a piece.
    pub fn owner(&self, piece: SymbolId) -> SymbolId {
        self.owners[piece.index()]
    }
}

#[derive(Default)]
struct RunCutter {
    pieces: Vec<Symbol>,
    owners: Vec<SymbolId>,
}

impl RunCutter {
    /// Cuts a symbol up to `end`.
    fn cut(&mut self, id: SymbolId, symbol: &Symbol, end: Address, runs: &[LineRun]) {
        let Range { mut start, .. } = symbol.range;
        if start >= end {
            self.push(id, symbol, start..end, symbol.source);
            return;
        }
        for run in runs {
            let from = run.addresses.start.max(start);
            let to = run.addresses.end.min(end);
            if start < from {
                self.push(id, symbol, start..from, None);
            }
            self.push(id, symbol, from..to, Some(run.source));
            start = to;
        }
        if start < end {
            self.push(id, symbol, start..end, None);
        }
    }

    fn push(
        &mut self,
        id: SymbolId,
        symbol: &Symbol,
        addresses: Range<Address>,
        source: Option<SourceLine>,
    ) {
        self.pieces.push(Symbol {
            ticks_end: addresses.end,
            range: addresses,
            source,
            ..symbol.clone()
        });
        self.owners.push(id);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::symbols::{FileId, SourceFiles};

    fn line(number: u32) -> SourceLine {
        SourceLine {
            file: FileId(0),
            line: NonZeroU32::new(number).expect("lines are counted from 1"),
        }
    }

    fn check(symbols: &[(u64, u64)], runs: &[(u64, u64, u32)], expected: &[&str]) {
        let symbol = |&(start, end): &(u64, u64)| Symbol {
            range: Address(start)..Address(end),
            ticks_end: Address(end),
            name: b"f".as_slice().into(),
            is_function: true,
            is_static: false,
            source: None,
        };
        let run = |&(start, end, number): &(u64, u64, u32)| LineRun {
            addresses: Address(start)..Address(end),
            source: line(number),
        };
        let symbols = symbols.iter().map(symbol).collect();
        let files = SourceFiles::default();
        let table = SymbolTable::new(symbols, files, Granularity::Functions);
        let runs: Vec<_> = runs.iter().map(run).collect();
        let pieces = LinePieces::new(&table, &runs, |_| true);
        let shown = pieces.table().iter().map(|(id, piece)| {
            let line = piece.source.map_or(0, |source| source.line.get());
            let SymbolId(owner) = pieces.owner(id);
            format!("{owner}: {}-{} {line}", piece.range.start.0, piece.ticks_end.0)
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn pieces_cover_each_symbol_and_nothing_else() {
        check(
            &[(10, 20), (20, 30), (40, 50)],
            &[(0, 12, 1), (12, 15, 2), (17, 25, 3), (28, 60, 4)],
            &[
                "0: 10-12 1",
                "0: 12-15 2",
                "0: 15-17 0",
                "0: 17-20 3",
                "1: 20-25 3",
                "1: 25-28 0",
                "1: 28-30 4",
                "2: 40-50 4",
            ],
        );
    }

    #[test]
    fn pieces_stay_in_order_where_symbols_overlap() {
        check(
            &[(10, 40), (20, 30), (20, 25)],
            &[(10, 15, 1), (15, 35, 2)],
            &["0: 10-15 1", "0: 15-20 2", "1: 20-20 0", "2: 20-25 2"],
        );
    }

    #[test]
    fn code_without_lines_is_one_piece() {
        check(&[(10, 20), (20, 20)], &[], &["0: 10-20 0", "1: 20-20 0"]);
    }
}
