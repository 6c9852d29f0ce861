//! The call graph in columns as wide as their numbers.

use std::io;

use super::Page;
use super::graph::EntryState;
use super::names::Names;
use super::sizes::Sizes;
use super::table::{push_cell, width_of};
use crate::report::{Cell, Column, Print, Role, Row, RowKind, Section, Text};

/// Where the columns are, and how wide.
struct Places<'s> {
    index: usize,
    percent: (usize, Print),
    /// What stands between the share and the name: where, how, and the total behind a
    /// slash where there is one.
    numbers: Vec<Number<'s>>,
    name: usize,
    cycle: usize,
    unlisted: usize,
    recursive: usize,
}

struct Number<'s> {
    column: &'s Column,
    place: usize,
    print: Print,
    /// The column of the callee's total, which stands behind a slash.
    of: Option<usize>,
    width: usize,
}

impl<'s> Places<'s> {
    fn of(section: &'s Section<'_>, sizes: Sizes<'_>) -> Option<Self> {
        let percent = section.column("percent")?;
        let is_number = |column: &Column| {
            let roles = [Role::SelfValue, Role::Children, Role::Total, Role::Calls];
            roles.contains(&column.role)
        };
        let columns = section.columns.iter().enumerate();
        let numbers = columns.filter(|(_, column)| is_number(column));
        let numbers = numbers.filter_map(|(place, column)| {
            let print = sizes.print(column.print?, column);
            Some(Number {
                column,
                place,
                print,
                of: section.column(&format!("of_{}", column.id)),
                width: usize::from(print.width),
            })
        });
        Some(Self {
            index: section.column("index")?,
            percent: (percent, section.columns[percent].print?),
            numbers: numbers.collect(),
            name: section.column("name")?,
            cycle: section.column("cycle")?,
            unlisted: section.column("unlisted")?,
            recursive: section.column("recursive")?,
        })
    }

    /// Makes columns as wide as their widest cell; those without a cell have no width.
    fn fit(&mut self, section: &Section<'_>, names: &Names<'_>) -> io::Result<()> {
        let mut widths: Vec<usize> = self.numbers.iter().map(|_| 0).collect();
        section.rows.for_each(&mut |row| {
            for (width, number) in widths.iter_mut().zip(&self.numbers) {
                *width = number.width_in(&row, names).max(*width);
            }
            Ok(())
        })?;
        for (number, width) in self.numbers.iter_mut().zip(widths) {
            let head = number.column.head[1].len();
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
    fn width_in(&self, row: &Row<'_>, names: &Names<'_>) -> usize {
        let own = width_of(&row.cells[self.place], self.print, names);
        match self.of.map(|of| &row.cells[of]) {
            None | Some(Cell::Absent) => own,
            Some(of) => own + 1 + width_of(of, self.print, names),
        }
    }

    fn push(&self, text: &mut Text, row: &Row<'_>, names: &Names<'_>) {
        let start = text.len();
        push_cell(text, &row.cells[self.place], self.print, names);
        if let Some(of) = self
            .of
            .map(|of| &row.cells[of])
            .filter(|of| !of.is_absent())
        {
            text.word("/");
            push_cell(text, of, self.print, names);
        }
        text.align_right(start, self.width);
    }
}

impl Page<'_> {
    pub(super) fn graph_table(&mut self, section: &Section<'_>) -> io::Result<()> {
        let Some(mut places) = Places::of(section, self.sizes) else {
            return Ok(());
        };
        places.fit(section, &self.names)?;
        self.title("\t\t\t", &section.title);
        self.text.word("\n\n");
        self.summary(section);
        self.text.word("\n");
        let Self {
            text, names, out, ..
        } = self;
        push_head(text, section, &places);
        let mut blank = Text::default();
        push_blank(&mut blank, &places);
        let mut entry = EntryState::default();
        section.rows.for_each(&mut |row| {
            if entry.is_next(row.kind) {
                text.word(RULE);
                text.write_piece(*out)?;
            }
            let is_entry = matches!(row.kind, RowKind::Entry | RowKind::Cycle);
            if row.kind == RowKind::Entry && !entry.has_callers {
                text.word(blank.as_bytes());
                text.word("    <spontaneous>\n");
            }
            if is_entry {
                push_entry(text, &row, &places, names);
            } else {
                // A table of possible calls may have millions of lines without numbers.
                let numbers = places.numbers.iter();
                if numbers
                    .clone()
                    .all(|number| row.cells[number.place].is_absent())
                {
                    text.word(blank.as_bytes())
                } else {
                    push_numbers(text, &row, &places, names, "", None)
                }
                text.word("    ");
            }
            names.push(text, &row.cells[places.name]);
            push_reference(text, &row, &places);
            text.word("\n");
            entry.see(row.kind);
            Ok(())
        })?;
        if entry.is_open {
            text.word(RULE);
        }
        Ok(())
    }
}

const RULE: &str = "-----------------------------------------------\n";

fn push_head(text: &mut Text, section: &Section<'_>, places: &Places<'_>) {
    let percent = &section.columns[places.percent.0].head[1];
    text.left(b"index", 6, 6);
    text.blanks(1);
    text.right(percent.as_bytes(), 9, usize::MAX);
    for number in &places.numbers {
        text.blanks(1);
        text.right(number.column.head[1].as_bytes(), number.width, usize::MAX);
    }
    text.blanks(5);
    text.word("name\n");
}

fn push_blank(text: &mut Text, places: &Places<'_>) {
    text.blanks(6 + 1 + 9);
    for number in &places.numbers {
        text.blanks(1 + number.width);
    }
    text.blanks(5);
}

fn push_entry(text: &mut Text, row: &Row<'_>, places: &Places<'_>, names: &Names<'_>) {
    let index = match &row.cells[places.index] {
        Cell::Integer(index) => format!("[{index}]"),
        _ => String::new(),
    };
    push_numbers(text, row, places, names, &index, Some(places.percent));
}

/// The columns of a line, as far as the name.
fn push_numbers(
    text: &mut Text,
    row: &Row<'_>,
    places: &Places<'_>,
    names: &Names<'_>,
    index: &str,
    percent: Option<(usize, Print)>,
) {
    text.left(index.as_bytes(), 6, usize::MAX);
    text.blanks(1);
    let start = text.len();
    if let Some((percent, print)) = percent {
        push_cell(text, &row.cells[percent], print, names);
    }
    text.align_right(start, 9);
    for number in &places.numbers {
        text.blanks(1);
        number.push(text, row, names);
    }
    text.blanks(5);
}

/// The number of the entry, in parentheses where it is not shown.
fn push_reference(text: &mut Text, row: &Row<'_>, places: &Places<'_>) {
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
}
