//! What was not freed.

use std::io::{self, Write};

use super::{SiteNames, width_of};
use crate::compat::mprof::numbers::{LeakAmounts, LeakTable, Measure};
use crate::report::Text;

const HEAD: &str = "
                unfreed                      allocated
----------------------------------------  ----------------
";
const HEAD_OF_BYTES: &str =
    "     %     bytes       %   count       %     bytes   count  function\n\n";
const HEAD_OF_BLOCKS: &str =
    "     %   count       %     bytes       %   count     bytes  function\n\n";

/// Blanks before the name of a caller.
const CALLER_INDENT: usize = 60;

pub(super) fn write_leaks(
    out: &mut dyn Write,
    text: &mut Text,
    table: &LeakTable,
    measure: Measure,
    names: &SiteNames<'_>,
) -> io::Result<()> {
    text.blanks(34);
    text.word("MEMORY LEAKS\n\n");
    text.blanks(28);
    text.word("(maximum stack depth: ");
    text.count(table.stack_depth.unwrap_or(0), 0);
    text.word(")\n");
    text.word(HEAD);
    text.word(match measure {
        Measure::Bytes => HEAD_OF_BYTES,
        Measure::Blocks => HEAD_OF_BLOCKS,
    });
    for row in &table.rows {
        text.fixed(row.percent, 2, 6);
        text.blanks(2);
        push_amounts(text, &row.amounts, &row.others, measure);
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
    let [amounts, others] = &table.total;
    push_amounts(text, amounts, others, measure);
    text.word("total\n");
    Ok(())
}

fn push_amounts(text: &mut Text, amounts: &LeakAmounts, others: &LeakAmounts, measure: Measure) {
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
