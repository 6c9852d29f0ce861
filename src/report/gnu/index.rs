//! The index of functions by name, in three columns.

use std::io::{self, Write};

use super::printf::{blanks, left};
use super::{Flavor, Report, number};
use crate::analyze::{Reference, Subject};

const N_COLUMNS: usize = 3;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    report.write_heading(out, "Index by function name")?;
    out.write_all(b"\n\n")?;
    let entries = &report.analysis.index;
    let n_rows = entries.len().div_ceil(N_COLUMNS);
    for first in 0..n_rows {
        let row = entries.iter().skip(first).step_by(n_rows);
        match report.options.flavor {
            Flavor::Gnu => write_row(out, row, report)?,
            Flavor::Bsd => write_bsd_row(out, row, report)?,
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A name starts in its column or, when the name before it is too long, behind
/// that. The brackets of numbers do not count towards the place in the line:
/// they are what makes gprof's columns as they are.
fn write_row<'e>(
    out: &mut dyn Write,
    row: impl Iterator<Item = &'e Reference>,
    report: &Report<'_>,
) -> io::Result<()> {
    let width = report.options.width.saturating_sub(1) / N_COLUMNS;
    let mut place = 0;
    for (column, entry) in row.enumerate() {
        let number = number(entry);
        place += number.len();
        let gap = (column * width + 5).saturating_sub(place);
        blanks(out, gap)?;
        place += gap;
        write!(out, " {number} ")?;
        place += write_name(out, entry, report)?;
    }
    Ok(())
}

/// Writes the name of an entry, and the file of a static function. Returns how
/// many bytes that were.
fn write_name(out: &mut dyn Write, entry: &Reference, report: &Report<'_>) -> io::Result<usize> {
    let id = match entry.subject {
        Subject::Function(id) => id,
        Subject::Cycle(cycle) => {
            let text = format!("<cycle {}>", cycle.0);
            out.write_all(text.as_bytes())?;
            return Ok(text.len());
        }
    };
    let name = report.name(id);
    out.write_all(&name)?;
    let Some(file) = report.names.file_of_static(id) else {
        return Ok(name.len());
    };
    out.write_all(b" (")?;
    out.write_all(&file)?;
    out.write_all(b")")?;
    Ok(name.len() + file.len() + 3)
}

fn write_bsd_row<'e>(
    out: &mut dyn Write,
    row: impl Iterator<Item = &'e Reference>,
    report: &Report<'_>,
) -> io::Result<()> {
    for entry in row {
        write!(out, "{:>6.6} ", number(entry))?;
        match entry.subject {
            Subject::Function(id) => left(out, &report.names.raw(id), 19, 19)?,
            Subject::Cycle(cycle) => write!(out, "{:<19.19}", format!("<cycle {}>", cycle.0))?,
        }
    }
    Ok(())
}
