//! Address ranges of specs, built and searched by gprof's rules.
//!
//! Adjacent symbols that match a spec share a range. Of ranges that start at the same symbol,
//! the last spec's is kept. A search checks only the last range that starts at or below an
//! address, so a long range effectively ends where a short one inside it starts.

use crate::filter::{Matcher, Pattern, SymSpec};
use crate::model::Address;
use crate::symbols::{SymbolId, SymbolTable};

/// Adjacent symbols that match a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectedRange {
    pub(super) start: Address,
    pub(super) end: Address,
    /// Its first symbol.
    pub(super) first: SymbolId,
    /// Index of the pattern.
    pub(super) pattern: usize,
}

/// Ranges by address, at most one for each start.
#[derive(Debug, Default)]
pub(super) struct RangeTable {
    pub(super) ranges: Vec<SelectedRange>,
}

impl RangeTable {
    /// The ranges of the left halves of `specs`.
    pub(super) fn build(specs: &[&SymSpec], table: &SymbolTable) -> Self {
        let patterns: Vec<_> = specs.iter().map(|spec| Some(&spec.left)).collect();
        Self::of_all(all_ranges(&patterns, table))
    }

    /// Keeps the first of adjacent ranges with the same start. Removes empty ranges, such as a
    /// last symbol after the end of `.text`.
    pub(super) fn of_all(mut ranges: Vec<SelectedRange>) -> Self {
        ranges.retain(|range| range.start < range.end);
        ranges.dedup_by_key(|range| range.start);
        Self { ranges }
    }

    pub(super) fn contains(&self, address: Address) -> bool {
        self.containing(address).is_some()
    }

    /// The last range that starts at or below the address, if it contains it.
    pub(super) fn containing(&self, address: Address) -> Option<&SelectedRange> {
        let n_before = self.ranges.partition_point(|range| range.start <= address);
        let range = &self.ranges[n_before.checked_sub(1)?];
        (address < range.end).then_some(range)
    }
}

/// All ranges of all patterns, by start; for equal starts, the last pattern first.
pub(super) fn all_ranges(patterns: &[Option<&Pattern>], table: &SymbolTable) -> Vec<SelectedRange> {
    if patterns.iter().all(Option::is_none) {
        return Vec::new();
    }
    let matchers: Vec<_> = patterns
        .iter()
        .map(|pattern| pattern.map(|pattern| Matcher::new(pattern, table)))
        .collect();
    // For each pattern, the last symbol that it matched, and the range of that.
    let mut open: Vec<Option<(SymbolId, usize)>> = vec![None; patterns.len()];
    let mut ranges: Vec<SelectedRange> = Vec::new();
    for (id, symbol) in table.iter() {
        for (pattern, matcher) in matchers.iter().enumerate().rev() {
            if !matcher.as_ref().is_some_and(|one| one.matches(symbol)) {
                continue;
            }
            let place = match open[pattern] {
                Some((last, place)) if last.index() + 1 == id.index() => {
                    ranges[place].end = symbol.range.end;
                    place
                }
                _ => {
                    ranges.push(SelectedRange {
                        start: symbol.range.start,
                        end: symbol.range.end,
                        first: id,
                        pattern,
                    });
                    ranges.len() - 1
                }
            };
            open[pattern] = Some((id, place));
        }
    }
    ranges
}
