//! How often the instructions of a bin ran that spans several functions.
//!
//! Such a bin has the last instructions of one function, which run once for each of its calls,
//! and the first ones of the next, which do as well. So the counted calls of each function
//! determine how its instructions share the bin. A function that counts its calls and has none
//! did not run, unless it has bins with samples of its own: C libraries lose calls that they make
//! themselves. The exception is the call of `main`, which counts as one.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use foldhash::fast::RandomState;

use crate::model::{Address, CallArc, InstructionStart, InstructionStarts};
use crate::symbols::{SymbolId, SymbolTable};
use crate::threads;

/// The weight of the function with the most calls.
const FULL_WEIGHT: u64 = 1 << 16;

/// Where instructions start in bins with ticks, and which functions share these bins.
#[derive(Debug, Default)]
pub struct StartsInBins {
    starts: Vec<InstructionStart>,
    /// Symbols of the last bin, with the number of instruction starts before each.
    of_bin: Vec<(SymbolId, usize)>,
    /// The same for bins of several functions: functions, and their starts.
    shared: Vec<Vec<(SymbolId, Range<usize>)>>,
    /// Symbols with a bin of their own, each after another one.
    alone: Vec<SymbolId>,
}

impl StartsInBins {
    /// Adds the instructions of a symbol in the current bin.
    pub(super) fn add_part(&mut self, symbol: SymbolId, distances: impl Iterator<Item = u32>) {
        let n_before = self.starts.len();
        let starts = distances.map(|distance| InstructionStart { distance, weight: 1 });
        self.starts.extend(starts);
        if self.starts.len() > n_before {
            self.of_bin.push((symbol, n_before));
        }
    }

    /// Adds those of later bins.
    pub(super) fn add(&mut self, later: Self) {
        let n_before = self.starts.len();
        self.starts.extend(later.starts);
        let moved = |range: Range<usize>| n_before + range.start..n_before + range.end;
        let moved = |(function, range)| (function, moved(range));
        let shared = later.shared.into_iter();
        self.shared.extend(shared.map(|parts| parts.into_iter().map(moved).collect()));
        self.alone.extend(later.alone);
    }

    /// Ends the current bin.
    pub(super) fn end_bin(&mut self, table: &SymbolTable) {
        // Most bins, without a list of their functions.
        if let [(symbol, _)] = *self.of_bin {
            self.add_alone(symbol);
            return self.of_bin.clear();
        }
        let mut end = self.starts.len();
        let mut functions: Vec<(SymbolId, Range<usize>)> = Vec::new();
        for (symbol, start) in self.of_bin.drain(..).rev() {
            let function = table.function_of(symbol);
            match functions.last_mut() {
                Some((last, range)) if *last == function => range.start = start,
                _ => functions.push((function, start..end)),
            }
            end = start;
        }
        match &*functions {
            [] => {}
            &[(function, _)] => self.add_alone(function),
            _ => self.shared.push(functions),
        }
    }

    fn add_alone(&mut self, symbol: SymbolId) {
        if self.alone.last() != Some(&symbol) {
            self.alone.push(symbol);
        }
    }

    /// Weighs the instructions of shared bins by the calls of their functions, if all of these
    /// count their calls. Linear in such bins. The first use sets `n_calls`, the calls of all
    /// functions, for other histograms.
    pub fn weigh(
        &mut self,
        table: &SymbolTable,
        arcs: &[CallArc],
        n_calls: &OnceLock<Vec<u64>>,
        counts_calls: impl Fn(&Range<Address>) -> bool,
    ) {
        if self.shared.is_empty() || arcs.is_empty() {
            return;
        }
        let (n_calls, mut are_counted) = threads::in_parallel(
            self.shared.len() > threads::WORTH_ITEMS,
            || n_calls.get_or_init(|| n_calls_of_functions(table, arcs)),
            || {
                let mut are_counted: HashMap<SymbolId, bool, RandomState> = HashMap::default();
                for &(function, _) in self.shared.iter().flatten() {
                    let is_counted = || counts_calls(&table.get(function).range);
                    are_counted.entry(function).or_insert_with(is_counted);
                }
                are_counted
            },
        );
        for &symbol in &self.alone {
            let function = table.function_of(symbol);
            if n_calls[function.index()] == 0
                && let Some(is_counted) = are_counted.get_mut(&function)
            {
                *is_counted = false;
            }
        }
        for parts in &self.shared {
            let calls_of = |id: &SymbolId| are_counted[id].then(|| n_calls[id.index()]);
            let calls = parts.iter().map(|(function, _)| calls_of(function));
            let are_known = calls.clone().all(|calls| calls.is_some());
            let most = calls.clone().flatten().max().unwrap_or(0);
            for ((_, range), calls) in parts.iter().zip(calls) {
                let weight = match calls {
                    Some(0) => 0,
                    Some(calls) if are_known => scaled(calls, most),
                    _ => continue,
                };
                for start in &mut self.starts[range.clone()] {
                    start.weight = weight;
                }
            }
        }
    }

    pub fn into_starts(self) -> InstructionStarts {
        self.starts.into_iter().collect()
    }
}

/// The calls of each function.
fn n_calls_of_functions(table: &SymbolTable, arcs: &[CallArc]) -> Vec<u64> {
    // Start-up code, which is not in the profile, calls `main`.
    let symbols = table.symbols().iter();
    let mut n_calls: Vec<_> = symbols.map(|symbol| u64::from(*symbol.name == *b"main")).collect();
    for arc in arcs {
        if let Some(callee) = table.containing(arc.callee) {
            let sum = &mut n_calls[table.function_of(callee).index()];
            *sum = arc.count.saturating_add(*sum);
        }
    }
    n_calls
}

/// A weight from 1 to [`FULL_WEIGHT`].
fn scaled(calls: u64, most: u64) -> u32 {
    let weight = u128::from(calls) * u128::from(FULL_WEIGHT) / u128::from(most.max(1));
    u32::try_from(weight).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two functions of four bytes share the second of three bins of four bytes; the first
    /// one starts at 0x102. Which count their calls, and the bins with ticks.
    fn check(calls: &[(u64, u64)], counting: [bool; 2], bins: &[u32], expected: [u32; 2]) {
        let table = SymbolTable::of_entries([0x102, 0x106].map(Address).into_iter());
        let mut found = StartsInBins::default();
        for bin in bins {
            match bin {
                0 => found.add_part(SymbolId(0), [2].into_iter()),
                1 => {
                    found.add_part(SymbolId(0), [4].into_iter());
                    found.add_part(SymbolId(1), [6].into_iter());
                }
                _ => found.add_part(SymbolId(1), [8].into_iter()),
            }
            found.end_bin(&table);
        }
        let arcs = calls.iter().map(|&(callee, count)| CallArc {
            call_site: Address(0x10),
            callee: Address(callee),
            count,
        });
        let arcs: Vec<_> = arcs.collect();
        let counts_calls = |body: &Range<Address>| counting[usize::from(body.start.0 > 0x102)];
        found.weigh(&table, &arcs, &OnceLock::new(), counts_calls);
        let weight_at = |distance| {
            let start = found.starts.iter().find(|one| one.distance == distance);
            start.map_or(0, |start| start.weight)
        };
        assert_eq!([4, 6].map(weight_at), expected, "{calls:?} {counting:?}");
    }

    #[test]
    fn functions_share_a_bin_by_their_calls() {
        let both = [true, true];
        check(&[(0x102, 3), (0x106, 1)], both, &[1], [65536, 21845]);
        check(&[(0x102, 1), (0x106, u64::MAX)], both, &[0, 1, 2], [1, 65536]);
        check(&[(0x102, 7)], both, &[0, 1], [65536, 0]);
    }

    #[test]
    fn nothing_is_assumed_of_functions_without_counts() {
        check(&[(0x102, 9), (0x106, 1)], [true, false], &[1], [1, 1]);
        check(&[(0x106, 9)], [true, false], &[1], [0, 1]);
        // It has no calls, but samples of its own: a library called it.
        check(&[(0x102, 9)], [true, true], &[1, 2], [1, 1]);
        check(&[], [true, true], &[1], [1, 1]);
    }
}
