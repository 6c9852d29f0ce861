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

use super::Text;
use crate::analyze::mprof::{Classes, MprofReport, Share};
use crate::model::SizeBounds;

/// What the first columns of a table count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Blocks.
    Blocks,
}

impl From<bool> for Unit {
    /// Whether blocks are counted.
    fn from(counts_blocks: bool) -> Self {
        match counts_blocks {
            true => Self::Blocks,
            false => Self::Bytes,
        }
    }
}

impl Unit {
    /// The width of a number of this unit.
    fn width(self) -> usize {
        match self {
            Self::Bytes => 8,
            Self::Blocks => 6,
        }
    }

    /// The width of a number of the other unit.
    fn other_width(self) -> usize {
        match self {
            Self::Bytes => Self::Blocks.width(),
            Self::Blocks => Self::Bytes.width(),
        }
    }
}

/// Writes the three tables that are always there.
///
/// # Errors
/// When it cannot be written.
pub fn write_tables(
    out: &mut dyn Write,
    report: &MprofReport,
    bounds: SizeBounds,
    unit: Unit,
    names: &SiteNames<'_>,
) -> io::Result<()> {
    let mut text = Text::default();
    bins::write_bins(out, &mut text, &report.bins)?;
    text.word("\n\n");
    direct::write_direct(out, &mut text, &report.direct, bounds, unit, names)?;
    text.word("\n\n");
    leaks::write_leaks(out, &mut text, &report.leaks, unit, names)?;
    text.write(out)
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
