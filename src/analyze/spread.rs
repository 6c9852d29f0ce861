//! Determines which ticks certainly belong to a function, and which may.
//!
//! A bin that spans two functions has ticks of either. Attribution divides them by
//! instructions or bytes, which is an estimate: all may belong to one. Sampling error is
//! separate.
//!
//! ```text
//! bins     |  3  |  2  |  5  |
//! symbols   [ f    ][ g      ]     f: 3 certain, 5 possible; g: 5 certain, 7 possible
//! ```
//!
//! Linear in bins plus symbols for each histogram, as attribution.

use super::attribution::{Attribution, BinShares, attribute_with, weight_of};
use super::uncertainty::SampleRange;
use crate::model::Histogram;
use crate::symbols::{SymbolId, SymbolTable};

/// Minimum and maximum ticks of each symbol.
#[derive(Clone, Debug)]
pub struct Spread {
    certain: Box<[f64]>,
    possible: Box<[f64]>,
    /// Maximum ticks per sample: above 1 if a histogram has a slower clock than the first.
    pub ticks_per_sample: f64,
}

impl Spread {
    /// Determines which symbols have which ticks, and which they may have. Parts of a function
    /// count as the function in the spread.
    pub(super) fn with_attribution(
        histograms: &[Histogram],
        table: &SymbolTable,
    ) -> (Attribution, Self) {
        let n_symbols = table.symbols().len();
        let mut spread = Self {
            certain: vec![0.0; n_symbols].into(),
            possible: vec![0.0; n_symbols].into(),
            ticks_per_sample: 1.0,
        };
        for histogram in histograms {
            let weight = weight_of(histogram, &histograms[0]);
            spread.ticks_per_sample = spread.ticks_per_sample.max(weight);
        }
        let mut functions = Vec::new();
        let add = |ticks: f64, shares: &BinShares<'_>| {
            functions.clear();
            functions.extend(shares.parts.iter().map(|&(id, _)| table.enclosing_function(id)));
            functions.sort_unstable();
            functions.dedup();
            for function in &functions {
                spread.possible[function.index()] += ticks;
            }
            if let ([function], 0.0) = (&*functions, shares.outside()) {
                spread.certain[function.index()] += ticks;
            }
        };
        (attribute_with(histograms, table, add), spread)
    }

    pub fn of(&self, symbol: SymbolId) -> SampleRange {
        SampleRange {
            certain: self.certain[symbol.index()],
            possible: self.possible[symbol.index()],
        }
    }

    /// Sets the ticks of a symbol to 0: its time does not count.
    pub(super) fn clear(&mut self, symbol: SymbolId) {
        self.certain[symbol.index()] = 0.0;
        self.possible[symbol.index()] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Address, Clock, InstructionStarts};

    fn histogram(bins: &[u64], rate: u32) -> Histogram {
        Histogram {
            low: Address(0x1000),
            high: Address(0x1000 + 4 * bins.len() as u64),
            n_bins: bins.len() as u64,
            bins: bins.into(),
            full_bins: Vec::new(),
            instructions: InstructionStarts::default(),
            clock: Clock::seconds(rate),
        }
    }

    /// Functions of 6 bytes, 6 bytes, and the rest.
    fn table() -> SymbolTable {
        SymbolTable::of_entries([0x1000, 0x1006, 0x100c].map(Address).into_iter())
    }

    fn check(histograms: &[Histogram], expected: [(f64, f64); 3]) -> Spread {
        let spread = Spread::with_attribution(histograms, &table()).1;
        for (id, (certain, possible)) in (0..).map(SymbolId).zip(expected) {
            assert_eq!(spread.of(id), SampleRange { certain, possible }, "{id:?}");
        }
        spread
    }

    #[test]
    fn a_bin_in_two_functions_is_certainly_of_neither() {
        let bins = [3, 2, 5, 7];
        check(&[histogram(&bins, 100)], [(3.0, 5.0), (5.0, 7.0), (7.0, 7.0)]);
    }

    #[test]
    fn ticks_of_a_slower_clock_count_for_more() {
        let histograms = [histogram(&[3, 0, 0, 0], 100), histogram(&[2, 0, 0, 1], 50)];
        let spread = check(&histograms, [(7.0, 7.0), (0.0, 0.0), (2.0, 2.0)]);
        assert_eq!(spread.ticks_per_sample, 2.0);
    }
}
