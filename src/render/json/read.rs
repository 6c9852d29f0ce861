//! Reads reports from JSON.
//!
//! Ignores unknown keys and sections. Memory is proportional to the file, and nesting is
//! limited.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::head::{LINES, ReportHead, SCHEMA_NAME, SectionHead, VERSION, owned};
use super::read_rows::read_rows;
use crate::render::recorded::{NameInterner, stacks_of_rows};
use crate::report::{Column, Report, Section, SectionId};

/// Maximum number of columns in a section. Real ones have some tens.
const MAX_COLUMNS: usize = 1000;

/// Why a file cannot be read as a report.
#[derive(Debug, thiserror::Error)]
pub enum SavedReportError {
    #[error("byte {0} ({0:#x}) is not UTF-8")]
    NotText(usize),
    #[error("line {line}, column {column}: {what}")]
    Malformed {
        line: usize,
        /// Byte in the line, from 1.
        column: usize,
        what: String,
    },
    #[error("the key `schema` is not `{SCHEMA_NAME}`")]
    NotReport,
    #[error("report version {0} is newer than the supported version {VERSION}")]
    Later(u64),
    #[error("profan cannot read `{LINES}` reports; save with --format json")]
    Lines,
    #[error("unknown metric `{0}`")]
    UnknownMetric(String),
    #[error("section `{section}` has {n_columns} columns")]
    ManyColumns { section: String, n_columns: usize },
}

/// Returns whether a text starts like a saved report, also in UTF-16 with a byte order mark.
pub fn is_report(bytes: &[u8]) -> bool {
    if bytes.first().is_some_and(|byte| !byte.is_ascii()) {
        let is_letter = |byte: &u8| byte.is_ascii() && *byte != 0;
        return is_report(&bytes.iter().copied().filter(is_letter).collect::<Vec<_>>());
    }
    let is_object = bytes.trim_ascii_start().first() == Some(&b'{');
    is_object && keys_named(bytes, b"\"schema\"").any(says_report)
}

/// The text after each occurrence of a key.
fn keys_named<'b>(bytes: &'b [u8], key: &'static [u8]) -> impl Iterator<Item = &'b [u8]> {
    let windows = bytes.windows(key.len()).enumerate();
    let found = windows.filter(move |(_, window)| *window == key);
    found.map(move |(place, _)| &bytes[place + key.len()..])
}

fn says_report(behind_key: &[u8]) -> bool {
    let value = behind_key.trim_ascii_start().strip_prefix(b":");
    let value = value.and_then(|value| value.trim_ascii_start().strip_prefix(b"\""));
    let rest = value.and_then(|value| value.strip_prefix(SCHEMA_NAME.as_bytes()));
    rest.is_some_and(|rest| rest.starts_with(b"\""))
}

pub fn read(bytes: &[u8]) -> Result<Report, SavedReportError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| SavedReportError::NotText(error.valid_up_to()))?;
    check_mark(text)?;
    let source = JsonText { text };
    let head: ReportHead<'_> = source.parse(text)?;
    let are_lines = head.are_lines();
    let primary = head.metrics.iter().position(|metric| metric.primary);
    let metrics = head.metrics.into_iter();
    let mut report = Report {
        primary: primary.unwrap_or(0),
        metrics: metrics.map(|one| one.metric.into_owned()).collect(),
        inputs: head.inputs.into_owned(),
        diagnostics: head.diagnostics.into_owned(),
        notes: head.notes.into_owned(),
        names: Box::new(NameInterner::default().into_names(are_lines)),
        sections: Vec::new(),
        command: Vec::new(),
        has_chosen_rows: head.has_chosen_rows,
    };
    let mut names = NameInterner::default();
    for section in head.sections {
        let section = read_section(source, section.get(), &report, &mut names)?;
        report.sections.extend(section);
    }
    report.names = Box::new(names.into_names(are_lines));
    Ok(report)
}

/// Keys that are checked before the rest.
#[derive(Deserialize)]
struct FormatMark<'t> {
    #[serde(borrow)]
    schema: Option<&'t RawValue>,
    version: Option<u64>,
    #[serde(borrow)]
    format: Option<&'t RawValue>,
}

fn check_mark(text: &str) -> Result<(), SavedReportError> {
    // JSON Lines contain several values; the first one has the format.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<FormatMark<'_>>();
    let source = JsonText { text };
    let mark = match values.next() {
        Some(mark) => mark.map_err(|error| source.error(text, &error))?,
        None => return Err(SavedReportError::NotReport),
    };
    let says = |value: Option<&RawValue>, word: &str| {
        let value = value.map(|value| serde_json::from_str::<Cow<'_, str>>(value.get()));
        value.is_some_and(|value| value.is_ok_and(|value| value == word))
    };
    if !says(mark.schema, SCHEMA_NAME) {
        return Err(SavedReportError::NotReport);
    }
    match mark.version {
        Some(version) if version > VERSION => Err(SavedReportError::Later(version)),
        _ if says(mark.format, LINES) => Err(SavedReportError::Lines),
        _ => Ok(()),
    }
}

/// The text, for positions in errors.
#[derive(Clone, Copy)]
pub(super) struct JsonText<'t> {
    text: &'t str,
}

impl<'t> JsonText<'t> {
    fn parse<'p, T: Deserialize<'p>>(self, part: &'p str) -> Result<T, SavedReportError> {
        serde_json::from_str(part).map_err(|error| self.error(part, &error))
    }

    /// An error in a part of the text, with its position in the whole.
    pub(super) fn error(self, part: &str, error: &serde_json::Error) -> SavedReportError {
        let start = part.as_ptr().addr() - self.text.as_ptr().addr();
        let before = &self.text.as_bytes()[..start];
        let n_lines_before = before.iter().filter(|&&byte| byte == b'\n').count();
        let line_start = before.iter().rposition(|&byte| byte == b'\n');
        let n_columns_before = match error.line() {
            1 => start - line_start.map_or(0, |end| end + 1),
            _ => 0,
        };
        let what = error.to_string();
        // The error adds a position in the part, which would confuse a reader.
        let what = match what.rfind(" at line ") {
            Some(end) => what[..end].to_owned(),
            None => what,
        };
        SavedReportError::Malformed {
            line: n_lines_before + error.line(),
            column: n_columns_before + error.column(),
            what,
        }
    }
}

/// Keys of a section that are checked before the rest.
#[derive(Deserialize)]
struct SectionMark<'t> {
    #[serde(borrow)]
    id: Cow<'t, str>,
}

/// `None` for an unknown section.
fn read_section(
    source: JsonText<'_>,
    text: &str,
    report: &Report,
    names: &mut NameInterner,
) -> Result<Option<Section>, SavedReportError> {
    let mark: SectionMark<'_> = source.parse(text)?;
    let Some(id) = SectionId::named(&mark.id) else {
        return Ok(None);
    };
    let head: SectionHead<'_> = source.parse(text)?;
    let n_columns = head.columns.len();
    if n_columns > MAX_COLUMNS {
        let section = id.id().to_owned();
        return Err(SavedReportError::ManyColumns { section, n_columns });
    }
    let columns = head.columns.into_iter();
    let columns = columns.map(|one| one.into_column(&report.metrics));
    let columns: Result<Box<[Column]>, _> = columns.collect();
    let columns = columns.map_err(SavedReportError::UnknownMetric)?;
    let rows = head.rows.get();
    let rows =
        read_rows(rows, &columns, report, names).map_err(|error| source.error(rows, &error))?;
    let is_tree = matches!(id, SectionId::Tree | SectionId::TreeDifference);
    let stacks = || stacks_of_rows(&columns, &rows, &report.metrics, report.primary);
    let stacks = is_tree.then(stacks).flatten().map(Arc::new);
    Ok(Some(Section {
        id,
        title: owned(head.title),
        run: None,
        layout: head.layout,
        summary: head.summary.into_owned(),
        columns,
        rows: Box::new(rows),
        stacks,
        notes: head.notes.into_owned(),
        uncertainty: head.uncertainty.into_owned(),
    }))
}
