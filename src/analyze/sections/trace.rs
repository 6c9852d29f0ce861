//! A trace: what happened to how much, when, and where.

use super::sizes::sizes_of;
use crate::analyze::trace::{BlockRow, ContextLocation, LiveChart, TraceReport, trace_report};
use crate::model::{Profile, RecordedCosts};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId, Sureness};

pub use crate::analyze::trace::TraceOptions;

/// The sections about a trace; none for other profiles. `spell` says how a function is
/// spelled in its language.
#[must_use]
pub fn trace_sections(
    profile: &Profile,
    options: &TraceOptions,
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Vec<Section<'static>> {
    let Some(report) = trace_report(profile, options) else {
        return Vec::new();
    };
    let locations = Locations {
        costs: report.costs,
        spell,
    };
    let sections = [
        Some(totals(&report)),
        Some(peaks(&report)),
        report.chart.as_ref().map(history),
        sizes(&report),
        unfreed(&report, &locations),
        blocks(
            SectionId::TraceLargest,
            "Largest blocks never freed:",
            &report.largest_unfreed,
            &locations,
        ),
        blocks(
            SectionId::TraceLongest,
            "Longest-lived freed blocks:",
            &report.longest_lived,
            &locations,
        ),
        chains(&report, &locations),
        threads(&report),
        invalid(&report, &locations),
    ];
    sections.into_iter().flatten().collect()
}

pub(super) fn section(
    id: SectionId,
    title: &'static str,
    columns: &[(&'static str, Role, [&'static str; 2])],
    rows: RowTable,
) -> Section<'static> {
    let shown = |&(id, role, head)| Column::shown(id, role, head);
    let columns: Vec<_> = columns.iter().map(shown).collect();
    Section::new(id, title, Layout::Table, columns, rows)
}

pub(super) fn number(number: u64) -> Cell {
    Cell::integer(Some(number))
}

fn totals(report: &TraceReport<'_>) -> Section<'static> {
    let mut rows = RowTable::default();
    for row in &report.totals {
        let cells = [
            number(row.blocks.count),
            number(row.blocks.bytes),
            Cell::text(row.name),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("blocks", Role::Count, ["", "blocks"]),
        ("bytes", Role::Count, ["", "bytes"]),
        ("what", Role::Other, ["", "what"]),
    ];
    section(SectionId::Trace, "Allocation trace:", &columns, rows)
}

fn peaks(report: &TraceReport<'_>) -> Section<'static> {
    let mut rows = RowTable::default();
    for row in &report.peaks {
        let cells = [
            number(row.peak.event),
            number(row.peak.live.count),
            number(row.peak.live.bytes),
            Cell::text(row.name),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("event", Role::Other, ["", "event"]),
        ("blocks", Role::Count, ["blocks", "in use"]),
        ("bytes", Role::Count, ["bytes", "in use"]),
        ("what", Role::Other, ["", "what"]),
    ];
    section(SectionId::TracePeaks, "Peaks:", &columns, rows)
}

/// What was in use over time, a row for each column of a chart: how many of its lines
/// it reaches, and whether it is the peak. The lines' bytes stand in the first rows.
fn history(chart: &LiveChart) -> Section<'static> {
    let mut rows = RowTable::default();
    let n_rows = chart.heights.len().max(chart.lines.len());
    for index in 0..n_rows {
        let height = chart.heights.get(index).map(|&height| height as u64);
        let cells = [
            Cell::integer(height),
            Cell::integer(chart.lines.get(index).copied()),
            Cell::integer((index == chart.peak_column).then_some(1u8)),
            Cell::integer((index == 0).then_some(chart.n_events)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("height", Role::Bar, ["", ""]),
        ("line_bytes", Role::Count, ["", ""]),
        ("peak", Role::Other, ["", ""]),
        ("events", Role::Count, ["", ""]),
    ];
    section(
        SectionId::TraceHistory,
        "Bytes in use over time:",
        &columns,
        rows,
    )
}

fn sizes(report: &TraceReport<'_>) -> Option<Section<'static>> {
    let mut rows = RowTable::default();
    for row in &report.sizes {
        let cells = [
            Cell::Real(row.percent),
            Cell::Integer(row.n_blocks),
            Cell::Integer(row.n_unfreed),
            sizes_of(row),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("percent", Role::Share, ["%", "blocks"]),
        ("blocks", Role::Count, ["blocks", "allocated"]),
        ("unfreed_blocks", Role::Count, ["never", "freed"]),
        ("size", Role::Other, ["", "bytes"]),
    ];
    (!rows.is_empty()).then(|| section(SectionId::TraceSizes, "Sizes:", &columns, rows))
}

fn unfreed(report: &TraceReport<'_>, locations: &Locations<'_>) -> Option<Section<'static>> {
    let mut rows = RowTable::default();
    for row in &report.unfreed {
        let cells = [
            Cell::Real(row.percent),
            number(row.cumulative),
            number(row.unfreed.bytes),
            number(row.unfreed.count),
            number(row.allocated.count),
            Cell::text(locations.spell(row.at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("percent", Role::Share, ["%", "bytes"]),
        ("cumulative", Role::Cumulative, ["cumulative", "bytes"]),
        ("bytes", Role::SelfValue, ["self", "bytes"]),
        ("blocks", Role::Count, ["", "blocks"]),
        ("allocated_blocks", Role::Count, ["of blocks", "allocated"]),
        ("where", Role::Source, ["", "where"]),
    ];
    let title = "Never freed, by where it was allocated:";
    (!rows.is_empty()).then(|| Section {
        notes: more(report.n_more_unfreed as u64, "place", "places"),
        sureness: Sureness::default(),
        ..section(SectionId::TraceUnfreed, title, &columns, rows)
    })
}

fn more(n_more: u64, one: &str, many: &str) -> Vec<String> {
    match n_more {
        0 => Vec::new(),
        1 => vec![format!("and one more {one}")],
        _ => vec![format!("and {n_more} more {many}")],
    }
}

fn blocks(
    id: SectionId,
    title: &'static str,
    blocks: &[BlockRow],
    locations: &Locations<'_>,
) -> Option<Section<'static>> {
    let mut rows = RowTable::default();
    for row in blocks {
        let freed_at = row.freed_at.filter(|at| *at != row.allocated_at);
        let cells = [
            number(row.life),
            number(row.size),
            number(row.allocated),
            row.freed.map_or_else(|| Cell::text("-"), number),
            Cell::text(locations.spell_both(row.allocated_at, ", freed in ", freed_at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("events", Role::Count, ["events", "in use"]),
        ("bytes", Role::Count, ["", "bytes"]),
        ("allocated", Role::Other, ["", "allocated"]),
        ("freed", Role::Other, ["", "freed"]),
        ("where", Role::Source, ["", "where"]),
    ];
    (!rows.is_empty()).then(|| section(id, title, &columns, rows))
}

fn chains(report: &TraceReport<'_>, locations: &Locations<'_>) -> Option<Section<'static>> {
    let mut rows = RowTable::default();
    for row in &report.chains {
        let last_at = Some(row.last_at).filter(|at| *at != row.first_at);
        let cells = [
            number(row.n_reallocations),
            number(row.first_size),
            number(row.last_size),
            number(row.index),
            Cell::text(locations.spell_both(row.first_at, ", last in ", last_at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("times", Role::Count, ["", "times"]),
        ("first_bytes", Role::Count, ["first", "bytes"]),
        ("last_bytes", Role::Count, ["last", "bytes"]),
        ("block", Role::Other, ["", "index"]),
        ("where", Role::Source, ["", "where"]),
    ];
    let title = "Blocks reallocated most often:";
    (!rows.is_empty()).then(|| Section {
        notes: more(report.n_more_chains, "block", "blocks"),
        sureness: Sureness::default(),
        ..section(SectionId::TraceReallocated, title, &columns, rows)
    })
}

fn threads(report: &TraceReport<'_>) -> Option<Section<'static>> {
    let mut rows = RowTable::default();
    for row in &report.threads {
        let history = row.history;
        let cells = [
            Cell::Real(row.percent),
            number(history.n_events),
            number(history.allocated.count),
            number(history.allocated.bytes),
            number(history.freed.count),
            number(history.freed.bytes),
            Cell::text(format!("{:#x}", history.thread)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("percent", Role::Share, ["%", "events"]),
        ("events", Role::Count, ["", "events"]),
        ("allocated_blocks", Role::Count, ["blocks", "allocated"]),
        ("allocated_bytes", Role::Count, ["bytes", "allocated"]),
        ("freed_blocks", Role::Count, ["blocks", "freed"]),
        ("freed_bytes", Role::Count, ["bytes", "freed"]),
        ("thread", Role::Other, ["", "thread"]),
    ];
    (!rows.is_empty()).then(|| section(SectionId::TraceThreads, "Threads:", &columns, rows))
}

fn invalid(report: &TraceReport<'_>, locations: &Locations<'_>) -> Option<Section<'static>> {
    let mut rows = RowTable::default();
    for row in &report.invalid_events {
        let cells = [
            number(row.event),
            number(row.index),
            Cell::text(row.what),
            Cell::text(locations.spell(row.at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("event", Role::Other, ["", "event"]),
        ("block", Role::Other, ["", "index"]),
        ("block_was", Role::Other, ["", "block was"]),
        ("where", Role::Source, ["", "where"]),
    ];
    let title = "Events that cannot be:";
    (!rows.is_empty()).then(|| section(SectionId::TraceInvalid, title, &columns, rows))
}

/// Spells where something happened.
pub(super) struct Locations<'a> {
    pub(super) costs: &'a RecordedCosts,
    pub(super) spell: &'a dyn Fn(&[u8]) -> Vec<u8>,
}

impl Locations<'_> {
    fn spell_both(
        &self,
        first: ContextLocation,
        between: &str,
        second: Option<ContextLocation>,
    ) -> Vec<u8> {
        let mut spelled = self.spell(first);
        if let Some(second) = second {
            spelled.extend_from_slice(between.as_bytes());
            spelled.extend(self.spell(second));
        }
        spelled
    }

    /// A function and its place, as far as they are known.
    pub(super) fn spell(&self, at: ContextLocation) -> Vec<u8> {
        let mut name = Vec::new();
        if let Some(function) = at.function {
            name = (self.spell)(&self.costs.functions[function.index()].name);
        }
        if let Some(location) = at.location {
            let location = &self.costs.locations[location.index()];
            let (open, close) = if name.is_empty() {
                ("", "")
            } else {
                (" (", ")")
            };
            name.extend_from_slice(open.as_bytes());
            name.extend_from_slice(&location.file);
            if let Some(line) = location.line {
                name.extend_from_slice(format!(":{line}").as_bytes());
            }
            name.extend_from_slice(close.as_bytes());
        }
        if name.is_empty() {
            name.extend_from_slice(b"<unknown>");
        }
        name
    }
}
