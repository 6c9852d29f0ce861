//! Compares the range of the histogram with the range of start-up code.
//!
//! Start-up code passes the ends of the code to the profiler, which rounds them outwards to the
//! code of two 16-bit counters: 4 bytes. Other callers may pass any range, so the end counts only
//! if the start is a known one. A symbol of the linker script may mark the end of the profiled
//! code. A program of several images chooses all ranges by itself. Sources: `gmon/gmon.c`
//! (`__monstartup`) in glibc, `lib/libc/gmon/gmon.c` of the BSDs.

use super::evidence::{HistogramEnd, RangeFit};
use super::setting::{Setting, moved};
use crate::model::{Address, Histogram};

/// Maximum rounding of the start in bytes.
const START_ROUNDING: u64 = 16;

/// Rounding of the end in bytes.
const ROUNDING: u64 = 4;

/// Ends at whole pages are only approximate.
const PAGE: u64 = 0x1000;

pub(super) fn fit(setting: &Setting<'_>, slide: u64) -> Option<RangeFit> {
    let histograms = setting.profile.histograms().iter();
    let fits = histograms.filter_map(|histogram| fit_of(histogram, setting, slide));
    let mut fits = fits.filter(|fit| setting.can_count(fit));
    let first = fits.next()?;
    // With several histograms, one is from the start-up code.
    Some(fits.find(RangeFit::fits).filter(|_| !first.fits()).unwrap_or(first))
}

fn fit_of(histogram: &Histogram, setting: &Setting<'_>, slide: u64) -> Option<RangeFit> {
    let bounds = &setting.code.bounds;
    let (low, high) = (moved(histogram.low, slide), moved(histogram.high, slide));
    let is_start = |start: &Address| start.0.wrapping_sub(low.0) < START_ROUNDING;
    let is_known = low < high && bounds.starts.iter().any(is_start);
    if !is_known || high.0.is_multiple_of(PAGE) {
        return None;
    }
    let nearest = bounds.ends.iter().min_by_key(|end| end.0.abs_diff(high.0));
    let linked = *nearest?;
    let bytes_per_bin = (high.0 - low.0).div_ceil(histogram.n_bins.max(1));
    let ends_at = |end: &Address| high.0.wrapping_sub(end.0) < ROUNDING.max(bytes_per_bin);
    let end = match ends_at(&linked) {
        true => HistogramEnd::Code,
        false if bounds.labels.iter().any(ends_at) => HistogramEnd::Label,
        false => HistogramEnd::Elsewhere,
    };
    Some(RangeFit { recorded: high, linked, end })
}
