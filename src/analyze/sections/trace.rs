//! A trace: what happened to how much, when, and where.

use super::sizes::sizes_of;
use super::table::Columns;
use crate::analyze::sizes::SizeRow;
use crate::analyze::trace::{
    BlockRow, ChainRow, ContextLocation, InvalidEventRow, LiveChart, PeakRow, ThreadRow, TotalRow,
    TraceReport, UnfreedRow, trace_report,
};
use crate::model::{Profile, RecordedCosts};
use crate::report::Role::{Bar, Count, Cumulative, Other, SelfValue, Share, Source};
use crate::report::{Cell, Section, SectionId};

pub use crate::analyze::trace::TraceOptions;

/// The sections about a trace; none for other profiles. `spell` says how a function is
/// spelled in its language.
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
    let mut sections = vec![totals(&report), peaks(&report)];
    sections.extend(report.chart.as_ref().map(history));
    if !report.sizes.is_empty() {
        sections.push(sizes(&report));
    }
    if !report.unfreed.is_empty() {
        sections.push(unfreed(&report, &locations));
    }
    let of_blocks = [
        (
            SectionId::TraceLargest,
            "Largest blocks never freed:",
            &report.largest_unfreed,
        ),
        (
            SectionId::TraceLongest,
            "Longest-lived freed blocks:",
            &report.longest_lived,
        ),
    ];
    for (id, title, rows) in of_blocks {
        if !rows.is_empty() {
            sections.push(blocks(id, title, rows, &locations));
        }
    }
    if !report.chains.is_empty() {
        sections.push(chains(&report, &locations));
    }
    if !report.threads.is_empty() {
        sections.push(threads(&report));
    }
    if !report.invalid_events.is_empty() {
        sections.push(invalid(&report, &locations));
    }
    sections
}

fn totals(report: &TraceReport<'_>) -> Section<'static> {
    let title = "Allocation trace:";
    let columns = Columns::<&TotalRow>::new()
        .shown(Count, "blocks", ["", "blocks"], |row| row.blocks.count)
        .shown(Count, "bytes", ["", "bytes"], |row| row.blocks.bytes)
        .shown(Other, "what", ["", "what"], |row| row.name);
    columns.table(SectionId::Trace, title, &report.totals)
}

fn peaks(report: &TraceReport<'_>) -> Section<'static> {
    let columns = Columns::<&PeakRow>::new()
        .shown(Other, "event", ["", "event"], |row| row.peak.event)
        .shown(Count, "blocks", ["blocks", "in use"], |row| {
            row.peak.live.count
        })
        .shown(Count, "bytes", ["bytes", "in use"], |row| {
            row.peak.live.bytes
        })
        .shown(Other, "what", ["", "what"], |row| row.name);
    columns.table(SectionId::TracePeaks, "Peaks:", &report.peaks)
}

/// What was in use over time, a row for each column of a chart: how many of its lines
/// it reaches, and whether it is the peak. The lines' bytes stand in the first rows.
fn history(chart: &LiveChart) -> Section<'static> {
    let n_rows = chart.heights.len().max(chart.lines.len());
    let columns = Columns::<usize>::new()
        .shown(Bar, "height", ["", ""], |&row| {
            chart.heights.get(row).copied()
        })
        .shown(Count, "line_bytes", ["", ""], |&row| {
            chart.lines.get(row).copied()
        })
        .shown(Other, "peak", ["", ""], |&row| {
            Cell::flag(row == chart.peak_column)
        })
        .shown(Count, "events", ["", ""], |&row| {
            (row == 0).then_some(chart.n_events)
        });
    let title = "Bytes in use over time:";
    columns.table(SectionId::TraceHistory, title, 0..n_rows)
}

fn sizes(report: &TraceReport<'_>) -> Section<'static> {
    let columns = Columns::<&SizeRow>::new()
        .shown(Share, "percent", ["%", "blocks"], |row| row.percent)
        .shown(Count, "blocks", ["blocks", "allocated"], |row| row.n_blocks)
        .shown(Count, "unfreed_blocks", ["never", "freed"], |row| {
            row.n_unfreed
        })
        .shown(Other, "size", ["", "bytes"], |row| sizes_of(row));
    columns.table(SectionId::TraceSizes, "Sizes:", &report.sizes)
}

fn unfreed(report: &TraceReport<'_>, locations: &Locations<'_>) -> Section<'static> {
    let title = "Never freed, by where it was allocated:";
    let columns = Columns::<(&UnfreedRow, Vec<u8>)>::new()
        .shown(Share, "percent", ["%", "bytes"], |(row, _)| row.percent)
        .shown(
            Cumulative,
            "cumulative",
            ["cumulative", "bytes"],
            |(row, _)| row.cumulative,
        )
        .shown(SelfValue, "bytes", ["self", "bytes"], |(row, _)| {
            row.unfreed.bytes
        })
        .shown(Count, "blocks", ["", "blocks"], |(row, _)| {
            row.unfreed.count
        })
        .shown(
            Count,
            "allocated_blocks",
            ["of blocks", "allocated"],
            |(row, _)| row.allocated.count,
        )
        .place();
    let rows = placed(&report.unfreed, |row| locations.spell(row.at));
    Section {
        notes: more(report.n_more_unfreed as u64, "place", "places"),
        ..columns.table(SectionId::TraceUnfreed, title, rows)
    }
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
) -> Section<'static> {
    let columns = Columns::<(&BlockRow, Vec<u8>)>::new()
        .shown(Count, "events", ["events", "in use"], |(row, _)| row.life)
        .shown(Count, "bytes", ["", "bytes"], |(row, _)| row.size)
        .shown(Other, "allocated", ["", "allocated"], |(row, _)| {
            row.allocated
        })
        .shown(Other, "freed", ["", "freed"], |(row, _)| {
            row.freed.map_or_else(|| "-".into(), Cell::from)
        })
        .place();
    let rows = placed(blocks, |row| {
        let freed_at = row.freed_at.filter(|at| *at != row.allocated_at);
        locations.spell_both(row.allocated_at, ", freed in ", freed_at)
    });
    columns.table(id, title, rows)
}

fn chains(report: &TraceReport<'_>, locations: &Locations<'_>) -> Section<'static> {
    let title = "Blocks reallocated most often:";
    let columns = Columns::<(&ChainRow, Vec<u8>)>::new()
        .shown(Count, "times", ["", "times"], |(row, _)| {
            row.n_reallocations
        })
        .shown(Count, "first_bytes", ["first", "bytes"], |(row, _)| {
            row.first_size
        })
        .shown(Count, "last_bytes", ["last", "bytes"], |(row, _)| {
            row.last_size
        })
        .shown(Other, "block", ["", "index"], |(row, _)| row.index)
        .place();
    let rows = placed(&report.chains, |row| {
        let last_at = Some(row.last_at).filter(|at| *at != row.first_at);
        locations.spell_both(row.first_at, ", last in ", last_at)
    });
    Section {
        notes: more(report.n_more_chains, "block", "blocks"),
        ..columns.table(SectionId::TraceReallocated, title, rows)
    }
}

fn threads(report: &TraceReport<'_>) -> Section<'static> {
    let columns = Columns::<&ThreadRow>::new()
        .shown(Share, "percent", ["%", "events"], |row| row.percent)
        .shown(Count, "events", ["", "events"], |row| row.history.n_events)
        .shown(Count, "allocated_blocks", ["blocks", "allocated"], |row| {
            row.history.allocated.count
        })
        .shown(Count, "allocated_bytes", ["bytes", "allocated"], |row| {
            row.history.allocated.bytes
        })
        .shown(Count, "freed_blocks", ["blocks", "freed"], |row| {
            row.history.freed.count
        })
        .shown(Count, "freed_bytes", ["bytes", "freed"], |row| {
            row.history.freed.bytes
        })
        .shown(Other, "thread", ["", "thread"], |row| {
            format!("{:#x}", row.history.thread)
        });
    columns.table(SectionId::TraceThreads, "Threads:", &report.threads)
}

fn invalid(report: &TraceReport<'_>, locations: &Locations<'_>) -> Section<'static> {
    let title = "Events that cannot be:";
    let columns = Columns::<(&InvalidEventRow, Vec<u8>)>::new()
        .shown(Other, "event", ["", "event"], |(row, _)| row.event)
        .shown(Other, "block", ["", "index"], |(row, _)| row.index)
        .shown(Other, "block_was", ["", "block was"], |(row, _)| row.what)
        .place();
    let rows = placed(&report.invalid_events, |row| locations.spell(row.at));
    columns.table(SectionId::TraceInvalid, title, rows)
}

/// Rows with the places that they are about, as `spell` has them.
pub(super) fn placed<T>(
    rows: impl IntoIterator<Item = T>,
    spell: impl Fn(&T) -> Vec<u8>,
) -> impl Iterator<Item = (T, Vec<u8>)> {
    rows.into_iter().map(move |row| {
        let place = spell(&row);
        (row, place)
    })
}

impl<T> Columns<'_, (T, Vec<u8>)> {
    pub(super) fn place(self) -> Self {
        self.shown(Source, "where", ["", "where"], |(_, place)| place.clone())
    }
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
