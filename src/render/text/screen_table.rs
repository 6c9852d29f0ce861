//! Tables that fit a terminal: columns as wide as they have to be, those that say least
//! left out where names would get no room, and colour by share.

use std::borrow::Cow;
use std::io;

use super::Page;
use super::heat::{Heat, share_column};
use super::table::{Shape, length_of_bar, push_cell, push_inlined, push_last, width_of};
use crate::report::width::display_width;
use crate::report::{Cell, Print, Role, Row, RowKind, Section, Text};

/// Characters of the longest bar behind a share.
const BAR: usize = 10;

/// A column of numbers, or of bars.
struct Number<'s> {
    place: usize,
    print: Print,
    role: Role,
    head: [&'s str; 2],
    width: usize,
    /// Some row has something in it.
    has_cells: bool,
}

impl Number<'_> {
    fn width_with_gap(&self) -> usize {
        let gap = if self.role == Role::Bar { 1 } else { 2 };
        self.width + gap
    }
}

impl Page<'_> {
    /// A table that is as wide as the terminal at most.
    pub(super) fn screen_table(&mut self, section: &Section<'_>, columns: usize) -> io::Result<()> {
        let Some(shape) = Shape::of(section, self.sizes, self.options.shows_error) else {
            return Ok(());
        };
        let mut numbers = numbers_of(section, &shape);
        let longest_name = self.measure(section, &shape, &mut numbers)?;
        numbers.retain(|number| number.has_cells);
        make_room(&mut numbers, columns, longest_name);
        self.push_heads(&numbers, &shape);
        let share = share_column(section);
        let (has_color, plain) = (self.options.has_color, self.plain());
        let Self {
            text, names, out, ..
        } = self;
        let mut line = Text::default();
        section.rows.for_each(&mut |row| {
            let heat = match row.kind {
                RowKind::Rest => Heat::Faint,
                _ => Heat::of_row(&row, share),
            };
            let color = if has_color { heat.color() } else { "" };
            if is_in_words(&row, &shape) {
                names.push(&mut line, &row.cells[shape.name]);
            } else {
                push_numbers(&mut line, &row, &numbers, names);
                match row.kind {
                    RowKind::Inline => push_inlined(&mut line, &row, section, names),
                    _ => push_last(&mut line, &row, &shape, names),
                }
            }
            text.word(color);
            text.word(line.as_bytes().trim_ascii_end());
            text.word(if color.is_empty() { "" } else { plain });
            text.word("\n");
            line.clear();
            text.write_piece(*out)
        })
    }

    /// Makes columns as wide as their widest cell, and sees which have any. Returns the
    /// width of the widest name.
    fn measure(
        &self,
        section: &Section<'_>,
        shape: &Shape<'_>,
        numbers: &mut [Number<'_>],
    ) -> io::Result<usize> {
        let mut longest_name = shape.name_head.iter().map(|head| head.len()).max();
        section.rows.for_each(&mut |row| {
            if is_in_words(&row, shape) {
                return Ok(());
            }
            for number in &mut *numbers {
                let cell = &row.cells[number.place];
                number.has_cells |= !cell.is_absent();
                if number.role != Role::Bar {
                    let width = width_of(cell, number.print, &self.names);
                    number.width = number.width.max(width);
                }
            }
            let mut name = Text::default();
            push_last(&mut name, &row, shape, &self.names);
            longest_name = longest_name.max(Some(display_width(name.as_bytes())));
            Ok(())
        })?;
        Ok(longest_name.unwrap_or(0))
    }

    fn push_heads(&mut self, numbers: &[Number<'_>], shape: &Shape<'_>) {
        let mut text = Text::default();
        let name_heads = shape.name_head.iter().enumerate();
        for (line, name_head) in name_heads {
            let is_blank = numbers.iter().all(|number| number.head[line].is_empty());
            if is_blank && name_head.is_empty() {
                continue;
            }
            for number in numbers {
                let start = text.len();
                text.word(number.head[line]);
                text.align_right(start, number.width);
                text.blanks(number.width_with_gap() - number.width);
            }
            text.word(name_head.as_bytes());
            self.text.word(text.as_bytes().trim_ascii_end());
            self.text.word("\n");
            text.clear();
        }
    }
}

fn numbers_of<'s>(section: &'s Section<'_>, shape: &Shape<'s>) -> Vec<Number<'s>> {
    let number = |&(place, print, head): &(usize, Print, &'s [Cow<'static, str>; 2])| {
        let head = [head[0].trim(), head[1].trim()];
        let role = section.columns[place].role;
        Number {
            place,
            print,
            role,
            head,
            width: match role {
                Role::Bar => BAR,
                _ => head[0].len().max(head[1].len()),
            },
            has_cells: false,
        }
    };
    shape.numbers.iter().map(number).collect()
}

/// What is left out where names get no good part of the line, the first one first: costs
/// of one call, bars, running sums.
const IN_THE_WAY: [Role; 3] = [Role::PerCall, Role::Bar, Role::Cumulative];

/// What is left out where they get hardly any: totals, whose share says most, and calls.
const IF_NEED_BE: [Role; 2] = [Role::Total, Role::Calls];

/// Leaves columns out until names have the room that they need, or what is fair.
fn make_room(numbers: &mut Vec<Number<'_>>, columns: usize, longest_name: usize) {
    let good_part = longest_name.min(columns / 5 * 2);
    let least_part = longest_name.min(columns / 4);
    leave_out(&IN_THE_WAY, numbers, columns.saturating_sub(good_part));
    leave_out(&IF_NEED_BE, numbers, columns.saturating_sub(least_part));
}

/// Leaves out columns of these roles, the last ones first, until the others take so much
/// of the line at most.
fn leave_out(roles: &[Role], numbers: &mut Vec<Number<'_>>, room: usize) {
    for &role in roles {
        while let Some(place) = numbers.iter().rposition(|number| number.role == role) {
            let widths = numbers.iter().map(Number::width_with_gap);
            if widths.sum::<usize>() <= room {
                return;
            }
            numbers.remove(place);
        }
    }
}

fn push_numbers(
    line: &mut Text,
    row: &Row<'_>,
    numbers: &[Number<'_>],
    names: &super::names::Names<'_>,
) {
    for number in numbers {
        let start = line.column();
        let from = line.len();
        match (&row.cells[number.place], number.role) {
            (Cell::Real(share), Role::Bar) => {
                line.word("#".repeat(length_of_bar(*share, BAR)));
                line.align_left(from, number.width);
            }
            (cell, _) => {
                push_cell(line, cell, number.print, names);
                line.align_right(from, number.width);
            }
        }
        let width = line.column() - start;
        line.blanks(number.width_with_gap().saturating_sub(width));
    }
}

/// Whether all that a row says is in the words at its end, which start where the line
/// does.
fn is_in_words(row: &Row<'_>, shape: &Shape<'_>) -> bool {
    let mut numbers = shape.numbers.iter();
    row.kind == RowKind::Rest && numbers.all(|&(place, ..)| row.cells[place].is_absent())
}
