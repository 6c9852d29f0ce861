//! Positions and widths of call-graph columns, and which ones fit.

use std::io;

use super::cells::{push_bound, push_cell, width_of};
use super::names::NameWriter;
use super::room::{self, Number};
use crate::render::ordered::greatest;
use crate::report::{
    Cell, Column, LOWER_BOUND, Print, Role, Row, RowKind, Section, TAIL_CALL, Text,
};

pub(super) struct ScreenGraphColumns<'s> {
    section: &'s Section,
    pub(super) names: NameWriter<'s>,
    pub(super) index: usize,
    /// The percentage, by default.
    pub(super) percent: Option<(usize, Print)>,
    /// The columns between percentage and name, each with a total after a slash, if any.
    pub(super) numbers: Vec<Number<'s>>,
    pub(super) name: usize,
    pub(super) cycle: usize,
    pub(super) unlisted: usize,
    pub(super) recursive: usize,
    lower_bound: Option<usize>,
    tail_call: Option<usize>,
    pub(super) margins: Margins,
}

/// Widths around the numbers.
#[derive(Clone, Copy)]
pub(super) struct Margins {
    /// Width of the percentage before the numbers.
    pub(super) first_width: usize,
    before_number: usize,
    pub(super) before_name: usize,
}

impl Margins {
    const USUAL: Self = Self { first_width: 9, before_number: 1, before_name: 5 };
    const ON_SCREEN: Self = Self { first_width: 5, before_number: 2, before_name: 2 };

    fn width(self) -> usize {
        6 + 1 + self.first_width + self.before_name
    }
}

impl<'s> ScreenGraphColumns<'s> {
    pub(super) fn of(section: &'s Section, names: NameWriter<'s>) -> Option<Self> {
        let is_on_screen = names.options.screen.is_some();
        let percent = section.column("percent");
        let percent = percent.and_then(|at| Some((at, section.columns[at].print?)));
        let is_number = |column: &Column| {
            let roles = [
                Role::SelfValue,
                Role::Children,
                Role::Total,
                Role::Calls,
                Role::Limit,
                Role::Marks,
            ];
            roles.contains(&column.role)
        };
        let margins = if is_on_screen { Margins::ON_SCREEN } else { Margins::USUAL };
        let columns = section.columns.iter().enumerate();
        let numbers = columns.filter(|(_, column)| is_number(column));
        let numbers = numbers.filter_map(|(place, column)| {
            let print = names.print_of(section, place)?;
            let mut number = Number::new(place, column, print);
            number.gap = if column.is_guess() { 1 } else { margins.before_number };
            number.of = section.column(&format!("of_{}", column.id));
            if is_on_screen {
                number.width = 0;
                let self_calls = section.column("self_calls");
                number.plus = self_calls.filter(|_| column.id == "calls");
            }
            Some(number)
        });
        Some(Self {
            section,
            names,
            index: section.column("index")?,
            percent,
            numbers: numbers.collect(),
            name: section.column("name")?,
            cycle: section.column("cycle")?,
            unlisted: section.column("unlisted")?,
            recursive: section.column("recursive")?,
            lower_bound: section.column(LOWER_BOUND),
            tail_call: section.column(TAIL_CALL),
            margins,
        })
    }

    /// Removes columns on a screen to make room for names: first totals after a slash, which
    /// the entries of callees repeat.
    pub(super) fn make_room(&mut self, columns: usize) -> io::Result<()> {
        let room = columns.saturating_sub(self.margins.width());
        let is_narrow =
            |numbers: &[Number<'_>], needed: usize| room::width_of(numbers) + needed > room;
        // Names are more useful than totals that appear elsewhere too.
        let good_part = columns / 2;
        if !is_narrow(&self.numbers, good_part) {
            return Ok(());
        }
        let longest = self.longest_name()?;
        if is_narrow(&self.numbers, longest.min(good_part)) {
            self.numbers.iter_mut().for_each(|number| {
                number.of = None;
                number.width = 0;
            });
            self.fit()?;
        }
        // The indent and the number of the entry are not part of a name.
        let around = 2 * INDENT;
        let (room, longest) = (room.saturating_sub(around), longest.saturating_sub(around));
        room::make_room(&mut self.numbers, room, longest);
        Ok(())
    }

    /// Width of the longest name with index number and indent.
    fn longest_name(&self) -> io::Result<usize> {
        let mut longest = 0;
        let mut text = Text::default();
        self.section.rows.for_each(&mut |row| {
            text.blanks(if is_entry(row.kind) { 0 } else { INDENT });
            self.names.push(&mut text, &row.cells[self.name]);
            push_reference(&mut text, &row, self);
            longest = longest.max(text.column());
            text.clear();
            Ok(())
        })?;
        Ok(longest)
    }

    /// Sets widths to the widest cell; empty columns have width 0.
    pub(super) fn fit(&mut self) -> io::Result<()> {
        let (numbers, names) = (&self.numbers, &self.names);
        let measure = |row: &Row<'_>, widths: &mut [usize]| {
            for (width, number) in widths.iter_mut().zip(numbers) {
                *width = number.width_in(row, names).max(*width);
            }
        };
        let widths = greatest(&*self.section.rows, numbers.len(), &measure)?;
        for (number, width) in self.numbers.iter_mut().zip(widths) {
            let head = number.head[1].len();
            number.width = match (number.width, width) {
                (0, 0) => 0,
                (least, width) => width.max(least).max(head),
            };
        }
        self.numbers.retain(|number| number.width > 0);
        Ok(())
    }
}

impl Number<'_> {
    fn width_in(&self, row: &Row<'_>, names: &NameWriter<'_>) -> usize {
        if self.is_blank(row) {
            return 0;
        }
        let width = |column: usize| width_of(&row.cells[column], self.print, names);
        let behind = self.behind(row);
        width(self.place) + behind.map_or(0, |(_, column)| 1 + width(column))
    }

    /// The second number of a cell, and its separator.
    fn behind(&self, row: &Row<'_>) -> Option<(&'static str, usize)> {
        let total = self.of.filter(|&of| !row.cells[of].is_absent());
        let has_plus = |&plus: &usize| matches!(row.cells[plus], Cell::Integer(1..));
        let itself = self.plus.filter(has_plus);
        let total = total.map(|total| ("/", total));
        total.or_else(|| itself.map(|itself| ("+", itself)))
    }

    /// Returns whether the function has no known caller.
    fn is_blank(&self, row: &Row<'_>) -> bool {
        let is_uncalled = row.kind == RowKind::Entry && row.cells[self.place] == Cell::Integer(0);
        self.plus.is_some() && is_uncalled && self.behind(row).is_none()
    }

    pub(super) fn push(&self, text: &mut Text, row: &Row<'_>, names: &NameWriter<'_>) {
        let start = text.len();
        if !self.is_blank(row) {
            push_cell(text, &row.cells[self.place], self.print, names);
        }
        if let Some((sign, column)) = self.behind(row) {
            text.word(sign);
            push_cell(text, &row.cells[column], self.print, names);
        }
        text.align_right(start, self.width);
    }
}

pub(super) fn is_entry(kind: RowKind) -> bool {
    matches!(kind, RowKind::Entry | RowKind::Cycle)
}

/// Indent of callers and callees.
pub(super) const INDENT: usize = 4;

/// The index number of the entry, in parentheses if it is not shown.
pub(super) fn push_reference(text: &mut Text, row: &Row<'_>, places: &ScreenGraphColumns<'_>) {
    if let (Cell::Integer(cycle), false) = (&row.cells[places.cycle], row.kind == RowKind::Cycle) {
        text.word(format!(" <cycle {cycle}>"));
    }
    if let Cell::Integer(index) = &row.cells[places.index] {
        match row.cells[places.unlisted] {
            Cell::Absent => text.word(format!(" [{index}]")),
            _ => text.word(format!(" ({index})")),
        }
    }
    if !row.cells[places.recursive].is_absent() {
        text.word(" (recursive)");
    }
    push_bound(text, row, places.lower_bound);
    push_tail_call(text, row, places.tail_call);
}

/// Says of a call that it was a jump at the end of the caller.
pub(super) fn push_tail_call(text: &mut Text, row: &Row<'_>, column: Option<usize>) {
    if column.is_some_and(|column| !row.cells[column].is_absent()) {
        text.word(" (tail call)");
    }
}
