//! Ticks to symbols.
//!
//! Bins and symbols are both in address order, so one sweep over the two settles
//! who gets what:
//!
//! ```text
//! bins     |  3  |  0  |  5  |  2  |
//! symbols   [ f      ][ g ]    [ h ]
//! ```
//!
//! A bin gives each symbol that it meets the share of its ticks that lies in it.
//! What lies in no symbol is kept apart, so that ticks in are ticks out. Costs
//! bins plus symbols for each histogram.

use std::ops::Range;

use crate::filter::{is_of_profiler, is_of_start_up};
use crate::model::{Address, Histogram};
use crate::symbols::{SymbolId, SymbolTable};

/// A part of a bin too small to be more than an error of arithmetic.
pub(super) const ROUNDING: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinEdges {
    /// Where arithmetic puts them, to fractions of a byte.
    Exact,
    /// On units of two bytes, rounded down. Credit is a share of the unrounded width all
    /// the same, so ticks can grow or shrink.
    WholeUnits,
}

/// Who got which ticks. All numbers are in ticks of the first clock.
#[derive(Clone, Debug)]
pub struct Attribution {
    pub ticks: Box<[f64]>,
    /// All that count: those of every symbol selected and of none.
    pub total: f64,
    pub outside: f64,
    /// Those that fell to the profiler's own functions, which are left out.
    pub profiler: f64,
}

/// Gives the ticks of histograms to symbols. Symbols that `selects` leaves out get
/// nothing, and what would be theirs is not part of the total.
pub fn attribute(
    histograms: &[Histogram],
    table: &SymbolTable,
    selects: impl Fn(SymbolId) -> bool,
    edges: BinEdges,
) -> Attribution {
    let mut result = Attribution {
        ticks: vec![0.0; table.symbols().len()].into(),
        total: 0.0,
        outside: 0.0,
        profiler: 0.0,
    };
    for histogram in histograms {
        let mut grid = Grid::new(histogram, edges, weight_of(histogram, &histograms[0]));
        if edges == BinEdges::WholeUnits {
            // All bins are as wide as those of the first histogram.
            grid.width = histograms[0].units_per_bin();
        }
        sweep(&grid, histogram, table, &selects, &mut result);
    }
    result
}

/// Ticks without the dust of summing: parts of bins that add up to whole ticks do so
/// but for the last digits.
pub(crate) fn snapped(ticks: f64) -> f64 {
    let whole = ticks.round();
    if (ticks - whole).abs() < 1e-6 {
        whole
    } else {
        ticks
    }
}

/// Ticks of the first clock in one of this histogram's.
pub(super) fn weight_of(histogram: &Histogram, first: &Histogram) -> f64 {
    match (histogram.clock.rate, first.clock.rate) {
        (Some(rate), Some(first)) if rate != first => {
            f64::from(first.get()) / f64::from(rate.get())
        }
        _ => 1.0,
    }
}

/// Measures addresses from the low end of a histogram, where numbers are small.
pub(super) struct Grid {
    low: Address,
    edges: BinEdges,
    width: f64,
    /// How far bins reach: the last one ends with the range.
    reach: f64,
    pub(super) weight: f64,
}

impl Grid {
    pub(super) fn new(histogram: &Histogram, edges: BinEdges, weight: f64) -> Self {
        let low = histogram.low;
        let (width, reach, weight) = match edges {
            BinEdges::WholeUnits => (histogram.units_per_bin(), f64::INFINITY, 1.0),
            BinEdges::Exact => {
                let (bytes, n_bins) = histogram.bytes_per_bin();
                let range = histogram.high.0.saturating_sub(low.0);
                (bytes as f64 / n_bins as f64, range as f64, weight)
            }
        };
        Self {
            low,
            edges,
            width,
            reach,
            weight,
        }
    }

    /// The low edge of a bin; the high one is that of the next.
    pub(super) fn edge(&self, bin: usize) -> f64 {
        let edge = self.width * bin as f64;
        match self.edges {
            BinEdges::WholeUnits => edge.trunc(),
            BinEdges::Exact => edge.min(self.reach),
        }
    }

    /// What shares of a bin between two edges are shares of.
    pub(super) fn width_between(&self, low: f64, high: f64) -> f64 {
        match self.edges {
            BinEdges::WholeUnits => self.width,
            BinEdges::Exact => high - low,
        }
    }

    pub(super) fn place(&self, address: Address) -> f64 {
        let unit = match self.edges {
            BinEdges::WholeUnits => 2,
            BinEdges::Exact => 1,
        };
        let (address, low) = (address.0 / unit, self.low.0 / unit);
        // The difference of two unsigned numbers, with its sign.
        if address < low {
            -((low - address) as f64)
        } else {
            (address - low) as f64
        }
    }
}

/// The symbols that have a part of a bin, in order, with the part that is common to both.
/// `place` puts addresses where the edges of bins are. Bins are asked for in their order,
/// and `first` remembers where the search for the next one starts.
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
    let Range {
        start: low,
        end: high,
    } = bin;
    let near = placed.take_while(move |(_, symbol)| symbol.start < high);
    let common = near.map(move |(id, symbol)| {
        let start = if symbol.start > low {
            symbol.start
        } else {
            low
        };
        let end = if symbol.end < high { symbol.end } else { high };
        (id, start..end)
    });
    common.filter(|(_, common)| common.start < common.end)
}

/// Leaves start-up code out of the symbols of a bin, where others have a part of it, and
/// tells how much of the bin that was: what ran is the others.
pub(super) fn without_start_up(
    table: &SymbolTable,
    shares: &mut Vec<(SymbolId, Range<f64>)>,
) -> f64 {
    let is_of_start_up = |id: SymbolId| is_of_start_up(table.get(id));
    let mut n_bytes = 0.0;
    if shares.len() > 1 && !shares.iter().all(|&(id, _)| is_of_start_up(id)) {
        shares.retain(|(id, common)| {
            let is_left_out = is_of_start_up(*id);
            if is_left_out {
                n_bytes += common.end - common.start;
            }
            !is_left_out
        });
    }
    n_bytes
}

fn sweep(
    grid: &Grid,
    histogram: &Histogram,
    table: &SymbolTable,
    selects: &impl Fn(SymbolId) -> bool,
    result: &mut Attribution,
) {
    let mut first = 0;
    let mut shares = Vec::new();
    for (bin, n_ticks) in histogram.bins.hit() {
        let count = n_ticks as f64 * grid.weight;
        let (low, high) = (grid.edge(bin), grid.edge(bin + 1));
        let width = grid.width_between(low, high);
        result.total += count;
        if width.is_nan() {
            // The first histogram has neither a range nor bins.
            result.outside += count;
            continue;
        }
        shares.clear();
        shares.extend(overlaps(table, &mut first, |a| grid.place(a), low..high));
        let mut covered = 0.0;
        let mut width = width;
        if grid.edges == BinEdges::Exact {
            width -= without_start_up(table, &mut shares);
        }
        for (id, common) in shares.drain(..) {
            let overlap = common.end - common.start;
            covered += overlap;
            // In this order: the last bits of sums depend on it, and order equal rows.
            let credit = overlap * count / width;
            if selects(id) {
                result.ticks[id.index()] += credit;
            } else {
                result.total -= credit;
                if is_of_profiler(table.get(id)) {
                    result.profiler += credit;
                }
            }
        }
        // A bin without a width, of a damaged range, covers nothing.
        let left = if width > 0.0 {
            1.0 - covered / width
        } else {
            1.0
        };
        if left > ROUNDING {
            result.outside += count * left;
        }
    }
}
