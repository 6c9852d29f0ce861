//! What is left out, as one row, so that columns still add up.

use super::unit::{Splitter, Unit, shown_by_place};
use crate::report::number::{counted, fixed};
use crate::report::{Cell, Column, Metric, Role, Row, RowKind, Section, SectionId};

/// The cells of the sum of the units that are not shown. `what` is what one of them is
/// about, and what several are. Where they have but calls the sum is said in words
/// alone, with the option that shows them.
pub(super) fn rest_of(
    section: &Section<'_>,
    units: &[Unit],
    what: [&str; 2],
    metrics: &[Metric],
    are_idle: bool,
) -> Vec<Cell> {
    let is_shown = shown_by_place(units);
    let mut rest = Rest::new(section);
    let mut splitter = Splitter::default();
    // Nothing is written, so nothing fails.
    let _ = section.rows.for_each_head(&mut |row| {
        let unit = splitter.unit_of(row.kind);
        let is_left_out = unit.is_some_and(|unit| is_shown.get(unit) == Some(&false));
        // The parts of an entry are in its numbers, and cycles are sums of entries.
        if is_left_out && row.kind == RowKind::Entry {
            rest.add(&row);
        }
        Ok(())
    });
    if are_idle || section.id == SectionId::Graph {
        rest.into_words(section, what, metrics, are_idle)
    } else {
        rest.into_cells(section, what)
    }
}

/// The sum of some rows.
struct Rest {
    n_rows: u64,
    /// For each column whether its cells can be added up.
    adds_up: Box<[bool]>,
    cells: Vec<Cell>,
}

impl Rest {
    fn new(section: &Section<'_>) -> Self {
        let adds_up = |column| adds_up(section.id, column);
        Self {
            n_rows: 0,
            adds_up: section.columns.iter().map(adds_up).collect(),
            cells: vec![Cell::Absent; section.columns.len()],
        }
    }

    fn add(&mut self, row: &Row<'_>) {
        self.n_rows += 1;
        let columns = self.cells.iter_mut().zip(row.cells).zip(&self.adds_up);
        for ((sum, cell), _) in columns.filter(|(_, adds_up)| **adds_up) {
            *sum = plus(sum, cell);
        }
    }

    /// The sums, and in the cell of the name how many rows these are.
    fn into_cells(mut self, section: &Section<'_>, [one, many]: [&str; 2]) -> Vec<Cell> {
        let n_rows = counted(self.n_rows, &format!("more {one}"), &format!("more {many}"));
        if let Some(name) = name_column(section) {
            self.cells[name] = Cell::text(format!("... {n_rows}"));
        }
        self.cells
    }

    /// All that there is to say in the cell of the name.
    fn into_words(
        self,
        section: &Section<'_>,
        what: [&str; 2],
        metrics: &[Metric],
        are_idle: bool,
    ) -> Vec<Cell> {
        let shown = |role: Role| {
            let mut columns = section.columns.iter();
            columns.position(|column| column.role == role && column.print.is_some())
        };
        let mut said = String::new();
        if let Some(column) = shown(Role::SelfValue) {
            let unit = unit_of(&section.columns[column], metrics);
            match self.cells[column] {
                Cell::Real(sum) => said = format!(", {} {unit}", fixed(sum, 2)),
                Cell::Integer(sum) => said = format!(", {sum} {unit}"),
                _ => {}
            }
        }
        if let Some(column) = shown(Role::Calls)
            && let Cell::Integer(calls) = self.cells[column]
        {
            said = format!("{said}, {}", counted(calls, "call", "calls"));
        }
        let has = |role: Role| section.columns.iter().any(|one| one.role == role);
        if are_idle && has(Role::Verdict) {
            // What was counted is never unclear.
            said.push_str(match has(Role::Limit) {
                true => " unclear or the same",
                false => " the same",
            });
        }
        if are_idle {
            said.push_str("; --all shows them");
        }
        let mut cells = self.into_cells(section, what);
        for (place, cell) in cells.iter_mut().enumerate() {
            match cell {
                Cell::Text(what) => *cell = Cell::text([&**what, said.as_bytes()].concat()),
                _ if section.columns[place].print.is_some() => *cell = Cell::Absent,
                _ => {}
            }
        }
        cells
    }
}

/// The sum of two cells; of what cannot be added up, the first.
pub(super) fn plus(sum: &Cell, cell: &Cell) -> Cell {
    match (sum, cell) {
        (Cell::Absent, cell) => cell.clone(),
        (Cell::Integer(sum), Cell::Integer(number)) => Cell::Integer(sum.saturating_add(*number)),
        (Cell::Real(sum), Cell::Real(number)) => Cell::Real(sum + number),
        (sum, _) => sum.clone(),
    }
}

/// What the numbers of a column are counted in.
pub(super) fn unit_of<'c>(column: &'c Column, metrics: &'c [Metric]) -> &'c str {
    let of_time = column.id.strip_prefix("self_");
    let of_metric = || Some(&*metrics.get(column.metric?)?.unit);
    let unit = of_time.or_else(of_metric);
    unit.unwrap_or(column.head[1].trim())
}

/// The column that says what a row is about.
pub(super) fn name_column(section: &Section<'_>) -> Option<usize> {
    let columns = || section.columns.iter();
    let with = |role: Role| columns().position(|column| column.role == role);
    let printed = || columns().rposition(|column| column.print.is_some());
    match section.id {
        SectionId::Sizes | SectionId::TraceSizes => section.column("size"),
        _ => with(Role::Name).or(with(Role::Source)).or_else(printed),
    }
}

/// What rows have in common with others, as totals have, must not count twice; and
/// numbers of events, limits and shares of different wholes have no sum.
fn adds_up(section: SectionId, column: &Column) -> bool {
    let is_graph = section == SectionId::Graph;
    match column.role {
        Role::SelfValue => true,
        Role::Old | Role::New | Role::Change => !column.id.starts_with("total_"),
        Role::Calls => !is_graph || column.id == "calls",
        Role::Count => !is_graph && !matches!(&*column.id, "low" | "high" | "events"),
        Role::Share if is_graph => column.id == "self_percent",
        Role::Share => section != SectionId::Coverage && column.id != "total_percent",
        _ => false,
    }
}
