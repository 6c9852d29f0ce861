//! Allocation profiles in the layout of mprof 1.3, byte for byte.

mod bins;
mod direct;
mod drawing;
mod graph;
mod leaks;
mod names;

use std::io::{self, Write};

pub use drawing::write_drawing;
pub use graph::write_graph;
pub use names::SiteNames;

use crate::compat::mprof::numbers::{Classes, Measure, MprofReport, Share};
use crate::model::SizeBounds;
use crate::report::Text;

/// Writes the three tables that are always there.
pub fn write_tables(
    out: &mut dyn Write,
    report: &MprofReport,
    bounds: SizeBounds,
    measure: Measure,
    names: &SiteNames<'_>,
) -> io::Result<()> {
    let mut text = Text::default();
    bins::write_bins(out, &mut text, &report.bins)?;
    text.word("\n\n");
    direct::write_direct(out, &mut text, &report.direct, bounds, measure, names)?;
    text.word("\n\n");
    leaks::write_leaks(out, &mut text, &report.leaks, measure, names)?;
    text.write(out)
}

/// The width of a column of amounts.
fn width_of(measure: Measure) -> usize {
    match measure {
        Measure::Bytes => 8,
        Measure::Blocks => 6,
    }
}

/// The four cells that tell the shares of the classes.
fn push_classes(text: &mut Text, classes: &Classes) {
    for share in classes {
        match share {
            Share::Nothing => text.blanks(3),
            Share::Trace => text.word("  ."),
            Share::Percent(percent) => text.fixed(*percent, 0, 3),
            Share::Whole => text.word(" %%"),
        }
    }
}
