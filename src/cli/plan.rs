//! Decides which reports to print and how: defaults and policies of the native mode.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use regex::bytes::Regex;

use super::profan::by_file::ByFileOptions;
use super::profan::diff::ComparisonOptions;
use super::profan::options::{
    FunctionOptions, LookOptions, ReadingOptions, ReportOptions, RowOptions,
};
use super::profan::selections::Selections;
use crate::compare::comparison::DifferenceOrder;
use crate::diagnose::Environment;
use crate::filter::FilterSpecs;
use crate::load::{Hints, ReadPolicy};
use crate::model::Address;
use crate::progress::Progress;
use crate::render::{self, Renderer};
use crate::report::SectionId;
use crate::symbols::SymbolOptions;

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
    pub styles: Styles,
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

/// A part of a comparison of many profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByFilePart {
    /// All parts that the format supports.
    #[default]
    All,
    /// The distribution of each function's cost.
    Spread,
    /// The totals of each file.
    Files,
    /// The cost of each function in each file.
    Rows,
}

/// How to name files.
#[derive(Clone, Copy, Debug)]
pub enum FileNaming<'p> {
    /// By path.
    Paths,
    /// By the first group of an expression in the path.
    Ranks(&'p Regex),
    /// The same; files with the same name count as one.
    Groups(&'p Regex),
}

/// The load address of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base(pub Address);

/// The stated duration of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenRunTime {
    /// Wall-clock time.
    Wall(Duration),
    /// A file with the output of `time`.
    File(PathBuf),
}

/// A file that may have been meant as the argument of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    /// As written.
    pub word: OsString,
    /// The option with this argument.
    pub attached: String,
    /// The option takes a symspec.
    pub wants_name: bool,
}

/// One warning, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// All warnings.
    Warnings,
    /// The warning with this code.
    Code(&'static str),
}

impl Plan {
    /// Applies the rules that depend on the whole command line.
    pub(super) fn finish(mut self, files: Vec<PathBuf>) -> Self {
        self.files = files;
        let Selections { styles, filters } = std::mem::take(&mut self.selections);
        (self.styles, self.filters) = (styles, filters);
        self.reports.styles().for_each(|style| self.styles.set(style, true));
        self.filters.focus = self.functions.specs();
        if self.rows.stable && self.styles.is_open(OutputStyle::Flat) {
            self.styles.set(OutputStyle::Flat, true);
        }
        // Each label of a comparison is a run.
        if self.many.are_requested() && matches!(self.task, Task::Profiles) {
            self.styles.set(OutputStyle::ByFile, true);
        }
        // A sum has a format of its own.
        let is_sum = self.styles.wants(OutputStyle::Sum);
        let path = self.look.output.as_deref().filter(|_| !is_sum);
        let by_ending = path.and_then(render::for_extension).map(|renderer| renderer.name);
        self.set_format(self.look.format.or(by_ending));
        if is_sum {
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
        self.add_symbols();
        self.reading.hints = Hints {
            layout: self.reading.file_format,
            policy: ReadPolicy {
                counter_bits: self.reading.counter_bits,
                heap_events: self.reports.heap_events(),
                ..ReadPolicy::CAREFUL
            },
            ..Hints::default()
        };
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

    /// Has symbols read with all that the report shows.
    fn add_symbols(&mut self) {
        // Call graph, execution counts and annotated sources show source files; the flat profile
        // does not.
        let styles = [OutputStyle::Graph, OutputStyle::ExecCounts, OutputStyle::AnnotatedSource];
        self.reading.symbols.wants_sources |=
            styles.iter().any(|&style| self.styles.can_have(style))
                || self.filters.name_sources()
                || self.renderer().shows_sources
                || self.look.inline_file_names;
        self.reading.symbols.wants_lines |= self.styles.wants(OutputStyle::AnnotatedSource)
            || self.renderer().is_page && self.styles.is_open(OutputStyle::AnnotatedSource);
    }

    /// Requests parts of the report, unless the command line excludes them.
    pub fn request(&mut self, styles: impl IntoIterator<Item = OutputStyle>) {
        let named = self.styles.named;
        let open = styles.into_iter().filter(|style| !named.contains(*style));
        open.for_each(|style| self.styles.set(style, true));
        self.add_symbols();
    }

    /// Sorts rows by a column.
    pub fn sort_by(&mut self, column: String) {
        self.rows.sort = Some(column);
        self.take_order();
    }

    /// Has a comparison sort by the requested column, if its own rules do so.
    pub(super) fn take_order(&mut self) {
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
        self.add_symbols();
    }

    /// Sets the format, and requests its sections unless others are requested.
    pub(super) fn set_format(&mut self, format: Option<&'static str>) {
        self.look.format = format;
        let sections = self.renderer().default_sections.iter();
        let of_format = sections.filter_map(|&id| OutputStyle::of(id));
        let open: Vec<_> = of_format.filter(|&style| self.styles.is_open(style)).collect();
        open.into_iter().for_each(|style| self.styles.set(style, true));
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

/// An output style of gprof or profan, requested by an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputStyle {
    /// `-p`: the flat profile.
    Flat,
    /// `-q`: the call graph and its index.
    Graph,
    /// `-C`: execution counts of functions and basic blocks.
    ExecCounts,
    /// `-A`: annotated source.
    AnnotatedSource,
    /// `-r`: an order of functions for the linker.
    FunctionOrder,
    /// `-R`: an order of object files for the linker.
    FileOrder,
    /// `-i`: the contents of each profile.
    FileInfo,
    /// `-s`: the sum of the profiles, in a file.
    Sum,
    /// `--leaks`: memory never freed, by call stack.
    Leaks,
    /// `--bins`: blocks by size.
    Bins,
    /// `--trace`: the history of the heap.
    Trace,
    /// `--coverage`: entered code, by file and line.
    Coverage,
    /// `--peak`: memory in use at the peak.
    Peak,
    /// `--temporary`: temporary blocks.
    Temporary,
    /// `--between`: growth between two points of a trace.
    Growth,
    /// `--by-file`: a comparison of many profiles.
    ByFile,
    /// `--tree`: the call tree.
    Tree,
}

impl OutputStyle {
    /// The style that makes a section of costs.
    pub(super) fn of(section: SectionId) -> Option<Self> {
        match section {
            SectionId::Flat => Some(Self::Flat),
            SectionId::Graph => Some(Self::Graph),
            SectionId::Tree => Some(Self::Tree),
            SectionId::Coverage => Some(Self::Coverage),
            _ => None,
        }
    }
}

/// The requested styles, and all named styles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    wanted: StyleSet,
    named: StyleSet,
}

#[derive(Clone, Copy, Debug, Default)]
struct StyleSet(u32);

impl StyleSet {
    fn set(&mut self, style: OutputStyle, is_in: bool) {
        let bit = 1 << style as u16;
        self.0 = if is_in { self.0 | bit } else { self.0 & !bit };
    }

    fn contains(self, style: OutputStyle) -> bool {
        self.0 & 1 << style as u16 != 0
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Styles {
    /// These styles and no others.
    pub fn only(wanted: impl IntoIterator<Item = OutputStyle>) -> Self {
        let mut styles = Self::default();
        for style in wanted {
            styles.set(style, true);
        }
        styles
    }

    /// Requests or excludes a style, for `-p`, `-P` and similar.
    pub(super) fn set(&mut self, style: OutputStyle, is_wanted: bool) {
        self.wanted.set(style, is_wanted);
        self.named.set(style, true);
    }

    /// Returns whether the style was requested.
    pub fn wants(&self, style: OutputStyle) -> bool {
        self.wanted.contains(style)
    }

    /// Returns whether the style may be printed by default: nothing was requested, and it was
    /// not excluded.
    pub fn is_open(&self, style: OutputStyle) -> bool {
        self.wanted.is_empty() && !self.named.contains(style)
    }

    /// Returns whether only this style was requested.
    pub fn want_only(&self, style: OutputStyle) -> bool {
        let mut rest = self.wanted;
        rest.set(style, false);
        rest.is_empty() && self.wants(style)
    }

    /// Returns whether the requested styles need no symbols.
    pub fn need_no_symbols(&self) -> bool {
        use OutputStyle as S;
        let mut rest = self.wanted;
        rest.set(S::FileInfo, false);
        rest.set(S::Sum, false);
        rest.is_empty() && !self.wanted.is_empty()
    }

    /// Returns whether the style was not excluded.
    pub fn can_have(&self, style: OutputStyle) -> bool {
        use OutputStyle as S;
        let is_default = matches!(style, S::Flat | S::Graph | S::ExecCounts);
        self.wants(style) || is_default && self.is_open(style)
    }
}
