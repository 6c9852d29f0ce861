//! Whether the histogram covers the code of the program as start-up code has it do.
//!
//! Start-up code names the ends of the code to the profiler, which rounds them outwards
//! to what two counters of two bytes stand for: 4 bytes. Who starts the profiler otherwise
//! may name any ends; so the end is of use where the start is one that is known.
//! Sources: the profiling start-up code and `monstartup` of GNU and of the BSDs.

use super::setting::{Setting, moved};
use crate::model::{Address, Histogram};

/// By how much starts are rounded down at most.
const MAX_ROUNDING: u64 = 16;

/// What the profiler rounds ends up to.
const ROUNDING: u64 = 4;

/// Ends at whole pages were named by who knows no better.
const PAGE: u64 = 0x1000;

/// The end of a histogram beside that of a program's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeFit {
    /// The recorded one.
    pub recorded: Address,
    /// The one of the program nearest to it, not rounded.
    pub linked: Address,
    /// They are the same, but for rounding.
    pub fits: bool,
}

pub(super) fn fit(setting: &Setting<'_>, slide: u64) -> Option<RangeFit> {
    let histograms = setting.profile.histograms().iter();
    let mut fits = histograms.filter_map(|histogram| fit_of(histogram, setting, slide));
    let first = fits.next()?;
    // Of several one is of the start-up code.
    Some(
        fits.find(|fit| fit.fits)
            .filter(|_| !first.fits)
            .unwrap_or(first),
    )
}

fn fit_of(histogram: &Histogram, setting: &Setting<'_>, slide: u64) -> Option<RangeFit> {
    let bounds = &setting.code.bounds;
    let (low, high) = (moved(histogram.low, slide), moved(histogram.high, slide));
    let is_start = |start: &Address| start.0.wrapping_sub(low.0) < MAX_ROUNDING;
    let is_known = low < high && bounds.starts.iter().any(is_start);
    if !is_known || high.0.is_multiple_of(PAGE) {
        return None;
    }
    let nearest = bounds.ends.iter().min_by_key(|end| end.0.abs_diff(high.0));
    let linked = *nearest?;
    let bytes_per_bin = (high.0 - low.0).div_ceil(histogram.n_bins.max(1));
    let excess = high.0.wrapping_sub(linked.0);
    Some(RangeFit {
        recorded: high,
        linked,
        fits: excess < ROUNDING.max(bytes_per_bin),
    })
}
