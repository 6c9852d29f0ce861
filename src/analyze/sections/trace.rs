//! The sections about a trace: events, heap usage over time, and contexts.

use std::cmp::Reverse;

use super::counted;
use super::heap::unfreed;
use super::sizes::sizes_of;
use super::table::Columns;
use super::trace_places::{DisplayName, TracePlaces, more, trace_of};
use crate::analyze::amount::percent;
use crate::analyze::live_chart::LiveChart;
use crate::analyze::sizes::{SizeRow, SizeSteps, SizeTable};
use crate::model::{
    BlockLife, BlockTotal, HeapHistory, HeapSeries, InvalidEvent, Peak, Profile, ReallocationChain,
    SnapshotTotal, ThreadHistory,
};
use crate::report::Role::{Bar, Count, Other, Share};
use crate::report::{Cell, Section, SectionId};
use crate::sorting::ColdSort;

#[derive(Clone, Copy, Debug)]
pub struct TraceOptions {
    /// Maximum number of rows in a list; traces record at most 32 blocks in a list.
    pub n_rows: usize,
    /// Maximum width of the chart in characters.
    pub chart_width: usize,
    pub chart_height: usize,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self { n_rows: 10, chart_width: 80, chart_height: 12 }
    }
}

/// The nonempty sections about a trace; an empty list for other profiles.
pub fn trace_sections(
    profile: &Profile,
    options: &TraceOptions,
    display: &DisplayName<'_>,
) -> Vec<Section> {
    let Some((history, places)) = trace_of(profile, display) else {
        return Vec::new();
    };
    let n_rows = options.n_rows;
    let chart = LiveChart::new(history, options.chart_width, options.chart_height);
    let blocks = |id, title, lives| blocks(id, title, lives, history, &places, n_rows);
    let sections = [
        Some(totals(history)),
        Some(peaks(history)),
        chart.as_ref().map(|chart| bytes_over_time(chart, None)),
        sizes(profile),
        unfreed(&places, n_rows),
        blocks(SectionId::TraceLargest, "Largest blocks never freed:", &history.largest_unfreed),
        blocks(SectionId::TraceLongest, "Longest-lived freed blocks:", &history.longest_lived),
        chains(history, &places, n_rows),
        threads(history),
        invalid(history, &places),
    ];
    sections.into_iter().flatten().collect()
}

/// The size of a heap over time: a chart, and unless the report is short, a row for each snapshot.
pub fn series_sections(
    series: &HeapSeries,
    options: &TraceOptions,
    is_short: bool,
) -> Vec<Section> {
    let chart = LiveChart::of_series(series, options.chart_width, options.chart_height);
    let chart = chart.as_ref();
    let time = match series.unit {
        "instructions" => "instructions",
        "ms" => "ms",
        _ => "bytes",
    };
    let columns = Columns::<&SnapshotTotal>::new()
        .named(Other, "snapshot", |row| row.number)
        .shown(Count, "time", ["time", time], |row| row.time)
        .shown(Count, "total_bytes", ["total", "bytes"], |row| row.all())
        .shown(Count, "heap_bytes", ["heap", "bytes"], |row| row.heap)
        .shown(Count, "extra_bytes", ["overhead", "bytes"], |row| row.extra)
        .shown(Count, "stack_bytes", ["stacks", "bytes"], |row| row.stacks)
        .shown(Other, "detail", ["call", "stacks"], |row| match (row.is_peak, row.is_detailed) {
            (true, _) => "peak",
            (_, true) => "yes",
            _ => "",
        });
    let snapshots =
        columns.table(SectionId::HeapSnapshots, "Snapshots of the heap:", series.snapshots.iter());
    let chart = chart.map(|chart| Section {
        notes: about_overhead(series, is_short),
        ..bytes_over_time(chart, Some(series.unit))
    });
    let snapshots = Some(snapshots).filter(|_| !is_short || chart.is_none());
    chart.into_iter().chain(snapshots).collect()
}

/// The parts of the largest snapshot, and where the others are.
fn about_overhead(series: &HeapSeries, is_short: bool) -> Vec<String> {
    let largest = series.snapshots.iter().max_by_key(|one| (one.all(), Reverse(one.number)));
    let parts = largest.filter(|one| one.all() > one.heap).map(|one| {
        format!(
            "Of {} at most, {} are of the heap; call stacks do not cover overhead and stacks.",
            counted(one.all().into(), "byte"),
            one.heap
        )
    });
    let n_snapshots = counted(series.snapshots.len() as i128, "snapshot");
    let others = is_short.then(|| format!("--trace lists {n_snapshots}."));
    parts.into_iter().chain(others).collect()
}

/// Blocks and bytes by kind of event.
fn totals(history: &HeapHistory) -> Section {
    let rows = [
        ("allocated", history.allocations),
        ("reallocated", history.reallocations),
        ("freed", history.frees),
        ("never freed", history.live),
        ("freed at once", history.temporary),
        ("reserved for the heap", history.reserved),
        ("reserved for the library", history.internal),
    ];
    let columns = Columns::<(&str, BlockTotal)>::new()
        .named(Count, "blocks", |row| row.1.count)
        .named(Count, "bytes", |row| row.1.bytes)
        .named(Other, "what", |row| row.0);
    columns.table(SectionId::Trace, "Allocation trace:", rows)
}

fn peaks(history: &HeapHistory) -> Section {
    let rows = [("most bytes", history.peak_bytes), ("most blocks", history.peak_blocks)];
    let columns = Columns::<(&str, Peak)>::new()
        .named(Other, "event", |row| row.1.event)
        .shown(Count, "blocks", ["blocks", "in use"], |row| row.1.live.count)
        .shown(Count, "bytes", ["bytes", "in use"], |row| row.1.live.bytes)
        .named(Other, "what", |row| row.0);
    columns.table(SectionId::TracePeaks, "Peaks:", rows)
}

/// Heap usage over time: a row for each column of the chart, with its height and whether it
/// is the peak. The first rows have the bytes of the lines.
fn bytes_over_time(chart: &LiveChart, unit: Option<&'static str>) -> Section {
    let n_rows = chart.heights.len().max(chart.lines.len());
    let head = ["", ""];
    let mut columns = Columns::<usize>::new()
        .shown(Bar, "height", head, |&row| chart.heights.get(row).copied())
        .shown(Count, "line_bytes", head, |&row| chart.lines.get(row).copied())
        .shown(Other, "peak", head, |&row| Cell::flag(row == chart.peak_column))
        .shown(Count, "events", head, |&row| (row == 0).then_some(chart.n_events))
        .hidden(Count, "bytes", |&row| chart.bytes.get(row).copied());
    if let Some(unit) = unit {
        columns = columns.shown(Other, "unit", head, move |&row| (row == 0).then_some(unit));
    }
    columns.table(SectionId::TraceHistory, "Bytes in use over time:", 0..n_rows)
}

fn sizes(profile: &Profile) -> Option<Section> {
    let sizes = SizeTable::new(profile.heap.as_ref()?, SizeSteps::Doubling);
    let columns = Columns::<SizeRow>::new()
        .shown(Share, "percent", ["%", "blocks"], |row| row.percent)
        .shown(Count, "blocks", ["blocks", "allocated"], |row| row.n_blocks)
        .shown(Count, "unfreed_blocks", ["never", "freed"], |row| row.n_unfreed)
        .shown(Other, "size", ["", "bytes"], sizes_of);
    columns.table_of_any(SectionId::TraceSizes, "Sizes:", sizes.rows)
}

fn blocks(
    id: SectionId,
    title: &'static str,
    lives: &[BlockLife],
    history: &HeapHistory,
    places: &TracePlaces<'_>,
    n_rows: usize,
) -> Option<Section> {
    let freed = |life: &BlockLife| life.freed.map(|(event, _)| event);
    let columns = Columns::<&BlockLife>::new()
        .shown(Count, "events", ["events", "in use"], |life| {
            freed(life).unwrap_or(history.n_events) - life.allocated
        })
        .named(Count, "bytes", |life| life.size)
        .named(Other, "allocated", |life| life.allocated)
        .named(Other, "freed", |life| freed(life).map_or_else(|| "-".into(), Cell::from))
        .place(|life| {
            let freed = life.freed.map(|(_, context)| context);
            places.display_both(life.context, ", freed in ", freed)
        });
    columns.table_of_any(id, title, lives.iter().take(n_rows).collect())
}

fn chains(history: &HeapHistory, places: &TracePlaces<'_>, n_rows: usize) -> Option<Section> {
    let columns = Columns::<&ReallocationChain>::new()
        .named(Count, "times", |chain| chain.n_reallocations)
        .named(Count, "first_bytes", |chain| chain.first_size)
        .named(Count, "last_bytes", |chain| chain.last_size)
        .shown(Other, "block", ["", "index"], |chain| chain.index.0)
        .place(|chain| {
            places.display_both(chain.first_context, ", last in ", Some(chain.last_context))
        });
    let rows: Vec<_> = history.chains.iter().take(n_rows).collect();
    let n_more = history.n_chains.saturating_sub(rows.len() as u64);
    let title = "Blocks reallocated most often:";
    let section = columns.table_of_any(SectionId::TraceReallocated, title, rows)?;
    Some(Section { notes: more(n_more, "block", "blocks"), ..section })
}

/// Threads, most events first; `None` for a single one.
fn threads(history: &HeapHistory) -> Option<Section> {
    if history.threads.len() < 2 {
        return None;
    }
    let mut rows: Vec<_> = history.threads.iter().collect();
    rows.cold_sort_by_key(|row| (Reverse(row.n_events), row.thread));
    let columns = Columns::<&ThreadHistory>::new()
        .shown(Share, "percent", ["%", "events"], |row| percent(row.n_events, history.n_events))
        .named(Count, "events", |row| row.n_events)
        .shown(Count, "allocated_blocks", ["blocks", "allocated"], |row| row.allocated.count)
        .shown(Count, "allocated_bytes", ["bytes", "allocated"], |row| row.allocated.bytes)
        .shown(Count, "freed_blocks", ["blocks", "freed"], |row| row.freed.count)
        .shown(Count, "freed_bytes", ["bytes", "freed"], |row| row.freed.bytes)
        .named(Other, "thread", |row| format!("{:#x}", row.thread));
    Some(columns.table(SectionId::TraceThreads, "Threads:", rows))
}

fn invalid(history: &HeapHistory, places: &TracePlaces<'_>) -> Option<Section> {
    let kinds = [
        ("freed before", &history.already_freed),
        ("never allocated", &history.unknown_blocks),
        ("allocated before", &history.allocated_twice),
    ];
    let rows = kinds.into_iter().flat_map(|(what, events)| {
        let first = events.first.iter();
        first.map(move |event| (what, event))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.cold_sort_by_key(|(_, event)| event.event);
    let columns = Columns::<(&str, &InvalidEvent)>::new()
        .named(Other, "event", |row| row.1.event)
        .shown(Other, "block", ["", "index"], |row| row.1.index.0)
        .shown(Other, "block_was", ["", "block was"], |row| row.0)
        .place(|row| places.display(row.1.context));
    columns.table_of_any(SectionId::TraceInvalid, "Invalid events:", rows)
}
