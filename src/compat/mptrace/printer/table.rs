//! The table of events. A hot path: it may have millions of lines.

use crate::compat::mptrace::numbers::{
    BlockStep, BlockStepKind, EventRow, InvalidTraceEvent, Statistics,
};
use crate::model::{AddressSize, BlockTotal, EventLocation, Region};
use crate::report::Text;

/// The table of events, for one size of addresses.
#[derive(Clone, Copy, Debug)]
pub struct EventTable {
    n_digits: usize,
}

impl EventTable {
    pub fn new(address_size: AddressSize) -> Self {
        Self { n_digits: 2 * address_size.bytes() }
    }

    /// The two heading lines.
    pub fn header(self, text: &mut Text) {
        // The address is centred above a column that it is not as wide as.
        let width = self.n_digits + 2;
        let left = (width - "allocation".len()) / 2 + 2;
        let right = width + 2 + "    size".len() - (left - 2) - "allocation".len();
        text.word(" event  type     index");
        text.blanks(left);
        text.word("allocation");
        text.right(b"size", right, usize::MAX);
        text.word("    life   count     bytes\n------  ------  ------  ");
        for _ in 0..width {
            text.word("-");
        }
        text.word("  --------  ------  ------  --------\n");
    }

    /// The line of one event.
    pub fn line(self, text: &mut Text, step: &EventRow) {
        match step {
            EventRow::Reserved(region) => self.heap_line(text, "        reserve         ", *region),
            EventRow::Internal(region) => self.heap_line(text, "        internal        ", *region),
            EventRow::Block(step) => self.block_line(text, step),
        }
    }

    fn heap_line(self, text: &mut Text, start: &str, region: Region) {
        text.word(start);
        self.region(text, region);
        text.word("\n");
    }

    fn block_line(self, text: &mut Text, step: &BlockStep) {
        text.count(step.number, 6);
        text.word(match step.kind {
            BlockStepKind::Allocated => "  alloc   ",
            BlockStepKind::Reallocated { .. } => "  realloc ",
            BlockStepKind::Freed { .. } => "  free    ",
        });
        text.count(step.index.0, 6);
        text.word("  ");
        self.region(text, step.region);
        match step.kind {
            BlockStepKind::Freed { life, .. } => {
                text.word("  ");
                text.count(life, 6);
            }
            _ => text.word("        "),
        }
        text.word("  ");
        text.count(step.in_use.count, 6);
        text.word("  ");
        text.count(step.in_use.bytes, 8);
        text.word("\n");
    }

    fn region(self, text: &mut Text, region: Region) {
        text.word("0x");
        text.hex(region.address.0, self.n_digits, b"0123456789ABCDEF");
        text.word("  ");
        text.count(region.size, 8);
    }
}

/// The line with the location of an event, if known.
pub fn location_line(text: &mut Text, location: &EventLocation<'_>) {
    let at = location.file.zip(location.line);
    if location.thread == 0 && location.function.is_none() && at.is_none() {
        return;
    }
    text.blanks(23);
    if location.thread != 0 {
        text.word(" thread ");
        text.count(location.thread, 0);
    }
    if let Some(function) = location.function {
        text.word(" in ");
        text.word(function);
    }
    if let Some((file, line)) = at {
        text.word(" at ");
        text.word(file);
        text.word(" line ");
        text.count(line.get(), 0);
    }
    text.word("\n");
}

/// The statistics below the table of events.
pub fn statistics_text(text: &mut Text, statistics: &Statistics) {
    text.word("memory allocation tracing statistics\n");
    text.word("------------------------------------\n");
    let totals = [
        ("allocated: ", statistics.allocated),
        ("freed:     ", statistics.freed),
        ("unfreed:   ", statistics.in_use()),
        ("peak:      ", statistics.peak),
        ("reserved:  ", statistics.reserved),
        ("internal:  ", statistics.internal),
        ("total:     ", statistics.total()),
    ];
    for (name, blocks) in totals {
        total_line(text, name, blocks);
    }
    text.word("\n");
    size_line(text, "smallest size: ", &statistics.smallest.to_string());
    size_line(text, "largest size:  ", &statistics.largest.to_string());
    let average = statistics.average_size();
    size_line(text, "average size:  ", &average.to_string());
}

fn total_line(text: &mut Text, name: &str, blocks: BlockTotal) {
    text.word(name);
    text.count(blocks.count, 0);
    text.word(" (");
    size(text, &blocks.bytes.to_string());
    text.word(")\n");
}

fn size_line(text: &mut Text, name: &str, number: &str) {
    text.word(name);
    size(text, number);
    text.word("\n");
}

fn size(text: &mut Text, number: &str) {
    text.word(number);
    text.word(if number == "1" { " byte" } else { " bytes" });
}

/// The message about an invalid event, without the program's name.
pub fn invalid_event_line(invalid_event: InvalidTraceEvent) -> String {
    match invalid_event {
        InvalidTraceEvent::AllocatedTwice(index) => {
            format!("Allocation index `{}' has been allocated twice without being freed", index.0)
        }
        InvalidTraceEvent::Unknown(index) => format!("Unknown allocation index `{}'", index.0),
        InvalidTraceEvent::AlreadyFreed(index) => {
            format!("Allocation index `{}' has already been freed", index.0)
        }
    }
}
