//! Source with charges beside its lines.

use std::io::{self, Write};

use super::{ChargeText, number, unit};
use crate::analyze::charges::{ChargedFile, ChargedLine, Kind, Measure, TotalsFrom};
use crate::report::escape::escape_line;

/// A file with charges, and the text of its source.
#[derive(Debug)]
pub struct ChargedSource<'a> {
    /// What stands beside the lines.
    pub file: &'a ChargedFile,
    /// The source.
    pub text: Vec<u8>,
}

/// The columns beside the source.
struct Column {
    heads: [&'static str; 2],
    cell: Box<dyn Fn(&ChargedLine) -> String>,
    width: usize,
}

/// Prints one source. Control characters in it are escaped for a terminal.
///
/// # Errors
/// When the writer fails.
pub fn write_charged_source(
    out: &mut dyn Write,
    source: &ChargedSource<'_>,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    let name = text.names.file(source.file.file);
    let heading = format!("*** File {}:", String::from_utf8_lossy(&name));
    text.write_heading(out, &heading)?;
    let mut columns = columns(text);
    for column in &mut columns {
        let cells = source.file.lines.iter();
        let widths = cells.map(|(_, line)| (column.cell)(line).len());
        let heads = column.heads.iter().map(|head| head.len());
        column.width = widths.chain(heads).max().unwrap_or(0);
    }
    for head in 0..2 {
        let heads = columns.iter();
        let heads: Vec<_> = heads
            .map(|column| format!("{:>1$}", column.heads[head], column.width))
            .collect();
        writeln!(out, "{}", heads.join("  "))?;
    }
    let mut marks = source.file.lines.iter().peekable();
    for (number, line) in (1..).zip(source.text.split_inclusive(|&byte| byte == b'\n')) {
        let mark = marks.next_if(|(line, _)| *line == number);
        for column in &columns {
            let cell = mark.map_or(String::new(), |(_, line)| (column.cell)(line));
            write!(out, "{cell:>0$}  ", column.width)?;
        }
        match text.names.escapes_controls() {
            true => out.write_all(&escape_line(line))?,
            false => out.write_all(line)?,
        }
    }
    Ok(())
}

fn columns(text: &ChargeText<'_>) -> Vec<Column> {
    let kind = text.ledger.kind;
    let own = |what: &'static str, measure: Measure| Column {
        heads: [what, unit(kind, measure)],
        cell: Box::new(move |line| cell(line.own.get(measure), kind, measure)),
        width: 0,
    };
    let mut columns = Vec::new();
    if text.ledger.totals_from != TotalsFrom::Nothing {
        let measure = text.ledger.measure;
        columns.push(Column {
            heads: ["total", unit(kind, measure)],
            cell: Box::new(move |line| cell(line.total.get(measure), kind, measure)),
            width: 0,
        });
    }
    match kind {
        Kind::Heap => {
            columns.push(own("self", Measure::Value));
            columns.push(own("self", Measure::Count));
            columns.push(own("unfreed", Measure::UnfreedValue));
        }
        _ => columns.push(own("self", Measure::Value)),
    }
    columns
}

/// A number beside a line: nothing for zero, and gprof's mark for what was never
/// entered.
fn cell(amount: i128, kind: Kind, measure: Measure) -> String {
    match (amount, kind) {
        (0, Kind::Entries) => "#####".to_owned(),
        (0, _) => String::new(),
        _ => number(amount, kind, measure),
    }
}
