//! Sections on the cost of functions in many files.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::distribution::Summary;
use super::spreads::FunctionSummary;
use super::{FileCosts, Spreads};
use crate::analyze::Amount;
use crate::compare::Measure;
use crate::report::number::{counted, duration, fixed, grouped};
use crate::report::{
    Audience, Cell, Column, Layout, NameId, NameTable, Role, Row, RowKind, RowTable, RowVisitor,
    Rows, Section, SectionId,
};
use crate::sorting::ColdSort;

/// The name of a file, or of a group of files that count as one.
#[derive(Clone, Debug, PartialEq)]
pub struct FileLabel {
    /// The path, or the common part of the paths of a group.
    pub name: Arc<[u8]>,
    /// A number or text for sorting; absent without `--by-file` pattern.
    pub rank: Cell,
    pub n_files: u32,
}

/// Returns whether any file has a rank.
pub(super) fn has_ranks(labels: &[FileLabel]) -> bool {
    labels.iter().any(|label| !label.rank.is_absent())
}

/// The rank of a file, or else its name.
pub(super) fn file_cell(labels: &[FileLabel], file: usize) -> Cell {
    labels.get(file).map_or(Cell::Absent, |label| match &label.rank {
        Cell::Absent => Cell::Text(Arc::clone(&label.name)),
        rank => rank.clone(),
    })
}

/// The name of rows about costs outside of functions.
pub(super) const NO_FUNCTION: &str = "<no function>";

/// A row for each file and function, computed on demand: `files` passes the costs of every
/// file to its visitor, in order, up to the first error. `programs` are the names of programs, if
/// there are several.
pub fn by_file_section<'s, F>(
    files: F,
    labels: Arc<[FileLabel]>,
    programs: Box<[Cell]>,
    measure: &Measure,
    mut spreads: impl Iterator<Item = &'s Spreads> + Clone,
) -> Section
where
    F: Fn(&mut dyn FnMut(u32, &FileCosts) -> io::Result<()>) -> io::Result<()> + Sync + 'static,
{
    let rows = ByFileRows {
        files,
        has_ranks: has_ranks(&labels),
        labels,
        programs,
        measure: measure.clone(),
        has_totals: spreads.clone().all(Spreads::has_totals),
        has_calls: spreads.any(Spreads::has_calls),
    };
    let mut columns = vec![Column::shown("profile", Role::Other, ["", "profile"]).printed(0, 0)];
    if rows.has_ranks {
        columns.push(Column::shown("rank", Role::Other, ["", "rank"]).printed(0, 0));
    }
    columns.push(measure.column("self", Role::SelfValue, "self"));
    if rows.has_totals {
        columns.push(measure.column("total", Role::Total, "total"));
    }
    if rows.has_calls {
        columns.push(Column::shown("calls", Role::Calls, ["", "calls"]).printed(0, 0));
    }
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    if !rows.programs.is_empty() {
        columns.push(Column::hidden("program", Role::Other));
    }
    Section::new(SectionId::ByFile, "Costs by file and function:", Layout::Table, columns, rows)
}

struct ByFileRows<F> {
    files: F,
    labels: Arc<[FileLabel]>,
    programs: Box<[Cell]>,
    measure: Measure,
    has_ranks: bool,
    has_totals: bool,
    has_calls: bool,
}

impl<F> Rows for ByFileRows<F>
where
    F: Fn(&mut dyn FnMut(u32, &FileCosts) -> io::Result<()>) -> io::Result<()> + Sync,
{
    fn for_each_of(&self, _: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut cells = Vec::new();
        (self.files)(&mut |file, costs| {
            let Some(label) = self.labels.get(file as usize) else {
                return Ok(());
            };
            let mut push = |kind, self_cost, total: Option<Amount>, calls: Option<u64>, name| {
                cells.clear();
                cells.push(Cell::Text(Arc::clone(&label.name)));
                if self.has_ranks {
                    cells.push(label.rank.clone());
                }
                cells.push(self.measure.cell(self_cost));
                if self.has_totals {
                    cells.push(total.map_or(Cell::Absent, |total| self.measure.cell(total)));
                }
                if self.has_calls {
                    cells.push(Cell::integer(calls));
                }
                cells.push(name);
                cells.extend(self.programs.get(costs.program).cloned());
                let cells = &cells;
                visit(Row { kind, cells })
            };
            for row in &costs.rows {
                let name = Cell::Name(NameId(row.function));
                push(RowKind::Entry, row.self_cost, row.total, row.calls, name)?;
            }
            if costs.unattributed.is_zero() {
                return Ok(());
            }
            let name = Cell::text(NO_FUNCTION);
            push(RowKind::Unattributed, costs.unattributed, None, None, name)
        })
    }
}

/// A row for each function: minimum, maximum and median over the files, and the file with the
/// maximum. Sorted by maximum minus mean: the time lost if all wait for the slowest.
pub fn spread_section(
    spreads: &Spreads,
    labels: &[FileLabel],
    measure: &Measure,
    names: &dyn NameTable,
    audience: Audience,
) -> Section {
    let all = spreads.all();
    let (columns, cells): (Vec<_>, Vec<SpreadCell<'_>>) =
        spread_columns(spreads, all.mean, labels, measure).into_iter().unzip();
    let mut rows = RowTable::default();
    let mut push = |kind, of_self: &Summary, function: Option<&FunctionSummary>, name| {
        let cells = cells.iter().map(|cell| cell(of_self, function));
        rows.push(kind, cells.chain([name]));
    };
    push(RowKind::Total, &all, None, Cell::text("<all>"));
    for one in in_order(spreads, names) {
        let name = Cell::Name(NameId(one.function));
        push(RowKind::Entry, &one.self_cost, Some(&one), name);
    }
    if let Some(nowhere) = spreads.unattributed() {
        let name = Cell::text(NO_FUNCTION);
        push(RowKind::Unattributed, &nowhere, None, name);
    }
    let name = Column::shown("name", Role::Name, ["", "name"]);
    let columns: Vec<_> = columns.into_iter().chain([name]).collect();
    Section {
        summary: about(&all, spreads.n_files(), labels, measure, audience),
        ..Section::new(SectionId::Spread, "Functions in many files:", Layout::Table, columns, rows)
    }
}

/// Functions by maximum minus mean, then by name. Stores only the numbers that it sorts by.
fn in_order(spreads: &Spreads, names: &dyn NameTable) -> impl Iterator<Item = FunctionSummary> {
    let key = |(function, cost): (u32, Summary)| (cost.excess(), cost.mean, function);
    let mut functions: Vec<_> = spreads.self_costs().map(key).collect();
    functions.cold_sort_by(|a, b| {
        let name = |id| names.linkage_name(NameId(id));
        let by_name = || name(a.2).cmp(name(b.2)).then(a.2.cmp(&b.2));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then_with(by_name)
    });
    functions.into_iter().map(|(.., function)| spreads.function(function))
}

/// A cell from the self cost of a row and, for functions, all other numbers.
type SpreadCell<'a> = Box<dyn Fn(&Summary, Option<&FunctionSummary>) -> Cell + 'a>;

fn spread_columns<'a>(
    spreads: &Spreads,
    mean_of_all: f64,
    labels: &'a [FileLabel],
    measure: &'a Measure,
) -> Vec<(Column, SpreadCell<'a>)> {
    let real = |number: Option<f64>| number.map_or(Cell::Absent, Cell::Real);
    let cost = |id: &str, role, head: &str, number: fn(&Summary) -> Option<f64>| {
        let cell: SpreadCell<'a> =
            Box::new(move |own, _| real(number(own).map(|number| measure.shown(number))));
        (measure.column(id, role, head), cell)
    };
    let amount = |id: &str, part: fn(&Summary) -> Amount| {
        let cell: SpreadCell<'a> = Box::new(move |own, _| measure.cell(part(own)));
        (measure.column(id, Role::Other, id), cell)
    };
    let imbalance = Column::shown("imbalance", Role::Other, ["max /", "mean"]).printed(0, 2);
    let file = Column::shown("file_of_max", Role::Other, ["file", "of max"]).printed(0, 0);
    let mut columns: Vec<(Column, SpreadCell<'a>)> = vec![
        cost("excess", Role::Other, "max - mean", |own| Some(own.excess())),
        (imbalance, Box::new(move |own, _| real(own.imbalance))),
        amount("max", |own| own.most),
        (
            file,
            Box::new(|own, _| {
                own.file_of_most.map_or(Cell::Absent, |file| file_cell(labels, file as usize))
            }),
        ),
        cost("mean", Role::SelfValue, "mean", |own| Some(own.mean)),
        cost("median", Role::Other, "median", |own| Some(own.median)),
        amount("min", |own| own.least),
        cost("deviation", Role::Other, "deviation", |own| own.deviation),
        (
            Column::hidden("percent", Role::Share),
            Box::new(move |own, _| {
                real((mean_of_all > 0.0).then(|| 100.0 * own.mean / mean_of_all))
            }),
        ),
        (
            Column::hidden("files", Role::Other),
            Box::new(|_, function| Cell::integer(function.map(|one| one.n_files))),
        ),
    ];
    type SummaryCell = fn(&Summary, &Measure) -> Cell;
    if spreads.has_totals() {
        let parts: [(&str, SummaryCell); 4] = [
            ("total_max", |total, measure| measure.cell(total.most)),
            ("total_mean", |total, measure| Cell::Real(measure.shown(total.mean))),
            ("total_median", |total, measure| Cell::Real(measure.shown(total.median))),
            ("total_min", |total, measure| measure.cell(total.least)),
        ];
        columns.extend(parts.map(|(id, part)| {
            let column = Column {
                head: Default::default(),
                print: None,
                ..measure.column(id, Role::Total, "")
            };
            let cell: SpreadCell<'a> = Box::new(move |_, function| {
                let total = function.and_then(|one| one.total);
                total.map_or(Cell::Absent, |total| part(&total, measure))
            });
            (column, cell)
        }));
    }
    if spreads.has_calls() {
        let parts: [(_, fn(&Summary) -> _); 3] = [
            ("calls_max", |calls| calls.most.into()),
            ("calls_mean", |calls| Cell::Real(calls.mean)),
            ("calls_min", |calls| calls.least.into()),
        ];
        columns.extend(parts.map(|(id, part)| {
            let cell: SpreadCell<'a> = Box::new(move |_, function| {
                let calls = function.and_then(|one| one.calls);
                calls.map_or(Cell::Absent, |calls| part(&calls))
            });
            (Column::hidden(id, Role::Other), cell)
        }));
    }
    columns
}

/// The sentences on the total of a file, and on the cost of waiting for the largest.
fn about(
    all: &Summary,
    n_files: u32,
    labels: &[FileLabel],
    measure: &Measure,
    audience: Audience,
) -> Vec<String> {
    let unit = &*measure.metric().unit;
    let is_for_screen = audience == Audience::Screen;
    let has_own_unit = is_for_screen && unit == "seconds";
    let unit = if has_own_unit { String::new() } else { format!(" {unit}") };
    let is_scaled = measure.ticks_per_unit().is_some();
    let mut amounts = [all.sum, all.least, all.most].into_iter();
    let decimals = if is_scaled {
        measure.metric().decimals().into()
    } else {
        usize::from(amounts.any(|amount| amount.as_f64().fract() != 0.0))
    };
    let shown = |number: f64| match measure.shown(number) {
        seconds if has_own_unit => duration(seconds),
        #[expect(clippy::cast_possible_truncation, reason = "larger numbers become the largest")]
        whole if is_for_screen && decimals == 0 => grouped(whole.round_ties_even() as i128),
        number => fixed(number, decimals),
    };
    let mut lines = vec![format!(
        "{} with {}{unit} in total: {} to {} per file, {} on average.",
        counted(n_files, "file", "files"),
        shown(all.sum.as_f64()),
        shown(all.least.as_f64()),
        shown(all.most.as_f64()),
        shown(all.mean),
    )];
    let label = all.file_of_most.and_then(|file| labels.get(file as usize));
    if let (Some(imbalance), Some(label)) = (all.imbalance, label.filter(|_| all.excess() > 0.0)) {
        let text = |bytes: &Arc<[u8]>| String::from_utf8_lossy(bytes).into_owned();
        let most = all.most.as_f64();
        lines.push(format!(
            "Imbalance {}: {} of the {}{unit} of {} ({} %) are above the mean.",
            fixed(imbalance, 2),
            shown(all.excess()),
            shown(most),
            match &label.rank {
                Cell::Integer(rank) => format!("rank {rank}"),
                Cell::Text(rank) => text(rank),
                _ => text(&label.name),
            },
            fixed(100.0 * all.excess() / most, 1),
        ));
    }
    lines
}
