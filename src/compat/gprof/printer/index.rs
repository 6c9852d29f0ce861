//! The index of functions by name, in three columns.

use std::io::{self, Write};

use super::{Flavor, Report, number};
use crate::compat::gprof::numbers::{GraphNode, Reference};
use crate::report::Text;

const N_COLUMNS: usize = 3;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut text = Text::default();
    text.word("Index by function name\n\n");
    let entries = &report.analysis.index;
    let n_rows = entries.len().div_ceil(N_COLUMNS);
    for first in 0..n_rows {
        let row = entries[first..].iter().step_by(n_rows);
        match report.options.flavor {
            Flavor::Gnu => push_row(&mut text, row, report, out)?,
            Flavor::Bsd => push_bsd_row(&mut text, row, report),
        }
        text.word("\n");
        text.write_piece(out)?;
    }
    text.write(out)
}

/// A name starts in its column or, when the name before it is too long, behind
/// that. The brackets of numbers do not count towards the place in the line:
/// they are what makes gprof's columns as they are.
fn push_row<'e>(
    text: &mut Text,
    row: impl Iterator<Item = &'e Reference>,
    report: &Report<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = report.options.width.saturating_sub(1) / N_COLUMNS;
    let mut place = 0;
    for (column, entry) in row.enumerate() {
        let number = number(entry);
        place += number.len();
        let gap = (column * width + 5).saturating_sub(place);
        text.write_blanks(gap + 1, out)?;
        place += gap;
        text.word(number);
        text.blanks(1);
        place += push_name(text, entry, report);
    }
    Ok(())
}

/// Adds the name of an entry, and the file of a static function. Returns how many
/// bytes that were.
fn push_name(text: &mut Text, entry: &Reference, report: &Report<'_>) -> usize {
    let id = match entry.subject {
        GraphNode::Function(id) => id,
        GraphNode::Cycle(cycle) => {
            let name = format!("<cycle {}>", cycle.0);
            text.word(&name);
            return name.len();
        }
    };
    let name = report.name(id);
    text.word(&name);
    let Some(file) = report.names.file_of_static(id) else {
        return name.len();
    };
    text.word(" (");
    text.word(&file);
    text.word(")");
    name.len() + file.len() + 3
}

fn push_bsd_row<'e>(
    text: &mut Text,
    row: impl Iterator<Item = &'e Reference>,
    report: &Report<'_>,
) {
    for entry in row {
        text.right(number(entry).as_bytes(), 6, 6);
        text.blanks(1);
        match entry.subject {
            GraphNode::Function(id) => text.left(&report.names.raw(id), 19, 19),
            GraphNode::Cycle(cycle) => text.left(format!("<cycle {}>", cycle.0).as_bytes(), 19, 19),
        }
    }
}
