//! A report as a value: sections of rows, finished.
//!
//! Whoever makes one has sorted, cut and added up everything; whoever shows one only
//! decides how it looks. Beside the value stand the means that all who print text
//! share: escaping, numbers, and a buffer of columns.

pub mod decimal;
pub mod escape;
pub mod explanation;
mod metric;
mod name;
pub mod number;
mod row;
mod section;
mod text;
pub mod width;

pub use escape::escape_controls;
use escape::{escape_line, is_clean};
pub use metric::{Basis, Metric, MetricIndex};
pub use name::{NameId, NameTable, NoNames, SourceLocation};
pub use row::{Cell, Row, RowKind, RowTable, RowUnits, Rows};
pub use section::{Column, LOWER_BOUND, Layout, Print, Role, Section, SectionId, Sureness};
pub use text::{Text, write_repeated};

use std::borrow::Cow;

/// Everything that there is to show of some profiles.
pub struct Report<'a> {
    /// What it was made from.
    pub inputs: Vec<Input>,
    /// What was measured. Columns refer to it.
    pub metrics: Vec<Metric>,
    /// The metric that rows are sorted by.
    pub primary: MetricIndex,
    /// The names that cells refer to.
    pub names: Box<dyn NameTable + 'a>,
    /// The sections, in order.
    pub sections: Vec<Section<'a>>,
    /// What is odd about it.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report<'_> {
    /// Escapes what would drive a terminal in all that is said beside names and rows:
    /// titles, heads of columns, sentences, units. Line ends stay.
    pub fn escape_words(&mut self) {
        for section in &mut self.sections {
            clean(section.title.to_mut());
            for head in section
                .columns
                .iter_mut()
                .flat_map(|column| &mut column.head)
            {
                clean(head.to_mut());
            }
            let sureness = &mut section.sureness;
            let lines = [&mut section.summary, &mut section.notes]
                .into_iter()
                .chain([&mut sureness.summary, &mut sureness.legend]);
            lines.flatten().for_each(clean);
        }
        for metric in &mut self.metrics {
            for word in [&mut metric.id, &mut metric.quantity, &mut metric.unit] {
                clean(word.to_mut());
            }
        }
    }
}

fn clean(words: &mut String) {
    if !is_clean(words.as_bytes()) {
        *words = String::from_utf8_lossy(&escape_line(words.as_bytes())).into_owned();
    }
}

/// A file that a report was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name, as given.
    pub path: String,
    /// What it is: `profile`, `executable`.
    pub kind: Cow<'static, str>,
    /// What its layout is called.
    pub layout: String,
    /// What tells its build from others, in hexadecimal.
    pub build_id: Option<String>,
}

impl Input {
    /// Whether it names functions and says nothing else: it is no profile of a run.
    #[must_use]
    pub fn has_only_names(&self) -> bool {
        self.layout.ends_with(" table")
    }
}

/// Something odd, with a cause and an advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Cow<'static, str>,
    /// What is odd, in one sentence.
    pub message: String,
    /// What to do about it, in one sentence.
    pub advice: String,
}
