//! The address ranges that specs select, built and searched by gprof's rules.
//!
//! Neighbouring symbols that match one spec share a range. Where two ranges start
//! at one symbol, that of the spec given last stays. A search looks only at the
//! last range that starts at or below an address, so a long range ends in effect
//! where a short one inside it starts.

use super::symspec::{Pattern, SymSpec, Target};
use crate::model::Address;
use crate::symbols::{FileId, Symbol, SymbolTable};

#[derive(Clone, Copy, Debug)]
struct SelectedRange {
    start: Address,
    end: Address,
}

/// Ranges of addresses in order, one at most for each start.
#[derive(Debug, Default)]
pub(super) struct RangeTable {
    ranges: Vec<SelectedRange>,
}

impl RangeTable {
    /// The ranges of the left halves of `specs`.
    pub(super) fn build(specs: &[SymSpec], table: &SymbolTable) -> Self {
        let matchers: Vec<_> = specs
            .iter()
            .map(|spec| Matcher::new(&spec.left, table))
            .collect();
        // For each spec, the range that ended with the symbol before, if one did.
        let mut open: Vec<Option<usize>> = vec![None; specs.len()];
        let mut ranges: Vec<SelectedRange> = Vec::new();
        for symbol in table.symbols() {
            for (spec_index, matcher) in matchers.iter().enumerate().rev() {
                match (matcher.matches(symbol), open[spec_index]) {
                    (false, _) => open[spec_index] = None,
                    (true, Some(place)) => ranges[place].end = symbol.range.end,
                    (true, None) => {
                        open[spec_index] = Some(ranges.len());
                        ranges.push(SelectedRange {
                            start: symbol.range.start,
                            end: symbol.range.end,
                        });
                    }
                }
            }
        }
        ranges.dedup_by_key(|range| range.start);
        Self { ranges }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn contains(&self, address: Address) -> bool {
        let n_before = self.ranges.partition_point(|range| range.start <= address);
        let Some(range) = n_before.checked_sub(1).map(|place| self.ranges[place]) else {
            return false;
        };
        // A symbol without an extent is found by its own address.
        address < range.end || address == range.start
    }
}

/// A pattern with its file looked up.
struct Matcher<'a> {
    pattern: &'a Pattern,
    /// `Some(None)` for a file that no symbol is in.
    file: Option<Option<FileId>>,
}

impl<'a> Matcher<'a> {
    fn new(pattern: &'a Pattern, table: &SymbolTable) -> Self {
        let file = pattern.file.as_ref();
        Self {
            pattern,
            file: file.map(|name| table.files().newest_named(name.as_bytes())),
        }
    }

    fn matches(&self, symbol: &Symbol) -> bool {
        let fits_file = match self.file {
            None => true,
            Some(None) => false,
            Some(file) => symbol.source.map(|source| source.file) == file,
        };
        let fits_target = match &self.pattern.target {
            None => true,
            Some(Target::Function(name)) => &*symbol.name == name.as_bytes(),
            Some(Target::Line(line)) => symbol.source.is_some_and(|s| s.line.get() == *line),
        };
        fits_file && fits_target
    }
}
