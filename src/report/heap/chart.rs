//! The chart of what was in use over time, drawn with characters.

use crate::analyze::trace::LiveChart;
use crate::report::Text;

/// Draws the chart: bytes upwards, events to the right, the peak marked below.
pub(super) fn draw(text: &mut Text, chart: &LiveChart) {
    let labels: Vec<_> = chart.lines.iter().map(u64::to_string).collect();
    let margin = labels.iter().map(String::len).max().unwrap_or(0) + 2;
    for (line, label) in labels.iter().enumerate().rev() {
        text.right(label.as_bytes(), margin, usize::MAX);
        text.word(" |");
        let columns = chart.heights.iter();
        let marks: Vec<u8> = columns
            .map(|&height| if height > line { b'#' } else { b' ' })
            .collect();
        text.word(marks.trim_ascii_end());
        text.word("\n");
    }
    text.right(b"0", margin, usize::MAX);
    text.word(" +");
    text.word("-".repeat(chart.heights.len()));
    text.word("\n");
    text.blanks(margin + 2 + chart.peak_column);
    text.word("^ peak\n");
    let last = chart.n_events.to_string();
    text.blanks(margin + 2);
    text.word("1");
    // Where both do not fit, the last one stands where it can.
    text.right(
        last.as_bytes(),
        chart.heights.len().max(last.len() + 2) - 1,
        usize::MAX,
    );
    text.word("  events\n");
}
