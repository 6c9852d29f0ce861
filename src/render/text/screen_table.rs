//! Tables that fit a terminal: automatic widths, without the least important columns if names
//! need room, coloured by percentage.

use std::io;

use super::Page;
use super::color::{PLAIN, Tint};
use super::names::Names;
use super::room::{Number, make_room};
use super::table::{
    BAR as LONG_BAR, InlinePlaces, TableShape, length_of_bar, length_of_rounded_bar, push_cell,
    push_inlined, push_last, width_of,
};
use crate::report::prose::push_words;
use crate::report::width::display_width;
use crate::report::{Cell, Column, Role, Row, RowKind, Section, Text};

/// Length of the longest bar after a percentage.
const BAR: usize = 10;

/// Sufficient length of bars without names.
const ENOUGH_OF_BAR: usize = 10;

impl Page<'_> {
    pub(super) fn screen_table(&mut self, section: &Section, columns: usize) -> io::Result<()> {
        let Some(table) = ScreenTable::of(section, &self.names, columns)? else {
            return Ok(());
        };
        self.shown = table.numbers().map(|number| number.place).collect();
        self.shown.push(table.last_place());
        table.push_heads(&mut self.text);
        let names = self.names;
        let mut line = Text::default();
        self.each_row(section, |text, row| {
            table.push_row(text, row, &names, &mut line);
        })
    }
}

/// The layout of a table on a screen: its columns, as wide as their widest cells.
pub(super) struct ScreenTable<'s> {
    shape: TableShape<'s>,
    numbers: Vec<Number<'s>>,
    /// Width of the screen.
    columns: usize,
    tint: Tint,
}

impl<'s> ScreenTable<'s> {
    /// Measures all rows; `None` without rows.
    pub(super) fn of(
        section: &'s Section,
        names: &Names<'_>,
        columns: usize,
    ) -> io::Result<Option<Self>> {
        let Some(shape) = TableShape::of(section, names) else {
            return Ok(None);
        };
        let mut numbers = numbers_of(section, &shape);
        let mut has_cells = vec![false; numbers.len()];
        let measured = measure(&shape, names, &mut numbers, &mut has_cells)?;
        let Some(longest_name) = measured else {
            return Ok(None);
        };
        let longest_name = match shape.last.role {
            Role::Bar => longest_name.min(ENOUGH_OF_BAR),
            _ => longest_name,
        };
        let mut has_cells = has_cells.into_iter();
        numbers.retain(|_| has_cells.next() == Some(true));
        if !names.options.keeps_columns {
            make_room(&mut numbers, columns, longest_name);
        }
        Ok(Some(Self { tint: Tint::of(section), shape, numbers, columns }))
    }

    /// The number columns, from the left.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &Number<'s>> {
        self.numbers.iter()
    }

    /// The column after them.
    pub(super) fn last_place(&self) -> usize {
        self.shape.last.place
    }

    /// Adds a row with its line ends: one line, unless it is a sentence. `line` is empty
    /// before and after.
    pub(super) fn push_row(
        &self,
        text: &mut Text,
        row: &Row<'_>,
        names: &Names<'_>,
        line: &mut Text,
    ) {
        let has_color = names.options.has_color;
        let color = if has_color { self.tint.color(row) } else { "" };
        if let Some(words) = words_of(row, &self.shape) {
            let (dots, words) = words.split_at(words.len().min(4));
            // The rest of the line continues below the words.
            line.word(dots);
            push_words(line, &names.printable(words), self.columns);
        } else {
            push_numbers(line, row, &self.numbers, names);
            push_behind(line, row, &self.shape, names, self.columns);
        }
        let plain = if color.is_empty() { "" } else { PLAIN };
        for line in line.as_bytes().split(|&byte| byte == b'\n') {
            text.word(color);
            text.word(line.trim_ascii_end());
            text.word(plain);
            text.word("\n");
        }
        line.clear();
    }

    pub(super) fn push_heads(&self, to: &mut Text) {
        let mut text = Text::default();
        let name_heads = self.shape.last.head.iter().enumerate();
        for (line, name_head) in name_heads {
            let mut numbers = self.numbers.iter();
            let is_blank = numbers.all(|number| number.head[line].trim().is_empty());
            if is_blank && name_head.is_empty() {
                continue;
            }
            for number in &self.numbers {
                let start = text.len();
                text.word(number.head[line].trim());
                number.align(&mut text, start);
                text.blanks(number.gap);
            }
            text.word(name_head.as_bytes());
            to.word(text.as_bytes().trim_ascii_end());
            to.word("\n");
            text.clear();
        }
    }
}

/// Sets widths to the widest cell, and finds empty columns. Returns the width of the longest
/// name; `None` without rows.
fn measure(
    shape: &TableShape<'_>,
    names: &Names<'_>,
    numbers: &mut [Number<'_>],
    has_cells: &mut [bool],
) -> io::Result<Option<usize>> {
    let mut longest_name = None;
    shape.section.rows.for_each(&mut |row| {
        if words_of(&row, shape).is_some() {
            return Ok(());
        }
        for (number, has_cells) in numbers.iter_mut().zip(&mut *has_cells) {
            let cell = &row.cells[number.place];
            *has_cells |= !cell.is_absent();
            if number.role != Role::Bar {
                let width = width_of(cell, number.print, names);
                number.width = number.width.max(width);
            }
        }
        let mut name = Text::default();
        match row.kind {
            RowKind::Inline => {
                let places = InlinePlaces::of(shape.section);
                push_inlined(&mut name, &row, places, names);
            }
            _ => push_last(&mut name, &row, shape.last_column(), names),
        }
        longest_name = longest_name.max(Some(display_width(name.as_bytes())));
        Ok(())
    })?;
    let heads = shape.last.head.iter().map(|head| head.len());
    let longest_head = heads.max().unwrap_or(0);
    Ok(longest_name.map(|name: usize| name.max(longest_head)))
}

fn numbers_of<'s>(section: &'s Section, shape: &TableShape<'s>) -> Vec<Number<'s>> {
    let number = |number: &Number<'s>| {
        let role = role_of(&section.columns[number.place], section);
        let heads = number.head.iter().map(|line| line.trim().len());
        Number {
            role,
            width: match role {
                Role::Bar => BAR,
                _ => heads.max().unwrap_or(0),
            },
            ..*number
        }
    };
    shape.numbers.iter().map(number).collect()
}

/// The role of a column for its priority: in a comparison, calls of either side count as
/// calls.
fn role_of(column: &Column, section: &Section) -> Role {
    let is_of_calls = |column: &Column| column.id.starts_with("calls_");
    let is_change = |column: &&Column| column.role == Role::Change && column.print.is_some();
    let mut changes = section.columns.iter().filter(is_change);
    match column.role {
        Role::Old | Role::New | Role::Change
            if is_of_calls(column) && !changes.all(is_of_calls) =>
        {
            Role::Calls
        }
        role => role,
    }
}

fn push_numbers(line: &mut Text, row: &Row<'_>, numbers: &[Number<'_>], names: &Names<'_>) {
    for number in numbers {
        let start = line.column();
        let from = line.len();
        match (&row.cells[number.place], number.role) {
            (Cell::Real(share), Role::Bar) => {
                line.word("#".repeat(length_of_rounded_bar(*share, number.width)));
                line.align_left(from, number.width);
            }
            (cell, _) => {
                push_cell(line, cell, number.print, names);
                number.align(line, from);
            }
        }
        let width = line.column() - start;
        line.blanks((number.width + number.gap).saturating_sub(width));
    }
}

/// The last column: a name, a bar, or a sentence, possibly on several lines.
fn push_behind(
    line: &mut Text,
    row: &Row<'_>,
    shape: &TableShape<'_>,
    names: &Names<'_>,
    columns: usize,
) {
    match (&row.cells[shape.last.place], shape.last.role) {
        _ if row.kind == RowKind::Inline => {
            push_inlined(line, row, InlinePlaces::of(shape.section), names);
        }
        (Cell::Real(share), Role::Bar) => {
            let room = columns.saturating_sub(line.column());
            line.word("#".repeat(length_of_bar(*share, LONG_BAR.min(room))));
        }
        (sentence @ Cell::Text(_), Role::Other) => names.push_words(line, sentence),
        (rest, _) if row.kind == RowKind::Rest => names.push_words(line, rest),
        _ => push_last(line, row, shape.last_column(), names),
    }
}

/// The sentence of a row that consists of one, which starts at the left.
fn words_of<'r>(row: &Row<'r>, shape: &TableShape<'_>) -> Option<&'r [u8]> {
    let mut numbers = shape.numbers.iter();
    let has_numbers = numbers.any(|number| !row.cells[number.place].is_absent());
    match &row.cells[shape.last.place] {
        Cell::Text(words) if row.kind == RowKind::Rest && !has_numbers => Some(words),
        _ => None,
    }
}
