//! Blocks by function and class of size.

use std::io::{self, Write};

use super::ChargeText;
use crate::analyze::charges::ClassRow;
use crate::model::SizeBounds;
use crate::report::table::Table;

/// Prints how many blocks of each class every function allocated.
///
/// # Errors
/// When the writer fails.
pub fn write_classes(
    out: &mut dyn Write,
    rows: &[ClassRow],
    bounds: &SizeBounds,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    text.write_heading(out, "Blocks by function and size:")?;
    let SizeBounds {
        small,
        medium,
        large,
    } = bounds;
    writeln!(
        out,
        "Small blocks have up to {small} bytes, medium ones up to {medium}, large ones up to {large}."
    )?;
    let mut table = Table::new(vec![
        ["", "blocks"],
        ["", "small"],
        ["", "medium"],
        ["", "large"],
        ["extra", "large"],
        ["", "name"],
    ]);
    for row in rows {
        let mut cells = vec![row.n_all.to_string()];
        cells.extend(row.n_blocks.iter().map(ToString::to_string));
        table.push(cells, text.names.name(row.symbol).to_vec());
    }
    table.write(out)
}
