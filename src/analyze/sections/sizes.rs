//! Blocks by size.

use super::counted;
use crate::analyze::sizes::{SizeRow, SizeTable};
use crate::report::{Cell, Column, Layout, Role, RowKind, RowTable, Section, SectionId, Sureness};

/// Blocks by size, from each power of two to the next or size by size.
#[must_use]
pub fn sizes_section(sizes: &SizeTable) -> Section<'static> {
    let mut rows = RowTable::default();
    for row in &sizes.rows {
        let cells = [
            sizes_of(row),
            Cell::Integer(row.n_blocks),
            Cell::Real(row.percent),
            Cell::Integer(row.n_bytes),
            Cell::Real(row.percent_bytes),
            Cell::Integer(row.n_unfreed),
            Cell::Integer(row.n_unfreed_bytes),
            Cell::Real(row.bar),
            Cell::integer(Some(row.low)),
            Cell::integer(row.high),
        ];
        rows.push(RowKind::Entry, cells);
    }
    let shown = |id: &'static str, role, head: [&'static str; 2]| Column::shown(id, role, head);
    Section {
        id: SectionId::Sizes,
        title: "Blocks by size:".into(),
        layout: Layout::Table,
        summary: vec![format!(
            "{} of {} in all; bars show blocks.",
            counted(sizes.n_blocks, "block"),
            counted(sizes.n_bytes, "byte")
        )],
        columns: Box::new([
            shown("size", Role::Other, ["", "size"]),
            shown("blocks", Role::Count, ["", "blocks"]),
            shown("blocks_percent", Role::Share, ["%", "blocks"]),
            shown("bytes", Role::Count, ["", "bytes"]),
            shown("bytes_percent", Role::Share, ["%", "bytes"]),
            shown("unfreed_blocks", Role::Count, ["unfreed", "blocks"]),
            shown("unfreed_bytes", Role::Count, ["unfreed", "bytes"]),
            shown("bar", Role::Bar, ["", ""]),
            Column::hidden("low", Role::Count),
            Column::hidden("high", Role::Count),
        ]),
        rows: Box::new(rows),
        notes: Vec::new(),
        sureness: Sureness::default(),
    }
}

/// The sizes of a row: one, or from one to another.
pub(super) fn sizes_of(row: &SizeRow) -> Cell {
    Cell::text(match row.high {
        None => format!(">={}", row.low),
        Some(high) if high == row.low => high.to_string(),
        Some(high) => format!("{}-{high}", row.low),
    })
}
