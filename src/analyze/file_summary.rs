//! What is in a profile file, counted for people.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{
    Address, BuildId, Encoding, Heap, HeapHistory, MetricName, MlmonCounts, MlmonStyle, Profile,
    Quantity, RecordCounts, RecordedCosts, SizeBounds,
};

#[derive(Clone, Debug)]
pub struct FileSummary {
    pub path: String,
    pub layout: String,
    /// How it stores words; `None` for text.
    pub encoding: Option<Encoding>,
    /// The version that it states; 0 when it states none.
    pub version: u32,
    /// Its records, as stored.
    pub records: RecordCounts,
    pub histograms: Vec<HistogramSummary>,
    pub n_calls: u64,
    pub n_blocks: usize,
    /// Its exact costs, if it is of that kind.
    pub costs: Option<CostSummary>,
    /// Blocks and bytes allocated, then freed, if it is of a heap.
    pub heap: Option<HeapSummary>,
    /// Events by kind, if it is a trace.
    pub events: Option<EventSummary>,
    /// What was counted and how, if it is an `mlmon.out`.
    pub mlmon_counts: Option<MlmonSummary>,
    /// What was counted in which parts, if it is of an instrumented run.
    pub run: Option<RunSummary>,
    /// The build of the program, where the file names it.
    pub build: Option<BuildId>,
}

#[derive(Clone, Debug)]
pub struct RunSummary {
    pub command: Option<Arc<[u8]>>,
    pub events: Vec<EventTotal>,
    /// Functions and lines that called, each with one callee.
    pub n_call_sites: usize,
    /// The calls that were counted.
    pub n_calls: u128,
    /// Dumps and threads that the file has apart.
    pub n_parts: usize,
    /// Threads that it tells apart.
    pub n_threads: usize,
}

#[derive(Clone, Debug)]
pub struct EventTotal {
    pub name: MetricName,
    /// The sum of all that is charged to some line.
    pub charged: u128,
    /// What the file says is the sum.
    pub stated: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct CostSummary {
    pub n_functions: usize,
    /// Contexts: call sites with their callers, places, copies of functions.
    pub n_contexts: usize,
    pub n_samples: usize,
    pub n_possible_calls: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct EventSummary {
    /// Blocks that were allocated, reallocations apart.
    pub n_allocations: u64,
    /// Changes of a block's size, each counted.
    pub n_reallocations: u64,
    pub n_frees: u64,
    /// Heap memory that came from the system, for the program and for the library.
    pub n_regions: u64,
    pub n_threads: usize,
}

/// What MLton's values are.
#[derive(Clone, Copy, Debug)]
pub struct MlmonSummary {
    pub quantity: Quantity,
    /// Whether callers share in the values.
    pub style: MlmonStyle,
    pub program: i128,
    pub collector: i128,
    pub n_functions: usize,
    pub n_copies: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct HeapSummary {
    /// Where the classes of sizes end.
    pub bounds: SizeBounds,
    pub n_bins: usize,
    pub n_allocated: i128,
    pub n_allocated_bytes: i128,
    pub n_freed: i128,
    pub n_freed_bytes: i128,
}

#[derive(Clone, Debug)]
pub struct HistogramSummary {
    /// The first address.
    pub low: Address,
    /// The first address behind it.
    pub high: Address,
    /// Equal parts of the range, each with a count.
    pub n_bins: u64,
    /// Bytes for which a bin stands; `None` when there are no bins.
    pub bytes_per_bin: Option<f64>,
    /// Ticks in a unit of the dimension, when that is known.
    pub rate: Option<u32>,
    pub dimension: Box<[u8]>,
    pub n_ticks: u64,
}

impl FileSummary {
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
            costs: CostSummary::new(&profile.costs),
            heap: profile.heap.as_ref().map(HeapSummary::new),
            events: profile.history.as_ref().map(EventSummary::new),
            mlmon_counts: profile.mlmon_counts.as_ref().map(MlmonSummary::new),
            run: RunSummary::new(profile),
            build: profile.costs.build.or(profile
                .mlmon_counts
                .as_ref()
                .map(|mlmon_counts| mlmon_counts.build)),
        }
    }
}

impl RunSummary {
    fn new(profile: &Profile) -> Option<Self> {
        let costs = &profile.costs;
        if costs.metrics.is_empty() || profile.heap.is_some() {
            return None;
        }
        let mut sums = vec![0; costs.samples.types().len()];
        for (_, values) in costs.samples.rows() {
            for (sum, &value) in sums.iter_mut().zip(values) {
                *sum += u128::from(value);
            }
        }
        let stated = |index: usize| Some(costs.event_totals.as_ref()?[index]);
        let events = costs.metrics.iter().zip(sums).enumerate();
        let events = events.map(|(index, (metric, charged))| EventTotal {
            name: metric.name.clone(),
            charged,
            stated: stated(index),
        });
        let threads = costs.parts.iter().filter_map(|part| part.thread);
        let counts = costs.calls.iter().map(|(call, _)| u128::from(call.count));
        let mut commands = costs.parts.iter().filter_map(|part| part.command.clone());
        Some(Self {
            command: commands.next(),
            events: events.collect(),
            n_call_sites: costs.calls.len(),
            n_calls: counts.sum(),
            n_parts: costs.parts.len(),
            n_threads: threads.collect::<BTreeSet<_>>().len(),
        })
    }
}

impl CostSummary {
    fn new(costs: &RecordedCosts) -> Option<Self> {
        let is_empty = costs.functions.is_empty() && costs.contexts.is_empty();
        (!is_empty || !costs.samples.is_empty()).then(|| Self {
            n_functions: costs.functions.len(),
            n_contexts: costs.contexts.len(),
            n_samples: costs.samples.len(),
            n_possible_calls: costs.possible_calls.len(),
        })
    }
}

impl EventSummary {
    fn new(history: &HeapHistory) -> Self {
        Self {
            n_allocations: history.allocations.count,
            n_reallocations: history.reallocations.count,
            n_frees: history.frees.count,
            n_regions: history.reserved.count + history.internal.count,
            n_threads: history.threads.len(),
        }
    }
}

impl MlmonSummary {
    fn new(mlmon_counts: &MlmonCounts) -> Self {
        Self {
            quantity: mlmon_counts.quantity,
            style: mlmon_counts.style,
            program: mlmon_counts.program,
            collector: mlmon_counts.collector,
            n_functions: mlmon_counts.functions.len(),
            n_copies: mlmon_counts.contexts.len(),
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
