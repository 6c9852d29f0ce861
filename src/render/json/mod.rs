//! Reports as JSON, whole or a line for each row, and back from JSON.
//!
//! Rows are written as they come, through one buffer: a call graph may have millions.
//! What the keys mean is in `schema.json`.

mod head;
mod names;
mod nesting;
mod read;
mod read_rows;
mod recorded;
mod rows;
#[cfg(test)]
mod tests;
pub(super) mod value;

use std::io::{self, Write};

use self::head::{ReportHead, SectionHead};
use self::nesting::Nesting;
use self::rows::RowKeys;
use super::{RenderError, RenderOptions, Renderer};
use crate::report::{Report, Section, SectionId};

pub use read::{ReadError, is_report, read};

/// The JSON Schema of [`Json`].
pub(super) const SCHEMA: &str = include_str!("schema.json");

/// Bytes that are gathered before they are written.
const PIECE: usize = 1 << 16;

/// A report as one JSON object.
pub(super) struct Json;

impl Renderer for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn shows_sources(&self) -> bool {
        true
    }

    fn shows_error(&self) -> bool {
        true
    }

    fn accepts(&self, _section: SectionId) -> bool {
        true
    }

    fn render(
        &self,
        report: &Report<'_>,
        _options: &RenderOptions,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let mut text = Vec::with_capacity(2 * PIECE);
        head::push_open(&mut text, &ReportHead::of(report));
        text.extend_from_slice(b",\"sections\":[");
        for (index, section) in report.sections.iter().enumerate() {
            text.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
            head::push_open(&mut text, &SectionHead::of(section, &report.metrics));
            text.extend_from_slice(b",\"rows\":[");
            let style = Style {
                start: b"{",
                first: b"\n",
                between: b",\n",
            };
            write_rows(&mut text, report, section, style, out)?;
            text.extend_from_slice(b"\n]}");
        }
        text.extend_from_slice(b"\n]}\n");
        out.write_all(&text)?;
        Ok(())
    }
}

/// A report as JSON objects, each on a line: one for the report, and one for each row
/// with what belongs to it.
pub(super) struct JsonLines;

impl Renderer for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn shows_sources(&self) -> bool {
        true
    }

    fn shows_error(&self) -> bool {
        true
    }

    fn accepts(&self, _section: SectionId) -> bool {
        true
    }

    fn render(
        &self,
        report: &Report<'_>,
        _options: &RenderOptions,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let mut text = Vec::with_capacity(2 * PIECE);
        head::push_open(&mut text, &ReportHead::of_lines(report));
        text.push(b'}');
        for section in &report.sections {
            let start = format!("{{\"section\":\"{}\"", section.id.id());
            let style = Style {
                start: start.as_bytes(),
                first: b"\n",
                between: b"\n",
            };
            write_rows(&mut text, report, section, style, out)?;
        }
        text.push(b'\n');
        out.write_all(&text)?;
        Ok(())
    }
}

/// What stands around the objects of rows.
#[derive(Clone, Copy)]
struct Style<'s> {
    /// How an object starts.
    start: &'s [u8],
    /// What stands before the first one.
    first: &'s [u8],
    /// What stands between them.
    between: &'s [u8],
}

/// Writes the rows of a section. The last of them may stay in `text`.
fn write_rows(
    text: &mut Vec<u8>,
    report: &Report<'_>,
    section: &Section<'_>,
    style: Style<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = RowKeys::new(section, report);
    let mut nesting = Nesting::new(&keys, &*report.names, section.id, style);
    section.rows.for_each(&mut |row| {
        nesting.push(text, row);
        if text.len() >= PIECE {
            out.write_all(text)?;
            text.clear();
        }
        Ok(())
    })?;
    nesting.finish(text);
    Ok(())
}
