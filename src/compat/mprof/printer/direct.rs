//! What was allocated where.

use std::io::{self, Write};

use super::{SiteNames, push_classes, width_of};
use crate::compat::mprof::numbers::{DirectTable, DirectTotal, Measure};
use crate::model::SizeBounds;
use crate::report::Text;

const HEAD_OF_BYTES: &str = "
          allocated                       unfreed
-----------------------------  -----------------------------
   bytes       %   s  m  l  x     bytes       %   s  m  l  x   count  function

";

const HEAD_OF_BLOCKS: &str = "
         allocated                     unfreed
---------------------------  ---------------------------
 count       %   s  m  l  x   count       %   s  m  l  x     bytes  function

";

/// The width of a percentage.
const PERCENT_WIDTH: usize = 6;

pub(super) fn write_direct(
    out: &mut dyn Write,
    text: &mut Text,
    table: &DirectTable,
    bounds: SizeBounds,
    measure: Measure,
    names: &SiteNames<'_>,
) -> io::Result<()> {
    text.blanks(31);
    text.word("DIRECT ALLOCATIONS\n\n");
    text.blanks(20);
    let SizeBounds {
        small,
        medium,
        large,
    } = bounds;
    text.word(format!(
        "(0 < s <= {small} < m <= {medium} < l <= {large} < x)\n"
    ));
    text.word(match measure {
        Measure::Bytes => HEAD_OF_BYTES,
        Measure::Blocks => HEAD_OF_BLOCKS,
    });
    for row in &table.rows {
        let (allocated, unfreed) = (&row.allocated, &row.unfreed);
        push_amount(text, allocated.amount, measure, Some(allocated.percent));
        push_classes(text, &row.allocated_classes);
        text.blanks(2);
        push_amount(text, unfreed.amount, measure, Some(unfreed.percent));
        push_classes(text, &row.unfreed_classes);
        text.blanks(2);
        text.count(row.other, width_of(measure.other()));
        text.blanks(2);
        names.push(text, row.context);
        text.word("\n");
        text.write_piece(out)?;
    }
    if !table.rows.is_empty() {
        text.word("\n");
    }
    push_total(text, &table.total, measure);
    Ok(())
}

/// The last line. Percentages are left out there.
fn push_total(text: &mut Text, total: &DirectTotal, measure: Measure) {
    push_amount(text, total.allocated, measure, None);
    push_classes(text, &total.allocated_classes);
    text.blanks(2);
    push_amount(text, total.unfreed, measure, None);
    push_classes(text, &total.unfreed_classes);
    text.blanks(2);
    text.count(total.other, width_of(measure.other()));
    text.word("  total\n");
}

/// An amount and its percentage, up to the cells of the classes.
fn push_amount(text: &mut Text, amount: u64, measure: Measure, percent: Option<f64>) {
    text.count(amount, width_of(measure));
    text.blanks(2);
    match percent {
        Some(percent) => text.fixed(percent, 2, PERCENT_WIDTH),
        None => text.blanks(PERCENT_WIDTH),
    }
    text.blanks(1);
}
