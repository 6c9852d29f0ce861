//! What a trace adds up to, in text.

use crate::compat::mptrace::numbers::Statistics;
use crate::model::BlockTotal;
use crate::report::Text;

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
    let average = format!("{:.0}", statistics.average_size());
    size_line(text, "average size:  ", &average);
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
