//! The input of verdicts: the profile, and the program.

use std::ops::Range;

use super::checked_program::CheckedProgram;
use super::{Evidence, RangeFit};
use crate::model::{Address, Histogram, Profile};
use crate::symbols::{Code, Symbol, SymbolId, SymbolTable, load_offsets};
use crate::threads;

pub(super) struct Setting<'a> {
    pub(super) profile: &'a Profile,
    pub(super) checked: &'a CheckedProgram<'a>,
    pub(super) code: &'a Code<'a>,
    /// The code of the image that is judged, if the program has several.
    image: Option<&'a [Range<Address>]>,
    /// Callees of arcs, ascending, without duplicates.
    pub(super) callees: Box<[Address]>,
}

impl<'a> Setting<'a> {
    pub(super) fn new(
        profile: &'a Profile,
        checked: &'a CheckedProgram<'a>,
        image: Option<&'a [Range<Address>]>,
    ) -> Self {
        let mut callees: Vec<_> = profile.arcs().iter().map(|arc| arc.callee).collect();
        threads::sort(&mut callees);
        callees.dedup();
        Self { profile, checked, code: &checked.code, image, callees: callees.into() }
    }

    /// The functions by address, if the program has names.
    pub(super) fn functions(&self) -> Option<&'a SymbolTable> {
        self.checked.functions()
    }

    /// Returns whether the end of a histogram is evidence. It never is against one of several
    /// images.
    pub(super) fn can_count(&self, fit: &RangeFit) -> bool {
        let ends_at = |one: &Range<Address>| one.start < fit.linked && fit.linked <= one.end;
        self.image.is_none_or(|code| fit.fits() && code.iter().any(ends_at))
    }

    /// Possible load offsets other than 0.
    pub(super) fn load_offsets(&self) -> Vec<u64> {
        let lows = self.profile.histograms().iter().map(|histogram| histogram.low);
        let lows: Vec<_> = lows.collect();
        load_offsets(&lows, &self.callees, self.code, self.functions())
    }

    /// The function that contains an address.
    pub(super) fn function_at(&self, address: Address) -> Option<&Symbol> {
        Some(self.numbered_function_at(address)?.1)
    }

    /// The same, with its number.
    pub(super) fn numbered_function_at(&self, address: Address) -> Option<(SymbolId, &Symbol)> {
        let table = self.functions()?;
        let id = table.containing(address)?;
        Some((id, table.get(id)))
    }

    /// Number of functions, if the program has names.
    pub(super) fn n_functions(&self) -> usize {
        self.functions().map_or(0, |table| table.symbols().len())
    }

    /// Evidence that neither a callee nor a tick (or without ticks, any bin) lies in the
    /// code; also `None` if nothing was recorded.
    pub(super) fn nothing_in_code(&self, slide: u64) -> Option<Evidence> {
        let covered = covered_range(self.profile)?;
        let is_in_code = |address: &Address| self.code.contains(moved(*address, slide));
        let histograms = self.profile.histograms();
        let has_ticks = histograms.iter().any(|histogram| histogram.bins.hit().next().is_some());
        let meets = |histogram: &Histogram| {
            if has_ticks {
                return hit_bins(histogram).any(|(bin, _)| self.meets_code(&bin, slide));
            }
            // A damaged one may be reversed; its position counts all the same.
            let low = histogram.low.min(histogram.high);
            let high = histogram.low.max(histogram.high);
            self.meets_code(&(low..high), slide)
        };
        let is_met = self.callees.iter().any(is_in_code) || histograms.iter().any(meets);
        let code = &self.checked.program.code;
        let code = code.first()?.start..code.last()?.end;
        (!is_met)
            .then_some(Evidence::NothingInCode { profile: covered, code: (code.start, code.end) })
    }

    fn meets_code(&self, range: &Range<Address>, slide: u64) -> bool {
        let (start, end) = (moved(range.start, slide), moved(range.end, slide));
        let pieces = &self.checked.program.code;
        let n_before = pieces.partition_point(|piece| piece.end <= start);
        pieces.get(n_before).is_some_and(|piece| piece.start < end)
    }
}

fn covered_range(profile: &Profile) -> Option<(Address, Address)> {
    let histograms = profile.histograms().iter();
    let arcs = profile.arcs().iter().map(|arc| arc.callee);
    let addresses = histograms.flat_map(|h| [h.low, h.high]).chain(arcs);
    let low = addresses.clone().min()?;
    Some((low, addresses.max()?))
}

/// Subtracts the load offset.
pub(super) fn moved(address: Address, slide: u64) -> Address {
    Address(address.0.wrapping_sub(slide))
}

/// The ranges and ticks of bins that have any.
pub(super) fn hit_bins(histogram: &Histogram) -> impl Iterator<Item = (Range<Address>, u64)> {
    let edges = histogram.edges();
    let hit = histogram.bins.hit();
    hit.map(move |(bin, ticks)| (edges.of_bin_anywhere(bin), ticks))
}
