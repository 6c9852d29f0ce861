//! The call graph and its index.

use std::io::{self, Write};

use super::{ChargeText, explanations, percentage, unit};
use crate::analyze::charges::{ChargeEntry, ChargeLine, GraphCharges, Kind, TotalsFrom};
use crate::symbols::SymbolId;

/// The widths of the columns.
struct Widths {
    own: usize,
    children: usize,
    companion: usize,
    /// The columns of a line without numbers, of which there may be millions.
    blank: Vec<u8>,
}

/// What stands in the columns of a line.
#[derive(Default)]
struct Cells {
    own: String,
    children: String,
    companion: String,
}

/// Prints the call graph and the index of its entries.
///
/// # Errors
/// When the writer fails.
pub fn write_graph(
    out: &mut dyn Write,
    graph: &GraphCharges,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    text.write_heading(out, "\t\t\tCall graph")?;
    writeln!(out, "{}", text.sum_up())?;
    writeln!(out, "{}\n", about_calls(text.ledger.totals_from))?;
    let widths = Widths::new(graph, text);
    write_head(out, &widths, text)?;
    for entry in &graph.entries {
        write_entry(out, entry, &widths, text)?;
    }
    if text.style.explains {
        out.write_all(explanations::GRAPH.as_bytes())?;
    }
    writeln!(out, "\x0c")?;
    write_index(out, graph, text)
}

fn about_calls(totals_from: TotalsFrom) -> &'static str {
    match totals_from {
        TotalsFrom::Stacks => "Along each call stands what was recorded with it on the stack.",
        TotalsFrom::Profile | TotalsFrom::Nothing => {
            "Calls are those that the compiler saw as possible. What flowed along them was not\n\
             recorded; a tail call stands as one of its caller's caller."
        }
    }
}

impl Widths {
    fn new(graph: &GraphCharges, text: &ChargeText<'_>) -> Self {
        let mut widths = Self {
            own: 9,
            children: 9,
            companion: 0,
            blank: Vec::new(),
        };
        let mut fit = |cells: &Cells| {
            widths.own = widths.own.max(cells.own.len());
            widths.children = widths.children.max(cells.children.len());
            widths.companion = widths.companion.max(cells.companion.len());
        };
        for entry in &graph.entries {
            fit(&cells_of_entry(entry, text));
            for line in entry.callers.iter().chain(&entry.callees) {
                fit(&cells_of_line(line, text));
            }
        }
        if widths.companion > 0 {
            widths.companion = widths.companion.max(companion_unit(text).len());
        }
        let mut blank = Vec::new();
        // A vector takes everything.
        let _ = write_cells(&mut blank, "", "", &Cells::default(), &widths);
        widths.blank = blank;
        widths
    }
}

fn companion_unit(text: &ChargeText<'_>) -> &'static str {
    unit(text.ledger.kind, text.ledger.measure.companion())
}

fn cells_of_entry(entry: &ChargeEntry, text: &ChargeText<'_>) -> Cells {
    let ledger = text.ledger;
    let knows_total = ledger.totals_from != TotalsFrom::Nothing;
    let has_own = ledger.kind != Kind::Nothing;
    Cells {
        own: text.number(entry.own).repeat(usize::from(has_own)),
        children: text.number(entry.children).repeat(usize::from(knows_total)),
        companion: match ledger.kind {
            Kind::Heap => entry.companion.to_string(),
            _ => String::new(),
        },
    }
}

fn cells_of_line(line: &ChargeLine, text: &ChargeText<'_>) -> Cells {
    match &line.flow {
        Some(flow) => Cells {
            own: text.number(flow.own),
            children: text.number(flow.children),
            companion: format!("{}/{}", flow.companion, flow.companion_of_callee),
        },
        None => Cells::default(),
    }
}

fn write_head(out: &mut dyn Write, widths: &Widths, text: &ChargeText<'_>) -> io::Result<()> {
    let cells = Cells {
        own: "self".to_owned(),
        children: "children".to_owned(),
        companion: match widths.companion {
            0 => String::new(),
            _ => companion_unit(text).to_owned(),
        },
    };
    write_cells(out, "index", &format!("% {}", text.unit()), &cells, widths)?;
    writeln!(out, "name")
}

/// The columns of a line, as far as the name.
fn write_cells(
    out: &mut dyn Write,
    index: &str,
    percent: &str,
    cells: &Cells,
    widths: &Widths,
) -> io::Result<()> {
    let (own, children, companion) = (&cells.own, &cells.children, &cells.companion);
    write!(out, "{index:<6} {percent:>9}")?;
    write!(
        out,
        " {own:>0$} {children:>1$}",
        widths.own, widths.children
    )?;
    if widths.companion > 0 {
        write!(out, " {companion:>0$}", widths.companion)?;
    }
    out.write_all(b"     ")
}

fn write_entry(
    out: &mut dyn Write,
    entry: &ChargeEntry,
    widths: &Widths,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    if entry.callers.is_empty() {
        out.write_all(&widths.blank)?;
        out.write_all(b"    <spontaneous>\n")?;
    }
    for line in &entry.callers {
        write_line(out, line, widths, text)?;
    }
    let number = format!("[{}]", entry.number);
    let percent = match text.ledger.kind {
        Kind::Nothing => String::new(),
        _ => percentage(entry.percent, 1),
    };
    write_cells(out, &number, &percent, &cells_of_entry(entry, text), widths)?;
    write_name(out, entry.symbol, Some(entry.number), text)?;
    if entry.is_recursive {
        out.write_all(b" (recursive)")?;
    }
    out.write_all(b"\n")?;
    for line in &entry.callees {
        write_line(out, line, widths, text)?;
    }
    out.write_all(b"-----------------------------------------------\n")
}

fn write_line(
    out: &mut dyn Write,
    line: &ChargeLine,
    widths: &Widths,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    match line.flow {
        Some(_) => write_cells(out, "", "", &cells_of_line(line, text), widths)?,
        None => out.write_all(&widths.blank)?,
    }
    out.write_all(b"    ")?;
    write_name(out, line.symbol, line.number, text)?;
    out.write_all(b"\n")
}

fn write_name(
    out: &mut dyn Write,
    symbol: SymbolId,
    number: Option<usize>,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    out.write_all(text.names.name(symbol))?;
    match number {
        Some(number) => write!(out, " [{number}]"),
        None => Ok(()),
    }
}

/// Names and numbers in columns, down and then across.
fn write_index(out: &mut dyn Write, graph: &GraphCharges, text: &ChargeText<'_>) -> io::Result<()> {
    const N_COLUMNS: usize = 3;
    text.write_heading(out, "Index by function name")?;
    let cells: Vec<Vec<u8>> = graph
        .index()
        .map(|(symbol, number)| {
            let number = format!("[{number}]");
            [format!("{number:>7} ").as_bytes(), text.names.name(symbol)].concat()
        })
        .collect();
    let n_rows = cells.len().div_ceil(N_COLUMNS);
    let width = text.style.width.saturating_sub(1) / N_COLUMNS;
    for first in 0..n_rows {
        let mut line = Vec::new();
        for (column, cell) in cells[first..].iter().step_by(n_rows).enumerate() {
            if column > 0 {
                line.resize((width * column).max(line.len() + 1), b' ');
            }
            line.extend_from_slice(cell);
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}
