//! The table of functions.

use std::io::{self, Write};

use crate::compat::mlprof::numbers::{Headline, MlprofReport, MlprofRow, NodeAmounts};
use crate::compat::mlprof::options::MlprofPlan;
use crate::model::Quantity;
use crate::report::number::{self, fixed, push_fixed};
use crate::report::write_repeated;

const COLUMNS: [&str; 3] = ["cur", "stack", "GC"];

pub fn write_table(
    out: &mut dyn Write,
    report: &MlprofReport<'_>,
    plan: &MlprofPlan,
) -> io::Result<()> {
    if let Some(headline) = &report.headline {
        write_headline(out, headline)?;
    }
    let names = report.rows.iter().map(|row| name_length(report, row, plan));
    let mut widths = vec![names.fold("function".len(), usize::max)];
    let mut headers = vec!["function"];
    for column in COLUMNS.iter().take(report.n_columns) {
        headers.push(column);
        headers.extend(plan.shows_raw.then_some("raw"));
    }
    widths.extend(headers[1..].iter().map(|header| header.len()));
    let quantity = report.headline.map_or(Quantity::ENTRIES, |h| h.quantity);
    let mut cells = Vec::new();
    for row in &report.rows {
        push_cells(&mut cells, &row.numbers, report.n_columns, quantity, plan);
    }
    // Each ends with a blank, the last of a row too.
    let mut cells = cells.split(|&byte| byte == b' ');
    let mut others = cells.clone();
    for _ in &report.rows {
        for (width, cell) in widths[1..].iter_mut().zip(&mut others) {
            *width = cell.len().max(*width);
        }
    }
    write_header(out, &headers, &widths)?;
    for row in &report.rows {
        out.write_all(report.labels.name(row.label))?;
        if let Some(position) = position(report, row, plan) {
            out.write_all(b"  ")?;
            out.write_all(&position)?;
        }
        write_blanks(out, widths[0] - name_length(report, row, plan))?;
        for (width, cell) in widths[1..].iter().zip(&mut cells) {
            write_blanks(out, 1 + width - cell.len())?;
            out.write_all(cell)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_headline(out: &mut dyn Write, headline: &Headline) -> io::Result<()> {
    let (program, collector) = (headline.program, headline.collector);
    match headline.quantity {
        Quantity::TIME => {
            let (program, collector) = (seconds(program), seconds(collector));
            writeln!(out, "{program} seconds of CPU time ({collector} seconds GC)")
        }
        Quantity::ALLOCATED => {
            let (program, collector) = (grouped(program), grouped(collector));
            writeln!(out, "{program} bytes allocated ({collector} bytes by GC)")
        }
        _ => writeln!(out, "{} ticks", grouped(program)),
    }
}

/// Centres headers, with an odd blank on the right.
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
    /// Usual maximum of blanks before a number.
    const FEW: [u8; 64] = [b' '; 64];
    match FEW.get(..n_blanks) {
        Some(blanks) => out.write_all(blanks),
        None => write_repeated(out, b' ', n_blanks),
    }
}

fn name_length(report: &MlprofReport<'_>, row: &MlprofRow, plan: &MlprofPlan) -> usize {
    let position = position(report, row, plan).map_or(0, |position| 2 + position.len());
    report.labels.name(row.label).len() + position
}

fn position<'a>(
    report: &MlprofReport<'a>,
    row: &MlprofRow,
    plan: &MlprofPlan,
) -> Option<std::borrow::Cow<'a, [u8]>> {
    if plan.shows_positions { report.labels.position(row.label) } else { None }
}

/// Adds the numbers of a row or node, each followed by a blank: percentages, with counts if
/// requested.
pub(super) fn push_cells(
    text: &mut Vec<u8>,
    numbers: &NodeAmounts,
    n_columns: usize,
    quantity: Quantity,
    plan: &MlprofPlan,
) {
    let numbers = numbers.percentages.into_iter().zip(numbers.values);
    for (percentage, value) in numbers.take(n_columns) {
        if percentage < 0.0 {
            text.push(b'~');
        }
        push_fixed(text, percentage.abs(), 1);
        text.extend(b"% ");
        if !plan.shows_raw {
            continue;
        }
        text.push(b'(');
        match quantity {
            Quantity::TIME => text.extend([seconds(value).as_bytes(), b"s"].concat()),
            _ => text.extend(grouped(value).as_bytes()),
        }
        text.extend(b") ");
    }
}

/// A number with commas between groups of three digits.
fn grouped(value: i128) -> String {
    number::grouped(value).replace('-', "~")
}

/// Hundredths of a second as seconds.
fn seconds(ticks: i128) -> String {
    let sign = if ticks < 0 { "~" } else { "" };
    format!("{sign}{}", fixed(ticks.unsigned_abs() as f64 / 100.0, 2))
}
