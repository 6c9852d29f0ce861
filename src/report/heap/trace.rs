//! profan's own report on an allocation trace.

use std::io::{self, Write};

use super::chart;
use crate::analyze::trace::{BlockRow, TraceReport, Whereabouts};
use crate::model::Charges;
use crate::report::Text;
use crate::report::charges::sizes_of;
use crate::report::escape::printable;
use crate::report::table::Table;
use crate::symbols::{Style, demangle};

/// How to print names.
#[derive(Clone, Copy, Debug)]
pub struct TraceTextOptions {
    /// How to demangle functions.
    pub demangle: Style,
    /// Control characters in names must not reach the terminal.
    pub escapes_controls: bool,
}

/// Prints the report: totals, peaks, sizes, the heap over time, then lists of blocks
/// and places that stand out. What there is nothing of is left out.
///
/// # Errors
/// When the writer fails.
pub fn write_trace(
    out: &mut dyn Write,
    report: &TraceReport<'_>,
    options: &TraceTextOptions,
) -> io::Result<()> {
    let mut page = Page {
        text: Text::default(),
        charges: report.charges,
        options: *options,
    };
    page.totals(report);
    page.peaks(report);
    page.chart(report);
    page.sizes(report);
    page.unfreed(report);
    page.blocks("Largest blocks never freed:", &report.largest_unfreed);
    page.blocks("Longest-lived freed blocks:", &report.longest_lived);
    page.chains(report);
    page.threads(report);
    page.contradictions(report);
    page.text.write(out)
}

/// The report in the making.
struct Page<'a> {
    text: Text,
    charges: &'a Charges,
    options: TraceTextOptions,
}

impl Page<'_> {
    fn totals(&mut self, report: &TraceReport<'_>) {
        self.text.word("Allocation trace:\n\n");
        let mut table = Table::new(vec![["", "blocks"], ["", "bytes"], ["", "what"]]);
        for row in &report.totals {
            let numbers = [row.tally.count, row.tally.bytes];
            table.push(numbers.map(|n| n.to_string()).to_vec(), row.name.into());
        }
        self.table(&table);
    }

    fn peaks(&mut self, report: &TraceReport<'_>) {
        self.title("Peaks:");
        let mut table = Table::new(vec![
            ["", "event"],
            ["blocks", "in use"],
            ["bytes", "in use"],
            ["", "what"],
        ]);
        for row in &report.peaks {
            let (event, live) = (row.peak.event, row.peak.live);
            let numbers = [event, live.count, live.bytes];
            table.push(numbers.map(|n| n.to_string()).to_vec(), row.name.into());
        }
        self.table(&table);
    }

    fn chart(&mut self, report: &TraceReport<'_>) {
        if let Some(live) = &report.chart {
            self.title("Bytes in use over time:");
            chart::draw(&mut self.text, live);
        }
    }

    fn sizes(&mut self, report: &TraceReport<'_>) {
        if report.sizes.is_empty() {
            return;
        }
        self.title("Sizes:");
        let mut table = Table::new(vec![
            ["%", "blocks"],
            ["blocks", "allocated"],
            ["never", "freed"],
            ["", "bytes"],
        ]);
        for row in &report.sizes {
            let numbers = [
                fixed(row.percent),
                row.n_blocks.to_string(),
                row.n_unfreed.to_string(),
            ];
            table.push(numbers.to_vec(), sizes_of(row).into());
        }
        self.table(&table);
    }

    fn unfreed(&mut self, report: &TraceReport<'_>) {
        if report.unfreed.is_empty() {
            return;
        }
        self.title("Never freed, by where it was allocated:");
        let mut table = Table::new(vec![
            ["%", "bytes"],
            ["cumulative", "bytes"],
            ["self", "bytes"],
            ["", "blocks"],
            ["of blocks", "allocated"],
            ["", "where"],
        ]);
        for row in &report.unfreed {
            let numbers = [
                fixed(row.percent),
                row.cumulative.to_string(),
                row.unfreed.bytes.to_string(),
                row.unfreed.count.to_string(),
                row.allocated.count.to_string(),
            ];
            table.push(numbers.to_vec(), self.name(row.at));
        }
        self.table(&table);
        self.more(report.n_more_unfreed as u64, "place", "places");
    }

    fn blocks(&mut self, title: &str, rows: &[BlockRow]) {
        if rows.is_empty() {
            return;
        }
        self.title(title);
        let mut table = Table::new(vec![
            ["events", "in use"],
            ["", "bytes"],
            ["", "allocated"],
            ["", "freed"],
            ["", "where"],
        ]);
        for row in rows {
            let freed = row.freed.map_or("-".to_owned(), |event| event.to_string());
            let numbers = [
                row.life.to_string(),
                row.size.to_string(),
                row.allocated.to_string(),
                freed,
            ];
            let mut at = self.name(row.allocated_at);
            if let Some(freed_at) = row.freed_at.filter(|at| *at != row.allocated_at) {
                at.extend_from_slice(b", freed in ");
                at.extend(self.name(freed_at));
            }
            table.push(numbers.to_vec(), at);
        }
        self.table(&table);
    }

    fn chains(&mut self, report: &TraceReport<'_>) {
        if report.chains.is_empty() {
            return;
        }
        self.title("Blocks reallocated most often:");
        let mut table = Table::new(vec![
            ["", "times"],
            ["first", "bytes"],
            ["last", "bytes"],
            ["", "index"],
            ["", "where"],
        ]);
        for row in &report.chains {
            let numbers = [
                row.n_reallocations,
                row.first_size,
                row.last_size,
                row.index,
            ];
            let mut at = self.name(row.first_at);
            if row.last_at != row.first_at {
                at.extend_from_slice(b", last in ");
                at.extend(self.name(row.last_at));
            }
            table.push(numbers.map(|n| n.to_string()).to_vec(), at);
        }
        self.table(&table);
        self.more(report.n_more_chains, "block", "blocks");
    }

    fn threads(&mut self, report: &TraceReport<'_>) {
        if report.threads.is_empty() {
            return;
        }
        self.title("Threads:");
        let mut table = Table::new(vec![
            ["%", "events"],
            ["", "events"],
            ["blocks", "allocated"],
            ["bytes", "allocated"],
            ["blocks", "freed"],
            ["bytes", "freed"],
            ["", "thread"],
        ]);
        for row in &report.threads {
            let course = row.course;
            let counts = [
                course.n_events,
                course.allocated.count,
                course.allocated.bytes,
                course.freed.count,
                course.freed.bytes,
            ];
            let [events, blocks, bytes, n_freed, freed] = counts.map(|n| n.to_string());
            let numbers = [fixed(row.percent), events, blocks, bytes, n_freed, freed];
            table.push(numbers.to_vec(), format!("{:#x}", course.thread).into());
        }
        self.table(&table);
    }

    fn contradictions(&mut self, report: &TraceReport<'_>) {
        if report.contradictions.is_empty() {
            return;
        }
        self.title("Events that cannot be:");
        let mut table = Table::new(vec![
            ["", "event"],
            ["", "index"],
            ["", "block was"],
            ["", "where"],
        ]);
        for row in &report.contradictions {
            let (event, index) = (row.event.to_string(), row.index.to_string());
            table.push(vec![event, index, row.what.to_owned()], self.name(row.at));
        }
        self.table(&table);
    }

    fn title(&mut self, title: &str) {
        self.text.word("\n\n");
        self.text.word(title);
        self.text.word("\n\n");
    }

    fn table(&mut self, table: &Table) {
        table.write(&mut self.text).expect("text takes everything");
    }

    fn more(&mut self, n_more: u64, one: &str, many: &str) {
        match n_more {
            0 => {}
            1 => self.text.word(format!("and one more {one}\n")),
            _ => self.text.word(format!("and {n_more} more {many}\n")),
        }
    }

    /// A function and its place, as far as they are known.
    fn name(&self, at: Whereabouts) -> Vec<u8> {
        let mut name = Vec::new();
        if let Some(function) = at.function {
            let raw = &self.charges.functions[function.index()].name;
            let demangled = demangle(raw, self.options.demangle);
            name.extend_from_slice(demangled.as_deref().unwrap_or(raw));
        }
        if let Some(place) = at.place {
            let place = &self.charges.places[place.index()];
            let (open, close) = if name.is_empty() {
                ("", "")
            } else {
                (" (", ")")
            };
            name.extend_from_slice(open.as_bytes());
            name.extend_from_slice(&place.file);
            if let Some(line) = place.line {
                name.extend_from_slice(format!(":{line}").as_bytes());
            }
            name.extend_from_slice(close.as_bytes());
        }
        if name.is_empty() {
            name.extend_from_slice(b"<unknown>");
        }
        printable(&name, self.options.escapes_controls).into_owned()
    }
}

fn fixed(percent: f64) -> String {
    format!("{percent:.2}")
}
