//! Assigns ticks to symbols.
//!
//! Bins and symbols are both by address, so one pass over both is enough:
//!
//! ```text
//! bins     |  3  |  0  |  5  |  2  |
//! symbols   [ f      ][ g ]    [ h ]
//! ```
//!
//! Symbols share the ticks of a bin. Ticks outside of symbols are counted separately, so that
//! the total stays the same. Linear in bins plus symbols, for each histogram.

use std::ops::Range;

use crate::filter::is_of_start_up;
use crate::model::{Address, BinEdges, Histogram};
use crate::symbols::{SymbolId, SymbolTable};

/// A share of a bin below this is a rounding error.
const ROUNDING: f64 = 1e-9;

/// Ticks by symbol, in ticks of the first clock.
#[derive(Clone, Debug)]
pub struct Attribution {
    pub ticks: Box<[f64]>,
    /// All ticks that count: of selected symbols, and outside of symbols.
    pub total: f64,
    pub outside: f64,
}

impl Attribution {
    fn of_nothing(table: &SymbolTable) -> Self {
        Self { ticks: vec![0.0; table.symbols().len()].into(), total: 0.0, outside: 0.0 }
    }

    fn leave_outside(&mut self, count: f64, share: f64) {
        if share > ROUNDING {
            self.outside += count * share;
        }
    }
}

/// Gives the ticks of histograms to symbols.
pub fn attribute(histograms: &[Histogram], table: &SymbolTable) -> Attribution {
    attribute_with(histograms, table, |_, _| ())
}

/// The same. Passes the ticks and shares of each bin to `visit`.
pub(super) fn attribute_with(
    histograms: &[Histogram],
    table: &SymbolTable,
    mut visit: impl FnMut(f64, &BinShares<'_>),
) -> Attribution {
    let mut result = Attribution::of_nothing(table);
    for histogram in histograms {
        let weight = weight_of(histogram, &histograms[0]);
        let mut shares = BinShares::new(histogram, table);
        for (bin, n_ticks) in histogram.bins.hit() {
            let count = n_ticks as f64 * weight;
            result.total += count;
            shares.find(bin);
            for &(id, share) in &shares.parts {
                // In this order: the last bits of sums depend on it, and order equal rows.
                result.ticks[id.index()] += share as f64 * count / shares.whole as f64;
            }
            result.leave_outside(count, shares.outside());
            visit(count, &shares);
        }
    }
    result
}

/// The same as in gprof. Edges of bins are on units of two bytes, rounded down, and as wide as in
/// the first histogram. Credit is a share of the unrounded width, so ticks can grow or shrink.
/// Symbols that `selects` leaves out get no ticks, and the total excludes their ticks.
pub fn attribute_by_units(
    histograms: &[Histogram],
    table: &SymbolTable,
    selects: impl Fn(SymbolId) -> bool,
) -> Attribution {
    let mut result = Attribution::of_nothing(table);
    let width = histograms.first().map_or(0.0, Histogram::units_per_bin);
    for histogram in histograms {
        let low = histogram.low.0 / 2;
        let place = |address: Address| {
            let unit = address.0 / 2;
            // The difference of two unsigned numbers, with its sign.
            if unit < low { -((low - unit) as f64) } else { (unit - low) as f64 }
        };
        let mut first = 0;
        for (bin, n_ticks) in histogram.bins.hit() {
            let count = n_ticks as f64;
            result.total += count;
            if width.is_nan() {
                // The first histogram has neither a range nor bins.
                result.outside += count;
                continue;
            }
            let edge = |bin: usize| (width * bin as f64).trunc();
            let mut covered = 0.0;
            for (id, common) in overlaps(table, &mut first, place, edge(bin)..edge(bin + 1)) {
                let overlap = common.end - common.start;
                covered += overlap;
                let credit = overlap * count / width;
                if selects(id) {
                    result.ticks[id.index()] += credit;
                } else {
                    result.total -= credit;
                }
            }
            // A bin of a damaged range has width 0 and covers no symbol.
            let is_wide = width > 0.0;
            result.leave_outside(count, if is_wide { 1.0 - covered / width } else { 1.0 });
        }
    }
    result
}

/// Ticks without rounding errors: sums that are almost integers become integers.
pub(crate) fn snapped(ticks: f64) -> f64 {
    let whole = ticks.round();
    if (ticks - whole).abs() < 1e-6 { whole } else { ticks }
}

/// Length of a tick of this histogram, in ticks of the first clock.
pub(super) fn weight_of(histogram: &Histogram, first: &Histogram) -> f64 {
    match (histogram.clock.rate, first.clock.rate) {
        (Some(rate), Some(first)) if rate != first => {
            f64::from(first.get()) / f64::from(rate.get())
        }
        _ => 1.0,
    }
}

/// How symbols share the bins of a histogram.
///
/// A sample is the address of an instruction. If the instructions in a bin are known, symbols
/// share it by their number and how often they ran, otherwise by bytes.
pub(super) struct BinShares<'a> {
    histogram: &'a Histogram,
    edges: BinEdges,
    table: &'a SymbolTable,
    /// The first symbol that the next bin may span.
    first: usize,
    /// The symbols of the bin with their shares, in order.
    pub(super) parts: Vec<(SymbolId, u64)>,
    /// The sum of all shares, including code outside of symbols.
    pub(super) whole: u64,
}

impl<'a> BinShares<'a> {
    pub(super) fn new(histogram: &'a Histogram, table: &'a SymbolTable) -> Self {
        Self { histogram, edges: histogram.edges(), table, first: 0, parts: Vec::new(), whole: 0 }
    }

    /// Computes the shares of a bin. Bins must be ascending.
    pub(super) fn find(&mut self, bin: usize) {
        let (histogram, table) = (self.histogram, self.table);
        let range = self.edges.of_bin(bin);
        self.whole = range.end.0 - range.start.0;
        self.parts.clear();
        if let Some(symbol) = table.only_one_in(&mut self.first, &range) {
            return self.parts.push((symbol, self.whole));
        }
        let bytes = |common: &Range<Address>| common.end.0 - common.start.0;
        let overlaps = overlaps(table, &mut self.first, |address| address, range);
        let mut instructions = 0;
        for (id, common) in overlaps {
            let weight = histogram.weight_of_instructions(&common);
            if weight > 0 && instructions == 0 {
                self.parts.clear();
            }
            instructions += weight;
            match instructions {
                0 => self.parts.push((id, bytes(&common))),
                _ if weight > 0 => self.parts.push((id, weight)),
                _ => {}
            }
        }
        if instructions > 0 {
            self.whole = instructions;
        }
        self.leave_start_up_out();
    }

    /// The share outside of symbols, as a fraction.
    pub(super) fn outside(&self) -> f64 {
        let covered: u64 = self.parts.iter().map(|(_, share)| share).sum();
        match self.whole {
            0 => 1.0,
            whole => whole.saturating_sub(covered) as f64 / whole as f64,
        }
    }

    /// Removes start-up code from bins that other symbols share.
    fn leave_start_up_out(&mut self) {
        let is_of_start_up = |id: SymbolId| is_of_start_up(self.table.get(id));
        if self.parts.len() < 2 || self.parts.iter().all(|&(id, _)| is_of_start_up(id)) {
            return;
        }
        let whole = &mut self.whole;
        self.parts.retain(|&(id, share)| {
            let is_left_out = is_of_start_up(id);
            if is_left_out {
                *whole -= share;
            }
            !is_left_out
        });
    }
}

/// The symbols that overlap a bin, with the overlap. `place` rounds addresses to edges of
/// bins. Bins must be ascending; `first` is the start of the next search.
pub(super) fn overlaps<T: PartialOrd + Copy>(
    table: &SymbolTable,
    first: &mut usize,
    place: impl Fn(Address) -> T,
    bin: Range<T>,
) -> impl Iterator<Item = (SymbolId, Range<T>)> {
    let symbols = table.symbols();
    while *first < symbols.len() && place(symbols[*first].ticks_end) <= bin.start {
        *first += 1;
    }
    let placed = table.iter_from(*first).map(move |(id, symbol)| {
        let (start, end) = (place(symbol.range.start), place(symbol.ticks_end));
        (id, start..end)
    });
    let Range { start: low, end: high } = bin;
    let near = placed.take_while(move |(_, symbol)| symbol.start < high);
    let common = near.map(move |(id, symbol)| {
        let start = if symbol.start > low { symbol.start } else { low };
        let end = if symbol.end < high { symbol.end } else { high };
        (id, start..end)
    });
    common.filter(|(_, common)| common.start < common.end)
}
