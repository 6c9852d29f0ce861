//! Numbers of lines beside the source, in terminals.

use crate::render::RenderOptions;
use crate::report::{Cell, Row, Section, Text};

/// Columns of the number; a blank follows it.
const WIDTH: usize = 5;

/// What stands between other numbers and a line of source.
pub(super) struct Gutter {
    /// The column of the line's number.
    line: Option<usize>,
    has_color: bool,
}

impl Gutter {
    pub(super) fn of(section: &Section<'_>, options: &RenderOptions) -> Self {
        Self {
            line: section.column("line").filter(|_| options.screen.is_some()),
            has_color: options.has_color,
        }
    }

    /// The columns that it takes.
    pub(super) fn width(&self) -> usize {
        self.line.map_or(0, |_| WIDTH + 1)
    }

    pub(super) fn push(&self, text: &mut Text, row: &Row<'_>) {
        let Some(Cell::Integer(line)) = self.line.map(|line| &row.cells[line]) else {
            return;
        };
        let [green, plain] = if self.has_color {
            ["\x1b[32m", "\x1b[0m"]
        } else {
            [""; 2]
        };
        text.word(green);
        text.right(line.to_string().as_bytes(), WIDTH, usize::MAX);
        text.word(plain);
        text.blanks(1);
    }
}
