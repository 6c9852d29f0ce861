//! Decides which reports to print and how: defaults and policies of the native mode.

use std::env;
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use regex::bytes::Regex;

use crate::analyze::{AnnotationOptions, RowChoice};
use crate::compare::comparison::{DifferenceOrder, FailOn};
use crate::compare::difference::DifferenceOptions;
use crate::compare::matching::JoinRules;
use crate::diagnose::{Environment, Warning};
use crate::filter::FilterSpecs;
use crate::filter::keep::Keep;
use crate::load::{CounterBits, ReadPolicy, RequestedLayout};
use crate::model::{Address, HeapPoint, Label};
use crate::output::{ColorWhen, PagerWhen};
use crate::progress::Progress;
use crate::render::{self, NameForm, Renderer};
use crate::report::SectionId;
use crate::sources::SourceSearch;
use crate::symbols::{Style, SymbolOptions};

/// A command line of the native mode.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The subject of the report.
    pub task: Task,
    /// As given.
    pub files: Vec<PathBuf>,
    /// Files that may have been meant as arguments of options.
    pub loose: Vec<Loose>,
    /// The requested parts of the report.
    pub styles: Styles,
    /// Which symbols count.
    pub symbols: SymbolOptions,
    /// The specs.
    pub filters: FilterSpecs,
    /// The keep expression.
    pub keep: Option<Keep>,
    /// Selection and order of rows and columns.
    pub choice: RowChoice,
    /// The requested layout of profiles.
    pub layout: Option<RequestedLayout>,
    /// Facts about profiles that override or complete their contents.
    pub reading: ReadingPlan,
    /// The load address of the program, if stated.
    pub base: Option<Base>,
    /// How to print text.
    pub text: TextPlan,
    /// How to annotate sources.
    pub source: SourcePlan,
    /// How to compare many profiles, if requested.
    pub by_file: Option<ByFilePlan>,
    /// Labels of the samples to report. Of each key, a sample has one of the values.
    pub labels: Vec<Label>,
    /// The label whose values split each profile into several.
    pub by_label: Option<String>,
    /// The duration of the run, if stated.
    pub run_time: Option<GivenRunTime>,
    /// Times add up to the processor time of the run.
    pub scales_to_processor: bool,
    /// The metric to sort by: its name in the profile.
    pub value: Option<String>,
    /// Inlined functions have rows.
    pub shows_inlines: bool,
    /// Stacks that were not recorded have one frame each.
    pub infers_no_stacks: bool,
    /// Options for exact profiles.
    pub exact: ExactPlan,
    /// Show functions without calls and time.
    pub shows_zero_cost: bool,
    /// Add calls from machine code to the call graph.
    pub static_calls: bool,
    /// Refuse damaged input.
    pub is_strict: bool,
    /// Warnings that are errors.
    pub deny: Deny,
    /// Print each warning, even many of the same kind.
    pub is_verbose: bool,
    /// Output file of the sum of the profiles, if requested.
    pub sum: Option<PathBuf>,
    /// Output file of the report; `None` for standard output.
    pub output: Option<PathBuf>,
    /// Name of the output format; `None` for text.
    pub format: Option<&'static str>,
    /// The words of the command line, without those for the output, for a page.
    pub command: Vec<String>,
    /// The report is shown by `profan browse`.
    pub is_browsed: bool,
    /// When to use colours.
    pub color: ColorWhen,
    /// Variables that determine where profiles are written.
    pub environment: Environment,
    /// When to use a pager.
    pub pager: PagerWhen,
    /// Memory limit in bytes, if stated.
    pub memory_limit: Option<u64>,
    /// Number of threads, if stated.
    pub threads: Option<usize>,
    /// Receives the progress of the work.
    pub progress: Progress,
}

/// The subject of a report.
#[derive(Clone, Debug, Default)]
pub enum Task {
    /// Profiles.
    #[default]
    Profiles,
    /// The differences of two sides.
    Comparison(Box<ComparisonPlan>),
    /// A program, and whether it can be profiled.
    Program,
}

/// Facts about profiles that override or complete their contents.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadingPlan {
    /// They are hex dumps.
    pub is_hexdump: bool,
    /// Ticks per second.
    pub rate: Option<NonZeroU32>,
    /// Width of histogram counters.
    pub counter_bits: Option<CounterBits>,
}

impl ReadingPlan {
    /// The policy of readers.
    pub fn policy(&self) -> ReadPolicy {
        ReadPolicy { counter_bits: self.counter_bits, ..ReadPolicy::CAREFUL }
    }
}

/// A comparison of many profiles.
#[derive(Clone, Debug)]
pub struct ByFilePlan {
    /// The part to show.
    pub part: ByFilePart,
    /// The names of files.
    pub naming: FileNaming,
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
#[derive(Clone, Debug)]
pub enum FileNaming {
    /// By path.
    Paths,
    /// By the first group of an expression in the path.
    Ranks(Regex),
    /// The same; files with the same name count as one.
    Groups(Regex),
}

/// A comparison of two sides, in addition to the plan of a report.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// The files of the new side, if separate.
    pub new: Option<Vec<PathBuf>>,
    /// Which differences count as a change.
    pub options: DifferenceOptions,
    /// Compare halves of the runs of one side instead.
    pub halves: bool,
    /// More runs may follow, until a change is found or excluded.
    pub until_sure: bool,
    /// The order of rows.
    pub order: DifferenceOrder,
    /// How to match functions.
    pub rules: JoinRules,
    /// Reasons to refuse the new side.
    pub fail_on: Vec<FailOn>,
    /// The file with the saved old side.
    pub baseline: Option<PathBuf>,
    /// Save the new side as the next baseline.
    pub updates: bool,
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

/// Warnings that are errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deny(pub Vec<Denied>);

/// One warning, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// All warnings.
    Warnings,
    /// The warning with this code.
    Code(&'static str),
}

impl Deny {
    /// Returns whether the warning with a code is an error.
    pub fn covers(&self, code: &str) -> bool {
        self.0.iter().any(|denied| match denied {
            Denied::Warnings => true,
            Denied::Code(denied) => *denied == code,
        })
    }

    /// Returns whether any of these warnings is an error.
    pub fn covers_any(&self, warnings: &[Warning]) -> bool {
        let is_void = |one: &Warning| matches!(one, Warning::UnusedGate { is_whole: true, .. });
        let mut warnings = warnings.iter();
        warnings.any(|warning| is_void(warning) || self.covers(warning.code()))
    }
}

/// How to print text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextPlan {
    /// Use BSD's layout, where one exists.
    pub is_bsd: bool,
    /// Print explanations of columns.
    pub explains: bool,
    /// Width of the index; `None` for the default.
    pub width: Option<usize>,
    /// How to shorten names; `None` to fit.
    pub names: Option<NameForm>,
    /// On a terminal, show rows without self cost too.
    pub shows_all: bool,
    /// How to demangle.
    pub demangle: Style,
    /// Print paths of files.
    pub shows_paths: bool,
    /// Print file and line after each name.
    pub shows_locations: bool,
    /// Print uncertainties.
    pub shows_error: bool,
    /// Protect CSV and TSV against formulas.
    pub is_csv_safe: bool,
}

/// How to annotate sources.
#[derive(Clone, Debug, Default)]
pub struct SourcePlan {
    /// Where to find sources.
    pub search: SourceSearch,
    /// Read files outside of the directories of the executable and the command line too.
    pub reads_any: bool,
    /// Write each source to a separate file in the current directory.
    pub is_in_files: bool,
    /// The numbers next to lines.
    pub marks: AnnotationOptions,
}

/// Options for exact profiles: heap profiles, traces and MLton's profiles.
#[derive(Clone, Debug, Default)]
pub struct ExactPlan {
    /// Number of functions that distinguish the stacks of leaks; `Some(None)` for all.
    pub leak_depth: Option<Option<usize>>,
    /// List every size of blocks.
    pub lists_all_sizes: bool,
    /// The points of a trace between which to show growth.
    pub between: Option<(HeapPoint, HeapPoint)>,
    /// Merge functions with the same name and location.
    pub merges_names: bool,
    /// Omit functions of the library.
    pub hides_library: bool,
}

/// Default number of functions that distinguish the stacks of leaks.
const USUAL_LEAK_DEPTH: usize = 8;

impl ExactPlan {
    /// The events of a trace after which to save the blocks in use.
    pub fn heap_events(&self) -> [Option<u64>; 2] {
        let event = |point| match point {
            HeapPoint::Event(event) => Some(event),
            _ => None,
        };
        self.between.map_or([None; 2], |(from, to)| [event(from), event(to)])
    }

    /// Number of functions that distinguish the stacks of leaks; `None` for all.
    pub fn leak_depth(&self) -> Option<usize> {
        self.leak_depth.unwrap_or(Some(USUAL_LEAK_DEPTH))
    }
}

impl Plan {
    /// Applies the rules that depend on the whole command line.
    pub(super) fn finish(&mut self) {
        if self.styles.wants(OutputStyle::Sum) {
            self.sum = self.output.take().or(Some("gmon.sum".into()));
        }
        self.output.take_if(|path| path.as_os_str() == "-");
        self.add_symbols();
        let search_path = env::var_os("GPROF_PATH").unwrap_or_default();
        self.source.search.add_dirs(&search_path);
        self.environment = Environment {
            gmon_out_prefix: env::var_os("GMON_OUT_PREFIX"),
            profdir: env::var_os("PROFDIR"),
            mpatrol_options: env::var_os("MPATROL_OPTIONS"),
            ld_profile_output: env::var_os("LD_PROFILE_OUTPUT"),
        };
    }

    /// Has symbols read with all that the report shows.
    fn add_symbols(&mut self) {
        // Call graph, execution counts and annotated sources show source files; the flat profile
        // does not.
        let styles = [OutputStyle::Graph, OutputStyle::ExecCounts, OutputStyle::AnnotatedSource];
        self.symbols.wants_sources |= styles.iter().any(|&style| self.styles.can_have(style))
            || self.filters.name_sources()
            || self.renderer().shows_sources
            || self.text.shows_locations;
        self.symbols.wants_lines |= self.styles.wants(OutputStyle::AnnotatedSource)
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
        self.choice.sort = Some(column);
        self.take_order();
    }

    /// Has a comparison sort by the requested column, if its own rules do so.
    pub(super) fn take_order(&mut self) {
        let (Some(sort), Task::Comparison(comparison)) = (&self.choice.sort, &mut self.task) else {
            return;
        };
        comparison.order = match &**sort {
            "self" | "change" => DifferenceOrder::Own,
            "total" => DifferenceOrder::Total,
            "calls" => DifferenceOrder::Calls,
            _ => return,
        };
        self.choice.sort = None;
    }

    /// Has the report written to a file, in the format of its suffix. A page shows the command.
    pub fn write_to(&mut self, path: PathBuf, command: impl FnOnce() -> Vec<String>) {
        self.set_format(render::for_extension(&path).map(|renderer| renderer.name));
        self.output = Some(path);
        if self.renderer().is_page {
            self.command = command();
        }
        self.add_symbols();
    }

    /// Sets the format, and requests its sections unless others are requested.
    pub(super) fn set_format(&mut self, format: Option<&'static str>) {
        self.format = format;
        let sections = self.renderer().default_sections.iter();
        let of_format = sections.filter_map(|&id| OutputStyle::of(id));
        let open: Vec<_> = of_format.filter(|&style| self.styles.is_open(style)).collect();
        open.into_iter().for_each(|style| self.styles.set(style, true));
    }

    /// Sets the receiver of progress.
    pub fn set_progress(&mut self, progress: Progress) {
        self.progress = progress;
        self.symbols.progress = progress;
    }

    /// The requested format, or the format of the output file's suffix.
    pub fn renderer(&self) -> &'static Renderer {
        let named = self.format.and_then(render::named);
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
