//! Every option, with its help: the definition that parsing, help, manual and
//! completions come from. Those that take a symspec are in `selections`.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use super::super::plan::{Base, Denied, Deny, GivenRunTime, OutputStyle, Plan};
use super::many::ManyOptions;
use super::selections::{FILTERS, REPORTS, Selections};
use super::values::{self, Columns, Layout, one_of};
use crate::analyze::{AnnotationOptions, RowChoice};
use crate::diagnose::catalogue::Entry;
use crate::filter::keep::Keep;
use crate::filter::{Specs, SymSpec};
use crate::load::CounterBits;
use crate::model::HeapPoint;
use crate::output::{ColorWhen, PagerWhen};
use crate::render::{self, NameForm};
use crate::sources::PathMap;
use crate::symbols::{Granularity, Style};

/// A whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "profan",
    version,
    about = ABOUT,
    override_usage = USAGE,
    after_help = AFTER_HELP,
    max_term_width = 80,
    infer_long_args = true,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_flag = true,
    disable_version_flag = true,
    disable_help_subcommand = true
)]
pub(super) struct Options {
    #[arg(value_name = "FILE", hide = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) asked: Asked,
    #[command(subcommand)]
    pub(super) word: Option<Word>,
}

/// What is asked for of profiles.
#[derive(Debug, Args)]
pub(super) struct Asked {
    #[command(flatten)]
    selections: Selections,
    #[command(flatten)]
    reports: ReportOptions,
    #[command(flatten)]
    filters: FilterOptions,
    #[command(flatten)]
    choice: ChoiceOptions,
    #[command(flatten)]
    many: ManyOptions,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pub(super) layout: LayoutOptions,
}

/// What a first word asks for in the place of a report.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum Word {
    /// Look, without running it, at whether a program can be profiled, and say what to
    /// do next
    #[command(hide = true)]
    Doctor(Examination),
    /// Say what differs between two profiles, or many, and whether it is chance
    #[command(hide = true)]
    Diff {
        /// Options and files, as `profan diff --help` lists them
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        words: Vec<OsString>,
    },
    /// Print a summary, what is said of a TOPIC, or the options of gprof and others
    #[command(hide = true)]
    Help {
        /// What about
        #[arg(value_parser = values::topic())]
        topic: Option<String>,
    },
    /// Print what the codes of diagnoses stand for
    #[command(hide = true)]
    Explain {
        /// Which ones
        #[arg(value_name = "CODE", value_parser = values::CODES, hide_possible_values = true)]
        codes: Vec<&'static Entry>,
    },
    /// Print the manual page, for `man -l -` or a folder of manuals
    #[command(hide = true)]
    Man,
    /// Print the JSON Schema of reports in the format json
    #[command(hide = true)]
    Schema,
    /// Print completions for a shell
    #[command(hide = true)]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the files that can be given and start so, for completions
    #[command(hide = true)]
    CompleteFiles {
        /// The start of a name
        start: OsString,
    },
}

/// What is to be examined.
#[derive(Clone, Debug, Args)]
pub(super) struct Examination {
    /// The program [a.out]
    #[arg(value_hint = ValueHint::FilePath)]
    program: Option<PathBuf>,
    /// Profiles that may be its [those that lie about]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    profiles: Vec<PathBuf>,
    /// Print in this format [that of the ending of the FILE of -o, or text]
    #[arg(long, value_name = "FORMAT", value_parser = values::format())]
    format: Option<&'static str>,
    /// Write the findings to FILE
    #[arg(short = 'o', long, value_name = "FILE", value_parser = values::output())]
    output: Option<PathBuf>,
    /// End with an error before more than SIZE of memory is in use, as in 500M or 8G [4G]
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    limit_memory: Option<u64>,
    /// Print this text
    #[arg(short = 'h', long, action = ArgAction::Help)]
    help: Option<bool>,
}

impl Examination {
    /// What these words ask for.
    pub(super) fn into_plan(self) -> Plan {
        let by_ending = || Some(render::for_extension(self.output.as_deref()?)?.name);
        let format = self.format.or_else(by_ending);
        let mut plan = Plan {
            files: self.program.into_iter().chain(self.profiles).collect(),
            format,
            output: self.output,
            memory_limit: self.limit_memory,
            ..Plan::default()
        };
        plan.finish();
        plan
    }
}

/// Which reports to print, besides those of `selections`, and what their rows are.
#[derive(Debug, Args)]
#[command(next_help_heading = REPORTS)]
struct ReportOptions {
    /// Print the call tree: callers above what they called, with the cost of each call
    #[arg(long)]
    tree: bool,
    /// Print what was never freed, by call stacks of DEPTH functions; 0 for all [8]
    #[arg(long, value_name = "DEPTH", value_parser = values::number_from::<usize>(0))]
    leaks: Option<Option<usize>>,
    /// Print blocks by size, from each power of two to the next, or for all sizes
    #[arg(long, value_name = "STEPS", value_parser = one_of(values::SIZE_STEPS))]
    bins: Option<Option<bool>>,
    /// Print what became of the heap in the course of a trace
    #[arg(long)]
    trace: bool,
    /// Print what was in use when the heap of a trace was largest, by place
    #[arg(long)]
    peak: bool,
    /// Print what was freed before the next allocation at the same place of a trace
    #[arg(long)]
    temporary: bool,
    /// Print by place what the heap of a trace grew by from point A to point B; a
    /// point is the number of an event, start, peak or end
    #[arg(long, value_name = "A,B", value_parser = values::points)]
    between: Option<(HeapPoint, HeapPoint)>,
    /// By source line instead of by function
    #[arg(short = 'l', long)]
    line: bool,
    /// Give inlined functions rows of their own
    #[arg(long)]
    inlines: bool,
    /// Print an order of functions for the linker: those that call each other are
    /// close
    #[arg(short = 'r', long, conflicts_with = "file_ordering")]
    function_ordering: bool,
    /// Print an order of object files; MAP is what `nm -A` prints
    #[arg(short = 'R', long, value_name = "MAP")]
    file_ordering: Option<PathBuf>,
    /// Print what is in each profile
    #[arg(short = 'i', long)]
    file_info: bool,
    /// Write the sum of the profiles to gmon.sum, or to the FILE of -o
    #[arg(short = 's', long)]
    sum: bool,
}

/// What counts, besides what `selections` select.
#[derive(Debug, Args)]
#[command(next_help_heading = FILTERS)]
struct FilterOptions {
    /// Leave static functions out: what is theirs falls to the function before them
    #[arg(short = 'a', long)]
    no_static: bool,
    /// Leave out local symbols that have no type
    #[arg(short = 'D', long)]
    ignore_non_functions: bool,
    /// Show functions without calls and time too
    #[arg(short = 'z', long)]
    display_unused_functions: bool,
    /// Sort by and add up this value of those that the profile has: bytes, count,
    /// unfreed-bytes or unfreed-count of a heap, an event of callgrind [the first]
    #[arg(long, value_name = "VALUE")]
    value: Option<String>,
    /// Show only the functions of an expression, such as '(from "main")'
    #[arg(long, value_name = "EXPR", value_parser = values::keep)]
    keep: Option<Keep>,
    /// Report that part of all costs which runs through SPEC, in it or in what it calls;
    /// may be repeated, for what runs through any of them
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    focus: Vec<SymSpec>,
    /// Leave out what runs through SPEC; may be repeated
    #[arg(long, value_name = "SPEC", value_parser = values::function)]
    ignore: Vec<SymSpec>,
    /// Take Standard ML functions of one name and place as one
    #[arg(long)]
    merge_names: bool,
    /// Leave out functions of the Standard ML library
    #[arg(long)]
    no_library: bool,
    /// Add the calls that stand in the machine code to the call graph
    #[arg(short = 'c', long)]
    static_call_graph: bool,
}

/// Which rows and columns are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rows and columns")]
struct ChoiceOptions {
    /// Show the first N rows; what is left out is one row more
    #[arg(long, value_name = "N", value_parser = values::number_from::<usize>(1))]
    top: Option<usize>,
    /// Show rows with P percent of the whole or more
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = values::percent)]
    min_percent: Option<f64>,
    /// Sort by this column: self, total, calls, name or another one
    #[arg(long, value_name = "COLUMN")]
    sort: Option<String>,
    /// Turn the rows that are shown around
    #[arg(long)]
    reverse: bool,
    /// Show these columns in this order, and the name
    #[arg(long, value_name = "LIST", value_parser = values::column_list)]
    columns: Option<Columns>,
    /// Percentages are of what is shown, not of the whole
    #[arg(long)]
    relative: bool,
    /// Print a flat profile for comparing texts: by name, without what changes from run
    /// to run in all rows
    #[arg(long)]
    stable: bool,
}

/// What is read, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
struct InputOptions {
    /// Take symbols from FILE, as nm prints them
    #[arg(short = 'S', long, value_name = "FILE")]
    external_symbol_table: Option<PathBuf>,
    /// Read profiles in this layout
    #[arg(
        short = 'O',
        long,
        value_name = "FORMAT",
        default_value = "auto",
        value_parser = one_of(values::LAYOUTS)
    )]
    file_format: Layout,
    /// Read a gmon.out from what a serial log, xxd, hexdump, od, U-Boot, GDB or a
    /// programmer (.hex, .srec) shows of it
    #[arg(long)]
    from_hexdump: bool,
    /// Sampling took HZ ticks a second, whatever gmon.out says
    #[arg(
        long,
        value_name = "HZ",
        allow_negative_numbers = true,
        value_parser = values::rate
    )]
    rate: Option<NonZeroU32>,
    /// The counters of gmon.out have N bits, whatever its layout implies
    #[arg(long, value_name = "N", value_parser = one_of(values::COUNTER_BITS))]
    counter_bits: Option<CounterBits>,
    /// The program was loaded at ADDRESS, not where it was linked
    #[arg(long, value_name = "ADDRESS", value_parser = values::base)]
    base: Option<Base>,
    /// The run took TIME seconds, or what `time` printed into the file TIME: say how
    /// much of it the samples cover
    #[arg(
        long,
        value_name = "TIME",
        value_hint = ValueHint::FilePath,
        allow_negative_numbers = true,
        value_parser = OsStringValueParser::new().try_map(values::run_time)
    )]
    wall: Option<GivenRunTime>,
    /// Look for separate debug files in DIR too; may be repeated
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    debug_dir: Vec<PathBuf>,
    /// Look for sources in DIRS, before those of GPROF_PATH; may be repeated
    #[arg(short = 'I', long, value_name = "DIRS", value_hint = ValueHint::DirPath)]
    directory_path: Vec<OsString>,
    /// Look for sources recorded below OLD below NEW; may be repeated
    #[arg(
        long,
        value_name = "OLD=NEW",
        value_parser = OsStringValueParser::new().try_map(values::path_map)
    )]
    path_map: Vec<PathMap>,
    /// With -A, also print sources outside the directories of the executable, the current
    /// one, and those of -I and --path-map
    #[arg(long)]
    any_source: bool,
    /// Refuse damaged files instead of reporting what is left of them
    #[arg(long)]
    strict: bool,
    /// End with status 2 where this diagnosis is made: CODE, or warnings for all; may
    /// be repeated
    #[arg(
        long,
        value_name = "CODE",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = values::DENIALS
    )]
    deny: Vec<Denied>,
    /// List each file that a warning is about, however many there are
    #[arg(long)]
    verbose: bool,
    /// End with an error before more than SIZE of memory is in use, as in 500M or 8G [4G]
    #[arg(long, value_name = "SIZE", value_parser = values::memory)]
    limit_memory: Option<u64>,
    /// Work with N threads, 1 to 512 [PROFAN_THREADS, or one for each core]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,
}

/// How and where to print.
#[derive(Debug, Args)]
#[command(next_help_heading = "Layout")]
pub(super) struct LayoutOptions {
    /// Print in this format [that of the ending of the FILE of -o, or text]
    #[arg(long, value_name = "FORMAT", value_parser = values::format())]
    format: Option<&'static str>,
    /// Put an apostrophe before names in CSV and TSV that a spreadsheet would run
    #[arg(long)]
    csv_safe: bool,
    /// Say what the columns mean
    #[arg(long, overrides_with = "brief")]
    explain: bool,
    /// Do not (this is how it is)
    #[arg(short = 'b', long, overrides_with = "explain")]
    brief: bool,
    /// Say how sure times are: their sampling error, which rows could change places,
    /// and what rests on all calls of a function costing the same
    #[arg(long)]
    error: bool,
    /// Print in the layout of BSD
    #[arg(short = 'T', long)]
    traditional: bool,
    /// Width of the index [80; in a terminal, that of the terminal]
    #[arg(
        short = 'w',
        long,
        value_name = "COLUMNS",
        value_parser = values::columns
    )]
    width: Option<usize>,
    /// Print names in full, short (without parameters and arguments of templates), their
    /// base alone (without namespaces too), or as the linker knows them [full; in a
    /// terminal, as much of them as fits]; `short` keeps lines of C++ short in a pipe
    #[arg(long, value_name = "FORM", value_parser = one_of(values::NAME_FORMS))]
    names: Option<NameForm>,
    /// Show functions without time of their own, and calls below half a percent, in a
    /// terminal too, instead of their sum
    #[arg(long)]
    all: bool,
    /// Show what is longer than the terminal with PROFAN_PAGER, PAGER or less
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = one_of(values::PAGERS)
    )]
    pager: PagerWhen,
    /// Print whole file names
    #[arg(short = 'L', long)]
    print_path: bool,
    /// Print file and line behind each name
    #[arg(long)]
    inline_file_names: bool,
    /// Write annotated source into files NAME-ann here
    #[arg(short = 'y', long)]
    separate_files: bool,
    /// Mark every line of a basic block in annotated source
    #[arg(short = 'x', long)]
    all_lines: bool,
    /// Mark lines executed less than N times with #####
    #[arg(
        short = 'm',
        long,
        value_name = "N",
        default_value_t = AnnotationOptions::default().min_count,
        value_parser = values::number_from::<u64>(0)
    )]
    min_count: u64,
    /// Lines in the table of those executed most
    #[arg(
        short = 't',
        long,
        value_name = "N",
        default_value_t = AnnotationOptions::default().n_top_lines,
        value_parser = values::number_from::<usize>(0)
    )]
    table_length: usize,
    /// Demangle names [auto]
    #[arg(
        long,
        value_name = "STYLE",
        overrides_with = "no_demangle",
        value_parser = one_of(values::DEMANGLE_STYLES)
    )]
    demangle: Option<Option<Style>>,
    /// Print names as they stand in the executable
    #[arg(long, overrides_with = "demangle")]
    no_demangle: bool,
    /// Use colour
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        value_parser = one_of(values::COLORS)
    )]
    color: ColorWhen,
    /// Write the report (with -s, the sum) to FILE
    #[arg(short = 'o', long, value_name = "FILE", value_parser = values::output())]
    output: Option<PathBuf>,
    /// Print a summary
    #[arg(short = 'h')]
    pub(super) summary: bool,
    /// Print this text
    #[arg(long, action = ArgAction::Help)]
    help: (),
    /// Print the version
    #[arg(short = 'v', long, action = ArgAction::Version)]
    version: (),
}

impl Options {
    /// What these options ask for.
    pub(super) fn into_plan(self) -> Plan {
        self.asked.into_plan(self.files)
    }
}

impl Asked {
    /// What these options ask for of files.
    pub(super) fn into_plan(self, files: Vec<PathBuf>) -> Plan {
        let mut plan = Plan {
            files,
            ..Plan::default()
        };
        self.selections.apply(&mut plan.styles, &mut plan.filters);
        self.reports.apply(&mut plan);
        self.filters.apply(&mut plan);
        self.choice.apply(&mut plan);
        self.many.apply(&mut plan);
        self.input.apply(&mut plan);
        self.layout.apply(&mut plan);
        plan.finish();
        plan
    }
}

impl ReportOptions {
    fn apply(self, plan: &mut Plan) {
        let wanted = [
            (self.tree, OutputStyle::Tree),
            (self.leaks.is_some(), OutputStyle::Leaks),
            (self.bins.is_some(), OutputStyle::Bins),
            (self.trace, OutputStyle::Trace),
            (self.peak, OutputStyle::Peak),
            (self.temporary, OutputStyle::Temporary),
            (self.between.is_some(), OutputStyle::Growth),
            (self.function_ordering, OutputStyle::FunctionOrder),
            (self.file_ordering.is_some(), OutputStyle::FileOrder),
            (self.file_info, OutputStyle::FileInfo),
            (self.sum, OutputStyle::Sum),
        ];
        for (_, style) in wanted.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            plan.styles.set(style, true);
        }
        let depth = self.leaks.flatten();
        plan.exact.leak_depth = depth.map(|depth| (depth > 0).then_some(depth));
        plan.exact.between = self.between;
        plan.exact.lists_all_sizes = self.bins.flatten().unwrap_or_default();
        if self.line {
            plan.symbols.granularity = Granularity::Lines;
        }
        plan.shows_inlines = self.inlines;
        if self.inlines && !self.line {
            plan.symbols.granularity = Granularity::Inlines;
        }
        plan.symbols.file_map = self.file_ordering;
    }
}

impl FilterOptions {
    fn apply(self, plan: &mut Plan) {
        plan.symbols.skips_static = self.no_static;
        plan.symbols.skips_untyped = self.ignore_non_functions;
        plan.shows_idle = self.display_unused_functions;
        plan.value = self.value;
        plan.keep = self.keep;
        plan.filters.focus = Specs {
            include: self.focus,
            exclude: self.ignore,
        };
        plan.exact.merges_names = self.merge_names;
        plan.exact.hides_library = self.no_library;
        plan.static_calls = self.static_call_graph;
    }
}

impl ChoiceOptions {
    fn apply(self, plan: &mut Plan) {
        plan.choice = RowChoice {
            top: self.top,
            min_percent: self.min_percent,
            sort: self.sort.map(|column| match &*column {
                // The inclusive order is called so in pprof.
                "cum" | "cumulative" => "total".to_owned(),
                _ => column,
            }),
            is_reversed: self.reverse,
            columns: self.columns.map(|Columns(columns)| columns),
            is_relative: self.relative,
            drops_columns: false,
            is_stable: self.stable,
        };
        if self.stable && plan.styles.is_open(OutputStyle::Flat) {
            plan.styles.set(OutputStyle::Flat, true);
        }
    }
}

impl InputOptions {
    fn apply(self, plan: &mut Plan) {
        plan.symbols.external = self.external_symbol_table;
        plan.layout = self.file_format;
        plan.reading.is_hexdump = self.from_hexdump;
        plan.reading.rate = self.rate;
        plan.reading.counter_bits = self.counter_bits;
        plan.base = self.base;
        plan.run_time = self.wall;
        plan.symbols.debug_dirs = self.debug_dir;
        for dirs in &self.directory_path {
            plan.source.search.add_dirs(dirs);
        }
        plan.source.reads_any = self.any_source;
        for map in self.path_map {
            plan.source.search.add_map(map);
        }
        plan.is_strict = self.strict;
        plan.deny = Deny(self.deny);
        plan.is_verbose = self.verbose;
        plan.memory_limit = self.limit_memory;
        plan.threads = self.threads;
    }
}

impl LayoutOptions {
    fn apply(self, plan: &mut Plan) {
        // A sum has a format of its own.
        let path = self.output.as_deref();
        let path = path.filter(|_| !plan.styles.wants(OutputStyle::Sum));
        let by_ending = || Some(render::for_extension(path?)?.name);
        plan.format = self.format.or_else(by_ending);
        let of_one_style = plan.format.and_then(style_of);
        if let Some(style) = of_one_style.filter(|&style| plan.styles.is_open(style)) {
            plan.styles.set(style, true);
        }
        // Each of these overrides the other, so that the last one is left.
        plan.text.explains = self.explain && !self.brief;
        plan.text.demangle = match self.demangle.flatten() {
            _ if self.no_demangle => Style::None,
            style => style.unwrap_or_default(),
        };
        plan.text.is_bsd = self.traditional;
        plan.text.shows_error = self.error;
        plan.text.is_csv_safe = self.csv_safe;
        plan.text.width = self.width;
        plan.text.names = self.names;
        plan.text.shows_all = self.all;
        plan.text.shows_paths = self.print_path;
        plan.text.shows_locations = self.inline_file_names;
        plan.source.is_in_files = self.separate_files;
        plan.source.marks = AnnotationOptions {
            marks_all_lines: self.all_lines,
            min_count: self.min_count,
            n_top_lines: self.table_length,
        };
        plan.color = self.color;
        plan.pager = self.pager;
        plan.output = self.output;
    }
}

/// What a format asks for that shows nothing else, where nothing was asked for.
fn style_of(format: &str) -> Option<OutputStyle> {
    match format {
        "lcov" => Some(OutputStyle::Coverage),
        "dot" => Some(OutputStyle::Graph),
        "folded" => Some(OutputStyle::Tree),
        _ => None,
    }
}

const ABOUT: &str = "Reports profiles: gmon.out, mpatrol's allocation profiles and traces, callgrind's, and those of Standard ML programs";

const USAGE: &str = "\
profan [OPTION]… [FILE]…
       profan gprof|mprof|mptrace|mlprof [ARGUMENT]…
       profan diff [OPTION]… OLD… -- NEW…
       profan doctor PROGRAM [FILE]…
       profan help [TOPIC]
       profan explain [CODE]…
       profan man
       profan schema
       profan completions SHELL";

const AFTER_HELP: &str = "\
FILE is a profile, the executable, or the table of a Standard ML program, in any
order: they are told apart by what is in them. Without any, they are gmon.out,
mpatrol.out or mpatrol.trace, and a.out. Several profiles are added up; `-` is
standard input. Compressed profiles (.gz, .xz, .zst) are read as they are. Beside a
program and its profiles there may be libraries and those that LD_PROFILE makes of them.

A report that was written as json can be the only FILE: what is in it is shown
again, in any format, without the profile and the executable.

Formats: text is for people; json has everything, and jsonl the same with a line
for each row; csv and tsv have one section as a table, the flat profile unless
one is asked for; markdown has tables for merge requests; lcov is coverage, for
genhtml; dot is the call graph, for graphviz; folded has call stacks, for flame
graphs; junit is what differs, for CI servers. `profan schema` prints the JSON
Schema of json.

`profan diff OLD… -- NEW…` says what differs between two sides, each of one
profile or many runs, and whether that is chance; it has options of its own.

`profan doctor PROGRAM` looks, without running it, at whether a program can be
profiled and which profiles may be its, and says what to type next.

gprof, mprof, mptrace and mlprof print what the programs of these names print.

SPEC is FUNCTION, FILE:FUNCTION, FILE:LINE, FILE or LINE; for -q and -Q also
FROM/TO, two of them that a call leads from and to. Where it is optional it
must be attached: -pmain, --flat-profile=main.

Exit status: 0 done; 1 diff --fail-on refuses; 2 something failed. What is odd
about a profile is said on standard error, each oddity with a code, a cause and
an advice.

TOPIC is diff, symspec, keep, rows, formats, doctor, diagnostics, environment, or
the name of one of the other programs. `profan explain CODE` says what a diagnosis
stands for.

Examples:
  profan gmon.out ./program                 where the time went, and why
  profan -qparse gmon.out ./program         who calls parse, and what it calls
  profan -o report.json gmon.out ./program  keep the report; it is a FILE, too";
