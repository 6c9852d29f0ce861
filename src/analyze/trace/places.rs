//! What was in use by place: at the peak, for a moment only, and more of it than before.

use std::cmp::{Ordering, Reverse};

use super::unfreed::{PlaceTotals, by_context};
use super::{ContextLocation, context_location, spelled};
use crate::analyze::amount::percent;
use crate::model::{BlockTotal, ContextId, HeapHistory, HeapPoint, Profile, RecordedCosts};

/// Blocks of one place that were in use at the peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakPlaceRow {
    /// Where they were allocated, or reallocated last.
    pub at: ContextLocation,
    pub live: BlockTotal,
    /// Their share of all bytes that were in use then, in percent.
    pub percent: f64,
    /// The bytes of this row and those above it.
    pub cumulative: u64,
}

/// Blocks of one place that were freed before the next one was allocated there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemporaryRow {
    /// Where they were allocated, or reallocated last.
    pub at: ContextLocation,
    pub temporary: BlockTotal,
    pub allocated: BlockTotal,
    /// The share of these blocks in those, in percent.
    pub percent: f64,
}

/// What is in use of one place at two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrowthRow {
    /// Where it was allocated, or reallocated last.
    pub at: ContextLocation,
    /// What was in use at the first point.
    pub before: BlockTotal,
    /// What was in use at the second.
    pub after: BlockTotal,
    /// By how many bytes that is more; negative where it is less.
    pub bytes: i128,
    /// By how many blocks that is more.
    pub blocks: i128,
}

/// What was in use at the peak, most bytes first.
pub(crate) fn at_peak(costs: &RecordedCosts, history: &HeapHistory) -> Vec<PeakPlaceRow> {
    let all = history.peak_bytes.live.bytes;
    let live = history.places.iter().map(|place| place.live_at_peak);
    let mut rows: Vec<_> = located(costs, live)
        .filter(|(_, live)| live.count > 0)
        .map(|(at, live)| PeakPlaceRow {
            at,
            live,
            percent: percent(live.bytes, all),
            cumulative: 0,
        })
        .collect();
    rows.sort_by(|a, b| {
        let key = |row: &PeakPlaceRow| Reverse((row.live.bytes, row.live.count));
        key(a).cmp(&key(b)).then_with(|| by_name(costs, a.at, b.at))
    });
    let mut cumulative: u64 = 0;
    for row in &mut rows {
        cumulative = cumulative.saturating_add(row.live.bytes);
        row.cumulative = cumulative;
    }
    rows
}

/// Temporary blocks, most of them first.
pub(crate) fn temporary(costs: &RecordedCosts, history: &HeapHistory) -> Vec<TemporaryRow> {
    let totals = by_context(costs);
    let row = |(place, totals): (_, &PlaceTotals)| {
        let (at, temporary) = place;
        let temporary: BlockTotal = temporary;
        TemporaryRow {
            at,
            temporary,
            allocated: totals.allocated,
            percent: percent(temporary.count, totals.allocated.count),
        }
    };
    let places = history.places.iter().map(|place| place.temporary);
    let mut rows: Vec<_> = located(costs, places).zip(&totals).map(row).collect();
    rows.retain(|row| row.temporary.count > 0);
    rows.sort_by(|a, b| {
        let key = |row: &TemporaryRow| Reverse((row.temporary.count, row.temporary.bytes));
        key(a).cmp(&key(b)).then_with(|| by_name(costs, a.at, b.at))
    });
    rows
}

/// What changed between two points, what grew most first. `None` where the trace does not
/// reach as far as one of them.
pub(crate) fn growth(
    profile: &Profile,
    history: &HeapHistory,
    (from, to): (HeapPoint, HeapPoint),
) -> Option<Vec<GrowthRow>> {
    let costs = &profile.costs;
    let before = live_at(costs, history, from)?;
    let after = live_at(costs, history, to)?;
    let pairs = before.into_iter().zip(after);
    let more = |after: u64, before: u64| i128::from(after) - i128::from(before);
    let mut rows: Vec<_> = located(costs, pairs)
        .filter(|(_, (before, after))| before != after)
        .map(|(at, (before, after))| GrowthRow {
            at,
            before,
            after,
            bytes: more(after.bytes, before.bytes),
            blocks: more(after.count, before.count),
        })
        .collect();
    rows.sort_by(|a, b| {
        let key = |row: &GrowthRow| Reverse((row.bytes, row.blocks));
        key(a).cmp(&key(b)).then_with(|| by_name(costs, a.at, b.at))
    });
    Some(rows)
}

/// What was in use at a point, by context. A trace remembers that for the events for
/// which it was asked.
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

/// What there is of each context, with its place.
fn located<T>(
    costs: &RecordedCosts,
    by_context: impl Iterator<Item = T>,
) -> impl Iterator<Item = (ContextLocation, T)> {
    let contexts = (0..).map(ContextId);
    contexts
        .zip(by_context)
        .map(|(context, what)| (context_location(costs, context), what))
}

fn by_name(costs: &RecordedCosts, a: ContextLocation, b: ContextLocation) -> Ordering {
    spelled(costs, a).cmp(&spelled(costs, b))
}
