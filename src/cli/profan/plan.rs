//! Decides which reports to print and how: defaults and policies of the native mode.

use std::env;
use std::path::PathBuf;

use clap::Args;

use super::by_file::ByFileOptions;
use super::comparison::ComparisonOptions;
use super::options::{FunctionOptions, LookOptions, ReadingOptions, ReportOptions, RowOptions};
use super::selections::Selections;
use crate::cli::requested::RequestedSections;
use crate::cli::stated::Loose;
use crate::compare::comparison::DifferenceOrder;
use crate::diagnose::Environment;
use crate::filter::FilterSpecs;
use crate::load::{Hints, ReadPolicy, StackNumbers};
use crate::model::TimeRange;
use crate::progress::Progress;
use crate::render::{self, Renderer};
use crate::report::SectionId;
use crate::symbols::{Granularity, SymbolOptions};

/// A command line of the native mode: its options, and what follows from all of them.
#[derive(Clone, Debug, Default, Args)]
pub struct Plan {
    #[command(flatten)]
    pub(crate) selections: Selections,
    #[command(flatten)]
    pub reports: ReportOptions,
    #[command(flatten)]
    pub functions: FunctionOptions,
    #[command(flatten)]
    pub rows: RowOptions,
    #[command(flatten)]
    pub many: ByFileOptions,
    #[command(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub look: LookOptions,
    /// The subject of the report.
    #[arg(skip)]
    pub task: Task,
    /// As given.
    #[arg(skip)]
    pub files: Vec<PathBuf>,
    /// Files that may have been meant as arguments of options.
    #[arg(skip)]
    pub loose: Vec<Loose>,
    /// The requested parts of the report.
    #[arg(skip)]
    pub sections: RequestedSections,
    /// The specs.
    #[arg(skip)]
    pub filters: FilterSpecs,
    /// Output file of the sum of the profiles, if requested.
    #[arg(skip)]
    pub sum: Option<PathBuf>,
    /// The words of the command line, without those for the output, for a page.
    #[arg(skip)]
    pub command: Vec<String>,
    /// The report is shown by `profan browse`.
    #[arg(skip)]
    pub is_browsed: bool,
}

/// The subject of a report.
#[derive(Clone, Debug, Default)]
pub enum Task {
    /// Profiles.
    #[default]
    Profiles,
    /// The differences of two sides.
    Comparison(Box<ComparisonOptions>),
    /// A program, and whether it can be profiled.
    Program,
}

impl Plan {
    /// Applies the rules that depend on the whole command line.
    pub(in crate::cli) fn finish(mut self, files: Vec<PathBuf>) -> Self {
        self.files = files;
        let Selections { sections, filters } = std::mem::take(&mut self.selections);
        (self.sections, self.filters) = (sections, filters);
        self.reports.sections().for_each(|section| self.sections.set(section, true));
        self.sections.sum = self.reports.sum;
        self.filters.focus = self.functions.specs();
        self.filters.stacks = self.functions.stack_specs();
        let is_flat = self.rows.stable || self.reports.group_by.is_some();
        if is_flat && self.sections.is_open(SectionId::Flat) {
            self.sections.set(SectionId::Flat, true);
        }
        // Each label of a comparison is a run.
        if self.many.are_requested() && matches!(self.task, Task::Profiles) {
            self.sections.set(SectionId::ByFile, true);
        }
        // A sum has a format of its own.
        let path = self.look.output.as_deref().filter(|_| !self.reports.sum);
        let by_ending = path.and_then(render::for_extension).map(|renderer| renderer.name);
        self.set_format(self.look.format.or(by_ending));
        if self.reports.sum {
            self.sum = self.look.output.take().or(Some("gmon.sum".into()));
        }
        self.look.output.take_if(|path| path.as_os_str() == "-");
        self.reading.symbols = SymbolOptions {
            skips_static: self.functions.no_static,
            skips_untyped: self.functions.ignore_non_functions,
            granularity: self.reports.granularity(),
            external: self.reading.external_symbol_table.clone(),
            file_map: self.reports.file_ordering.clone(),
            debug_dirs: self.reading.debug_dir.clone(),
            ..SymbolOptions::default()
        };
        self.reading.hints = Hints {
            layout: self.reading.file_format,
            policy: ReadPolicy {
                counter_bits: self.reading.counter_bits,
                heap_events: self.reports.heap_events(),
                stacks: StackNumbers { unit: self.reading.unit, period: self.reading.period },
                ..ReadPolicy::CAREFUL
            },
            ..Hints::default()
        };
        self.add_reading();
        let dirs = std::mem::take(&mut self.reading.directory_path).into_iter();
        let dirs = dirs.chain(env::var_os("GPROF_PATH"));
        dirs.for_each(|dirs| self.reading.search.add_dirs(&dirs));
        let maps = std::mem::take(&mut self.reading.path_map);
        maps.into_iter().for_each(|map| self.reading.search.add_map(map));
        self.reading.environment = Environment {
            gmon_out_prefix: env::var_os("GMON_OUT_PREFIX"),
            profdir: env::var_os("PROFDIR"),
            mpatrol_options: env::var_os("MPATROL_OPTIONS"),
            ld_profile_output: env::var_os("LD_PROFILE_OUTPUT"),
        };
        self
    }

    /// Returns whether rows are about source lines.
    pub fn is_by_line(&self) -> bool {
        self.reading.symbols.granularity == Granularity::Lines && self.reports.group_by.is_none()
    }

    /// Returns whether the report has the samples of its call tree, by label and time, if it has a
    /// call tree.
    pub fn can_show_samples(&self) -> bool {
        let Renderer { is_page, keeps_names, .. } = *self.renderer();
        let is_alone = matches!(self.task, Task::Profiles) && !self.many.are_requested();
        is_alone && (is_page || keeps_names) && self.rows.choice(false).is_empty()
    }

    /// Returns whether it has a call tree with them.
    pub fn shows_samples(&self) -> bool {
        let is_wanted = self.sections.wants(SectionId::Tree);
        let is_usual = self.renderer().is_page && self.sections.is_open(SectionId::Tree);
        self.can_show_samples() && (is_wanted || is_usual)
    }

    /// Has read all that the report shows.
    fn add_reading(&mut self) {
        let all = self.shows_samples().then(TimeRange::default);
        self.reading.hints.policy.times = self.functions.seconds.or(all);
        // Call graph, execution counts and annotated sources show source files; the flat profile
        // does not.
        let sections = [SectionId::Graph, SectionId::Counts, SectionId::Source];
        self.reading.symbols.wants_sources |=
            sections.iter().any(|&section| self.sections.can_have(section))
                || self.filters.name_sources()
                || self.renderer().shows_sources
                || self.look.inline_file_names;
        self.reading.symbols.wants_lines |= self.sections.wants(SectionId::Source)
            || self.renderer().is_page && self.sections.is_open(SectionId::Source);
    }

    /// Requests parts of the report, unless the command line excludes them.
    pub fn request(&mut self, sections: impl IntoIterator<Item = SectionId>) {
        self.sections.add(sections);
        self.add_reading();
    }

    /// Sorts rows by a column.
    pub fn sort_by(&mut self, column: String) {
        self.rows.sort = Some(column);
        self.take_order();
    }

    /// Has a comparison sort by the requested column, if its own rules do so.
    pub(in crate::cli) fn take_order(&mut self) {
        let (Some(sort), Task::Comparison(comparison)) = (&self.rows.sort, &mut self.task) else {
            return;
        };
        comparison.order = match &**sort {
            "self" | "change" => DifferenceOrder::Own,
            "total" => DifferenceOrder::Total,
            "calls" => DifferenceOrder::Calls,
            _ => return,
        };
        self.rows.sort = None;
    }

    /// Has the report written to a file, in the format of its suffix. A page shows the command.
    pub fn write_to(&mut self, path: PathBuf, command: impl FnOnce() -> Vec<String>) {
        self.set_format(render::for_extension(&path).map(|renderer| renderer.name));
        self.look.output = Some(path);
        if self.renderer().is_page {
            self.command = command();
        }
        self.add_reading();
    }

    /// Sets the format, and requests its sections unless others are requested.
    pub(in crate::cli) fn set_format(&mut self, format: Option<&'static str>) {
        self.look.format = format;
        let (before, sections) = (self.sections, self.renderer().default_sections.iter().copied());
        self.sections.add(sections.filter(|&section| before.is_open(section)));
    }

    /// Sets the receiver of progress.
    pub fn set_progress(&mut self, progress: Progress) {
        self.reading.hints.progress = progress;
        self.reading.symbols.progress = progress;
    }

    /// The requested format, or the format of the output file's suffix.
    pub fn renderer(&self) -> &'static Renderer {
        let named = self.look.format.and_then(render::named);
        named.unwrap_or(render::default_renderer())
    }
}
