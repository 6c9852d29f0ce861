//! Ticks by address.

use std::num::NonZeroU32;
use std::ops::Range;

use super::{Address, Bins};

/// Ticks by address: the range from `low` to `high`, divided into bins of equal size, which
/// may be a fractional number of bytes.
///
/// The range is as recorded. In a damaged file it may be empty or reversed. A record without
/// bins is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Start of the first bin.
    pub low: Address,
    /// End of the last bin (exclusive).
    pub high: Address,
    /// Number of bins in the range.
    pub n_bins: u64,
    /// Ticks of each bin: `n_bins` entries, or fewer if the file was truncated.
    pub bins: Bins,
    /// Ascending indices of bins whose counter has its maximum: ticks may be missing.
    pub full_bins: Vec<usize>,
    /// The unit of a tick.
    pub clock: Clock,
    /// Where instructions start in bins that have ticks, as far as the executable shows.
    pub instructions: InstructionStarts,
}

/// Which addresses the bins of a histogram count, in whole bytes.
///
/// Profilers find the bin of an address by a scale in 65536ths, a whole number (the
/// argument `scale` of `profil`): bin `(address - low) / 2 * scale / 65536`, each step
/// rounded down. So edges are even, and where the range is not a whole number of bytes
/// per bin, bins are a little wider than the range divided by their number.
///
/// Sources: glibc, `gmon/gmon.c` and `sysdeps/posix/profil.c`; Cygwin and mingw-w64,
/// `profil.h`; NuttX, `sched/sched/sched_profil.c`. newlib has no `profil`: the kernel or the port
/// provides it. The kernels of BSD (`PC_TO_INDEX` in `sys/kern/subr_prof.c`) do not halve
/// the distance first: an odd address may be in the next bin there. Where the range divided by
/// the bins is a whole number, all rules agree.
#[derive(Clone, Copy, Debug)]
pub struct BinEdges {
    low: Address,
    range: u64,
    n_bins: u64,
    step: BinStep,
}

/// How wide bins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BinStep {
    Bytes(u64),
    /// By a scale of `profil`.
    Scaled(u64),
    /// The range divided by their number.
    Fraction,
}

impl BinEdges {
    /// The addresses of a bin; empty without a range or bins.
    pub fn of_bin(&self, bin: usize) -> Range<Address> {
        if self.range == 0 || self.n_bins == 0 {
            return self.low..self.low;
        }
        let bin = bin as u64;
        let (start, end) = (self.edge(bin), self.edge(bin.saturating_add(1)));
        let address = |distance: u64| Address(self.low.0.saturating_add(distance));
        // A bin narrower than its counting unit contains no address. If it has samples, they were
        // counted by another rule.
        address(start.min(end.saturating_sub(1)))..address(end)
    }

    /// The addresses that a bin counts by the rule of any system.
    pub fn of_bin_anywhere(&self, bin: usize) -> Range<Address> {
        let addresses = self.of_bin(bin);
        let odd = u64::from(matches!(self.step, BinStep::Scaled(_)));
        Address(addresses.start.0.saturating_sub(odd))..addresses.end
    }

    /// How far above the low end a bin starts.
    fn edge(&self, bin: u64) -> u64 {
        match self.step {
            BinStep::Bytes(width) => bin.saturating_mul(width),
            // Too few bins for the lost fraction to matter.
            BinStep::Scaled(scale) => (bin << 16).div_ceil(scale).saturating_mul(2),
            BinStep::Fraction => {
                let product = u128::from(bin) * u128::from(self.range);
                let edge = product.div_ceil(u128::from(self.n_bins));
                u64::try_from(edge).unwrap_or(u64::MAX)
            }
        }
    }
}

/// Where instructions start, in order.
///
/// A sample is the address of an instruction, so code within an instruction, or between
/// functions, has no samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstructionStarts(Box<[InstructionStart]>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionStart {
    /// Distance from the low end of the histogram.
    pub distance: u32,
    /// How often it ran, compared with other instructions of its bin, as far as known.
    pub weight: u32,
}

impl FromIterator<InstructionStart> for InstructionStarts {
    /// From distances in order.
    fn from_iter<T: IntoIterator<Item = InstructionStart>>(starts: T) -> Self {
        Self(starts.into_iter().collect())
    }
}

impl Histogram {
    /// Units of two bytes per bin, as C libraries compute the scale: the size of the range is
    /// halved with integer division.
    pub fn units_per_bin(&self) -> f64 {
        let units = self.high.0.wrapping_sub(self.low.0) / 2;
        units as f64 / self.n_bins as f64
    }

    /// Where its bins lie.
    pub fn edges(&self) -> BinEdges {
        let range = self.high.0.saturating_sub(self.low.0);
        let step = match self.scale() {
            Some(scale) => BinStep::Scaled(scale),
            None if range.checked_rem(self.n_bins) == Some(0) => {
                BinStep::Bytes(range / self.n_bins)
            }
            None => BinStep::Fraction,
        };
        BinEdges { low: self.low, range, n_bins: self.n_bins, step }
    }

    /// How wide bins are, rounded up.
    pub fn bytes_per_bin(&self) -> u64 {
        let range = self.high.0.saturating_sub(self.low.0);
        let Some(scale) = self.scale() else {
            return range.checked_div(self.n_bins).unwrap_or(0);
        };
        (2_u64 << 16).div_ceil(scale)
    }

    /// The scale of `profil`, if bins are not a whole number of bytes wide.
    fn scale(&self) -> Option<u64> {
        // A scale of 65536 is for a counter of two bytes for every two bytes of code.
        let range = self.high.0.saturating_sub(self.low.0);
        if range.checked_rem(self.n_bins)? == 0 {
            return None;
        }
        let scale = (u128::from(self.n_bins) << 17).checked_div(u128::from(range))?;
        let scale = u64::try_from(scale).ok()?;
        (1..=1 << 16).contains(&scale).then_some(scale)
    }

    /// The weights of the instructions that are known to start in a range.
    pub fn weight_of_instructions(&self, range: &Range<Address>) -> u64 {
        let InstructionStarts(starts) = &self.instructions;
        let distance = |address: Address| address.0.saturating_sub(self.low.0);
        let (from, to) = (distance(range.start), distance(range.end));
        let n_before = starts.partition_point(|start| u64::from(start.distance) < from);
        let within = starts[n_before..].iter();
        let within = within.take_while(|start| u64::from(start.distance) < to);
        within.map(|start| u64::from(start.weight)).sum()
    }

    pub fn n_ticks(&self) -> u64 {
        self.bins.total()
    }

    /// Sets `full_bins`; `most` is the maximum of a counter.
    pub(super) fn find_full_bins(&mut self, most: u64) {
        if !self.bins.any_has(most) {
            self.full_bins.clear();
            return;
        }
        let full = self.bins.hit().filter(|(_, ticks)| *ticks == most);
        self.full_bins = full.map(|(bin, _)| bin).collect();
    }

    /// Adds the ticks of `other`, which has the same range and number of bins.
    pub(super) fn add_bins(&mut self, other: &Self) {
        if !other.full_bins.is_empty() {
            self.full_bins.extend(&other.full_bins);
            self.full_bins.sort_unstable();
            self.full_bins.dedup();
        }
        self.bins.add(&other.bins);
    }

    /// Returns whether the ranges have a common address.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low < other.high && other.low < self.high
    }
}

/// The unit of a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Ticks per unit of the dimension. `None` if the file contains 0: the length of a tick
    /// was not recorded.
    pub rate: Option<NonZeroU32>,
    /// At most 15 bytes; usually `seconds`.
    pub dimension: Box<[u8]>,
    /// `s` for seconds; 0 for none.
    pub abbreviation: u8,
}

impl Clock {
    /// `None` if it does not count seconds, or without a rate.
    pub fn seconds_per_tick(&self) -> Option<f64> {
        let rate = self.rate.filter(|_| self.dimension.starts_with(b"seconds"))?;
        Some(1.0 / f64::from(rate.get()))
    }

    /// A clock with `rate` ticks per second.
    pub fn seconds(rate: u32) -> Self {
        Self {
            rate: NonZeroU32::new(rate),
            dimension: b"seconds".as_slice().into(),
            abbreviation: b's',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(range: u64, n_bins: u64) -> Histogram {
        Histogram {
            low: Address(0x40_0000),
            high: Address(0x40_0000 + range),
            n_bins,
            bins: Bins::default(),
            full_bins: Vec::new(),
            clock: Clock::seconds(100),
            instructions: InstructionStarts::default(),
        }
    }

    /// The bin that `profil` increments: counters have two bytes, and the scale is an
    /// integer.
    fn bin_of(offset: u64, range: u64, n_bins: u64) -> u64 {
        let scale = n_bins * 2 * 65536 / range;
        offset / 2 * scale / 65536
    }

    #[test]
    fn samples_are_in_the_bins_that_profilers_count_them_in() {
        // Start-up code allocates half as many bytes of counters as of code, rounded up.
        for range in [684, 5160, 0x1_8718, 0x5_8718, 0x20_0024, 0x123_4568] {
            let n_bins = (range / 2_u64).next_multiple_of(8) / 2;
            let histogram = histogram(range, n_bins);
            for offset in (0..range).step_by(7) {
                let bin = usize::try_from(bin_of(offset, range, n_bins)).expect("it is small");
                let range = histogram.edges().of_bin(bin);
                let address = Address(0x40_0000 + offset);
                assert!(range.contains(&address), "{offset:#x}: {range:x?}");
            }
        }
    }

    #[test]
    fn bins_follow_one_another() {
        for (range, n_bins) in [(684, 172), (0x1000, 0x400), (1200, 100), (7, 3), (64, 64)] {
            let histogram = histogram(range, n_bins);
            let n_bins = usize::try_from(n_bins).expect("it is small");
            for bin in 1..n_bins {
                let before = histogram.edges().of_bin(bin - 1);
                assert_eq!(before.end, histogram.edges().of_bin(bin).start, "{range} {bin}");
            }
            let last = histogram.edges().of_bin(n_bins - 1);
            assert!(last.end >= histogram.high, "{range}");
        }
    }

    #[test]
    fn a_range_without_addresses_or_bins_has_no_bin() {
        for (range, n_bins) in [(0, 4), (7, 0)] {
            assert!(histogram(range, n_bins).edges().of_bin(0).is_empty());
        }
    }
}
