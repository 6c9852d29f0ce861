//! The chart of heap usage, drawn with characters.

use std::io;

use super::Page;
use crate::report::number::size;
use crate::report::{Cell, Section};

#[derive(Default)]
struct Chart {
    /// Height of each column in lines.
    heights: Vec<usize>,
    /// Label of each line, lowest first.
    lines: Vec<String>,
    peak_column: usize,
    n_events: String,
    /// The unit of times, which start at 0; `None` for events.
    unit: Option<String>,
}

impl Chart {
    fn of(section: &Section, is_on_screen: bool) -> io::Result<Self> {
        let mut chart = Self::default();
        let mut index = 0;
        section.rows.for_each(&mut |row| {
            let cell = |id| section.cell(row, id);
            if let Cell::Text(unit) = cell("unit") {
                chart.unit = Some(String::from_utf8_lossy(unit).into_owned());
            }
            if let Cell::Integer(height) = cell("height") {
                chart.heights.push(usize::try_from(*height).unwrap_or(0));
            }
            if let Cell::Integer(line) = cell("line_bytes") {
                chart.lines.push(if is_on_screen { size(*line) } else { line.to_string() });
            }
            if !cell("peak").is_absent() {
                chart.peak_column = index;
            }
            if let Cell::Integer(events) = cell("events") {
                chart.n_events = events.to_string();
            }
            index += 1;
            Ok(())
        })?;
        Ok(chart)
    }
}

impl Page<'_> {
    /// Bytes upwards, events to the right, with a mark at the peak.
    pub(super) fn history(&mut self, section: &Section) -> io::Result<()> {
        self.heading(section);
        let is_on_screen = self.options.screen.is_some();
        let chart = Chart::of(section, is_on_screen)?;
        let text = &mut self.text;
        let margin = chart.lines.iter().map(String::len).max().unwrap_or(0) + 2;
        for (line, label) in chart.lines.iter().enumerate().rev() {
            text.right(label.as_bytes(), margin, usize::MAX);
            text.word(" |");
            let columns = chart.heights.iter();
            let marks: Vec<u8> =
                columns.map(|&height| if height > line { b'#' } else { b' ' }).collect();
            text.word(marks.trim_ascii_end());
            text.word("\n");
        }
        text.right(b"0", margin, usize::MAX);
        text.word(" +");
        text.word("-".repeat(chart.heights.len()));
        text.word("\n");
        text.blanks(margin + 2 + chart.peak_column);
        text.word("^ peak\n");
        text.blanks(margin + 2);
        text.word(if chart.unit.is_some() { "0" } else { "1" });
        // If both do not fit, the last one goes where it fits.
        let unit = chart.unit.as_deref().unwrap_or("events");
        let mut last = chart.n_events;
        let width = chart.heights.len().max(last.len() + 2) - 1;
        if is_on_screen {
            // Sizes are wider than the numbers for which the chart leaves room.
            last.push(' ');
            last.push_str(unit);
            text.right(last.as_bytes(), width, usize::MAX);
            text.word("\n");
        } else {
            text.right(last.as_bytes(), width, usize::MAX);
            text.word("  ");
            text.word(unit);
            text.word("\n");
        }
        Ok(())
    }
}
