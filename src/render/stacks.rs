//! The call tree as formats of stacks need it: numbered frames, and weights in integers.
//!
//! Frames come in pre-order, so the frames above one are the last ones with smaller depths. This
//! module adds nothing up: a stack has the weight of its last frame.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::str;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use super::json::value::push;
use super::{
    NameForm, RenderError, RenderOptions, RenderResult, Renderer, name_form, name_id, visible,
};
use crate::report::{
    CallStacks, Cell, MAX_FOLDED_FRAMES, Metric, MetricValues, NameTable, Report, RunLabel,
    Section, SectionId, StackBasis, escape_controls, start_of,
};

/// The stacks of a report, or of one run in it.
pub(super) struct Stacks<'r> {
    section: &'r Section,
    stacks: &'r CallStacks,
    /// The run, if the report has several.
    run: Option<&'r RunLabel>,
    pub(super) names: &'r dyn NameTable,
    form: NameForm,
    /// The metrics, the primary one first.
    pub(super) metrics: Vec<StackMetric<'r>>,
    /// How stacks are known, in a few words.
    pub(super) basis: &'static str,
}

/// A metric with the weights of stacks.
pub(super) struct StackMetric<'r> {
    values: &'r MetricValues,
    pub(super) metric: &'r Metric,
    /// The unit of weights: `nanoseconds`, `bytes`, …
    pub(super) unit: &'r str,
}

/// A frame, with the weight of the stack that ends in it.
#[derive(Clone, Copy)]
pub(super) struct WeighedFrame<'c> {
    pub(super) depth: usize,
    pub(super) name: &'c Cell,
    frame: usize,
}

impl WeighedFrame<'_> {
    /// The weight of the stack that ends here, in the unit of the metric; of a difference the
    /// change.
    pub(super) fn weight(&self, metric: &StackMetric<'_>) -> i128 {
        metric.values.value(self.frame)
    }

    /// The weights of both sides of a difference.
    pub(super) fn sides(&self, metric: &StackMetric<'_>) -> Option<[i128; 2]> {
        metric.values.sides(self.frame)
    }
}

impl<'r> Stacks<'r> {
    /// The stacks that a format shows.
    ///
    /// # Errors
    /// If the report has no call tree.
    pub(super) fn of(
        renderer: &Renderer,
        report: &'r Report,
        options: &RenderOptions,
    ) -> RenderResult<Self> {
        let mut runs = Self::of_runs(renderer, report, options)?;
        Ok(runs.swap_remove(0))
    }

    /// The stacks of each run, one at least.
    ///
    /// # Errors
    /// If the report has no call tree.
    pub(super) fn of_runs(
        renderer: &Renderer,
        report: &'r Report,
        options: &RenderOptions,
    ) -> RenderResult<Vec<Self>> {
        let accepted = renderer.accepted(report)?;
        let are_stacks = |section: &&&Section| {
            use SectionId as S;
            matches!(section.id, S::Tree | S::TreeDifference)
        };
        let sections: Vec<_> = accepted.iter().filter(are_stacks).collect();
        if sections.is_empty() {
            return Err(RenderError::cannot_show(renderer.name, report));
        }
        let are_runs = sections.len() > 1;
        let sections = sections.into_iter();
        let of_section = |section| Self::of_section(renderer, report, options, section, are_runs);
        sections.map(|&section| of_section(section)).collect()
    }

    fn of_section(
        renderer: &Renderer,
        report: &'r Report,
        options: &RenderOptions,
        section: &'r Section,
        is_run: bool,
    ) -> RenderResult<Self> {
        let stacks = section.stacks.as_deref();
        let stacks = stacks.ok_or(RenderError::NoWeights { format: renderer.name })?;
        let metric = |values: &'r MetricValues| {
            let metric = report.metrics.get(values.metric)?;
            Some(StackMetric { values, metric, unit: &values.unit })
        };
        let metrics: Vec<_> = stacks.values.iter().filter_map(metric).collect();
        if metrics.is_empty() {
            return Err(RenderError::NoWeights { format: renderer.name });
        }
        Ok(Self {
            basis: match stacks.frames.first().and_then(|frame| frame.basis) {
                Some(StackBasis::Recorded) => "recorded stacks",
                Some(StackBasis::Inferred) => "stacks inferred from calls",
                Some(StackBasis::Functions) => "stacks not known",
                None => "",
            },
            names: &*report.names,
            form: options.names,
            run: section.run.as_ref().filter(|_| is_run),
            stacks,
            section,
            metrics,
        })
    }

    /// Passes every frame to `visit`, callers first, up to its first error.
    pub(super) fn for_each(
        &self,
        visit: &mut dyn FnMut(WeighedFrame<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        for (frame, of_frame) in self.stacks.frames.iter().enumerate() {
            let depth = of_frame.depth as usize;
            // Deeper frames count for the last one.
            if depth < MAX_FOLDED_FRAMES {
                visit(WeighedFrame { depth, name: &self.stacks.name(frame), frame })?;
            }
        }
        Ok(())
    }

    /// The program, or the profile if the program is not known; empty for a sum of several.
    pub(super) fn title(report: &Report) -> String {
        let of_kind = |kind| report.inputs.iter().filter(move |input| input.kind == kind);
        let mut profiles = of_kind("profile");
        let profile = profiles.next().filter(|_| profiles.next().is_none());
        let input = of_kind("executable").next().or(profile);
        input.map_or(String::new(), |input| input.path.clone())
    }

    /// The name of a metric of these stacks, with the run and how stacks are known.
    pub(super) fn metric_name(&self, metric: &StackMetric<'_>) -> String {
        let (id, basis) = (&metric.metric.id, self.basis);
        match self.label() {
            Some((key, "")) => format!("without {key}: {id} ({basis})"),
            Some(("profile", path)) => format!("{path}: {id} ({basis})"),
            Some((key, value)) => format!("{key} {value}: {id} ({basis})"),
            None => format!("{id} ({basis})"),
        }
    }

    /// The key and value that distinguish the run, if there are several.
    pub(super) fn label(&self) -> Option<(&'r str, &'r str)> {
        self.run.map(|run| (&*run.key, &*run.value))
    }

    /// The sentences of the section: how stacks are known, and on which part of the program.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &'r str> {
        let lines = self.section.summary.iter().chain(&self.section.notes);
        lines.map(String::as_str)
    }

    /// The name of a frame as a person reads it, in valid UTF-8.
    pub(super) fn name_of(&self, cell: &Cell) -> Vec<u8> {
        let cut = |name: Vec<u8>| Cow::Owned(start_of(&name).to_vec());
        let name: Cow<'_, [u8]> = match (cell, self.form) {
            (Cell::Name(id), NameForm::Linkage) => self.names.linkage_name(*id).into(),
            (Cell::Name(id), NameForm::Short) => cut(name_form::short(self.names.uncut_name(*id))),
            (Cell::Name(id), NameForm::Base) => cut(name_form::base(self.names.uncut_name(*id))),
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

/// Numbers frames in order of appearance. Frames that look equal in a file are one.
#[derive(Default)]
pub(super) struct StackFrames {
    pub(super) frames: IndexSet<StackFrame, RandomState>,
    /// The numbers of names that were seen.
    of_names: HashMap<u32, usize, RandomState>,
}

impl StackFrames {
    pub(super) fn number(&mut self, cell: &Cell, stacks: &Stacks<'_>) -> usize {
        let id = name_id(cell);
        if let Some(&known) = id.and_then(|id| self.of_names.get(&id.0)) {
            return known;
        }
        let mut frame = StackFrame { name: visible(stacks.name_of(cell)), ..StackFrame::default() };
        if let Some(id) = id {
            let names = stacks.names;
            let linkage = names.linkage_name(id);
            frame.linkage_name = (linkage != names.name(id)).then(|| visible(linkage));
            frame.address = names.address(id);
            frame.object = names.object(id).map(visible);
            if let Some(location) = names.location(id) {
                frame.file = Some(visible(location.file));
                frame.line = location.line;
            }
        }
        let (number, _) = self.frames.insert_full(frame);
        if let Some(id) = id {
            self.of_names.insert(id.0, number);
        }
        number
    }
}

impl StackFrames {
    /// The number of each frame's function, and the first frame of each function. Lines of a
    /// function are one function.
    pub(super) fn functions(&self, are_lines: bool) -> (Vec<usize>, Vec<usize>) {
        let mut numbers: HashMap<(&str, Option<&str>), usize, RandomState> = HashMap::default();
        let mut first_frames = Vec::new();
        let mut of_frames = Vec::with_capacity(self.frames.len());
        for (index, frame) in self.frames.iter().enumerate() {
            let next = first_frames.len();
            let number = if are_lines {
                let key = (&*frame.name, frame.file.as_deref());
                *numbers.entry(key).or_insert(next)
            } else {
                next
            };
            if number == next {
                first_frames.push(index);
            }
            of_frames.push(number);
        }
        (of_frames, first_frames)
    }

    /// The objects of a report, and the number of each frame's object. The first object is the
    /// program; without one, the profile takes its place.
    pub(super) fn objects(&self, report: &Report) -> (Vec<StackObject>, Vec<usize>) {
        let programs = report.inputs.iter().filter(|input| input.kind == "executable");
        let programs = programs.map(|input| StackObject {
            path: input.path.clone(),
            build_id: input.build_id.clone().unwrap_or_default(),
        });
        let mut objects: Vec<_> = programs.collect();
        if objects.is_empty() {
            objects.push(StackObject { path: Stacks::title(report), build_id: String::new() });
        }
        let file_name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let mut numbers: HashMap<Option<String>, usize, RandomState> = HashMap::default();
        for (number, object) in objects.iter().enumerate().rev() {
            numbers.insert(file_name(&object.path), number);
        }
        let number = |frame: &StackFrame| {
            let Some(path) = &frame.object else {
                return 0;
            };
            *numbers.entry(file_name(path)).or_insert_with(|| {
                objects.push(StackObject { path: path.clone(), build_id: String::new() });
                objects.len() - 1
            })
        };
        let of_frames = self.frames.iter().map(number).collect();
        (objects, of_frames)
    }
}

/// A program or library.
pub(super) struct StackObject {
    pub(super) path: String,
    /// In hexadecimal; empty if unknown.
    pub(super) build_id: String,
}

/// Numbers texts in order of appearance.
#[derive(Default)]
pub(super) struct TextNumbers(pub(super) IndexSet<String, RandomState>);

impl TextNumbers {
    pub(super) fn number(&mut self, text: &str) -> usize {
        let known = self.0.get_index_of(text);
        known.unwrap_or_else(|| self.0.insert_full(text.to_owned()).0)
    }
}

/// A string in JSON.
pub(super) fn json_text(text: &str) -> String {
    let mut json = Vec::new();
    push(&mut json, text);
    String::from_utf8(json).expect("JSON is UTF-8")
}

/// Writes values with commas between them.
pub(super) fn write_list(
    values: impl Iterator<Item = impl Display>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, value) in values.enumerate() {
        write!(out, "{}{value}", if index == 0 { "" } else { "," })?;
    }
    Ok(())
}

/// Text without control characters.
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
