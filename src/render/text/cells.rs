//! Cells of tables, and the marks beside them.

use super::names::NameWriter;
use crate::report::number::{digits, duration, grouped, push_fixed, size};
use crate::report::{Cell, FittingUnit, Print, Row, Section, SectionId, Text};

/// Maximum indent of inlined functions and frames.
pub(super) const DEEP_INDENT: usize = 20;

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

    /// Adds the name of an inlined function, indented by depth, with its call site.
    pub(in crate::render) fn push(self, text: &mut Text, row: &Row<'_>, names: &NameWriter<'_>) {
        let cell = |place: Option<usize>| place.map(|place| &row.cells[place]);
        if let Some(Cell::Integer(depth)) = cell(self.depth) {
            let depth = usize::try_from(*depth).unwrap_or(0);
            text.blanks(2 * depth.min(DEEP_INDENT) + 2);
        }
        let call = match (cell(self.call_file), cell(self.call_line)) {
            (Some(Cell::Text(file)), Some(Cell::Integer(line))) => {
                let file = names.printable(names.shown_file(file));
                Some([&*file, format!(":{line}").as_bytes()].concat())
            }
            _ => None,
        };
        if let Some(name) = cell(self.name) {
            names.push_inlined(text, name, call.as_deref());
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
pub(super) fn push_signs(text: &mut Text, cell: &Cell, width: u8, names: &NameWriter<'_>) {
    let start = text.len();
    names.push(text, cell);
    text.align_left(start, usize::from(width));
}

/// Adds a cell in its format; nothing if absent.
pub(in crate::render) fn push_cell(
    text: &mut Text,
    cell: &Cell,
    print: Print,
    names: &NameWriter<'_>,
) {
    match cell {
        Cell::Real(number) => {
            let mut bytes = Vec::new();
            match print.unit {
                Some(FittingUnit::Seconds) => bytes.extend(duration(*number).bytes()),
                _ => push_fixed(&mut bytes, *number, usize::from(print.decimals)),
            }
            let bytes = without_sign_of_nothing(&bytes);
            let is_more = *number > 0.0 && bytes.iter().any(is_digit_of_something);
            text.word(if print.is_signed && is_more { "+" } else { "" });
            text.word(bytes);
        }
        Cell::Integer(number) if print.is_signed && *number > 0 => {
            text.word("+");
            push_cell(text, cell, Print { is_signed: false, ..print }, names);
        }
        Cell::Integer(bytes) if print.unit == Some(FittingUnit::Bytes) => text.word(size(*bytes)),
        Cell::Integer(count) if print.unit.is_some() => text.word(grouped(*count)),
        Cell::Integer(_) => push_number(text, cell, Print { width: 0, ..print }),
        Cell::Name(_) | Cell::Text(_) => names.push(text, cell),
        Cell::Absent | Cell::Counts(_) => {}
    }
}

/// A heading on a screen, where each time has its unit.
pub(super) fn head_on_screen(head: &str) -> &str {
    if head == "seconds" { "time" } else { head }
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

pub(super) fn width_of(cell: &Cell, print: Print, names: &NameWriter<'_>) -> usize {
    match cell {
        Cell::Integer(number) if print.unit != Some(FittingUnit::Bytes) && !print.is_signed => {
            let n_digits = match u64::try_from(number.unsigned_abs()) {
                Ok(count) => digits(count, &mut [0; 20]).len(),
                Err(_) => number.unsigned_abs().to_string().len(),
            };
            let n_commas = if print.unit.is_some() { (n_digits - 1) / 3 } else { 0 };
            usize::from(*number < 0) + n_digits + n_commas
        }
        cell => {
            let mut text = Text::default();
            push_cell(&mut text, cell, print, names);
            text.len()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::RenderOptions;
    use crate::report::Report;

    #[test]
    fn widths_are_those_of_the_text() {
        let report = Report::default();
        let names = NameWriter::of(&report, RenderOptions::default());
        let huge = i128::from(u64::MAX) + 1;
        for number in [0, 7, 999, 1000, -1000, 123_456, -123_456_789, huge, -huge] {
            for unit in [None, Some(FittingUnit::Count), Some(FittingUnit::Bytes)] {
                let print = Print { unit, ..Print::new(0, 0) };
                let mut text = Text::default();
                push_cell(&mut text, &Cell::Integer(number), print, &names);
                assert_eq!(width_of(&Cell::Integer(number), print, &names), text.len(), "{number}");
            }
        }
    }
}
