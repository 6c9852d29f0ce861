//! The row of omitted entries, and the percentages of the shown ones.

use super::unit::{RowGroup, name_column, self_columns, shown_by_place, unit_of};
use crate::report::number::{counted, fixed};
use crate::report::{Cell, Column, Metric, Role, RowKind, Section, SectionId};

/// Words for omitted entries.
#[derive(Clone, Copy)]
pub(super) struct RestWords {
    /// Singular and plural.
    pub(super) what: [&'static str; 2],
    /// They only have calls.
    pub(super) are_zero_cost: bool,
    /// Name the option that shows them.
    pub(super) names_all: bool,
}

/// The cells of the sum of omitted entries, so that columns still add up. If these have only
/// calls, a sentence with the option to show them.
pub(super) fn rest_of(
    section: &Section,
    units: &[RowGroup],
    said: RestWords,
    metrics: &[Metric],
) -> Vec<Cell> {
    let [one, many] = said.what;
    let is_shown = shown_by_place(units);
    let columns = section.columns.iter();
    let adds_up: Vec<bool> = columns.map(|one| adds_up(section.id, one)).collect();
    let mut cells = vec![Cell::Absent; adds_up.len()];
    let mut n_rows = 0_u64;
    let mut place = 0..;
    // The callback never fails.
    let _ = section.rows.for_each_head(&mut |row| {
        let is_left_out = place.next().and_then(|place: usize| is_shown.get(place)) == Some(&false);
        // The parts of an entry are in its numbers, and cycles are sums of entries.
        if is_left_out && row.kind == RowKind::Entry {
            n_rows += 1;
            let columns = cells.iter_mut().zip(row.cells).zip(&adds_up);
            for ((sum, cell), _) in columns.filter(|(_, adds_up)| **adds_up) {
                *sum = plus(sum, cell);
            }
        }
        Ok(())
    });
    let n_rows = counted(n_rows, &format!("more {one}"), &format!("more {many}"));
    let mut words = format!("... {n_rows}");
    if said.are_zero_cost || section.id == SectionId::Graph {
        words += &in_words(section, &cells, metrics, said);
        let columns = section.columns.iter().zip(&mut cells);
        let shown = columns.filter(|(column, _)| column.print.is_some());
        shown.for_each(|(_, cell)| *cell = Cell::Absent);
    }
    if let Some(name) = name_column(section) {
        cells[name] = words.into();
    }
    cells
}

/// The text after the number of omitted rows.
fn in_words(section: &Section, sums: &[Cell], metrics: &[Metric], words: RestWords) -> String {
    let mut said = String::new();
    if let Some(column) = section.shown_column(Role::SelfValue) {
        let unit = unit_of(&section.columns[column], metrics);
        match sums[column] {
            Cell::Real(sum) => {
                said = format!(", {} {unit}", fixed(sum, section.time_decimals().into()));
            }
            Cell::Integer(sum) => said = format!(", {sum} {unit}"),
            _ => {}
        }
    }
    if let Some(column) = section.shown_column(Role::Calls)
        && let Cell::Integer(calls) = sums[column]
    {
        said = format!("{said}, {}", counted(calls, "call", "calls"));
    }
    let has = |role: Role| section.columns.iter().any(|one| one.role == role);
    // Counted numbers are never unclear.
    said += match has(Role::Limit) {
        _ if !words.are_zero_cost || !has(Role::Verdict) => "",
        true => " unclear or the same",
        false => " the same",
    };
    if words.are_zero_cost || words.names_all { said + "; --all shows them" } else { said }
}

/// The sum of two cells; the first one if they cannot be added up.
pub(super) fn plus(sum: &Cell, cell: &Cell) -> Cell {
    match (sum, cell) {
        (Cell::Absent, cell) => cell.clone(),
        (Cell::Integer(sum), Cell::Integer(number)) => Cell::Integer(sum.saturating_add(*number)),
        (Cell::Real(sum), Cell::Real(number)) => Cell::Real(sum + number),
        (sum, _) => sum.clone(),
    }
}

/// Returns whether a column can be added up: not totals, which overlap, and not event
/// numbers, limits and percentages of different wholes.
fn adds_up(section: SectionId, column: &Column) -> bool {
    let is_graph = matches!(section, SectionId::Graph | SectionId::Tree);
    match column.role {
        Role::SelfValue => true,
        Role::Old | Role::New | Role::Change => !column.id.starts_with("total_"),
        Role::Calls => section != SectionId::Tree && (!is_graph || column.id == "calls"),
        Role::Count => {
            section != SectionId::Graph && !matches!(&*column.id, "low" | "high" | "events")
        }
        Role::Share if is_graph => column.id == "self_percent",
        Role::Share => section != SectionId::Coverage && column.id != "total_percent",
        _ => false,
    }
}

/// The factor for percentages of the shown rows; `None` if no row is shown.
pub(super) fn relative_factor(units: &[RowGroup]) -> Option<f64> {
    let percent: f64 = shown(units).map(|unit| unit.self_percent).sum();
    (percent > 0.0).then(|| 100.0 / percent)
}

/// Adds the number of rows and the meaning of their percentages.
pub(super) fn about_shares(
    section: &Section,
    units: &[RowGroup],
    metrics: &[Metric],
    is_relative: bool,
) -> Option<String> {
    let [self_amount, self_percent] = self_columns(section);
    self_percent?;
    let sum = |of: fn(&RowGroup) -> f64| -> f64 { units.iter().map(of).sum() };
    let percent = sum(|unit| unit.self_percent);
    let amount = self_amount.filter(|_| percent > 0.0).map(|column| {
        let unit = unit_of(&section.columns[column], metrics).to_owned();
        let all = sum(|unit| unit.self_amount) * 100.0 / percent;
        (all, unit)
    });
    let decimals = section.time_decimals().into();
    let formatted = |amount: f64, unit: &str| {
        let decimals = if unit.contains("second") { decimals } else { 0 };
        format!("{} {unit}", fixed(amount, decimals))
    };
    Some(match (is_relative, amount) {
        (true, Some((_, unit))) => {
            let shown = shown(units).map(|unit| unit.self_amount).sum();
            format!("Percentages are of the {} shown.", formatted(shown, &unit))
        }
        (true, None) => "Percentages are of the rows shown.".to_owned(),
        (false, Some((all, unit))) => {
            format!("Percentages are of the total {}.", formatted(all, &unit))
        }
        (false, None) => "Percentages are of the total.".to_owned(),
    })
}

/// The shown entries, except for those omitted earlier.
fn shown(units: &[RowGroup]) -> impl Iterator<Item = &RowGroup> {
    let shown = units.iter().filter(|unit| unit.is_shown);
    shown.filter(|unit| unit.kind != RowKind::Rest)
}
