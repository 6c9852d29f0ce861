//! The flat profile.

use std::io::{self, Write};

use super::{ChargeText, NO_STACK, explanations, number, percentage, unit};
use crate::analyze::charges::{ChargeRow, FlatCharges, Kind, Measure, TotalsFrom};
use crate::report::table::Table;

/// Prints the flat profile.
///
/// # Errors
/// When the writer fails.
pub fn write_flat(
    out: &mut dyn Write,
    flat: &FlatCharges,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    text.write_heading(out, "Flat profile:")?;
    writeln!(out, "{}", text.sum_up())?;
    let columns = columns(text);
    let mut heads: Vec<_> = columns.iter().map(|column| head(*column, text)).collect();
    heads.push(["", "name"]);
    let mut table = Table::new(heads);
    for row in &flat.rows {
        let cells = columns.iter().map(|column| cell(*column, row, text));
        let name = match row.symbol {
            Some(symbol) => text.names.name(symbol).to_vec(),
            None => NO_STACK.to_vec(),
        };
        table.push(cells.collect(), name);
    }
    table.write(out)?;
    if text.style.explains {
        out.write_all(explanations::flat(text.ledger.kind).as_bytes())?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Column {
    Percent,
    Cumulative,
    Own(Measure),
    Total,
    Collector,
}

fn columns(text: &ChargeText<'_>) -> Vec<Column> {
    let ledger = text.ledger;
    let measure = ledger.measure;
    let mut columns = vec![Column::Percent, Column::Cumulative, Column::Own(measure)];
    if ledger.kind == Kind::Heap {
        columns.push(Column::Own(measure.companion()));
    }
    if ledger.totals_from != TotalsFrom::Nothing {
        columns.push(Column::Total);
    }
    if ledger.totals_from == TotalsFrom::Profile {
        columns.push(Column::Collector);
    }
    if ledger.kind == Kind::Heap {
        let others = match measure {
            Measure::Value | Measure::Count => [Measure::UnfreedValue, Measure::UnfreedCount],
            Measure::UnfreedValue | Measure::UnfreedCount => [Measure::Value, Measure::Count],
        };
        columns.extend(others.map(Column::Own));
    }
    columns
}

/// The headings of a column: what it is, over its unit.
fn head(column: Column, text: &ChargeText<'_>) -> [&'static str; 2] {
    let (kind, measure) = (text.ledger.kind, text.ledger.measure);
    match column {
        Column::Percent => ["%", text.unit()],
        Column::Cumulative => ["cumulative", text.unit()],
        Column::Own(own) if own == measure || own == measure.companion() => {
            let is_unfreed = matches!(own, Measure::UnfreedValue | Measure::UnfreedCount);
            let what = if is_unfreed { "unfreed" } else { "self" };
            [what, unit(kind, own)]
        }
        Column::Own(own @ (Measure::Value | Measure::Count)) => ["allocated", unit(kind, own)],
        Column::Own(own) => ["unfreed", unit(kind, own)],
        Column::Total => ["total", text.unit()],
        Column::Collector => ["collector", text.unit()],
    }
}

fn cell(column: Column, row: &ChargeRow, text: &ChargeText<'_>) -> String {
    match column {
        Column::Percent => percentage(row.percent, 2),
        Column::Cumulative => text.number(row.cumulative),
        Column::Own(measure) => number(row.own.get(measure), text.ledger.kind, measure),
        Column::Total => text.number(row.total),
        Column::Collector => text.number(row.collector),
    }
}
