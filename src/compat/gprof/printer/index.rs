//! The index of functions by name, in three columns.

use std::io::{self, Write};

use super::{GprofReport, push_number};
use crate::compat::gprof::numbers::{GraphNode, NameReference};
use crate::compat::gprof::plan::Flavor;
use crate::report::Text;

const N_COLUMNS: usize = 3;

pub(super) fn write(out: &mut dyn Write, report: &GprofReport<'_>) -> io::Result<()> {
    let mut text = Text::default();
    text.word("Index by function name\n\n");
    let entries = &report.analysis.index;
    let n_rows = entries.len().div_ceil(N_COLUMNS);
    let row = |first: usize| {
        let entries = entries[first..].iter().step_by(n_rows);
        entries.map(|&entry| report.analysis.graph.reference_to(entry))
    };
    for first in 0..n_rows {
        match report.plan.flavor {
            Flavor::Gnu => write_row(out, &mut text, row(first), report)?,
            Flavor::Bsd => push_bsd_row(&mut text, row(first), report),
        }
        text.word("\n");
        text.write_piece(out)?;
    }
    text.write(out)
}

/// A name starts in its column or, after a long name, later. Brackets of numbers do not count
/// for the position, as in gprof. A gap may exceed the buffer.
fn write_row(
    out: &mut dyn Write,
    text: &mut Text,
    row: impl Iterator<Item = NameReference>,
    report: &GprofReport<'_>,
) -> io::Result<()> {
    let width = report.plan.width.saturating_sub(1) / N_COLUMNS;
    let mut place = 0;
    for (column, entry) in row.enumerate() {
        place += len_of_number(&entry);
        let gap = (column * width + 5).saturating_sub(place);
        text.write_blanks(gap + 1, out)?;
        place += gap;
        push_number(text, &entry);
        text.blanks(1);
        place += push_name(text, &entry, report);
    }
    Ok(())
}

/// Length of an index number with its brackets.
fn len_of_number(entry: &NameReference) -> usize {
    let log = entry.number.checked_ilog10().unwrap_or(0);
    log as usize + 3
}

/// Adds the name of an entry, and the file of a static function. Returns the number of bytes.
fn push_name(text: &mut Text, entry: &NameReference, report: &GprofReport<'_>) -> usize {
    let id = match entry.subject {
        GraphNode::Function(id) => id,
        GraphNode::Cycle(cycle) => {
            let name = format!("<cycle {}>", cycle.0);
            text.word(&name);
            return name.len();
        }
    };
    let start = text.len();
    report.names.push(text, id);
    if let Some(file) = report.names.file_of_static(id) {
        text.word(" (");
        text.word(file);
        text.word(")");
    }
    text.len() - start
}

fn push_bsd_row(
    text: &mut Text,
    row: impl Iterator<Item = NameReference>,
    report: &GprofReport<'_>,
) {
    for entry in row {
        let mut number = Text::default();
        push_number(&mut number, &entry);
        text.right(number.as_bytes(), 6, 6);
        text.blanks(1);
        match entry.subject {
            GraphNode::Function(id) => text.left(report.names.raw(id), 19, 19),
            GraphNode::Cycle(cycle) => text.left(format!("<cycle {}>", cycle.0).as_bytes(), 19, 19),
        }
    }
}
