//! Sampled time by source file, including time without a line.

use std::cmp::Reverse;

use crate::analyze::amount::Amount;
use crate::analyze::line_times::LineTimes;
use crate::analyze::sections::Material;
use crate::analyze::sections::table::Columns;
use crate::report::Role::{Count, SelfValue, Share, Source};
use crate::report::{RowKind, Section, SectionId};
use crate::symbols::FileId;

/// The time of each source file, then time without a line, without a function, and not
/// selected. `is_found` returns whether the text of a file exists. `None` without time.
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
    let entries = files.into_iter().map(|(ticks, file)| {
        let missing: &[u8] = if is_found(file) { b"" } else { b" (not found)" };
        let what = [table.files().name(file), missing].concat();
        let n_lines = times.of_file(file).map(std::collections::BTreeMap::len);
        (RowKind::Entry, (ticks, n_lines, what))
    });
    let others = [
        (
            RowKind::Unattributed,
            times.without_line,
            "<functions without lines>",
        ),
        (RowKind::Unattributed, times.outside, "<no function>"),
        (RowKind::Rest, times.left_out, "<everything else>"),
    ];
    let others = others.into_iter().filter(|(_, ticks, _)| *ticks > 0.0);
    let others = others.chain([(RowKind::Total, times.total, "total")]);
    let others = others.map(|(kind, ticks, what)| (kind, (ticks, None, what.into())));
    let percent = |ticks| Amount::Ticks(ticks).percent_of(Amount::Ticks(times.total));
    let head = ["self".to_owned(), costs.unit(metric)];
    let columns = Columns::<FileTicks>::new()
        .shown(Share, "percent", ["%", "time"], |row| percent(row.0))
        .of(metric)
        .shown(SelfValue, costs.timed_id("self", metric), head, |row| {
            costs.timed(Amount::Ticks(row.0), metric)
        })
        .of(metric)
        .hidden(SelfValue, "self", |row| Amount::Ticks(row.0))
        .of(metric)
        .shown(Count, "lines", ["lines", "hit"], |row| row.1)
        .named(Source, "file", |row| row.2.clone());
    let (id, title) = (SectionId::SourceFiles, "Time by source file:");
    Some(columns.table_of(id, title, entries.chain(others)))
}

/// Ticks, number of lines with ticks, and file name.
type FileTicks = (f64, Option<usize>, Vec<u8>);
