//! Tables: number columns and a name at the end of each row.

use std::io;

use super::Page;
use super::names::Names;
use super::room::Number;
use crate::render::ordered::greatest;
use crate::report::number::{digits, push_fixed, size};
use crate::report::{
    Cell, Column, LOWER_BOUND, Layout, Print, Role, Row, RowKind, Section, SectionId, Text,
};

const N_HEADS: usize = 2;

/// Maximum width of padded columns, so that a single long word does not lengthen all rows.
const WIDEST: usize = 1024;

pub(super) const BAR: usize = 20;

impl Page<'_> {
    /// Columns of fixed width, wider for long numbers. The last one contains names of any
    /// length.
    pub(super) fn fixed_table(&mut self, section: &Section) -> io::Result<()> {
        if let Some(columns) = self.options.screen
            && section.layout != Layout::Bsd
        {
            return self.screen_table(section, columns);
        }
        let Some(table) = TableShape::of(section, &self.names) else {
            return Ok(());
        };
        let (text, names) = (&mut self.text, self.names);
        for line in 0..N_HEADS {
            for (place, number) in table.numbers.iter().enumerate() {
                // The first word of the widest heading may touch the column before it.
                let width = usize::from(number.print.width) + usize::from(place > 0);
                text.right(number.head[line].as_bytes(), width, width);
            }
            text.blanks(2);
            text.left(table.last.head[line].as_bytes(), 8, 8);
            text.word("\n");
        }
        let is_bsd = section.layout == Layout::Bsd;
        let (index, cycle) = (section.column("index"), section.column("cycle"));
        let bound = section.column(LOWER_BOUND);
        let inlined = InlinePlaces::of(section);
        let (numbers, name_place) = (&table.numbers, table.last.place);
        self.each_block(section, &|text, part| {
            part.for_each(text, |text, row| {
                for (place, &Number { place: column, print, .. }) in numbers.iter().enumerate() {
                    text.blanks(usize::from(place > 0));
                    match &row.cells[column] {
                        signs @ Cell::Text(_) => push_signs(text, signs, print.width, &names),
                        number => push_number(text, number, print),
                    }
                }
                text.blanks(2);
                let name = &row.cells[name_place];
                match index.map(|index| &row.cells[index]) {
                    Some(Cell::Integer(number)) if is_bsd => {
                        let cycle = match cycle.map(|cycle| &row.cells[cycle]) {
                            Some(Cell::Integer(cycle)) => format!(" <cycle {cycle}>"),
                            _ => String::new(),
                        };
                        let reference = format!("{cycle} [{number}]");
                        names.push_linkage_before(text, name, reference.len());
                        text.word(reference);
                    }
                    _ if is_bsd => names.push_linkage_before(text, name, 0),
                    _ if row.kind == RowKind::Inline => push_inlined(text, &row, inlined, &names),
                    _ => names.push(text, name),
                }
                push_bound(text, &row, bound);
                text.word("\n");
            })
        })
    }

    /// Columns in automatic width, separated by two blanks; names come last. No upper heading
    /// line if it would be empty.
    pub(super) fn table(&mut self, section: &Section) -> io::Result<()> {
        if let Some(columns) = self.options.screen {
            return self.screen_table(section, columns);
        }
        let Some(mut table) = TableShape::of(section, &self.names) else {
            return Ok(());
        };
        let names = self.names;
        let numbers = &table.numbers;
        let measure = |row: &Row<'_>, greatest: &mut [usize]| {
            let Some((has_rows, widths)) = greatest.split_first_mut() else {
                return;
            };
            *has_rows = 1;
            for (width, number) in widths.iter_mut().zip(numbers) {
                let needed = width_of(&row.cells[number.place], number.print, &names);
                *width = needed.min(WIDEST).max(*width);
            }
        };
        let mut widths = greatest(&*section.rows, 1 + numbers.len(), &measure)?;
        let has_rows = widths.remove(0) > 0;
        // A sentence says that nothing differs.
        if section.id == SectionId::Difference && !has_rows {
            return Ok(());
        }
        for (number, width) in table.numbers.iter_mut().zip(widths) {
            let heads = number.head.iter().map(|line| line.len());
            number.width = heads.fold(width, usize::max);
        }
        let numbers = &table.numbers;
        let is_blank = |line: usize| {
            numbers.iter().all(|number| number.head[line].is_empty())
                && table.last.head[line].is_empty()
        };
        let mut line = Text::default();
        for head in (0..N_HEADS).filter(|&line| !is_blank(line)) {
            for number in numbers {
                let start = line.len();
                line.word(number.head[head].as_bytes());
                number.align(&mut line, start);
                line.blanks(2);
            }
            line.word(table.last.head[head].as_bytes());
            end_line(&mut self.text, &mut line);
        }
        let last = table.last_column();
        self.each_block(section, &|text, part| {
            let mut line = Text::default();
            part.for_each(text, |text, row| {
                for number in numbers {
                    let start = line.len();
                    push_cell(&mut line, &row.cells[number.place], number.print, &names);
                    number.align(&mut line, start);
                    line.blanks(2);
                }
                push_last(&mut line, &row, last, &names);
                end_line(text, &mut line);
            })
        })
    }
}

pub(super) struct TableShape<'s> {
    pub(super) section: &'s Section,
    /// All but the last column.
    pub(super) numbers: Vec<Number<'s>>,
    pub(super) last: Number<'s>,
    /// The column with the depth of the last one, if any.
    depth: Option<usize>,
    /// The column that marks lower bounds, if any.
    bound: Option<usize>,
}

/// The last column of a table, and the columns that are shown with it.
#[derive(Clone, Copy)]
pub(super) struct LastColumn<'s> {
    number: &'s Number<'s>,
    depth: Option<usize>,
    bound: Option<usize>,
}

impl<'s> TableShape<'s> {
    pub(super) fn of(section: &'s Section, names: &Names<'_>) -> Option<Self> {
        let shown = |(place, column): (usize, &'s Column)| {
            let print = names.print_of(section, place)?;
            Some(Number { width: 0, ..Number::new(place, column, print) })
        };
        let columns = section.columns.iter().enumerate();
        let mut numbers: Vec<_> = columns.filter_map(shown).collect();
        let last = numbers.pop()?;
        Some(Self {
            section,
            numbers,
            last,
            depth: depth_column(section),
            bound: section.column(LOWER_BOUND),
        })
    }

    pub(super) fn last_column(&self) -> LastColumn<'_> {
        LastColumn { number: &self.last, depth: self.depth, bound: self.bound }
    }
}

impl Number<'_> {
    /// Aligns the text from `start` within the column: words follow their heading.
    pub(super) fn align(&self, text: &mut Text, start: usize) {
        if matches!(self.role, Role::Verdict | Role::Failure | Role::Name) {
            text.align_left(start, self.width);
        } else {
            text.align_right(start, self.width);
        }
    }
}

/// Adds the name of an inlined function, indented by depth, with its call site.
pub(in crate::render) fn push_inlined(
    text: &mut Text,
    row: &Row<'_>,
    places: InlinePlaces,
    names: &Names<'_>,
) {
    let cell = |place: Option<usize>| place.map(|place| &row.cells[place]);
    if let Some(Cell::Integer(depth)) = cell(places.depth) {
        let depth = usize::try_from(*depth).unwrap_or(0);
        text.blanks(2 * depth.min(MAX_INDENT) + 2);
    }
    let call = match (cell(places.call_file), cell(places.call_line)) {
        (Some(Cell::Text(file)), Some(Cell::Integer(line))) => {
            let file = names.printable(names.shown_file(file));
            Some([&*file, format!(":{line}").as_bytes()].concat())
        }
        _ => None,
    };
    if let Some(name) = cell(places.name) {
        names.push_inlined(text, name, call.as_deref());
    }
}

/// The columns of an inlined function's depth and call site.
#[derive(Clone, Copy)]
pub(in crate::render) struct InlinePlaces {
    depth: Option<usize>,
    call_file: Option<usize>,
    call_line: Option<usize>,
    name: Option<usize>,
}

impl InlinePlaces {
    pub(in crate::render) fn of(section: &Section) -> Self {
        Self {
            depth: section.column("depth"),
            call_file: section.column("call_file"),
            call_line: section.column("call_line"),
            name: section.column("name"),
        }
    }
}

/// The column of a call-tree frame's depth.
pub(in crate::render) fn depth_column(section: &Section) -> Option<usize> {
    let depth = section.column("depth");
    depth.filter(|_| matches!(section.id, SectionId::Tree | SectionId::TreeDifference))
}

/// The depth of a frame.
pub(in crate::render) fn depth_of(row: &Row<'_>, column: Option<usize>) -> Option<usize> {
    match row.cells[column?] {
        Cell::Integer(depth) => usize::try_from(depth).ok(),
        _ => None,
    }
}

/// Maximum indent of inlined functions and frames.
const MAX_INDENT: usize = 20;

fn end_line(text: &mut Text, line: &mut Text) {
    text.word(line.as_bytes().trim_ascii_end());
    text.word("\n");
    line.clear();
}

pub(super) fn push_last(line: &mut Text, row: &Row<'_>, last: LastColumn<'_>, names: &Names<'_>) {
    let column = last.number;
    if let Some(depth) = depth_of(row, last.depth) {
        line.blanks(2 * depth.min(MAX_INDENT));
        if depth > MAX_INDENT {
            line.word(format!("({depth}) "));
        }
    }
    match (&row.cells[column.place], column.role) {
        (Cell::Real(share), Role::Bar) => line.word("#".repeat(length_of_bar(*share, BAR))),
        (cell, Role::Source) => names.push_source(line, cell),
        (cell, _) => {
            match row.kind {
                RowKind::Frame => line.word("  by "),
                RowKind::Caller | RowKind::Callee | RowKind::Member => line.blanks(4),
                _ => {}
            }
            names.push(line, cell);
        }
    }
    push_bound(line, row, last.bound);
}

/// A bar for a share of the longest; at least one unit for any positive share.
pub(super) fn length_of_bar(share: f64, longest: usize) -> usize {
    whole((share.clamp(0.0, 1.0) * longest as f64).ceil())
}

/// A bar of rounded length, next to its number; empty for small shares.
pub(super) fn length_of_rounded_bar(share: f64, longest: usize) -> usize {
    whole((share.clamp(0.0, 1.0) * longest as f64).round())
}

#[expect(clippy::cast_possible_truncation, reason = "bars are short")]
#[expect(clippy::cast_sign_loss, reason = "nothing is less than never")]
fn whole(length: f64) -> usize {
    length as usize
}

/// Adds the mark of a lower bound, if the row has one.
pub(in crate::render) fn push_bound(text: &mut Text, row: &Row<'_>, column: Option<usize>) {
    if column.is_some_and(|column| !row.cells[column].is_absent()) {
        text.word(" (at least)");
    }
}

/// Adds a right-aligned number; blanks if absent.
pub(super) fn push_number(text: &mut Text, cell: &Cell, print: Print) {
    let width = usize::from(print.width);
    match cell {
        Cell::Integer(number) => match u64::try_from(*number) {
            Ok(count) => text.count(count, width),
            Err(_) => text.right(number.to_string().as_bytes(), width, usize::MAX),
        },
        Cell::Real(number) => text.fixed(*number, usize::from(print.decimals), width),
        _ => text.blanks(width),
    }
}

/// Adds marks directly after the number before them.
pub(super) fn push_signs(text: &mut Text, cell: &Cell, width: u8, names: &Names<'_>) {
    let start = text.len();
    names.push(text, cell);
    text.align_left(start, usize::from(width));
}

/// Adds a cell in its format; nothing if absent.
pub(in crate::render) fn push_cell(text: &mut Text, cell: &Cell, print: Print, names: &Names<'_>) {
    match cell {
        Cell::Real(number) => {
            let mut bytes = Vec::new();
            push_fixed(&mut bytes, *number, usize::from(print.decimals));
            let bytes = without_sign_of_nothing(&bytes);
            let is_more = *number > 0.0 && bytes.iter().any(is_digit_of_something);
            text.word(if print.is_signed && is_more { "+" } else { "" });
            text.word(bytes);
        }
        Cell::Integer(number) if print.is_signed && *number > 0 => {
            text.word("+");
            push_cell(text, cell, Print { is_signed: false, ..print }, names);
        }
        Cell::Integer(bytes) if print.is_size => text.word(size(*bytes)),
        Cell::Integer(_) => push_number(text, cell, Print { width: 0, ..print }),
        Cell::Name(_) | Cell::Text(_) => names.push(text, cell),
        Cell::Absent | Cell::Counts(_) => {}
    }
}

/// Removes the sign of a rounded zero.
fn without_sign_of_nothing(number: &[u8]) -> &[u8] {
    match number.strip_prefix(b"-") {
        Some(rest) if !rest.iter().any(is_digit_of_something) => rest,
        _ => number,
    }
}

fn is_digit_of_something(byte: &u8) -> bool {
    (b'1'..=b'9').contains(byte)
}

pub(super) fn width_of(cell: &Cell, print: Print, names: &Names<'_>) -> usize {
    match cell {
        Cell::Integer(number) if !print.is_size && !print.is_signed => match u64::try_from(*number)
        {
            Ok(count) => digits(count, &mut [0; 20]).len(),
            Err(_) => number.to_string().len(),
        },
        cell => {
            let mut text = Text::default();
            push_cell(&mut text, cell, print, names);
            text.len()
        }
    }
}
