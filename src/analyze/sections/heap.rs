//! Blocks in use by context of their last allocation: at the end or the peak of a trace,
//! temporary ones, and growth between two points.

use std::cmp::Reverse;

use super::counted;
use super::table::Columns;
use super::trace_places::{DisplayName, TracePlaces, more, trace_of};
use crate::analyze::amount::percent;
use crate::model::{BlockTotal, ContextId, HeapHistory, HeapPoint, Profile, Quantity};
use crate::model::{RecordedCosts, Unit};
use crate::report::Role::{Count, Cumulative, SelfValue, Share};
use crate::report::number::fixed;
use crate::report::{Section, SectionId};
use crate::sorting::ColdSort;

/// Returns whether filters select the rows of a context.
type IsShown<'a> = dyn Fn(ContextId) -> bool + 'a;

/// Blocks in use of one context.
struct InUse {
    context: ContextId,
    live: BlockTotal,
    /// Running sum of bytes.
    cumulative: u64,
}

/// Blocks in use by context, from those of each context.
fn in_use_of_all(live: impl Iterator<Item = BlockTotal>, places: &TracePlaces<'_>) -> Vec<InUse> {
    let rows = (0..).map(ContextId).zip(live);
    in_use(rows.filter(|(_, live)| live.count > 0).collect(), places)
}

/// Blocks in use by context, most bytes first.
fn in_use(mut rows: Vec<(ContextId, BlockTotal)>, places: &TracePlaces<'_>) -> Vec<InUse> {
    rows.cold_sort_by_key(|&(context, live)| {
        let size = Reverse((live.bytes, live.count));
        (size, places.names(context))
    });
    let mut cumulative: u64 = 0;
    let rows = rows.into_iter().map(|(context, live)| {
        cumulative = cumulative.saturating_add(live.bytes);
        InUse { context, live, cumulative }
    });
    rows.collect()
}

/// The columns of these rows; percentages refer to `whole` bytes.
fn columns_in_use<'a>(whole: u64) -> Columns<'a, InUse> {
    Columns::<InUse>::new()
        .shown(Share, "percent", ["%", "bytes"], move |row| percent(row.live.bytes, whole))
        .shown(Cumulative, "cumulative", ["cumulative", "bytes"], |row| row.cumulative)
        .shown(SelfValue, "bytes", ["self", "bytes"], |row| row.live.bytes)
        .named(Count, "blocks", |row| row.live.count)
}

/// Blocks never freed: the first rows, and the number of others; `None` if there are none.
pub(super) fn unfreed(places: &TracePlaces<'_>, n_rows: usize) -> Option<Section> {
    let totals = by_context(places.costs);
    let mut rows = in_use_of_all(totals.iter().map(PlaceTotals::unfreed), places);
    let whole = rows.last().map_or(0, |last| last.cumulative);
    let n_more = rows.len().saturating_sub(n_rows) as u64;
    rows.truncate(n_rows);
    let columns = columns_in_use(whole)
        .shown(Count, "allocated_blocks", ["of blocks", "allocated"], |row| {
            totals[row.context.index()].allocated.count
        })
        .place(|row| places.display(row.context));
    let title = "Never freed, by place of allocation:";
    let section = columns.table_of_any(SectionId::TraceUnfreed, title, rows)?;
    Some(Section { notes: more(n_more, "place", "places"), ..section })
}

/// Blocks in use at the peak in bytes; `None` unless the profile is a trace.
pub fn peak_section(
    profile: &Profile,
    display: &DisplayName<'_>,
    is_shown: &IsShown<'_>,
) -> Option<Section> {
    let (history, places) = trace_of(profile, display)?;
    let peak = history.peak_bytes;
    let live = (0..).map(ContextId).zip(history.places.iter().map(|place| place.live_at_peak));
    let live = live.filter(|&(context, live)| live.count > 0 && is_shown(context));
    let rows = in_use(live.collect(), &places);
    let columns = columns_in_use(peak.live.bytes).place(|row| places.display(row.context));
    let title = "In use at the peak, by place of allocation:";
    let summary = format!(
        "{} in {} in use after event {} of {}, the peak.",
        counted(peak.live.bytes.into(), "byte"),
        counted(peak.live.count.into(), "block"),
        peak.event,
        history.n_events,
    );
    Some(Section { summary: vec![summary], ..columns.table(SectionId::HeapPeak, title, rows) })
}

/// Blocks freed before the next allocation in the same context, most blocks first; `None`
/// unless the profile is a trace.
pub fn temporary_section(
    profile: &Profile,
    display: &DisplayName<'_>,
    is_shown: &IsShown<'_>,
) -> Option<Section> {
    let (history, places) = trace_of(profile, display)?;
    let allocated = by_context(places.costs).into_iter().map(|totals| totals.allocated);
    let temporary = history.places.iter().map(|place| place.temporary);
    let rows = (0..).map(ContextId).zip(temporary.zip(allocated));
    let mut rows: Vec<_> = rows.filter(|(_, (temporary, _))| temporary.count > 0).collect();
    rows.cold_sort_by_key(|&(context, (temporary, _))| {
        let size = Reverse((temporary.count, temporary.bytes));
        (size, places.names(context))
    });
    let counts = rows.iter().map(|(_, (temporary, _))| temporary.count);
    let n_temporary = counts.fold(0, u64::saturating_add);
    rows.retain(|&(context, _)| is_shown(context));
    let columns = Columns::<(ContextId, (BlockTotal, BlockTotal))>::new()
        .shown(Share, "percent", ["% of", "blocks"], |(_, (temporary, allocated))| {
            percent(temporary.count, allocated.count)
        })
        .shown(Count, "blocks", ["temporary", "blocks"], |row| row.1.0.count)
        .shown(Count, "allocated_blocks", ["of blocks", "allocated"], |row| row.1.1.count)
        .shown(SelfValue, "bytes", ["temporary", "bytes"], |row| row.1.0.bytes)
        .place(|row| places.display(row.0));
    let title = "Temporary blocks, by place of allocation:";
    let n_allocated =
        i128::from(history.allocations.count) + i128::from(history.reallocations.count);
    let summary = format!(
        "Freed before the next allocation at the same place: {} of {} ({} %).",
        n_temporary,
        counted(n_allocated, "block"),
        fixed(percent(n_temporary, n_allocated), 2),
    );
    Some(Section { summary: vec![summary], ..columns.table(SectionId::HeapTemporary, title, rows) })
}

/// Blocks of one context in use at two points.
struct Growth {
    context: ContextId,
    before: BlockTotal,
    after: BlockTotal,
}

impl Growth {
    fn bytes(&self) -> i128 {
        i128::from(self.after.bytes) - i128::from(self.before.bytes)
    }

    fn blocks(&self) -> i128 {
        i128::from(self.after.count) - i128::from(self.before.count)
    }
}

/// Blocks in use at the second point but not at the first, largest growth first; `None`
/// unless the profile is a trace that reaches that point.
pub fn growth_section(
    profile: &Profile,
    (from, to): (HeapPoint, HeapPoint),
    display: &DisplayName<'_>,
    is_shown: &IsShown<'_>,
) -> Option<Section> {
    let (history, places) = trace_of(profile, display)?;
    let before = live_at(places.costs, history, from)?;
    let after = live_at(places.costs, history, to)?;
    let rows = (0..).map(ContextId).zip(before.into_iter().zip(after));
    let rows = rows.map(|(context, (before, after))| Growth { context, before, after });
    let mut rows: Vec<_> = rows.filter(|row| row.before != row.after).collect();
    rows.cold_sort_by_key(|row| (Reverse((row.bytes(), row.blocks())), places.names(row.context)));
    let bytes: i128 = rows.iter().map(Growth::bytes).sum();
    let blocks: i128 = rows.iter().map(Growth::blocks).sum();
    rows.retain(|row| is_shown(row.context));
    let columns = Columns::<Growth>::new()
        .named(SelfValue, "growth_bytes", Growth::bytes)
        .named(Count, "growth_blocks", Growth::blocks)
        .named(Count, "before_bytes", |row| row.before.bytes)
        .named(Count, "before_blocks", |row| row.before.count)
        .named(Count, "after_bytes", |row| row.after.bytes)
        .named(Count, "after_blocks", |row| row.after.count)
        .place(|row| places.display(row.context));
    let title = "Growth of the heap, by place of allocation:";
    let summary = format!(
        "{bytes:+} bytes and {blocks:+} blocks from {} to {}.",
        formatted_point(from, history),
        formatted_point(to, history),
    );
    Some(Section { summary: vec![summary], ..columns.table(SectionId::HeapGrowth, title, rows) })
}

/// Blocks in use at a point, by context, for the requested points of a trace.
fn live_at(
    costs: &RecordedCosts,
    history: &HeapHistory,
    point: HeapPoint,
) -> Option<Vec<BlockTotal>> {
    let mut live = match point {
        HeapPoint::Start | HeapPoint::Event(0) => Vec::new(),
        HeapPoint::Peak => history.places.iter().map(|p| p.live_at_peak).collect(),
        HeapPoint::End => by_context(costs).iter().map(PlaceTotals::unfreed).collect(),
        HeapPoint::Event(event) => {
            let mut snapshots = history.snapshots.iter();
            snapshots.find(|one| one.event == event)?.live.to_vec()
        }
    };
    live.resize(costs.contexts.len(), BlockTotal::default());
    Some(live)
}

fn formatted_point(point: HeapPoint, history: &HeapHistory) -> String {
    match point {
        HeapPoint::Start => "the start".to_owned(),
        HeapPoint::Event(event) => format!("event {event}"),
        HeapPoint::Peak => format!("event {} (the peak)", history.peak_bytes.event),
        HeapPoint::End => format!("event {} (the end)", history.n_events),
    }
}

/// Blocks allocated and freed in a context.
#[derive(Clone, Copy, Debug, Default)]
struct PlaceTotals {
    allocated: BlockTotal,
    freed: BlockTotal,
}

impl PlaceTotals {
    fn unfreed(&self) -> BlockTotal {
        let Self { allocated, freed } = self;
        BlockTotal {
            count: allocated.count.saturating_sub(freed.count),
            bytes: allocated.bytes.saturating_sub(freed.bytes),
        }
    }
}

/// Blocks allocated and freed in every context, in all threads.
fn by_context(costs: &RecordedCosts) -> Vec<PlaceTotals> {
    let mut sums = vec![PlaceTotals::default(); costs.contexts.len()];
    let types = costs.samples.types();
    for (key, values) in costs.samples.rows() {
        let Some(context) = key.context() else {
            continue;
        };
        let PlaceTotals { allocated, freed } = &mut sums[context.index()];
        for (value_type, &value) in types.iter().zip(values) {
            let sum = match (value_type.quantity, value_type.unit) {
                (Quantity::ALLOCATED, Unit::COUNT) => &mut allocated.count,
                (Quantity::ALLOCATED, Unit::BYTES) => &mut allocated.bytes,
                (Quantity::FREED, Unit::COUNT) => &mut freed.count,
                (Quantity::FREED, Unit::BYTES) => &mut freed.bytes,
                _ => continue,
            };
            *sum = sum.saturating_add(value);
        }
    }
    sums
}
