//! Blocks by size.

use std::io::{self, Write};

use crate::compat::mprof::numbers::BinTable;
use crate::report::Text;

const HEAD: &str = "

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
    text.word(HEAD);
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
