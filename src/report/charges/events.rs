//! Events of a trace by function.

use std::io::{self, Write};

use super::ChargeText;
use crate::analyze::charges::EventRow;
use crate::report::table::Table;

/// Prints how many blocks every function allocated and freed.
///
/// # Errors
/// When the writer fails.
pub fn write_events(
    out: &mut dyn Write,
    rows: &[EventRow],
    text: &ChargeText<'_>,
) -> io::Result<()> {
    text.write_heading(out, "Events by function:")?;
    let mut table = Table::new(vec![
        ["blocks", "allocated"],
        ["freed", "of these"],
        ["freed", "by itself"],
        ["", "name"],
    ]);
    for row in rows {
        let cells = [row.n_allocated, row.n_freed, row.n_released];
        let cells = cells.iter().map(ToString::to_string).collect();
        table.push(cells, text.names.name(row.symbol).to_vec());
    }
    table.write(out)
}
