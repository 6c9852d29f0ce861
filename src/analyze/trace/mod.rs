//! The numbers of profan's own report on an allocation trace, final and in order.

mod chart;
mod places;
mod rows;
mod unfreed;

pub use chart::LiveChart;
pub use places::{GrowthRow, PeakPlaceRow, TemporaryRow};
pub(crate) use places::{at_peak, growth, temporary};
pub use rows::{BlockRow, ChainRow, InvalidEventRow, PeakRow, ThreadRow, TotalRow};
pub use unfreed::UnfreedRow;

use super::sizes::{SizeRow, SizeSteps, SizeTable};
use crate::model::{
    ContextId, FunctionId, HeapHistory, InvalidEvents, LocationId, Profile, RecordedCosts,
    RecordedLocation,
};

#[derive(Clone, Copy, Debug)]
pub struct TraceOptions {
    /// The most rows of a list; a trace remembers 32 at most where it lists blocks.
    pub n_rows: usize,
    /// The most characters of a line of the chart.
    pub chart_width: usize,
    pub chart_height: usize,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self {
            n_rows: 10,
            chart_width: 80,
            chart_height: 12,
        }
    }
}

/// Where something happened: numbers into the tables of a profile's costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContextLocation {
    pub function: Option<FunctionId>,
    pub location: Option<LocationId>,
}

/// What there is to say about a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceReport<'a> {
    /// The tables that locations refer to.
    pub costs: &'a RecordedCosts,
    pub n_events: u64,
    /// Blocks and bytes by what happened to them.
    pub totals: Vec<TotalRow>,
    pub peaks: Vec<PeakRow>,
    pub sizes: Vec<SizeRow>,
    /// What was in use over time; none when nothing ever was.
    pub chart: Option<LiveChart>,
    /// Blocks that were never freed, by where they were allocated.
    pub unfreed: Vec<UnfreedRow>,
    /// How many more such places there are.
    pub n_more_unfreed: usize,
    pub largest_unfreed: Vec<BlockRow>,
    pub longest_lived: Vec<BlockRow>,
    pub chains: Vec<ChainRow>,
    /// How many more reallocated blocks there are.
    pub n_more_chains: u64,
    /// The threads; none when there is one only, as good as every program has.
    pub threads: Vec<ThreadRow>,
    /// Events that cannot be.
    pub invalid_events: Vec<InvalidEventRow>,
}

/// The report on a profile; `None` when it has no history to report on.
pub fn trace_report<'a>(profile: &'a Profile, options: &TraceOptions) -> Option<TraceReport<'a>> {
    let history = profile.history.as_ref()?;
    let costs = &profile.costs;
    let mut unfreed = unfreed::rows(costs);
    let n_more_unfreed = unfreed.len().saturating_sub(options.n_rows);
    unfreed.truncate(options.n_rows);
    let chains = rows::chains(costs, history, options.n_rows);
    let n_more_chains = history.n_chains.saturating_sub(chains.len() as u64);
    Some(TraceReport {
        costs,
        n_events: history.n_events,
        totals: rows::totals(history),
        peaks: rows::peaks(history),
        sizes: profile.heap.as_ref().map_or_else(Vec::new, |heap| {
            SizeTable::new(heap, SizeSteps::Doubling).rows
        }),
        chart: LiveChart::new(history, options.chart_width, options.chart_height),
        unfreed,
        n_more_unfreed,
        largest_unfreed: rows::blocks(costs, history, &history.largest_unfreed, options.n_rows),
        longest_lived: rows::blocks(costs, history, &history.longest_lived, options.n_rows),
        chains,
        n_more_chains,
        threads: rows::threads(history),
        invalid_events: invalid_events(costs, history),
    })
}

fn invalid_events(costs: &RecordedCosts, history: &HeapHistory) -> Vec<InvalidEventRow> {
    let kinds = [
        ("freed before", &history.already_freed),
        ("never allocated", &history.unknown_blocks),
        ("allocated before", &history.allocated_twice),
    ];
    let rows = |(what, of_kind): (&'static str, &InvalidEvents)| {
        let row = |invalid_event| InvalidEventRow::new(what, costs, invalid_event);
        of_kind.first.iter().map(row).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = kinds.into_iter().flat_map(rows).collect();
    all.sort_by_key(|row| row.event);
    all
}

fn context_location(costs: &RecordedCosts, context: ContextId) -> ContextLocation {
    let context = costs.contexts[context.index()];
    ContextLocation {
        function: context.function,
        location: context.location,
    }
}

/// What locations are ordered by where nothing else tells them apart.
fn spelled(
    costs: &RecordedCosts,
    at: ContextLocation,
) -> (Option<&[u8]>, Option<&RecordedLocation>) {
    (
        at.function.map(|id| &*costs.functions[id.index()].name),
        at.location.map(|id| &costs.locations[id.index()]),
    )
}
