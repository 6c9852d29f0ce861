//! The index of functions by name, in three columns.

use std::convert::Infallible;
use std::io::{self, Write};

use super::labels::push_number;
use super::side_by_side::{blocks_of, is_full, write_blocks};
use super::{Flavor, Report};
use crate::compat::gprof::numbers::{GraphNode, Reference};
use crate::report::Text;
use crate::report::width::MAX_COLUMNS;

const N_COLUMNS: usize = 3;

/// Rows whose labels are brought from memory together.
const AT_ONCE: usize = 32;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut text = Text::default();
    text.word("Index by function name\n\n");
    text.write(out)?;
    let entries = &report.analysis.index;
    let n_rows = entries.len().div_ceil(N_COLUMNS);
    let row = |first: usize| {
        let entries = entries[first..].iter().step_by(n_rows);
        entries.map(|&entry| report.analysis.graph.reference_to(entry))
    };
    if report.options.width > MAX_COLUMNS {
        // A single gap may be longer than what is worth gathering.
        for first in 0..n_rows {
            match report.options.flavor {
                Flavor::Gnu => push_row(&mut text, row(first), report, |text, gap| {
                    text.write_blanks(gap, out)
                })?,
                Flavor::Bsd => push_bsd_row(&mut text, row(first), report),
            }
            text.word("\n");
            text.write_piece(out)?;
        }
        return text.write(out);
    }
    write_blocks(out, &blocks_of(n_rows), |left, (): &mut (), text| {
        while left.start < left.end && !is_full(text) {
            let next = left.start..left.end.min(left.start + AT_ONCE);
            let symbols = next
                .clone()
                .flat_map(row)
                .filter_map(|entry| entry.symbol());
            report.labels.bring(symbols);
            for first in next {
                match report.options.flavor {
                    Flavor::Gnu => push_narrow_row(text, row(first), report),
                    Flavor::Bsd => push_bsd_row(text, row(first), report),
                }
                text.word("\n");
                left.start += 1;
                if is_full(text) {
                    break;
                }
            }
        }
    })
}

fn push_narrow_row(text: &mut Text, row: impl Iterator<Item = Reference>, report: &Report<'_>) {
    let Ok(()) = push_row(text, row, report, |text, gap| {
        text.blanks(gap);
        Ok::<_, Infallible>(())
    });
}

/// A name starts in its column or, when the name before it is too long, behind
/// that. The brackets of numbers do not count towards the place in the line:
/// they are what makes gprof's columns as they are.
fn push_row<E>(
    text: &mut Text,
    row: impl Iterator<Item = Reference>,
    report: &Report<'_>,
    mut blanks: impl FnMut(&mut Text, usize) -> Result<(), E>,
) -> Result<(), E> {
    let width = report.options.width.saturating_sub(1) / N_COLUMNS;
    let mut place = 0;
    for (column, entry) in row.enumerate() {
        place += len_of_number(&entry);
        let gap = (column * width + 5).saturating_sub(place);
        blanks(text, gap + 1)?;
        place += gap;
        push_number(text, &entry);
        text.blanks(1);
        place += push_name(text, &entry, report);
    }
    Ok(())
}

/// How many bytes the number of an entry is, in its brackets.
fn len_of_number(entry: &Reference) -> usize {
    entry
        .number
        .checked_ilog10()
        .map_or(1, |log| log as usize + 1)
        + 2
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
    let len = report.labels.push_name(text, id);
    let Some(file) = report.labels.file_of_static(id) else {
        return len;
    };
    text.word(" (");
    text.word(&file);
    text.word(")");
    len + file.len() + 3
}

fn push_bsd_row(text: &mut Text, row: impl Iterator<Item = Reference>, report: &Report<'_>) {
    for entry in row {
        let mut number = Text::default();
        push_number(&mut number, &entry);
        text.right(number.as_bytes(), 6, 6);
        text.blanks(1);
        match entry.subject {
            GraphNode::Function(id) => text.left(&report.names.raw(id), 19, 19),
            GraphNode::Cycle(cycle) => text.left(format!("<cycle {}>", cycle.0).as_bytes(), 19, 19),
        }
    }
}
