//! Allocation profiles in the layout of mprof 1.3, byte for byte.

mod graph;
mod names;
mod tables;

use std::io::{self, Write};

use crate::compat::mprof::numbers::{Classes, MprofReport, SizeShare, TableMeasure};
use crate::report::Text;

pub use graph::{write_drawing, write_graph};
pub use names::SitePrinter;

/// Writes the three tables of every report.
pub fn write_tables(
    out: &mut dyn Write,
    report: &MprofReport,
    names: &SitePrinter<'_>,
) -> io::Result<()> {
    let mut text = Text::default();
    tables::write_bins(out, &mut text, &report.bins)?;
    text.word("\n\n");
    tables::write_direct(out, &mut text, &report.direct, names)?;
    text.word("\n\n");
    tables::write_leaks(out, &mut text, &report.leaks, names)?;
    text.write(out)
}

/// Width of a column of amounts.
fn width_of(measure: TableMeasure) -> usize {
    match measure {
        TableMeasure::Bytes => 8,
        TableMeasure::Blocks => 6,
    }
}

/// Adds the four cells of size classes.
fn push_classes(text: &mut Text, classes: &Classes) {
    for share in classes {
        match share {
            SizeShare::Nothing => text.blanks(3),
            SizeShare::Trace => text.word("  ."),
            SizeShare::Percent(percent) => text.fixed(*percent, 0, 3),
            SizeShare::Whole => text.word(" %%"),
        }
    }
}
