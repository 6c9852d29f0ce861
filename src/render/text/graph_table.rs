//! The call graph in columns as wide as their numbers.

use std::io;

use super::Page;
use super::graph::EntryState;
use super::heat::Heat;
use super::names::Names;
use super::sizes::Sizes;
use super::table::{push_cell, width_of};
use crate::report::{Cell, Column, Print, Role, Row, RowKind, Section, Text};

/// Where the columns are, and how wide.
struct Places<'s> {
    index: usize,
    /// The share, unless others are asked for.
    percent: Option<(usize, Print)>,
    /// What stands between the share and the name: where, how, and the total behind a
    /// slash where there is one.
    numbers: Vec<Number<'s>>,
    name: usize,
    cycle: usize,
    unlisted: usize,
    recursive: usize,
    margins: Margins,
}

/// How wide what stands around the numbers is.
#[derive(Clone, Copy)]
struct Margins {
    /// Columns of the share, which stands in front of the numbers.
    first_width: usize,
    before_name: usize,
}

impl Margins {
    const USUAL: Self = Self {
        first_width: 9,
        before_name: 5,
    };
    const ON_SCREEN: Self = Self {
        first_width: 6,
        before_name: 2,
    };
}

struct Number<'s> {
    column: &'s Column,
    place: usize,
    print: Print,
    /// The column of the callee's total, which stands behind a slash.
    of: Option<usize>,
    /// The column of calls to itself, which stand behind a plus.
    plus: Option<usize>,
    width: usize,
}

impl<'s> Places<'s> {
    fn of(
        section: &'s Section<'_>,
        sizes: Sizes<'_>,
        is_on_screen: bool,
        shows_error: bool,
    ) -> Option<Self> {
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
        let columns = section.columns.iter().enumerate();
        let numbers = columns.filter(|(_, column)| is_number(column));
        let numbers = numbers.filter_map(|(place, column)| {
            let print = sizes.spelled(section.print_of(place, shows_error)?, column);
            Some(Number {
                column,
                place,
                print,
                of: section.column(&format!("of_{}", column.id)),
                plus: section
                    .column("self_calls")
                    .filter(|_| is_on_screen && column.id == "calls"),
                width: if is_on_screen { 0 } else { print.width.into() },
            })
        });
        let margins = if is_on_screen {
            Margins::ON_SCREEN
        } else {
            Margins::USUAL
        };
        Some(Self {
            index: section.column("index")?,
            percent,
            numbers: numbers.collect(),
            name: section.column("name")?,
            cycle: section.column("cycle")?,
            unlisted: section.column("unlisted")?,
            recursive: section.column("recursive")?,
            margins,
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
        if self.is_blank(row) {
            return 0;
        }
        let width = |column: usize| width_of(&row.cells[column], self.print, names);
        let behind = self.behind(row);
        width(self.place) + behind.map_or(0, |(_, column)| 1 + width(column))
    }

    /// What stands behind the number, and behind which sign.
    fn behind(&self, row: &Row<'_>) -> Option<(&'static str, usize)> {
        let total = self.of.filter(|&of| !row.cells[of].is_absent());
        let has_plus = |&plus: &usize| matches!(row.cells[plus], Cell::Integer(1..));
        let itself = self.plus.filter(has_plus);
        let total = total.map(|total| ("/", total));
        total.or_else(|| itself.map(|itself| ("+", itself)))
    }

    /// Whether the row is of a function that nobody is known to have called.
    fn is_blank(&self, row: &Row<'_>) -> bool {
        let is_uncalled = row.kind == RowKind::Entry && row.cells[self.place] == Cell::Integer(0);
        self.plus.is_some() && is_uncalled && self.behind(row).is_none()
    }

    fn push(&self, text: &mut Text, row: &Row<'_>, names: &Names<'_>) {
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

impl Page<'_> {
    pub(super) fn graph_table(&mut self, section: &Section<'_>) -> io::Result<()> {
        let is_on_screen = self.options.screen.is_some();
        let shows_error = self.options.shows_error;
        let Some(mut places) = Places::of(section, self.sizes, is_on_screen, shows_error) else {
            return Ok(());
        };
        places.fit(section, &self.names)?;
        self.title("\t\t\t", &section.title);
        self.text.word("\n\n");
        self.summary(section);
        self.text.word("\n");
        let has_heat = is_on_screen && self.options.has_color;
        let plain = if has_heat { self.plain() } else { "" };
        let Self {
            text, names, out, ..
        } = self;
        push_head(text, section, &places);
        let mut reference = Text::default();
        let mut blank = Text::default();
        push_blank(&mut blank, &places);
        let mut entry = EntryState::default();
        section.rows.for_each(&mut |row| {
            if entry.is_next(row.kind) {
                text.word(RULE);
                text.write_piece(*out)?;
            }
            if row.kind == RowKind::Rest {
                names.push(text, &row.cells[places.name]);
                text.word("\n");
                entry.see(row.kind);
                return Ok(());
            }
            let is_entry = matches!(row.kind, RowKind::Entry | RowKind::Cycle);
            if row.kind == RowKind::Entry && !entry.has_callers {
                text.word(blank.as_bytes());
                text.word("    <spontaneous>\n");
            }
            if is_entry {
                if has_heat {
                    text.word(color_of_entry(
                        &row,
                        places.percent.map(|(percent, _)| percent),
                    ));
                }
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
            push_reference(&mut reference, &row, &places);
            names.push_before(text, &row.cells[places.name], reference.len());
            text.word(reference.as_bytes());
            reference.clear();
            text.word(if is_entry { plain } else { "" });
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

/// The function that an entry is about stands out, and most where much is spent.
fn color_of_entry(row: &Row<'_>, percent: Option<usize>) -> &'static str {
    match Heat::of_row(row, percent) {
        Heat::Hot => Heat::Hot.color(),
        _ => "\x1b[1m",
    }
}

const RULE: &str = "-----------------------------------------------\n";

fn push_head(text: &mut Text, section: &Section<'_>, places: &Places<'_>) {
    let percent = places.percent.map_or(&b""[..], |(percent, _)| {
        section.columns[percent].head[1].as_bytes()
    });
    let width = places.margins.first_width;
    // All that fits of `% seconds` on a screen is the sign.
    let percent = if percent.len() > width { b"%" } else { percent };
    text.left(b"index", 6, 6);
    text.blanks(1);
    text.right(percent, width, usize::MAX);
    for number in &places.numbers {
        text.blanks(1);
        text.right(number.column.head[1].as_bytes(), number.width, usize::MAX);
    }
    text.blanks(places.margins.before_name);
    text.word("name\n");
}

fn push_blank(text: &mut Text, places: &Places<'_>) {
    text.blanks(6 + 1 + places.margins.first_width);
    for number in &places.numbers {
        text.blanks(1 + number.width);
    }
    text.blanks(places.margins.before_name);
}

fn push_entry(text: &mut Text, row: &Row<'_>, places: &Places<'_>, names: &Names<'_>) {
    let index = match &row.cells[places.index] {
        Cell::Integer(index) => format!("[{index}]"),
        _ => String::new(),
    };
    push_numbers(text, row, places, names, &index, places.percent);
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
    text.align_right(start, places.margins.first_width);
    for number in &places.numbers {
        text.blanks(1);
        number.push(text, row, names);
    }
    text.blanks(places.margins.before_name);
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
