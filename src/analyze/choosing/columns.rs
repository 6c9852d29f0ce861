//! Selects and orders columns.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::unit::{is_ranking, name_column};
use super::{NoColumn, RowChoice};
use crate::report::{
    Cell, Column, Layout, Print, Role, Row, RowTable, RowVisitor, Rows, Section, SectionId,
};

/// Checks that each requested column exists in some section.
pub(super) fn check_columns(choice: &RowChoice, sections: &[Section]) -> Result<(), NoColumn> {
    let ranking = || sections.iter().filter(|section| is_ranking(section.id));
    if ranking().next().is_none() {
        return Ok(());
    }
    let mut asked = choice.columns.iter().flatten().chain(&choice.sort);
    let is_nowhere = |name: &&String| !ranking().any(|section| find(section, name).is_some());
    match asked.find(is_nowhere) {
        None => Ok(()),
        Some(column) => Err(NoColumn { column: column.clone(), has: columns_of(ranking()) }),
    }
}

/// The names of all columns, without duplicates, in order.
fn columns_of<'s>(sections: impl Iterator<Item = &'s Section>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in sections.flat_map(|section| &section.columns) {
        let is_said = names.iter().any(|name| **name == *column.id);
        let is_named = column.print.is_some() || is_number(column);
        // Limits are there in some formats only.
        if !is_said && is_named && column.role != Role::Limit {
            names.push(column.id.clone().into_owned());
        }
    }
    names
}

/// The column with this name. `self` also denotes `self_seconds`, if text prints that, and
/// `self_percent` the share of a flat profile.
pub(super) fn find(section: &Section, name: &str) -> Option<usize> {
    let position = |fits: &dyn Fn(&Column) -> bool| section.columns.iter().position(fits);
    let is_timed = |column: &Column| {
        let amounts = [Role::SelfValue, Role::Children, Role::Total, Role::Cumulative];
        let unit = column.id.strip_prefix(name);
        amounts.contains(&column.role) && unit.is_some_and(|unit| unit.starts_with('_'))
    };
    let is_called_so = |column: &Column| column.id == name;
    position(&|column| is_called_so(column) && column.print.is_some())
        .or_else(|| position(&is_timed))
        .or_else(|| position(&is_called_so))
        .or_else(|| if name == "self_percent" { find(section, "percent") } else { None })
}

/// Selects the requested columns, followed by the one that identifies the row. Text hides the
/// others; with `drops`, files omit them. Does nothing if the section lacks all of them.
pub(super) fn project(section: &mut Section, wanted: &[String], drops: bool) {
    let mut shown: Vec<usize> = Vec::new();
    for name in wanted {
        shown.extend(find(section, name).filter(|place| !shown.contains(place)));
    }
    // Text on coverage has a layout of its own.
    let is_fixed = matches!(section.id, SectionId::Coverage | SectionId::CoverageMissed);
    if shown.is_empty() || is_fixed && !drops {
        return;
    }
    let name = name_column(section);
    shown.retain(|&place| Some(place) != name);
    let is_beside = |&place: &usize| {
        let column = &section.columns[place];
        // Entries of a call graph refer to each other by columns that text does not show.
        let is_needed = section.id == SectionId::Graph
            && (column.print.is_none() || !is_number(column))
            || section.id == SectionId::Tree && column.id == "depth";
        let is_dropped = drops && !is_needed;
        !shown.contains(&place) && Some(place) != name && !is_dropped
    };
    let beside: Vec<usize> = (0..section.columns.len()).filter(is_beside).collect();
    let places: Vec<usize> = shown.iter().copied().chain(beside).chain(name).collect();
    let n_shown = shown.len();
    let columns = places.iter().enumerate().map(|(at, &place)| {
        let column = section.columns[place].clone();
        if at < n_shown || Some(place) == name {
            printed(column)
        } else {
            Column { print: None, ..column }
        }
    });
    section.columns = columns.collect();
    let rows = std::mem::replace(&mut section.rows, Box::new(RowTable::default()));
    section.rows = Box::new(Projected { rows, places });
    section.layout = Layout::Table;
}

struct Projected {
    rows: Box<dyn Rows>,
    places: Vec<usize>,
}

impl Rows for Projected {
    fn n_entries(&self) -> usize {
        self.rows.n_entries()
    }

    fn n_rows_of(&self, entry: usize) -> usize {
        self.rows.n_rows_of(entry)
    }

    fn for_each_of(&self, entries: Range<usize>, visit: &mut RowVisitor<'_>) -> io::Result<()> {
        let mut cells: Vec<Cell> = Vec::with_capacity(self.places.len());
        self.rows.for_each_of(entries, &mut |row| {
            cells.clear();
            cells.extend(self.places.iter().map(|&place| row.cells[place].clone()));
            visit(Row { kind: row.kind, cells: &cells })
        })
    }
}

/// The column in automatic width.
fn printed(column: Column) -> Column {
    let print = column.print.unwrap_or(Print::new(0, 2));
    let is_nameless = column.head.iter().all(|line| line.trim().is_empty());
    let head = if is_nameless {
        spelled_out(&column.id)
    } else {
        column.head.map(|line| Cow::Owned(line.trim().to_owned()))
    };
    Column { head, print: Some(Print { width: 0, ..print }), ..column }
}

fn spelled_out(id: &str) -> [Cow<'static, str>; 2] {
    let (first, second) = id.split_once('_').unwrap_or(("", id));
    [first.to_owned(), second.replace('_', " ")].map(Cow::Owned)
}

/// Returns whether a column contains numbers about its row.
fn is_number(column: &Column) -> bool {
    use Role as R;
    matches!(
        column.role,
        R::SelfValue
            | R::Total
            | R::Children
            | R::Cumulative
            | R::Share
            | R::Calls
            | R::Bar
            | R::PerCall
            | R::Limit
            | R::Count
            | R::Old
            | R::New
            | R::Change
    )
}
