//! The call tree as formats of stacks need it: numbered frames, and weights in integers.
//!
//! Rows come in pre-order, so the frames above a row are those of the last rows with smaller
//! depths. Nothing is added up here: a row has the cost of its own frame.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::str;

use foldhash::fast::RandomState;

use super::text::{depth_column, depth_of};
use super::{NameForm, RenderError, RenderOptions, Renderer, name_form};
use crate::report::{
    Cell, MAX_FOLDED_FRAMES, Metric, NameTable, Report, Role, Section, escape_controls,
};

/// The stacks of a report.
pub(super) struct Stacks<'r> {
    section: &'r Section<'r>,
    pub(super) names: &'r dyn NameTable,
    form: NameForm,
    depth: Option<usize>,
    name: usize,
    /// The metrics, the primary one first.
    pub(super) metrics: Vec<StackMetric<'r>>,
}

/// A column of weights.
pub(super) struct StackMetric<'r> {
    column: usize,
    pub(super) metric: &'r Metric,
    /// The unit of weights: `nanoseconds`, `bytes`, …
    pub(super) unit: &'r str,
}

/// A frame, with the weight of the stack that ends in it.
#[derive(Clone, Copy)]
pub(super) struct StackRow<'c> {
    pub(super) depth: usize,
    pub(super) name: &'c Cell,
    cells: &'c [Cell],
}

impl StackRow<'_> {
    /// The weight of the stack that ends here, in the unit of the metric.
    pub(super) fn weight(&self, metric: &StackMetric<'_>) -> i128 {
        self.cells[metric.column].as_integer().unwrap_or(0)
    }
}

impl<'r> Stacks<'r> {
    /// The stacks that a format shows.
    ///
    /// # Errors
    /// If the report has no call tree.
    pub(super) fn of(
        renderer: &Renderer,
        report: &'r Report<'_>,
        options: &RenderOptions,
    ) -> Result<Self, RenderError> {
        let section = *renderer
            .accepted(report)?
            .first()
            .expect("there is one, or an error");
        let metric = |(column, of): (usize, &'r crate::report::Column)| {
            let is_weight = of.role == Role::Count && of.id.starts_with("weight");
            Some(StackMetric {
                column,
                metric: report.metrics.get(of.metric.filter(|_| is_weight)?)?,
                unit: &of.head[1],
            })
        };
        let metrics: Vec<_> = section
            .columns
            .iter()
            .enumerate()
            .filter_map(metric)
            .collect();
        if metrics.is_empty() {
            return Err(RenderError::NoWeights {
                format: renderer.name,
            });
        }
        Ok(Self {
            depth: depth_column(section),
            name: section.column("name").unwrap_or_default(),
            names: &*report.names,
            form: options.names,
            section,
            metrics,
        })
    }

    /// Passes every frame to `visit`, callers first, up to its first error.
    pub(super) fn for_each(
        &self,
        visit: &mut dyn FnMut(StackRow<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.section.rows.for_each(&mut |row| {
            let depth = depth_of(&row, self.depth).unwrap_or(0);
            // Deeper frames count for the last one.
            if depth >= MAX_FOLDED_FRAMES {
                return Ok(());
            }
            visit(StackRow {
                depth,
                name: &row.cells[self.name],
                cells: row.cells,
            })
        })
    }

    /// The sentences of the section: how stacks are known, and on which part of the program.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &'r str> {
        let lines = self.section.summary.iter().chain(&self.section.notes);
        lines.map(String::as_str)
    }

    /// The name of a frame as a person reads it, in valid UTF-8.
    pub(super) fn name_of(&self, cell: &Cell) -> Vec<u8> {
        let name: Cow<'_, [u8]> = match (cell, self.form) {
            (Cell::Name(id), NameForm::Linkage) => self.names.linkage_name(*id).into(),
            (Cell::Name(id), NameForm::Short) => name_form::short(self.names.name(*id)).into(),
            (Cell::Name(id), NameForm::Base) => name_form::base(self.names.name(*id)).into(),
            (Cell::Name(id), _) => self.names.name(*id).into(),
            (Cell::Text(text), _) => Cow::Borrowed(&**text),
            _ => Cow::default(),
        };
        match escape_controls(&name) {
            name if name.is_empty() => b"<unnamed>".to_vec(),
            name => name.into_owned(),
        }
    }
}

/// A function or line, as files with tables of frames have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct StackFrame {
    pub(super) name: String,
    /// Mangled, if different.
    pub(super) linkage_name: Option<String>,
    pub(super) file: Option<String>,
    /// First line of the function, or the line, from 1; 0 if unknown.
    pub(super) line: u32,
    pub(super) address: Option<u64>,
    pub(super) object: Option<String>,
}

/// Numbers frames in order of appearance. Frames that a file could not tell apart are one.
#[derive(Default)]
pub(super) struct FrameTable {
    pub(super) frames: Vec<StackFrame>,
    numbers: HashMap<StackFrame, usize, RandomState>,
    /// The numbers of names that were seen.
    of_names: HashMap<u32, usize, RandomState>,
}

impl FrameTable {
    pub(super) fn number(&mut self, cell: &Cell, stacks: &Stacks<'_>) -> usize {
        let id = match cell {
            Cell::Name(id) => Some(*id),
            _ => None,
        };
        if let Some(&known) = id.and_then(|id| self.of_names.get(&id.0)) {
            return known;
        }
        let mut frame = StackFrame {
            name: text(&stacks.name_of(cell)),
            ..StackFrame::default()
        };
        if let Some(id) = id {
            let names = stacks.names;
            let linkage = names.linkage_name(id);
            frame.linkage_name = (linkage != names.name(id)).then(|| text(linkage));
            frame.address = names.address(id);
            frame.object = names.object(id).map(text);
            if let Some(location) = names.location(id) {
                frame.file = Some(text(location.file));
                frame.line = location.line;
            }
        }
        let next = self.frames.len();
        let number = *self.numbers.entry(frame).or_insert_with_key(|frame| {
            self.frames.push(frame.clone());
            next
        });
        if let Some(id) = id {
            self.of_names.insert(id.0, number);
        }
        number
    }
}

/// Text without control characters.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&escape_controls(bytes)).into_owned()
}

/// The stack of a row: a number for each frame, outermost first.
#[derive(Default)]
pub(super) struct StackNumbers(pub(super) Vec<usize>);

impl StackNumbers {
    /// Replaces the frame at a depth and those below it.
    pub(super) fn push(&mut self, depth: usize, frame: usize) {
        self.0.truncate(depth);
        self.0.push(frame);
    }
}
