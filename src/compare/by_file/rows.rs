//! What each function costs in each file, a row for each.

use std::io;
use std::sync::Arc;

use super::{FileCosts, FileLabel, Measure, NO_FUNCTION, Spreads};
use crate::report::{Cell, Column, Layout, NameId, Role, Row, RowKind, Rows, Section, SectionId};

/// Files that can be looked at again, however many there are: they are read when they are
/// asked for, and not kept.
pub trait CostsOfFiles {
    /// Shows the costs of every file to `visit`, in their order, up to its first error.
    ///
    /// # Errors
    /// That of `visit`, or when a file cannot be read again.
    fn for_each(&self, visit: &mut dyn FnMut(u32, &FileCosts) -> io::Result<()>) -> io::Result<()>;
}

/// What each function costs in each file.
pub struct ByFile<S> {
    /// The files.
    pub files: S,
    /// What they are called.
    pub labels: Arc<[FileLabel]>,
    /// What their numbers are of.
    pub measure: Measure,
}

/// A row for each file and each of its functions, made when it is asked for.
#[must_use]
pub fn by_file_section<'a>(
    by_file: ByFile<impl CostsOfFiles + 'a>,
    spreads: &Spreads,
) -> Section<'a> {
    let measure = &by_file.measure;
    let shown = |id: &str, role| {
        let head = [id.to_owned(), measure.unit().to_owned()];
        measure.column(Column::shown(measure.id(id), role, head))
    };
    let mut columns = Vec::new();
    let has_ranks = has_ranks(&by_file.labels);
    columns.push(Column::shown("profile", Role::Other, ["", "profile"]).printed(0, 0));
    if has_ranks {
        columns.push(Column::shown("rank", Role::Other, ["", "rank"]).printed(0, 0));
    }
    columns.push(shown("self", Role::SelfValue));
    if spreads.has_totals() {
        columns.push(shown("total", Role::Total));
    }
    if spreads.has_calls() {
        columns.push(Column::shown("calls", Role::Calls, ["", "calls"]).printed(0, 0));
    }
    columns.push(Column::shown("name", Role::Name, ["", "name"]));
    let rows = ByFileRows {
        by_file,
        has_ranks,
        has_totals: spreads.has_totals(),
        has_calls: spreads.has_calls(),
    };
    Section::new(
        SectionId::ByFile,
        "Costs by file and function:",
        Layout::Table,
        columns,
        rows,
    )
}

/// Whether any file has a rank.
pub(super) fn has_ranks(labels: &[FileLabel]) -> bool {
    labels.iter().any(|label| !label.rank.is_absent())
}

struct ByFileRows<S> {
    by_file: ByFile<S>,
    has_ranks: bool,
    has_totals: bool,
    has_calls: bool,
}

impl<S: CostsOfFiles> Rows for ByFileRows<S> {
    fn for_each(&self, visit: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> io::Result<()> {
        let ByFile {
            files,
            labels,
            measure,
        } = &self.by_file;
        let mut cells = Vec::new();
        files.for_each(&mut |file, costs| {
            let Some(label) = labels.get(file as usize) else {
                return Ok(());
            };
            for row in &costs.rows {
                cells.clear();
                self.push_label(&mut cells, label);
                cells.push(measure.cell(row.self_cost));
                if self.has_totals {
                    cells.push(row.total.map_or(Cell::Absent, |total| measure.cell(total)));
                }
                if self.has_calls {
                    cells.push(Cell::integer(row.calls));
                }
                cells.push(Cell::Name(NameId(row.function)));
                let kind = RowKind::Entry;
                visit(Row {
                    kind,
                    cells: &cells,
                })?;
            }
            if costs.unattributed.is_zero() {
                return Ok(());
            }
            cells.clear();
            self.push_label(&mut cells, label);
            cells.push(measure.cell(costs.unattributed));
            let n_blank = usize::from(self.has_totals) + usize::from(self.has_calls);
            cells.extend(std::iter::repeat_n(Cell::Absent, n_blank));
            cells.push(Cell::text(NO_FUNCTION));
            let kind = RowKind::Unattributed;
            visit(Row {
                kind,
                cells: &cells,
            })
        })
    }
}

impl<S> ByFileRows<S> {
    fn push_label(&self, cells: &mut Vec<Cell>, label: &FileLabel) {
        cells.push(Cell::Text(Arc::clone(&label.name)));
        if self.has_ranks {
            cells.push(label.rank.clone());
        }
    }
}
