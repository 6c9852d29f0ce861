//! The address ranges that specs select, built and searched by gprof's rules.
//!
//! Neighbouring symbols that match one spec share a range. Where two ranges start
//! at one symbol, that of the spec given last stays. A search looks only at the
//! last range that starts at or below an address, so a long range ends in effect
//! where a short one inside it starts.

use crate::filter::{Matcher, Pattern, SymSpec};
use crate::model::Address;
use crate::symbols::{SymbolId, SymbolTable};

/// Neighbouring symbols that match one pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectedRange {
    pub(super) start: Address,
    pub(super) end: Address,
    /// The first of the symbols.
    pub(super) first: SymbolId,
    /// The position of the pattern among those that the table was built from.
    pub(super) pattern: usize,
}

/// Ranges of addresses in order, one at most for each start.
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

    /// Of ranges with one start, which stand in a row, the first stays. Those without
    /// an extent go, as that of a last symbol behind the end of `.text` does.
    pub(super) fn of_all(mut ranges: Vec<SelectedRange>) -> Self {
        ranges.retain(|range| range.start < range.end);
        ranges.dedup_by_key(|range| range.start);
        Self { ranges }
    }

    pub(super) fn contains(&self, address: Address) -> bool {
        self.containing(address).is_some()
    }

    /// The last range that starts at or below the address, if it reaches so far.
    pub(super) fn containing(&self, address: Address) -> Option<&SelectedRange> {
        let n_before = self.ranges.partition_point(|range| range.start <= address);
        let range = &self.ranges[n_before.checked_sub(1)?];
        (address < range.end).then_some(range)
    }
}

/// Every range of every pattern, by start; of those with one start, that of the
/// pattern given last comes first.
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
