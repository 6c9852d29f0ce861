//! Sampled time by source file, so that what stands beside no line is not lost.

use std::cmp::Reverse;

use crate::analyze::amount::Amount;
use crate::analyze::line_times::LineTimes;
use crate::analyze::sections::Material;
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId};
use crate::symbols::FileId;

/// The time of each source file, then what is in none: code of no line, no function, and
/// what was not asked for. `is_found` says whose text there is. None where there is no
/// time.
#[must_use]
pub fn time_by_file(
    material: &Material<'_>,
    times: &LineTimes,
    is_found: impl Fn(FileId) -> bool,
) -> Option<Section<'static>> {
    if times.total <= 0.0 {
        return None;
    }
    let &Material { costs, table, .. } = material;
    let metric = costs.primary;
    let mut files: Vec<_> = times
        .files()
        .map(|file| (times.sum_of_file(file), file))
        .collect();
    files.sort_by(|a, b| b.0.total_cmp(&a.0).then(Reverse(a.1).cmp(&Reverse(b.1))));
    let mut rows = RowTable::default();
    let mut push = |kind, ticks, lines: Option<usize>, what: &[u8]| {
        let amount = Amount::Ticks(ticks);
        let cells = [
            Cell::Real(amount.percent_of(Amount::Ticks(times.total))),
            costs.timed(amount, metric),
            amount.into(),
            Cell::integer(lines.map(|n_lines| n_lines as u64)),
            Cell::text(what),
        ];
        rows.push(kind, cells);
    };
    for (ticks, file) in files {
        let name = table.files().name(file);
        let missing: &[u8] = if is_found(file) { b"" } else { b" (not found)" };
        let n_lines = times.of_file(file).map(std::collections::BTreeMap::len);
        push(RowKind::Entry, ticks, n_lines, &[name, missing].concat());
    }
    let others: [(RowKind, f64, &[u8]); 3] = [
        (
            RowKind::Unattributed,
            times.without_line,
            b"<functions without lines>",
        ),
        (RowKind::Unattributed, times.outside, b"<no function>"),
        (RowKind::Rest, times.left_out, b"<not asked for>"),
    ];
    for (kind, ticks, what) in others.into_iter().filter(|(_, ticks, _)| *ticks > 0.0) {
        push(kind, ticks, None, what);
    }
    push(RowKind::Total, times.total, None, b"total");
    let columns = vec![
        Column::shown("percent", Role::Share, ["%", "time"]).of(metric),
        Column::shown(
            costs.timed_id("self", metric),
            Role::SelfValue,
            ["self".to_owned(), costs.unit(metric)],
        )
        .of(metric),
        Column::hidden("self", Role::SelfValue).of(metric),
        Column::shown("lines", Role::Count, ["lines", "hit"]),
        Column::shown("file", Role::Source, ["", "file"]),
    ];
    Some(Section::new(
        SectionId::SourceFiles,
        "Time by source file:",
        Layout::Table,
        columns,
        rows,
    ))
}
