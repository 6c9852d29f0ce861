//! What functions cost in many files, a row each.

use std::sync::Arc;

use super::distribution::Summary;
use super::spreads::FunctionSummary;
use super::{FileLabel, Measure, NO_FUNCTION, Spreads};
use crate::report::number::{counted, fixed};
use crate::report::{
    Cell, Column, Layout, NameId, NameTable, Role, RowKind, RowTable, Section, SectionId,
};

/// A row for each function: what it costs in a file at least, at most and as a rule, and
/// which file has the most. Rows are in the order of what the most is above the mean: the
/// time that is lost where all have to wait for the slowest.
#[must_use]
pub fn spread_section(
    spreads: &Spreads,
    labels: &[FileLabel],
    measure: &Measure,
    names: &dyn NameTable,
) -> Section<'static> {
    let maker = Maker {
        spreads,
        labels,
        measure,
    };
    let mut rows = RowTable::default();
    let all = spreads.all();
    rows.push(RowKind::Total, maker.cells(&all, None, Cell::text("<all>")));
    for one in in_order(spreads, names) {
        let name = Cell::Name(NameId(one.function));
        rows.push(
            RowKind::Entry,
            maker.cells(&one.self_cost, Some(&one), name),
        );
    }
    if let Some(nowhere) = spreads.unattributed() {
        let cells = maker.cells(&nowhere, None, Cell::text(NO_FUNCTION));
        rows.push(RowKind::Unattributed, cells);
    }
    Section {
        summary: maker.about(&all),
        ..Section::new(
            SectionId::Spread,
            "Functions in many files:",
            Layout::Table,
            maker.columns(),
            rows,
        )
    }
}

/// Functions by what the most is above the mean, then by name.
fn in_order(spreads: &Spreads, names: &dyn NameTable) -> Vec<FunctionSummary> {
    let mut functions: Vec<_> = spreads.functions().collect();
    let name = |one: &FunctionSummary| names.linkage_name(NameId(one.function));
    functions.sort_by(|a, b| {
        let by_excess = b.self_cost.excess().total_cmp(&a.self_cost.excess());
        let by_mean = b.self_cost.mean.total_cmp(&a.self_cost.mean);
        let by_name = name(a).cmp(name(b)).then(a.function.cmp(&b.function));
        by_excess.then(by_mean).then(by_name)
    });
    functions
}

struct Maker<'a> {
    spreads: &'a Spreads,
    labels: &'a [FileLabel],
    measure: &'a Measure,
}

impl Maker<'_> {
    fn columns(&self) -> Vec<Column> {
        let measure = self.measure;
        let unit = measure.unit();
        let shown = |id: &str, role, head: &str| {
            let head = [head.to_owned(), unit.to_owned()];
            measure.column(Column::shown(measure.id(id), role, head))
        };
        let hidden = |id: &str, role| measure.column(Column::hidden(measure.id(id), role));
        let mut columns = vec![
            shown("excess", Role::Other, "max - mean"),
            Column::shown("imbalance", Role::Other, ["max /", "mean"]).printed(0, 2),
            shown("max", Role::Other, "max"),
            Column::shown("file_of_max", Role::Other, ["file", "of max"]).printed(0, 0),
            shown("mean", Role::SelfValue, "mean"),
            shown("median", Role::Other, "median"),
            shown("min", Role::Other, "min"),
            shown("deviation", Role::Other, "deviation"),
            Column::hidden("percent", Role::Share),
            Column::hidden("files", Role::Other),
        ];
        if self.spreads.has_totals() {
            let ids = ["total_max", "total_mean", "total_median", "total_min"];
            columns.extend(ids.map(|id| hidden(id, Role::Total)));
        }
        if self.spreads.has_calls() {
            let ids = ["calls_max", "calls_mean", "calls_min"];
            columns.extend(ids.map(|id| Column::hidden(id, Role::Other)));
        }
        columns.push(Column::shown("name", Role::Name, ["", "name"]));
        columns
    }

    /// What is said of a function, or of what is none.
    fn cells(
        &self,
        of_self: &Summary,
        function: Option<&FunctionSummary>,
        name: Cell,
    ) -> Vec<Cell> {
        let measure = self.measure;
        let real = |number: Option<f64>| number.map_or(Cell::Absent, Cell::Real);
        let label = |file: u32| self.labels.get(file as usize).map(FileLabel::short);
        let mean_of_all = self.spreads.all().mean;
        let percent = (mean_of_all > 0.0).then(|| 100.0 * of_self.mean / mean_of_all);
        let mut cells = vec![
            measure.real(of_self.excess()),
            real(of_self.imbalance),
            measure.cell(of_self.most),
            of_self.file_of_most.and_then(label).unwrap_or_default(),
            measure.real(of_self.mean),
            measure.real(of_self.median),
            measure.cell(of_self.least),
            real(of_self.deviation.map(|deviation| measure.shown(deviation))),
            real(percent),
            Cell::integer(function.map(|one| one.n_files)),
        ];
        if self.spreads.has_totals() {
            match function.and_then(|one| one.total) {
                None => cells.extend(std::iter::repeat_n(Cell::Absent, 4)),
                Some(total) => cells.extend([
                    measure.cell(total.most),
                    measure.real(total.mean),
                    measure.real(total.median),
                    measure.cell(total.least),
                ]),
            }
        }
        if self.spreads.has_calls() {
            match function.and_then(|one| one.calls) {
                None => cells.extend(std::iter::repeat_n(Cell::Absent, 3)),
                Some(calls) => cells.extend([
                    calls.most.into(),
                    Cell::Real(calls.mean),
                    calls.least.into(),
                ]),
            }
        }
        cells.push(name);
        cells
    }

    /// What there is in a file, and what waiting for the largest costs.
    fn about(&self, all: &Summary) -> Vec<String> {
        let (measure, n_files) = (self.measure, self.spreads.n_files());
        let unit = measure.unit();
        let spelled = |number: f64| {
            let decimals = if measure.is_time() { 2 } else { 0 };
            fixed(measure.shown(number), decimals)
        };
        let files = counted(n_files, "file", "files");
        let sum = spelled(all.sum.as_f64());
        let mut lines = vec![format!(
            "{files} with {sum} {unit} in all: {} to {} in each, {} in the mean.",
            spelled(all.least.as_f64()),
            spelled(all.most.as_f64()),
            spelled(all.mean),
        )];
        let label = all
            .file_of_most
            .and_then(|file| self.labels.get(file as usize));
        if let (Some(imbalance), Some(label)) =
            (all.imbalance, label.filter(|_| all.excess() > 0.0))
        {
            let most = all.most.as_f64();
            let percent = 100.0 * all.excess() / most;
            lines.push(format!(
                "Imbalance {}: {} of the {} {unit} of {} ({} %) are above the mean.",
                fixed(imbalance, 2),
                spelled(all.excess()),
                spelled(most),
                spelled_label(label),
                fixed(percent, 1),
            ));
        }
        lines
    }
}

fn spelled_label(label: &FileLabel) -> String {
    let text = |bytes: &Arc<[u8]>| String::from_utf8_lossy(bytes).into_owned();
    match &label.rank {
        Cell::Integer(rank) => format!("rank {rank}"),
        Cell::Text(rank) => text(rank),
        _ => text(&label.name),
    }
}
