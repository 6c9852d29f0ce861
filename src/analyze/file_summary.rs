//! What is in a profile file, counted for people.

use crate::model::{
    Address, BuildId, Charges, Course, Encoding, Heap, Profile, Quantity, RecordCounts, SizeBounds,
    Tallies, TallyStyle,
};

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
    /// Its exact charges, if it is of that kind.
    pub charges: Option<ChargeSummary>,
    /// Blocks and bytes allocated, then freed, if it is of a heap.
    pub heap: Option<HeapSummary>,
    /// Events by kind, if it is a trace.
    pub events: Option<EventSummary>,
    /// What was counted and how, if it has tallies.
    pub tallies: Option<TallySummary>,
    /// The build of the program, where the file names it.
    pub build: Option<BuildId>,
}

/// Exact charges, summed up.
#[derive(Clone, Copy, Debug)]
pub struct ChargeSummary {
    /// Functions that it names.
    pub n_functions: usize,
    /// Contexts: call sites with their callers, places, copies of functions.
    pub n_contexts: usize,
    /// Rows of values.
    pub n_samples: usize,
    /// Calls that are possible.
    pub n_possible_calls: usize,
}

/// The events of a trace by kind.
#[derive(Clone, Copy, Debug)]
pub struct EventSummary {
    /// Allocations.
    pub n_allocations: u64,
    /// Reallocations.
    pub n_reallocations: u64,
    /// Frees.
    pub n_frees: u64,
    /// Heap memory that came from the system, for the program and for the library.
    pub n_regions: u64,
    /// Threads.
    pub n_threads: usize,
}

/// What MLton's values are.
#[derive(Clone, Copy, Debug)]
pub struct TallySummary {
    /// What was counted.
    pub quantity: Quantity,
    /// How.
    pub style: TallyStyle,
    /// What the program took.
    pub program: i128,
    /// What its garbage collector took.
    pub collector: i128,
    /// Rows of functions.
    pub n_functions: usize,
    /// Rows of copies of functions.
    pub n_copies: usize,
}

/// A heap, summed up.
#[derive(Clone, Copy, Debug)]
pub struct HeapSummary {
    /// Where the classes of sizes end.
    pub bounds: SizeBounds,
    /// Sizes that are told apart.
    pub n_bins: usize,
    /// Blocks allocated.
    pub n_allocated: i128,
    /// Bytes of them.
    pub n_allocated_bytes: i128,
    /// Blocks freed.
    pub n_freed: i128,
    /// Bytes of them.
    pub n_freed_bytes: i128,
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
            charges: ChargeSummary::new(&profile.charges),
            heap: profile.heap.as_ref().map(HeapSummary::new),
            events: profile.course.as_ref().map(EventSummary::new),
            tallies: profile.tallies.as_ref().map(TallySummary::new),
            build: profile
                .charges
                .build
                .or(profile.tallies.as_ref().map(|tallies| tallies.build)),
        }
    }
}

impl ChargeSummary {
    fn new(charges: &Charges) -> Option<Self> {
        let is_empty = charges.functions.is_empty() && charges.contexts.is_empty();
        (!is_empty || !charges.samples.is_empty()).then(|| Self {
            n_functions: charges.functions.len(),
            n_contexts: charges.contexts.len(),
            n_samples: charges.samples.len(),
            n_possible_calls: charges.possible_calls.len(),
        })
    }
}

impl EventSummary {
    fn new(course: &Course) -> Self {
        Self {
            n_allocations: course.allocations.count,
            n_reallocations: course.reallocations.count,
            n_frees: course.frees.count,
            n_regions: course.reserved.count + course.internal.count,
            n_threads: course.threads.len(),
        }
    }
}

impl TallySummary {
    fn new(tallies: &Tallies) -> Self {
        Self {
            quantity: tallies.quantity,
            style: tallies.style,
            program: tallies.program,
            collector: tallies.collector,
            n_functions: tallies.functions.len(),
            n_copies: tallies.contexts.len(),
        }
    }
}

impl HeapSummary {
    fn new(heap: &Heap) -> Self {
        Self {
            bounds: heap.bounds,
            n_bins: heap.allocated.counts.len(),
            n_allocated: heap.allocated.n_blocks(),
            n_allocated_bytes: heap.allocated.n_bytes(),
            n_freed: heap.freed.n_blocks(),
            n_freed_bytes: heap.freed.n_bytes(),
        }
    }
}
