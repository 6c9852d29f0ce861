//! Costs by source file, including costs without a line.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use crate::analyze::amount::Amount;
use crate::analyze::line_times::LineTimes;
use crate::analyze::sections::Material;
use crate::analyze::sections::table::Columns;
use crate::report::Role::{Count, SelfValue, Share, Source};
use crate::report::{RowKind, Section, SectionId};
use crate::sorting::ColdSort;
use crate::symbols::FileId;

/// The time of each source file, then time without a line, without a function, and not
/// selected. `remark` returns what follows the name of a file. `None` without time.
pub fn time_by_file<'r>(
    material: &Material<'_>,
    times: &LineTimes,
    remark: impl Fn(FileId) -> &'r str,
) -> Option<Section> {
    let files = times.files().map(|file| {
        let n_lines = times.of_file(file).map(BTreeMap::len);
        (file, Amount::Ticks(times.sum_of_file(file)), n_lines.unwrap_or(0))
    });
    let elsewhere = Elsewhere {
        without_line: Amount::Ticks(times.without_line),
        no_function: Amount::Ticks(times.outside),
        left_out: Amount::Ticks(times.left_out),
    };
    let total = Amount::Ticks(times.total);
    table(material, files.collect(), &elsewhere, total, remark)
}

/// The recorded costs of each source file in the same way.
pub fn cost_by_file<'r>(
    material: &Material<'_>,
    remark: impl Fn(FileId) -> &'r str,
) -> Option<Section> {
    let &Material { costs, table: symbols, filters, .. } = material;
    let primary = costs.shape.primary;
    // The sum of entry counts has no meaning.
    if costs.shape.counts_entries {
        return None;
    }
    let mut by_file: BTreeMap<FileId, (Amount, BTreeSet<NonZeroU32>)> = BTreeMap::new();
    let zero = Amount::Exact(0);
    let mut elsewhere =
        Elsewhere { without_line: zero, no_function: costs.unattributed(primary), left_out: zero };
    let mut total = elsewhere.no_function;
    for (id, symbol) in symbols.iter() {
        let cost = costs.self_cost(id, primary);
        total = total.plus(cost);
        let sum = match symbol.source {
            _ if !filters.annotation.contains(id) => &mut elsewhere.left_out,
            None => &mut elsewhere.without_line,
            Some(source) => {
                let (sum, lines) = by_file.entry(source.file).or_insert((zero, BTreeSet::new()));
                if !cost.is_zero() {
                    lines.insert(source.line);
                }
                sum
            }
        };
        *sum = sum.plus(cost);
    }
    let files = by_file.into_iter();
    let files = files.map(|(file, (sum, lines))| (file, sum, lines.len()));
    let files = files.filter(|(_, sum, _)| !sum.is_zero()).collect();
    table(material, files, &elsewhere, total, remark)
}

/// The costs on no line of a shown file.
struct Elsewhere {
    without_line: Amount,
    no_function: Amount,
    left_out: Amount,
}

/// Files, with their costs and the number of lines that have some.
fn table<'r>(
    material: &Material<'_>,
    mut files: Vec<(FileId, Amount, usize)>,
    elsewhere: &Elsewhere,
    total: Amount,
    remark: impl Fn(FileId) -> &'r str,
) -> Option<Section> {
    if total.as_f64() <= 0.0 {
        return None;
    }
    let &Material { costs, table, .. } = material;
    let metric = costs.shape.primary;
    files.cold_sort_by(|a, b| b.1.compare(a.1).then(Reverse(a.0).cmp(&Reverse(b.0))));
    let entries = files.into_iter().map(|(file, cost, n_lines)| {
        let what = [table.files().name(file), remark(file).as_bytes()].concat();
        (RowKind::Entry, (cost, Some(n_lines), what))
    });
    let others = [
        (RowKind::Unattributed, elsewhere.without_line, "<functions without lines>"),
        (RowKind::Unattributed, elsewhere.no_function, "<no function>"),
        (RowKind::Rest, elsewhere.left_out, "<everything else>"),
    ];
    let others = others.into_iter().filter(|(_, cost, _)| cost.as_f64() > 0.0);
    let others = others.chain([(RowKind::Total, total, "total")]);
    let others = others.map(|(kind, cost, what)| (kind, (cost, None, what.into())));
    let is_scaled = costs.ticks_per_unit(metric).is_some();
    let head = |what: &str| [what.to_owned(), costs.unit(metric)];
    let (title, share) = if costs.is_timed(metric) {
        ("Time by source file:", ["%", "time"].map(str::to_owned))
    } else {
        ("Costs by source file:", head("%"))
    };
    let mut columns = Columns::<FileCost>::new()
        .shown(Share, "percent", share, move |row| row.0.percent_of(total))
        .of(metric)
        .shown(SelfValue, costs.shown_id("self", metric), head("self"), |row| {
            costs.readable(row.0, metric)
        })
        .of(metric)
        .printed(0, costs.decimals());
    if is_scaled {
        columns = columns.hidden(SelfValue, "self", |row| row.0).of(metric);
    }
    let columns =
        columns
            .shown(Count, "lines", ["lines", "hit"], |row| row.1)
            .named(Source, "file", |row| row.2.clone());
    Some(columns.table_of(SectionId::SourceFiles, title, entries.chain(others)))
}

/// Cost, number of lines with costs, and file name.
type FileCost = (Amount, Option<usize>, Vec<u8>);
