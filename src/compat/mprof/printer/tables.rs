//! Blocks by size.

use std::io::{self, Write};

use super::{SitePrinter, push_classes, width_of};
use crate::compat::mprof::numbers::{
    BinTable, DirectRow, DirectTable, LeakAmounts, LeakTable, TableMeasure,
};
use crate::model::SizeBounds;
use crate::report::Text;

const BINS_HEAD: &str = "

                     allocated                          unfreed
          --------------------------------  --------------------------------
    size   count       %     bytes       %   count       %     bytes       %

";

pub(super) fn write_bins(out: &mut dyn Write, text: &mut Text, bins: &BinTable) -> io::Result<()> {
    text.blanks(32);
    text.word("ALLOCATION BINS\n\n");
    text.blanks(29);
    text.word("(number of bins: ");
    text.count(bins.n_bins as u64, 0);
    text.word(")");
    text.word(BINS_HEAD);
    for row in &bins.rows {
        text.word(if row.is_open { " >= " } else { "    " });
        text.count(row.size, 4);
        for [count, bytes] in [row.allocated, row.unfreed] {
            for (part, width) in [(count, 6), (bytes, 8)] {
                text.blanks(2);
                text.count(part.amount, width);
                text.blanks(2);
                text.fixed(part.percent, 2, 6);
            }
        }
        text.word("\n");
        text.write_piece(out)?;
    }
    if !bins.rows.is_empty() {
        text.word("\n");
    }
    let (allocated, unfreed) = (bins.total.allocated, bins.total.unfreed);
    text.word("   total  ");
    text.count(allocated.count, 6);
    for (amount, width) in [(allocated.bytes, 8), (unfreed.count, 6), (unfreed.bytes, 8)] {
        text.blanks(10);
        text.count(amount, width);
    }
    text.word("\n");
    Ok(())
}

const DIRECT_HEAD_OF_BYTES: &str = "
          allocated                       unfreed
-----------------------------  -----------------------------
   bytes       %   s  m  l  x     bytes       %   s  m  l  x   count  function

";

const DIRECT_HEAD_OF_BLOCKS: &str = "
         allocated                     unfreed
---------------------------  ---------------------------
 count       %   s  m  l  x   count       %   s  m  l  x     bytes  function

";

/// Width of a percentage.
const PERCENT_WIDTH: usize = 6;

pub(super) fn write_direct(
    out: &mut dyn Write,
    text: &mut Text,
    table: &DirectTable,
    names: &SitePrinter<'_>,
) -> io::Result<()> {
    text.blanks(31);
    text.word("DIRECT ALLOCATIONS\n\n");
    text.blanks(20);
    let SizeBounds { small, medium, large } = names.heap.bounds;
    text.word(format!("(0 < s <= {small} < m <= {medium} < l <= {large} < x)\n"));
    text.word(match names.measure {
        TableMeasure::Bytes => DIRECT_HEAD_OF_BYTES,
        TableMeasure::Blocks => DIRECT_HEAD_OF_BLOCKS,
    });
    for (context, row) in &table.rows {
        push_direct(text, row, names.measure);
        names.push(text, *context);
        text.word("\n");
        text.write_piece(out)?;
    }
    if !table.rows.is_empty() {
        text.word("\n");
    }
    push_direct(text, &table.total, names.measure);
    text.word("total\n");
    Ok(())
}

/// A row up to the name. The last row has no percentages.
fn push_direct(text: &mut Text, row: &DirectRow, measure: TableMeasure) {
    for amount in [&row.allocated, &row.unfreed] {
        text.count(amount.amount, width_of(measure));
        text.blanks(2);
        match amount.percent {
            Some(percent) => text.fixed(percent, 2, PERCENT_WIDTH),
            None => text.blanks(PERCENT_WIDTH),
        }
        text.blanks(1);
        push_classes(text, &amount.classes);
        text.blanks(2);
    }
    text.count(row.other, width_of(measure.other()));
    text.blanks(2);
}

const LEAKS_HEAD: &str = "
                unfreed                      allocated
----------------------------------------  ----------------
";
const LEAKS_HEAD_OF_BYTES: &str =
    "     %     bytes       %   count       %     bytes   count  function\n\n";
const LEAKS_HEAD_OF_BLOCKS: &str =
    "     %   count       %     bytes       %   count     bytes  function\n\n";

/// Blanks before the name of a caller.
const CALLER_INDENT: usize = 60;

pub(super) fn write_leaks(
    out: &mut dyn Write,
    text: &mut Text,
    table: &LeakTable,
    names: &SitePrinter<'_>,
) -> io::Result<()> {
    text.blanks(34);
    text.word("MEMORY LEAKS\n\n");
    text.blanks(28);
    text.word("(maximum stack depth: ");
    text.count(table.stack_depth.unwrap_or(0), 0);
    text.word(")\n");
    text.word(LEAKS_HEAD);
    text.word(match names.measure {
        TableMeasure::Bytes => LEAKS_HEAD_OF_BYTES,
        TableMeasure::Blocks => LEAKS_HEAD_OF_BLOCKS,
    });
    for row in &table.rows {
        text.fixed(row.percent, 2, 6);
        text.blanks(2);
        push_amounts(text, [&row.amounts, &row.others], names.measure);
        names.push(text, row.context);
        text.word("\n");
        for caller in names.callers(row.context).take(table.n_callers) {
            text.blanks(CALLER_INDENT);
            names.push(text, caller);
            text.word("\n");
            text.write_piece(out)?;
        }
        text.write_piece(out)?;
    }
    if !table.rows.is_empty() {
        text.word("\n");
    }
    text.blanks(8);
    push_amounts(text, table.total.each_ref(), names.measure);
    text.word("total\n");
    Ok(())
}

/// Adds amounts, and those of the other measure.
fn push_amounts(text: &mut Text, [amounts, others]: [&LeakAmounts; 2], measure: TableMeasure) {
    let (width, other_width) = (width_of(measure), width_of(measure.other()));
    for (amounts, width) in [(amounts, width), (others, other_width)] {
        text.count(amounts.unfreed.amount, width);
        text.blanks(2);
        text.fixed(amounts.unfreed.percent, 2, 6);
        text.blanks(2);
    }
    for (amounts, width) in [(amounts, width), (others, other_width)] {
        text.count(amounts.allocated, width);
        text.blanks(2);
    }
}
