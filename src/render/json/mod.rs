//! Reports as JSON, as one object or one line per row, and their reader.
//!
//! Rows are written one by one through a buffer: a call graph may have millions.
//! `schema.json` documents the keys.

mod head;
mod nesting;
mod read;
mod read_rows;
mod rows;
#[cfg(test)]
mod tests;
pub(super) mod value;

use std::io::{self, Write};

use self::head::{ReportHead, SectionHead};
use self::nesting::JsonNesting;
use self::rows::RowKeys;
use super::{Renderer, ordered};
use crate::report::{Report, Section, Text};

pub use read::{SavedReportError, is_report, read};

/// The JSON Schema of [`JSON`].
pub(super) const SCHEMA: &str = include_str!("schema.json");

/// The name of [`JSON`].
pub const NAME: &str = "json";

/// A report as one JSON object.
pub(super) static JSON: Renderer = Renderer {
    shows_sources: true,
    shows_error: true,
    keeps_names: true,
    ..Renderer::new(
        NAME,
        &["json"],
        "everything, unrounded; `profan schema` describes it",
        |report, _, out| Ok(write_report(report, false, out)?),
    )
};

/// A report as JSON Lines: one object for the report, and one for each row with its subordinate
/// rows.
pub(super) static JSON_LINES: Renderer = Renderer {
    shows_sources: true,
    shows_error: true,
    keeps_names: true,
    ..Renderer::new(
        "jsonl",
        &["jsonl", "ndjson"],
        "the same with one line per row",
        |report, _, out| Ok(write_report(report, true, out)?),
    )
};

/// Adds the head of a report as an object without its end.
pub(super) fn push_head(text: &mut Vec<u8>, report: &Report) {
    head::push_open(text, &ReportHead::of(report, false));
}

/// Adds the head of a section as an object without its end.
pub(super) fn push_section_head(text: &mut Vec<u8>, section: &Section, report: &Report) {
    head::push_open(text, &SectionHead::of(section, &report.metrics));
}

fn write_report(report: &Report, has_lines: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    head::push_open(&mut text, &ReportHead::of(report, has_lines));
    text.extend_from_slice(if has_lines { b"}" } else { b",\"sections\":[" });
    for (index, section) in report.sections.iter().enumerate() {
        let mut start = b"{".to_vec();
        if has_lines {
            start.extend(format!("\"section\":\"{}\"", section.id.id()).bytes());
        } else {
            text.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
            push_section_head(&mut text, section, report);
            text.extend_from_slice(b",\"rows\":[");
        }
        let style = ObjectStyle { start: &start, between: if has_lines { b"\n" } else { b",\n" } };
        out.write_all(&text)?;
        text.clear();
        write_rows(report, section, style, out)?;
        text.extend_from_slice(if has_lines { b"" } else { b"\n]}" });
    }
    text.extend_from_slice(if has_lines { b"\n" } else { b"\n]}\n" });
    out.write_all(&text)
}

/// The text around the objects of rows.
#[derive(Clone, Copy)]
struct ObjectStyle<'s> {
    /// Before each object.
    start: &'s [u8],
    /// Between objects. Its last byte, a line end, is also before the first one.
    between: &'s [u8],
}

/// Writes the rows of a section.
fn write_rows(
    report: &Report,
    section: &Section,
    style: ObjectStyle<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = RowKeys::new(section, report);
    let (id, names) = (section.id, &*report.names);
    // Every object starts as if another one precedes it.
    let mut n_surplus = style.between.len() - 1;
    let write = &mut |text: &mut Text| {
        let n_left_out = n_surplus.min(text.len());
        n_surplus -= n_left_out;
        out.write_all(&text.as_bytes()[n_left_out..])?;
        text.clear();
        Ok(())
    };
    ordered::write_rows(&*section.rows, write, &|text, part| {
        let mut nesting = JsonNesting::new(&keys, names, id, style);
        part.for_each_in_pieces(text, |text, row, flush| nesting.push(text, row, flush))?;
        nesting.finish(text)
    })
}
