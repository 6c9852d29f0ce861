//! What was in use by place: at the peak of a trace, for a moment only, and more of it at
//! one point than at another.

use super::counted;
use super::trace::{Locations, number, section};
use crate::analyze::amount::percent;
use crate::analyze::trace::{at_peak, growth, temporary};
use crate::model::{BlockTotal, HeapHistory, HeapPoint, Profile};
use crate::report::number::fixed;
use crate::report::{Cell, Role, RowKind, RowTable, Section, SectionId};

/// What was in use when the most bytes were; `None` for what is no trace.
#[must_use]
pub fn peak_section(
    profile: &Profile,
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<Section<'static>> {
    let (history, locations) = history_of(profile, spell)?;
    let mut rows = RowTable::default();
    for row in at_peak(&profile.costs, history) {
        let cells = [
            Cell::Real(row.percent),
            number(row.cumulative),
            number(row.live.bytes),
            number(row.live.count),
            Cell::text(locations.spell(row.at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("percent", Role::Share, ["%", "bytes"]),
        ("cumulative", Role::Cumulative, ["cumulative", "bytes"]),
        ("bytes", Role::SelfValue, ["self", "bytes"]),
        ("blocks", Role::Count, ["", "blocks"]),
        ("where", Role::Source, ["", "where"]),
    ];
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
        ..section(SectionId::HeapPeak, title, &columns, rows)
    })
}

/// What was freed before the next block was allocated at the same place; `None` for what
/// is no trace.
#[must_use]
pub fn temporary_section(
    profile: &Profile,
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<Section<'static>> {
    let (history, locations) = history_of(profile, spell)?;
    let mut all = BlockTotal::default();
    let mut rows = RowTable::default();
    for row in temporary(&profile.costs, history) {
        all.count = all.count.saturating_add(row.temporary.count);
        all.bytes = all.bytes.saturating_add(row.temporary.bytes);
        let cells = [
            Cell::Real(row.percent),
            number(row.temporary.count),
            number(row.allocated.count),
            number(row.temporary.bytes),
            Cell::text(locations.spell(row.at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("percent", Role::Share, ["% of", "blocks"]),
        ("blocks", Role::Count, ["temporary", "blocks"]),
        ("allocated_blocks", Role::Count, ["of blocks", "allocated"]),
        ("bytes", Role::SelfValue, ["temporary", "bytes"]),
        ("where", Role::Source, ["", "where"]),
    ];
    let title = "Temporary blocks, by where they were allocated:";
    let n_allocated =
        i128::from(history.allocations.count) + i128::from(history.reallocations.count);
    let summary = format!(
        "{} of {} ({} %) freed before the next was allocated at its place.",
        all.count,
        counted(n_allocated, "block"),
        fixed(percent(all.count, n_allocated), 2),
    );
    Some(Section {
        summary: vec![summary],
        ..section(SectionId::HeapTemporary, title, &columns, rows)
    })
}

/// What is in use at the second point and was not at the first; `None` for what is no
/// trace, and where the trace does not reach as far.
#[must_use]
pub fn growth_section(
    profile: &Profile,
    points: (HeapPoint, HeapPoint),
    spell: &dyn Fn(&[u8]) -> Vec<u8>,
) -> Option<Section<'static>> {
    let (history, locations) = history_of(profile, spell)?;
    let (mut bytes, mut blocks) = (0, 0);
    let mut rows = RowTable::default();
    for row in growth(profile, history, points)? {
        bytes += row.bytes;
        blocks += row.blocks;
        let cells = [
            Cell::Integer(row.bytes),
            Cell::Integer(row.blocks),
            number(row.before.bytes),
            number(row.before.count),
            number(row.after.bytes),
            number(row.after.count),
            Cell::text(locations.spell(row.at)),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let columns = [
        ("growth_bytes", Role::SelfValue, ["growth", "bytes"]),
        ("growth_blocks", Role::Count, ["growth", "blocks"]),
        ("before_bytes", Role::Count, ["before", "bytes"]),
        ("before_blocks", Role::Count, ["before", "blocks"]),
        ("after_bytes", Role::Count, ["after", "bytes"]),
        ("after_blocks", Role::Count, ["after", "blocks"]),
        ("where", Role::Source, ["", "where"]),
    ];
    let (from, to) = points;
    let title = "Growth of the heap, by where it was allocated:";
    let summary = format!(
        "{bytes:+} bytes and {blocks:+} blocks from {} to {}.",
        spelled_point(from, history),
        spelled_point(to, history),
    );
    Some(Section {
        summary: vec![summary],
        ..section(SectionId::HeapGrowth, title, &columns, rows)
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
