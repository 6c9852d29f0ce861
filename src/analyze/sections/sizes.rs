//! Blocks by size.

use super::counted;
use super::table::Columns;
use crate::analyze::sizes::{SizeRow, SizeTable};
use crate::report::Role::{Bar, Count, Other, Share};
use crate::report::{Section, SectionId};

/// Blocks by size, in powers of two or for each size.
pub fn sizes_section(sizes: &SizeTable) -> Section {
    let columns = Columns::<&SizeRow>::new()
        .named(Other, "size", |row| sizes_of(row))
        .named(Count, "blocks", |row| row.n_blocks)
        .shown(Share, "blocks_percent", ["%", "blocks"], |row| row.percent)
        .named(Count, "bytes", |row| row.n_bytes)
        .shown(Share, "bytes_percent", ["%", "bytes"], |row| row.percent_bytes)
        .named(Count, "unfreed_blocks", |row| row.n_unfreed)
        .named(Count, "unfreed_bytes", |row| row.n_unfreed_bytes)
        .shown(Bar, "bar", ["", ""], |row| row.bar)
        .hidden(Count, "low", |row| row.low)
        .hidden(Count, "high", |row| row.high);
    Section {
        summary: vec![format!(
            "{} of {} in total; the bars show blocks.",
            counted(sizes.n_blocks, "block"),
            counted(sizes.n_bytes, "byte")
        )],
        ..columns.table(SectionId::Sizes, "Blocks by size:", &sizes.rows)
    }
}

/// The size or range of sizes of a row.
pub(super) fn sizes_of(row: &SizeRow) -> String {
    match row.high {
        None => format!(">={}", row.low),
        Some(high) if high == row.low => high.to_string(),
        Some(high) => format!("{}-{high}", row.low),
    }
}
