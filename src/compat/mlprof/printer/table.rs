//! The table of functions.

use std::io::{self, Write};

use super::MlprofText;
use crate::compat::mlprof::numbers::{Headline, MlprofReport, MlprofRow};
use crate::model::Quantity;
use crate::report::write_repeated;

const COLUMNS: [&str; 3] = ["cur", "stack", "GC"];

pub fn write_table(
    out: &mut dyn Write,
    report: &MlprofReport<'_>,
    text: MlprofText,
) -> io::Result<()> {
    if let Some(headline) = &report.headline {
        write_headline(out, headline)?;
    }
    let names = report.rows.iter().map(|row| name_length(report, row, text));
    let mut widths = vec![names.fold("function".len(), usize::max)];
    let mut headers = vec!["function"];
    for column in COLUMNS.iter().take(report.n_columns) {
        headers.push(column);
        headers.extend(text.shows_raw.then_some("raw"));
    }
    widths.extend(headers[1..].iter().map(|header| header.len()));
    let cells = Cells::new(report, text);
    for row in 0..report.rows.len() {
        for (width, cell) in widths[1..].iter_mut().zip(cells.row(row)) {
            *width = cell.len().max(*width);
        }
    }
    write_header(out, &headers, &widths)?;
    for (index, row) in report.rows.iter().enumerate() {
        out.write_all(report.labels.name(row.label))?;
        if let Some(position) = position(report, row, text) {
            out.write_all(b"  ")?;
            out.write_all(&position)?;
        }
        write_blanks(out, widths[0] - name_length(report, row, text))?;
        for (width, cell) in widths[1..].iter().zip(cells.row(index)) {
            write_blanks(out, 1 + width - cell.len())?;
            out.write_all(cell)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_headline(mut out: &mut dyn Write, headline: &Headline) -> io::Result<()> {
    match headline.quantity {
        Quantity::TIME => {
            write_seconds(&mut out, headline.program)?;
            out.write_all(b" seconds of CPU time (")?;
            write_seconds(&mut out, headline.collector)?;
            out.write_all(b" seconds GC)\n")
        }
        Quantity::ALLOCATED => {
            write_grouped(&mut out, headline.program)?;
            out.write_all(b" bytes allocated (")?;
            write_grouped(&mut out, headline.collector)?;
            out.write_all(b" bytes by GC)\n")
        }
        _ => {
            write_grouped(&mut out, headline.program)?;
            out.write_all(b" ticks\n")
        }
    }
}

/// Headers stand in the middle; the odd blank goes to the right.
fn write_header(out: &mut dyn Write, headers: &[&str], widths: &[usize]) -> io::Result<()> {
    for (index, (header, width)) in headers.iter().zip(widths).enumerate() {
        let room = width - header.len();
        write_blanks(out, usize::from(index > 0) + room / 2)?;
        out.write_all(header.as_bytes())?;
        write_blanks(out, room - room / 2)?;
    }
    out.write_all(b"\n")?;
    for (index, &width) in widths.iter().enumerate() {
        write_blanks(out, usize::from(index > 0))?;
        write_repeated(out, b'-', width)?;
    }
    out.write_all(b"\n")
}

fn write_blanks(out: &mut dyn Write, n_blanks: usize) -> io::Result<()> {
    /// As many as are before a number as a rule.
    const FEW: [u8; 64] = [b' '; 64];
    match FEW.get(..n_blanks) {
        Some(blanks) => out.write_all(blanks),
        None => write_repeated(out, b' ', n_blanks),
    }
}

fn name_length(report: &MlprofReport<'_>, row: &MlprofRow, text: MlprofText) -> usize {
    let position = position(report, row, text).map_or(0, |position| 2 + position.len());
    report.labels.name(row.label).len() + position
}

fn position<'a>(
    report: &MlprofReport<'a>,
    row: &MlprofRow,
    text: MlprofText,
) -> Option<std::borrow::Cow<'a, [u8]>> {
    if text.shows_positions {
        report.labels.position(row.label)
    } else {
        None
    }
}

/// The cells with numbers, as text, one row behind the other.
struct Cells {
    text: Vec<u8>,
    ends: Vec<usize>,
    n_in_row: usize,
}

impl Cells {
    fn new(report: &MlprofReport<'_>, text: MlprofText) -> Self {
        let n_in_row = report.n_columns * (1 + usize::from(text.shows_raw));
        let mut cells = Self {
            text: Vec::new(),
            ends: Vec::with_capacity(n_in_row * report.rows.len()),
            n_in_row,
        };
        let quantity = report.headline.map_or(Quantity::ENTRIES, |h| h.quantity);
        for row in &report.rows {
            let numbers = row.numbers.percentages.iter().zip(row.numbers.values);
            for (&percentage, value) in numbers.take(report.n_columns) {
                write_percentage(&mut cells.text, percentage).expect("a vector takes everything");
                cells.ends.push(cells.text.len());
                if text.shows_raw {
                    write_raw(&mut cells.text, value, quantity).expect("a vector takes everything");
                    cells.ends.push(cells.text.len());
                }
            }
        }
        cells
    }

    fn row(&self, row: usize) -> impl Iterator<Item = &[u8]> {
        let cells = row * self.n_in_row..(row + 1) * self.n_in_row;
        cells.map(|cell| {
            let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.text[start..self.ends[cell]]
        })
    }
}

/// Writes a percentage with one decimal.
pub(super) fn write_percentage(out: &mut impl Write, percentage: f64) -> io::Result<()> {
    let sign = if percentage < 0.0 { "~" } else { "" };
    write!(out, "{sign}{:.1}%", percentage.abs())
}

/// Writes what was counted, in brackets.
pub(super) fn write_raw(out: &mut impl Write, value: i128, quantity: Quantity) -> io::Result<()> {
    out.write_all(b"(")?;
    match quantity {
        Quantity::TIME => {
            write_seconds(out, value)?;
            out.write_all(b"s)")
        }
        _ => {
            write_grouped(out, value)?;
            out.write_all(b")")
        }
    }
}

/// Writes hundredths of a second as seconds.
pub(super) fn write_seconds(out: &mut impl Write, ticks: i128) -> io::Result<()> {
    let sign = if ticks < 0 { "~" } else { "" };
    write!(out, "{sign}{:.2}", ticks.unsigned_abs() as f64 / 100.0)
}

/// Writes a number with commas between groups of three digits.
pub(super) fn write_grouped(out: &mut impl Write, value: i128) -> io::Result<()> {
    if value < 0 {
        out.write_all(b"~")?;
    }
    let digits = value.unsigned_abs().to_string();
    for (index, digit) in digits.bytes().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.write_all(b",")?;
        }
        out.write_all(&[digit])?;
    }
    Ok(())
}
