//! The lines of a view.

use std::iter;

use super::calls::Calls;
use super::view::View;
use crate::diagnose::browsing::calls_of;
use crate::render::{LineSubject, RenderResult, ScreenText, SectionLines};
use crate::report::escape::printable;
use crate::report::prose::push_words;
use crate::report::{Cell, Report, RowKind, Section, SectionId, Text};

/// A view as lines.
pub(super) struct Shown {
    pub(super) title: String,
    pub(super) lines: SectionLines,
    /// The whole name of each row.
    pub(super) names: Vec<Vec<u8>>,
    pub(super) is_tree: bool,
    /// The user can sort the rows.
    pub(super) can_sort: bool,
    /// The numbers of the lines of a source, which are the last lines of the view.
    source_lines: Vec<Option<i128>>,
}

impl Shown {
    /// Lays out a view of a report.
    ///
    /// # Errors
    /// If text cannot be made.
    pub(super) fn of(
        view: &View,
        report: &Report,
        calls: &Calls,
        text: &ScreenText<'_>,
        columns: usize,
    ) -> RenderResult<Self> {
        let (title, lines, section) = match view {
            View::Section(index) => {
                let section = &report.sections[*index];
                let title = match section.title.trim().trim_end_matches(':') {
                    "" => section.id.id().replace('-', " "),
                    title => title.to_owned(),
                };
                (title, text.section(section)?, Some(section.id))
            }
            View::Function(name) => {
                let title = String::from_utf8_lossy(&printable(name.bytes(&*report.names), true))
                    .into_owned();
                let lines = match calls.entry(report, name) {
                    Some(section) => with_headings(text.section(&section)?),
                    None => SectionLines::default(),
                };
                (calls_of(&title), lines, None)
            }
            View::Text(title, lines) => {
                let lines = SectionLines {
                    lines: lines.iter().flat_map(|line| wrapped(line, columns)).collect(),
                    ..SectionLines::default()
                };
                ((*title).to_owned(), lines, None)
            }
        };
        let source_lines = match view {
            View::Section(index) => source_lines(&report.sections[*index]),
            _ => Vec::new(),
        };
        let names = lines.rows.iter();
        let names = names.map(|row| row.name.bytes(&*report.names).to_vec());
        Ok(Self {
            title,
            names: names.collect(),
            lines,
            is_tree: section == Some(SectionId::Tree),
            can_sort: section.is_some_and(|id| id != SectionId::Tree),
            source_lines,
        })
    }

    /// The place of a line of a source.
    pub(super) fn line_of_source(&self, line: u32) -> Option<usize> {
        let row = self.source_lines.iter().position(|number| *number == Some(line.into()))?;
        (self.lines.lines.len() + row).checked_sub(self.source_lines.len())
    }

    /// The first line at or after `start`, in the order `arranged`, whose name or text
    /// contains `pattern`. Goes on from the other end. Ignores case unless `pattern` has
    /// capital letters.
    pub(super) fn find(
        &self,
        pattern: &str,
        arranged: &[usize],
        start: usize,
        is_backward: bool,
    ) -> Option<usize> {
        let n_lines = arranged.len();
        (0..n_lines)
            .map(|step| {
                if is_backward {
                    (start + n_lines - step) % n_lines
                } else {
                    (start + step) % n_lines
                }
            })
            .find(|&place| self.matches(pattern, arranged[place]))
    }

    /// Number of lines that contain `pattern`.
    pub(super) fn n_found(&self, pattern: &str, arranged: &[usize]) -> usize {
        let found = arranged.iter().filter(|&&line| self.matches(pattern, line));
        found.count()
    }

    fn matches(&self, pattern: &str, line: usize) -> bool {
        let text = self.names.get(line).unwrap_or(&self.lines.lines[line]);
        let pattern = pattern.as_bytes();
        if pattern.iter().any(u8::is_ascii_uppercase) {
            return memchr::memmem::find(text, pattern).is_some();
        }
        let is_at = |window: &[u8]| window.eq_ignore_ascii_case(pattern);
        text.windows(pattern.len().max(1)).any(is_at)
    }
}

/// The number of each line of a source; empty for other sections.
fn source_lines(section: &Section) -> Vec<Option<i128>> {
    let mut numbers = Vec::new();
    if let Some(line) = section.column("line").filter(|_| section.id == SectionId::Source) {
        // The callback never fails.
        let _ = section.rows.for_each(&mut |row| {
            numbers.push(row.cells[line].as_integer());
            Ok(())
        });
    }
    numbers
}

/// An entry of the call graph with headings above callers and callees.
fn with_headings(lines: SectionLines) -> SectionLines {
    let SectionLines { heads, lines, rows, columns, numbers } = lines;
    let mut headed = SectionLines { heads, columns, ..SectionLines::default() };
    let n_columns = headed.columns.len();
    let mut above = None;
    for (line, (text, row)) in lines.into_iter().zip(rows).enumerate() {
        let heading = match row.kind {
            RowKind::Caller => Some("callers"),
            RowKind::Callee => Some("callees"),
            _ => None,
        };
        if let Some(heading) = heading.filter(|_| above != heading) {
            headed.lines.push(heading.into());
            let name = Cell::text(heading);
            headed.rows.push(LineSubject { kind: RowKind::Rest, name, depth: None });
            headed.numbers.extend(iter::repeat_n(f64::NAN, n_columns));
        }
        above = heading;
        headed.lines.push(text);
        headed.rows.push(row);
        headed.numbers.extend(&numbers[line * n_columns..(line + 1) * n_columns]);
    }
    headed
}

/// A line wrapped at words; continuation lines keep its indent.
fn wrapped(line: &str, columns: usize) -> Vec<Vec<u8>> {
    let mut text = Text::default();
    let indent = line.len() - line.trim_start().len();
    text.blanks(indent);
    push_words(&mut text, line.trim_start().as_bytes(), columns);
    let lines = text.as_bytes().split(|&byte| byte == b'\n');
    lines.map(<[u8]>::to_vec).collect()
}
