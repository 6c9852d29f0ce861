//! What is in a profile file, counted for people.

use crate::model::{Address, Encoding, Profile, RecordCounts};

/// One file, summed up.
#[derive(Clone, Debug)]
pub struct FileSummary {
    /// Its name.
    pub path: String,
    /// What its layout is called.
    pub layout: String,
    /// How it stores words; `None` for text.
    pub encoding: Option<Encoding>,
    /// The version that it states; 0 when it states none.
    pub version: u32,
    /// Its records, as stored.
    pub records: RecordCounts,
    /// Its histograms.
    pub histograms: Vec<HistogramSummary>,
    /// Calls along all of its arcs.
    pub n_calls: u64,
    /// Basic blocks.
    pub n_blocks: usize,
}

/// One histogram, summed up.
#[derive(Clone, Debug)]
pub struct HistogramSummary {
    /// The first address.
    pub low: Address,
    /// The first address behind it.
    pub high: Address,
    /// Bins.
    pub n_bins: u64,
    /// Bytes for which a bin stands; `None` when there are no bins.
    pub bytes_per_bin: Option<f64>,
    /// Ticks in a unit of the dimension, when that is known.
    pub rate: Option<u32>,
    /// What is measured.
    pub dimension: Box<[u8]>,
    /// Ticks of all bins.
    pub n_ticks: u64,
}

impl FileSummary {
    /// Counts what is in `profile`.
    #[must_use]
    pub fn new(
        path: &str,
        layout: String,
        encoding: Option<Encoding>,
        version: u32,
        profile: &Profile,
    ) -> Self {
        let histograms = profile.histograms().iter().map(|histogram| {
            let bytes = histogram.high.0.wrapping_sub(histogram.low.0) as f64;
            HistogramSummary {
                low: histogram.low,
                high: histogram.high,
                n_bins: histogram.n_bins,
                bytes_per_bin: (histogram.n_bins > 0).then(|| bytes / histogram.n_bins as f64),
                rate: histogram.clock.rate.map(std::num::NonZeroU32::get),
                dimension: histogram.clock.dimension.clone(),
                n_ticks: histogram.n_ticks(),
            }
        });
        let counts = profile.arcs().iter().map(|arc| arc.count);
        Self {
            path: path.to_owned(),
            layout,
            encoding,
            version,
            records: profile.records(),
            histograms: histograms.collect(),
            n_calls: counts.fold(0, u64::saturating_add),
            n_blocks: profile.blocks().len(),
        }
    }
}
