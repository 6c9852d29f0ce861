//! Every option, with its help: the definition that parsing, help, manual and
//! completions come from. Options that take a symspec are in `selections`.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args, ValueHint};

use super::selections::{FILTERS, REPORTS};
use super::values::{self, LayoutOption, one_of};
use crate::analyze::{AnnotationOptions, RowChoice};
use crate::cli::stated::{Base, Denied, FilePattern, GivenRunTime, GroupBy};
use crate::diagnose::{Environment, Warning};
use crate::filter::keep::Keep;
use crate::filter::{Specs, SymSpec};
use crate::load::{CounterBits, Hints, StackUnit};
use crate::model::{HeapPoint, Label, TimeRange};
use crate::output::{ColorWhen, PagerWhen};
use crate::render::NameForm;
use crate::report::SectionId;
use crate::sources::{PathMap, SourceSearch};
use crate::symbols::{Granularity, Style, SymbolOptions};

/// Which reports to print in addition to `selections`, and the unit of their rows.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = REPORTS)]
pub struct ReportOptions {
    /// Print the call tree with the cost of each call: callees below their callers, or callers
    /// below the functions with the largest self costs [callees]
    #[arg(long, value_name = "BELOW", value_parser = one_of(values::TREES))]
    pub tree: Option<Option<bool>>,
    /// Do not infer call stacks from calls: each function is a stack of its own
    #[arg(long)]
    pub no_inferred_stacks: bool,
    /// Print memory that was never freed, by call stacks of DEPTH functions; 0 for all [8]
    #[arg(long, value_name = "DEPTH", value_parser = values::number_from::<usize>(0))]
    pub leaks: Option<Option<usize>>,
    /// Print blocks by size, grouped by powers of two or for all sizes [powers]
    #[arg(long, value_name = "STEPS", value_parser = one_of(values::SIZE_STEPS))]
    pub bins: Option<Option<bool>>,
    /// Show how the heap evolved over a trace
    #[arg(long)]
    pub trace: bool,
    /// Print the memory in use at the peak, by call stacks of DEPTH functions; 0 for all [8]
    #[arg(long, value_name = "DEPTH", value_parser = values::number_from::<usize>(0))]
    pub peak: Option<Option<usize>>,
    /// Print temporary blocks: freed before the next allocation at the same call site
    #[arg(long)]
    pub temporary: bool,
    /// Print the growth of the heap from point A to point B of a trace, by call site; a point
    /// is an event number, start, peak or end
    #[arg(long, value_name = "A,B", value_parser = values::points)]
    pub between: Option<(HeapPoint, HeapPoint)>,
    /// Report by library (object), source file (source) or value of a label (label:KEY) instead of
    /// by function; specs name these
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = values::group_by,
        conflicts_with_all = ["line", "inlines", "function_ordering", "file_ordering"]
    )]
    pub group_by: Option<GroupBy>,
    /// Report by source line instead of by function
    #[arg(short = 'l', long)]
    pub line: bool,
    /// Show inlined functions in rows of their own
    #[arg(long)]
    pub inlines: bool,
    /// Print a linker order that puts functions next to their callers
    #[arg(short = 'r', long, conflicts_with = "file_ordering")]
    pub function_ordering: bool,
    /// Print a link order of object files; MAP is the output of `nm -A *.o`
    #[arg(short = 'R', long, value_name = "MAP")]
    pub file_ordering: Option<PathBuf>,
    /// Print the contents of each profile
    #[arg(short = 'i', long)]
    pub file_info: bool,
    /// Write the sum of the profiles to gmon.sum, or to the -o FILE
    #[arg(short = 's', long)]
    pub sum: bool,
}

/// Filters in addition to `selections`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = FILTERS)]
pub struct FunctionOptions {
    /// Omit static functions; the preceding function gets their time
    #[arg(short = 'a', long)]
    pub no_static: bool,
    /// Omit local symbols without a type
    #[arg(short = 'D', long)]
    pub ignore_non_functions: bool,
    /// Also show functions without calls and time
    #[arg(short = 'z', long)]
    pub display_unused_functions: bool,
    /// Show and sort by this value: bytes, count, unfreed-bytes or unfreed-count of a heap, or
    /// an event of callgrind [the first]
    #[arg(long, value_name = "VALUE")]
    pub value: Option<String>,
    /// Add a column with the ratio of two values, such as cycles,instructions, to the flat profile
    #[arg(long, value_name = "A,B")]
    pub ratio: Option<String>,
    /// Select functions by EXPR, as in '(from "main")'
    #[arg(long, value_name = "EXPR", value_parser = values::keep)]
    pub keep: Option<Keep>,
    /// Report only SPEC and its callees; repeatable
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    pub focus: Vec<SymSpec>,
    /// Omit SPEC and its callees; repeatable
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    pub ignore: Vec<SymSpec>,
    /// Remove SPEC from call stacks; its callers get its cost; repeatable
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    pub hide: Vec<SymSpec>,
    /// Begin call stacks at SPEC, and sum up stacks without it; repeatable
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    pub from: Vec<SymSpec>,
    /// Report only samples with this label, as in comm=cc1; repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::label)]
    pub label: Vec<Label>,
    /// Report only samples from A to B seconds after the first, as in 1.5..3 or 10..
    #[arg(long, value_name = "A..B", value_parser = values::seconds)]
    pub seconds: Option<TimeRange>,
    /// Merge Standard ML functions by name and location
    #[arg(long)]
    pub merge_names: bool,
    /// Omit functions of the Standard ML library
    #[arg(long)]
    pub no_library: bool,
    /// Add calls found in the machine code to the call graph
    #[arg(short = 'c', long)]
    pub static_call_graph: bool,
}

/// Which rows and columns are shown.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Rows and columns")]
pub struct RowOptions {
    /// Show the first N rows, and one row for the rest
    #[arg(long, value_name = "N", value_parser = values::number_from::<usize>(1))]
    pub top: Option<usize>,
    /// Show rows with at least P percent of the total
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = values::percent)]
    pub min_percent: Option<f64>,
    /// Sort by this column: self, total, calls, name, …
    #[arg(long, value_name = "COLUMN", value_parser = values::sort_column)]
    pub sort: Option<String>,
    /// Reverse the order of the rows
    #[arg(long)]
    pub reverse: bool,
    /// Show only these columns, in this order, and the name
    #[arg(long, value_name = "LIST", value_parser = values::column_list)]
    pub columns: Option<Box<[String]>>,
    /// Compute percentages of the rows shown, not of the total
    #[arg(long)]
    pub relative: bool,
    /// Print a flat profile for diff: by name, without columns that change in every run
    #[arg(long)]
    pub stable: bool,
}

/// Input files, and how to read them.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub struct ReadingOptions {
    /// Read the files of each given directory whose names match PATTERN, as in 'gmon.out.*'
    #[arg(long, value_name = "PATTERN", value_parser = values::file_pattern)]
    pub files_like: Option<FilePattern>,
    /// Read symbols from FILE, in the format of nm
    #[arg(short = 'S', long, value_name = "FILE")]
    pub external_symbol_table: Option<PathBuf>,
    /// Read profiles in this layout
    #[arg(
        short = 'O',
        long,
        alias = "layout",
        value_name = "FORMAT",
        default_value = "auto",
        value_parser = one_of(values::LAYOUTS)
    )]
    pub file_format: LayoutOption,
    /// Read a gmon.out from a serial log or the output of xxd, hexdump, od, U-Boot, GDB or a
    /// programmer (.hex, .srec)
    #[arg(long)]
    pub from_hexdump: bool,
    /// Set the sampling rate (samples per second)
    #[arg(
        long,
        value_name = "HZ",
        allow_negative_numbers = true,
        value_parser = values::rate
    )]
    pub rate: Option<NonZeroU32>,
    /// Set the unit of folded stacks: samples, ns, us, ms, bytes, or another NAME
    #[arg(long, value_name = "UNIT", value_parser = values::unit)]
    pub unit: Option<StackUnit>,
    /// Set the number that each sample adds to a folded stack
    #[arg(long, value_name = "N", value_parser = values::period)]
    pub period: Option<NonZeroU64>,
    /// Set the width of the counters to N bits, overriding the layout of gmon.out
    #[arg(long, value_name = "N", value_parser = one_of(values::COUNTER_BITS))]
    pub counter_bits: Option<CounterBits>,
    /// Set the address at which the program was loaded
    #[arg(long, value_name = "ADDRESS", value_parser = values::base)]
    pub base: Option<Base>,
    /// Show how much of the run the samples cover; TIME is its length in seconds, or a file
    /// with the output of `time`
    #[arg(
        long,
        value_name = "TIME",
        value_hint = ValueHint::FilePath,
        allow_negative_numbers = true,
        value_parser = OsStringValueParser::new().try_map(values::run_time)
    )]
    pub wall: Option<GivenRunTime>,
    /// Scale times so that samples add up to the CPU time
    #[arg(long, requires = "wall")]
    pub scale_to_cpu: bool,
    /// Also search DIR for debug files; repeatable
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub debug_dir: Vec<PathBuf>,
    /// Search DIRS for sources before GPROF_PATH; repeatable
    #[arg(short = 'I', long, value_name = "DIRS", value_hint = ValueHint::DirPath)]
    pub directory_path: Vec<OsString>,
    /// Replace the start OLD of source paths by NEW; repeatable
    #[arg(
        long,
        value_name = "OLD=NEW",
        value_parser = OsStringValueParser::new().try_map(values::path_map)
    )]
    pub path_map: Vec<PathMap>,
    /// With -A, also print source files outside the current directory and those of the
    /// executable, -I and --path-map
    #[arg(long)]
    pub any_source: bool,
    /// Refuse damaged files; do not use their intact part or omit them
    #[arg(long)]
    pub strict: bool,
    /// Write the names of omitted files to FILE, each with the reason
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub list_skipped: Option<PathBuf>,
    /// Exit with status 2 if this warning is issued: a CODE, or `warnings` for all; repeatable
    #[arg(
        long,
        value_name = "CODE",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = values::DENIALS
    )]
    pub deny: Vec<Denied>,
    /// Print every warning, even if many files have the same one
    #[arg(long)]
    pub verbose: bool,
    /// Stop with an error before using more than SIZE of memory, as in 500M or 8G [4G]
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    pub limit_memory: Option<u64>,
    /// Use N threads, 1 to 512 [PROFAN_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// How to read them, without facts about a program.
    #[arg(skip)]
    pub hints: Hints,
    /// Which symbols count.
    #[arg(skip)]
    pub symbols: SymbolOptions,
    /// Where to find sources.
    #[arg(skip)]
    pub search: SourceSearch,
    /// Variables that determine where profiles are written.
    #[arg(skip)]
    pub environment: Environment,
}

/// How and where to print.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct LookOptions {
    /// Set the format [text, or the extension of -o]
    #[arg(long, value_name = "FORMAT", value_parser = values::format())]
    pub format: Option<&'static str>,
    /// Put an apostrophe before CSV and TSV names that a spreadsheet may run
    #[arg(long)]
    pub csv_safe: bool,
    /// Explain the columns
    #[arg(long, overrides_with = "brief")]
    pub explain: bool,
    /// Omit the explanations (the default)
    #[arg(short = 'b', long, overrides_with = "explain")]
    pub brief: bool,
    /// Show the uncertainty of times: sampling errors, rows that could change places, and
    /// values that assume the same cost for all calls of a function
    #[arg(long)]
    pub error: bool,
    /// Print in the BSD layout
    #[arg(short = 'T', long)]
    pub traditional: bool,
    /// Set the width of the index [the terminal's, or 80]
    #[arg(
        short = 'w',
        long,
        value_name = "COLUMNS",
        value_parser = values::columns
    )]
    pub width: Option<usize>,
    /// Print full names, short ones (without parameters and template arguments), base names
    /// (also without namespaces), or linkage names (mangled) [full; in a terminal, as much as
    /// fits]; use `short` for short C++ lines in pipes
    #[arg(long, value_name = "FORM", value_parser = one_of(values::NAME_FORMS))]
    pub names: Option<NameForm>,
    /// In a terminal, also show functions without self time and calls below half a percent,
    /// instead of their sum; with -A, whole files
    #[arg(long)]
    pub all: bool,
    /// Use a pager for reports longer than the screen: PROFAN_PAGER, PAGER or less
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = one_of(values::PAGERS)
    )]
    pub pager: PagerWhen,
    /// Print full paths of files
    #[arg(short = 'L', long)]
    pub print_path: bool,
    /// Print file and line after each name
    #[arg(long)]
    pub inline_file_names: bool,
    /// Write annotated source to files NAME-ann in the current directory
    #[arg(short = 'y', long)]
    pub separate_files: bool,
    /// Annotate every line of a basic block
    #[arg(short = 'x', long)]
    pub all_lines: bool,
    /// Mark lines that ran fewer than N times with #####
    #[arg(
        short = 'm',
        long,
        value_name = "N",
        default_value_t = AnnotationOptions::default().min_count,
        value_parser = values::number_from::<u64>(0)
    )]
    pub min_count: u64,
    /// List N lines in the table of most executed lines
    #[arg(
        short = 't',
        long,
        value_name = "N",
        default_value_t = AnnotationOptions::default().n_top_lines,
        value_parser = values::number_from::<usize>(0)
    )]
    pub table_length: usize,
    /// Demangle names [auto]
    #[arg(
        long,
        value_name = "STYLE",
        overrides_with = "no_demangle",
        value_parser = one_of(values::DEMANGLE_STYLES)
    )]
    pub demangle: Option<Option<Style>>,
    /// Print mangled names, as in the executable
    #[arg(long, overrides_with = "demangle")]
    pub no_demangle: bool,
    /// Use colour
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = one_of(values::COLORS)
    )]
    pub color: ColorWhen,
    /// Write the report (with -s, the sum) to FILE
    #[arg(short = 'o', long, value_name = "FILE", value_parser = values::output())]
    pub output: Option<PathBuf>,
    /// Print a summary
    #[arg(short = 'h')]
    pub summary: bool,
    /// Print this help
    #[arg(long, action = ArgAction::Help)]
    pub help: (),
    /// Print the version
    #[arg(short = 'v', long, action = ArgAction::Version)]
    pub version: (),
}

/// Default number of functions that distinguish the stacks of a heap.
const USUAL_STACK_DEPTH: usize = 8;

impl ReportOptions {
    /// The requested sections.
    pub(in crate::cli) fn sections(&self) -> impl Iterator<Item = SectionId> {
        let wanted = [
            (self.tree.is_some(), SectionId::Tree),
            (self.leaks.is_some(), SectionId::Leaks),
            (self.bins.is_some(), SectionId::Sizes),
            (self.trace, SectionId::Trace),
            (self.peak.is_some(), SectionId::HeapPeak),
            (self.temporary, SectionId::HeapTemporary),
            (self.between.is_some(), SectionId::HeapGrowth),
            (self.function_ordering || self.file_ordering.is_some(), SectionId::Order),
            (self.file_info, SectionId::Files),
        ];
        wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, section)| section)
    }

    /// The code that symbols denote. A source file is the sum of its lines.
    pub(in crate::cli) fn granularity(&self) -> Granularity {
        match (self.line || self.group_by == Some(GroupBy::Source), self.inlines) {
            (true, _) => Granularity::Lines,
            (false, true) => Granularity::Inlines,
            (false, false) => Granularity::Functions,
        }
    }

    /// The events of a trace after which to save the blocks in use.
    pub fn heap_events(&self) -> [Option<u64>; 2] {
        let event = |point| match point {
            HeapPoint::Event(event) => Some(event),
            _ => None,
        };
        self.between.map_or([None; 2], |(from, to)| [event(from), event(to)])
    }
}

/// Number of functions that distinguish the stacks of a heap, from the depth of an option;
/// `None` for all.
pub fn stack_depth(asked: Option<Option<usize>>) -> Option<usize> {
    let depth = asked.flatten().unwrap_or(USUAL_STACK_DEPTH);
    (depth > 0).then_some(depth)
}

impl FunctionOptions {
    /// The functions that costs must pass through, or must not.
    pub(in crate::cli) fn specs(&self) -> Specs {
        Specs { include: self.focus.clone(), exclude: self.ignore.clone() }
    }

    /// The functions that stacks begin with, and those removed from them.
    pub(in crate::cli) fn stack_specs(&self) -> Specs {
        Specs { include: self.from.clone(), exclude: self.hide.clone() }
    }
}

impl RowOptions {
    /// The choice of rows and columns. Files may omit the other columns.
    pub fn choice(&self, drops_columns: bool) -> RowChoice {
        RowChoice {
            top: self.top,
            min_percent: self.min_percent,
            sort: self.sort.clone(),
            is_reversed: self.reverse,
            columns: self.columns.clone(),
            is_relative: self.relative,
            drops_columns: drops_columns && self.columns.is_some(),
            is_stable: self.stable,
        }
    }

    /// Returns whether rows are requested by number or share.
    pub fn limit_rows(&self) -> bool {
        self.top.is_some() || self.min_percent.is_some()
    }
}

impl ReadingOptions {
    /// Returns whether the warning with a code is an error.
    pub fn denies(&self, code: &str) -> bool {
        self.deny.iter().any(|denied| match denied {
            Denied::Warnings => true,
            Denied::Code(denied) => *denied == code,
        })
    }

    /// Returns whether any of these warnings is an error.
    pub fn denies_any(&self, warnings: &[Warning]) -> bool {
        let is_void = |one: &Warning| matches!(one, Warning::UnusedGate { is_whole: true, .. });
        let mut warnings = warnings.iter();
        warnings.any(|warning| is_void(warning) || self.denies(warning.code()))
    }
}

impl LookOptions {
    /// How to demangle names.
    pub fn style(&self) -> Style {
        match self.demangle.flatten() {
            _ if self.no_demangle => Style::None,
            style => style.unwrap_or(Style::Auto),
        }
    }

    /// The numbers beside source lines.
    pub fn marks(&self) -> AnnotationOptions {
        AnnotationOptions {
            marks_all_lines: self.all_lines,
            min_count: self.min_count,
            n_top_lines: self.table_length,
        }
    }
}
