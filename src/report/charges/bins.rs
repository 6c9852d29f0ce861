//! Blocks by size, also drawn.

use std::io::{self, Write};

use super::{ChargeText, counted, percentage};
use crate::analyze::charges::{SizeRow, SizeTable};
use crate::report::table::Table;

/// Characters of the longest bar.
const BAR: f64 = 20.0;

/// Prints blocks by size.
///
/// # Errors
/// When the writer fails.
pub fn write_sizes(
    out: &mut dyn Write,
    sizes: &SizeTable,
    text: &ChargeText<'_>,
) -> io::Result<()> {
    text.write_heading(out, "Blocks by size:")?;
    writeln!(
        out,
        "{} of {} in all; bars show blocks.",
        counted(sizes.n_blocks, "block"),
        counted(sizes.n_bytes, "byte")
    )?;
    let mut table = Table::new(vec![
        ["", "size"],
        ["", "blocks"],
        ["%", "blocks"],
        ["", "bytes"],
        ["%", "bytes"],
        ["unfreed", "blocks"],
        ["unfreed", "bytes"],
        ["", ""],
    ]);
    for row in &sizes.rows {
        let cells = vec![
            sizes_of(row),
            row.n_blocks.to_string(),
            percentage(row.percent, 2),
            row.n_bytes.to_string(),
            percentage(row.percent_bytes, 2),
            row.n_unfreed.to_string(),
            row.n_unfreed_bytes.to_string(),
        ];
        table.push(cells, bar(row.bar));
    }
    table.write(out)
}

/// The sizes of a row: one, or from one to another.
pub(in crate::report) fn sizes_of(row: &SizeRow) -> String {
    match row.high {
        None => format!(">={}", row.low),
        Some(high) if high == row.low => high.to_string(),
        Some(high) => format!("{}-{high}", row.low),
    }
}

/// A bar for a share of the longest; what there is at all is seen.
fn bar(share: f64) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "a share is 1 at most")]
    #[expect(
        clippy::cast_sign_loss,
        reason = "nothing is allocated less than never"
    )]
    let length = (share * BAR).ceil() as usize;
    vec![b'#'; length]
}
