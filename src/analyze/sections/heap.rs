//! What was in use by place: at the peak of a trace, for a moment only, and more of it at
//! one point than at another.

use super::counted;
use super::table::Columns;
use super::trace::{Locations, placed};
use crate::analyze::amount::percent;
use crate::analyze::trace::{GrowthRow, PeakPlaceRow, TemporaryRow, at_peak, growth, temporary};
use crate::model::{BlockTotal, HeapHistory, HeapPoint, Profile};
use crate::report::Role::{Count, Cumulative, SelfValue, Share};
use crate::report::number::fixed;
use crate::report::{Section, SectionId};

/// What was in use when the most bytes were; `None` for what is no trace.
pub fn peak_section(
    profile: &Profile,
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<Section<'static>> {
    let (history, locations) = history_of(profile, spell)?;
    let rows = at_peak(&profile.costs, history);
    let columns = Columns::<(PeakPlaceRow, Vec<u8>)>::new()
        .shown(Share, "percent", ["%", "bytes"], |(row, _)| row.percent)
        .shown(
            Cumulative,
            "cumulative",
            ["cumulative", "bytes"],
            |(row, _)| row.cumulative,
        )
        .shown(SelfValue, "bytes", ["self", "bytes"], |(row, _)| {
            row.live.bytes
        })
        .shown(Count, "blocks", ["", "blocks"], |(row, _)| row.live.count)
        .place();
    let rows = placed(rows, |row| locations.spell(row.at));
    let title = "In use at the peak, by where it was allocated:";
    let peak = history.peak_bytes;
    let summary = format!(
        "{} in use after event {} of {}, the peak.",
        spelled_total(peak.live),
        peak.event,
        history.n_events,
    );
    Some(Section {
        summary: vec![summary],
        ..columns.table(SectionId::HeapPeak, title, rows)
    })
}

/// What was freed before the next block was allocated at the same place; `None` for what
/// is no trace.
pub fn temporary_section(
    profile: &Profile,
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<Section<'static>> {
    let (history, locations) = history_of(profile, spell)?;
    let rows = temporary(&profile.costs, history);
    let counts = rows.iter().map(|row| row.temporary.count);
    let n_temporary = counts.fold(0, u64::saturating_add);
    let columns = Columns::<(TemporaryRow, Vec<u8>)>::new()
        .shown(Share, "percent", ["% of", "blocks"], |(row, _)| row.percent)
        .shown(Count, "blocks", ["temporary", "blocks"], |(row, _)| {
            row.temporary.count
        })
        .shown(
            Count,
            "allocated_blocks",
            ["of blocks", "allocated"],
            |(row, _)| row.allocated.count,
        )
        .shown(SelfValue, "bytes", ["temporary", "bytes"], |(row, _)| {
            row.temporary.bytes
        })
        .place();
    let rows = placed(rows, |row| locations.spell(row.at));
    let title = "Temporary blocks, by where they were allocated:";
    let n_allocated =
        i128::from(history.allocations.count) + i128::from(history.reallocations.count);
    let summary = format!(
        "{} of {} ({} %) freed before the next was allocated at its place.",
        n_temporary,
        counted(n_allocated, "block"),
        fixed(percent(n_temporary, n_allocated), 2),
    );
    Some(Section {
        summary: vec![summary],
        ..columns.table(SectionId::HeapTemporary, title, rows)
    })
}

/// What is in use at the second point and was not at the first; `None` for what is no
/// trace, and where the trace does not reach as far.
pub fn growth_section(
    profile: &Profile,
    points: (HeapPoint, HeapPoint),
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<Section<'static>> {
    let (history, locations) = history_of(profile, spell)?;
    let rows = growth(profile, history, points)?;
    let bytes: i128 = rows.iter().map(|row| row.bytes).sum();
    let blocks: i128 = rows.iter().map(|row| row.blocks).sum();
    let columns = Columns::<(GrowthRow, Vec<u8>)>::new()
        .shown(
            SelfValue,
            "growth_bytes",
            ["growth", "bytes"],
            |(row, _)| row.bytes,
        )
        .shown(Count, "growth_blocks", ["growth", "blocks"], |(row, _)| {
            row.blocks
        })
        .shown(Count, "before_bytes", ["before", "bytes"], |(row, _)| {
            row.before.bytes
        })
        .shown(Count, "before_blocks", ["before", "blocks"], |(row, _)| {
            row.before.count
        })
        .shown(Count, "after_bytes", ["after", "bytes"], |(row, _)| {
            row.after.bytes
        })
        .shown(Count, "after_blocks", ["after", "blocks"], |(row, _)| {
            row.after.count
        })
        .place();
    let rows = placed(rows, |row| locations.spell(row.at));
    let (from, to) = points;
    let title = "Growth of the heap, by where it was allocated:";
    let summary = format!(
        "{bytes:+} bytes and {blocks:+} blocks from {} to {}.",
        spelled_point(from, history),
        spelled_point(to, history),
    );
    Some(Section {
        summary: vec![summary],
        ..columns.table(SectionId::HeapGrowth, title, rows)
    })
}

fn history_of<'a>(
    profile: &'a Profile,
    spell: &'a dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<(&'a HeapHistory, Locations<'a>)> {
    let costs = &profile.costs;
    Some((profile.history.as_ref()?, Locations { costs, spell }))
}

fn spelled_total(total: BlockTotal) -> String {
    let bytes = counted(i128::from(total.bytes), "byte");
    format!("{bytes} in {}", counted(i128::from(total.count), "block"))
}

fn spelled_point(point: HeapPoint, history: &HeapHistory) -> String {
    match point {
        HeapPoint::Start => "the start".to_owned(),
        HeapPoint::Event(event) => format!("event {event}"),
        HeapPoint::Peak => format!("event {} (the peak)", history.peak_bytes.event),
        HeapPoint::End => format!("event {} (the end)", history.n_events),
    }
}
