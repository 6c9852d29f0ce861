//! profan's own command line.
//!
//! One table lists every option with its help. It is parsed in gprof's manner,
//! since its options have arguments that must be attached and may be left out
//! (`-pmain`); clap lays out the help.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, ArgAction};

use super::Command;
use super::gprof::{self, GprofError, GprofOption};
use super::plan::{Base, ColorWhen, OutputStyle, Plan};
use crate::compat::getopt::{self, OptionSpec, Takes, Word};
use crate::filter::keep::{Keep, KeepError};
use crate::model::Address;
use crate::sources::PathMap;

/// What an option of profan means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProfanOption {
    /// The same as in gprof.
    Shared(GprofOption),
    Explain,
    Strict,
    Base,
    DebugDir,
    PathMap,
    Color,
    Output,
    Leaks,
    Bins,
    Trace,
    Coverage,
    Value,
    MergeNames,
    NoLibrary,
    Keep,
    Format,
}

/// An option and its help.
struct Entry {
    option: ProfanOption,
    short: Option<char>,
    long: &'static str,
    takes: Takes,
    /// What the argument is called.
    value: &'static str,
    heading: &'static str,
    help: &'static str,
}

const REPORTS: &str = "Reports (all that the profile has, if none is named)";
const FILTERS: &str = "What counts";
const INPUT: &str = "Input";
const LAYOUT: &str = "Layout";

/// Every option, in the order of the help.
const ENTRIES: &[Entry] = {
    use GprofOption as G;
    use ProfanOption as P;
    use Takes::{Nothing, Optional, Required};
    const fn entry(
        option: ProfanOption,
        names: (Option<char>, &'static str),
        takes: (Takes, &'static str),
        heading: &'static str,
        help: &'static str,
    ) -> Entry {
        Entry {
            option,
            short: names.0,
            long: names.1,
            takes: takes.0,
            value: takes.1,
            heading,
            help,
        }
    }
    const NO: (Takes, &str) = (Nothing, "");
    const SPEC: (Takes, &str) = (Optional, "SPEC");
    const NEEDS_SPEC: (Takes, &str) = (Required, "SPEC");
    &[
        entry(
            P::Shared(G::Flat),
            (Some('p'), "flat-profile"),
            SPEC,
            REPORTS,
            "Print the flat profile [only SPEC]",
        ),
        entry(
            P::Shared(G::NoFlat),
            (Some('P'), "no-flat-profile"),
            SPEC,
            REPORTS,
            "Print no flat profile [print it without SPEC]",
        ),
        entry(
            P::Shared(G::Graph),
            (Some('q'), "graph"),
            SPEC,
            REPORTS,
            "Print the call graph and the index [only SPEC]",
        ),
        entry(
            P::Shared(G::NoGraph),
            (Some('Q'), "no-graph"),
            SPEC,
            REPORTS,
            "Print no call graph [print it without SPEC]",
        ),
        entry(
            P::Shared(G::Counts),
            (Some('C'), "exec-counts"),
            SPEC,
            REPORTS,
            "Print how often functions and basic blocks were executed [only SPEC]",
        ),
        entry(
            P::Shared(G::NoCounts),
            (Some('Z'), "no-exec-counts"),
            SPEC,
            REPORTS,
            "Print no execution counts [print them without SPEC]",
        ),
        entry(
            P::Shared(G::Source),
            (Some('A'), "annotated-source"),
            SPEC,
            REPORTS,
            "Print the source with counts beside it [only SPEC]",
        ),
        entry(
            P::Shared(G::NoSource),
            (Some('J'), "no-annotated-source"),
            SPEC,
            REPORTS,
            "Print no annotated source [print it without SPEC]",
        ),
        entry(
            P::Leaks,
            (None, "leaks"),
            (Optional, "DEPTH"),
            REPORTS,
            "Print what was never freed, by call stacks of DEPTH functions; 0 for all [8]",
        ),
        entry(
            P::Bins,
            (None, "bins"),
            (Optional, "STEPS"),
            REPORTS,
            "Print blocks by size, from each power of two to the next [`all`: every size]",
        ),
        entry(
            P::Trace,
            (None, "trace"),
            NO,
            REPORTS,
            "Print what became of the heap in the course of a trace",
        ),
        entry(
            P::Coverage,
            (None, "coverage"),
            SPEC,
            REPORTS,
            "Print which functions and branches were never entered [only SPEC]",
        ),
        entry(
            P::Format,
            (None, "format"),
            (Required, "FORMAT"),
            REPORTS,
            "Print coverage as text or lcov [text]",
        ),
        entry(
            P::Shared(G::ByLine),
            (Some('l'), "line"),
            NO,
            REPORTS,
            "By source line instead of by function",
        ),
        entry(
            P::Shared(G::FunctionOrder),
            (Some('r'), "function-ordering"),
            NO,
            REPORTS,
            "Print an order of functions for the linker: those that call each other are close",
        ),
        entry(
            P::Shared(G::FileOrder),
            (Some('R'), "file-ordering"),
            (Required, "MAP"),
            REPORTS,
            "Print an order of object files; MAP is what `nm -A` prints",
        ),
        entry(
            P::Shared(G::FileInfo),
            (Some('i'), "file-info"),
            NO,
            REPORTS,
            "Print what is in each profile",
        ),
        entry(
            P::Shared(G::Sum),
            (Some('s'), "sum"),
            NO,
            REPORTS,
            "Write the sum of the profiles to gmon.sum, or to the FILE of -o",
        ),
        entry(
            P::Shared(G::SkipStatic),
            (Some('a'), "no-static"),
            NO,
            FILTERS,
            "Leave static functions out: what is theirs falls to the function before them",
        ),
        entry(
            P::Shared(G::SkipUntyped),
            (Some('D'), "ignore-non-functions"),
            NO,
            FILTERS,
            "Leave out local symbols that have no type",
        ),
        entry(
            P::Shared(G::IncludeTime),
            (Some('n'), "time"),
            NEEDS_SPEC,
            FILTERS,
            "Let only the time of SPEC flow up the call graph",
        ),
        entry(
            P::Shared(G::ExcludeTime),
            (Some('N'), "no-time"),
            NEEDS_SPEC,
            FILTERS,
            "Let the time of SPEC not flow up the call graph",
        ),
        entry(
            P::Shared(G::ShowIdle),
            (Some('z'), "display-unused-functions"),
            NO,
            FILTERS,
            "Show functions without calls and time too",
        ),
        entry(
            P::Value,
            (None, "value"),
            (Required, "VALUE"),
            FILTERS,
            "Sort by and add up bytes, count, unfreed-bytes or unfreed-count [bytes]",
        ),
        entry(
            P::Keep,
            (None, "keep"),
            (Required, "EXPR"),
            FILTERS,
            "Show only the functions of an expression, such as '(from \"main\")'",
        ),
        entry(
            P::MergeNames,
            (None, "merge-names"),
            NO,
            FILTERS,
            "Take Standard ML functions of one name and place as one",
        ),
        entry(
            P::NoLibrary,
            (None, "no-library"),
            NO,
            FILTERS,
            "Leave out functions of the Standard ML library",
        ),
        entry(
            P::Shared(G::ExcludeArcs),
            (Some('k'), "no-arcs"),
            (Required, "FROM/TO"),
            FILTERS,
            "Leave calls from FROM to TO out of the call graph",
        ),
        entry(
            P::Shared(G::StaticCalls),
            (Some('c'), "static-call-graph"),
            NO,
            FILTERS,
            "Add the calls that stand in the machine code to the call graph",
        ),
        entry(
            P::Shared(G::ExternalSymbols),
            (Some('S'), "external-symbol-table"),
            (Required, "FILE"),
            INPUT,
            "Take symbols from FILE, as nm prints them",
        ),
        entry(
            P::Shared(G::FileFormat),
            (Some('O'), "file-format"),
            (Required, "FORMAT"),
            INPUT,
            "Read profiles as auto, magic, bsd or 4.4bsd [auto]",
        ),
        entry(
            P::Base,
            (None, "base"),
            (Required, "ADDRESS"),
            INPUT,
            "The program was loaded at ADDRESS, not where it was linked",
        ),
        entry(
            P::DebugDir,
            (None, "debug-dir"),
            (Required, "DIR"),
            INPUT,
            "Look for separate debug files in DIR too; may be repeated",
        ),
        entry(
            P::Shared(G::SourceDirs),
            (Some('I'), "directory-path"),
            (Required, "DIRS"),
            INPUT,
            "Look for sources in DIRS, before those of GPROF_PATH; may be repeated",
        ),
        entry(
            P::PathMap,
            (None, "path-map"),
            (Required, "OLD=NEW"),
            INPUT,
            "Look for sources recorded below OLD below NEW; may be repeated",
        ),
        entry(
            P::Strict,
            (None, "strict"),
            NO,
            INPUT,
            "Refuse damaged files instead of reporting what is left of them",
        ),
        entry(
            P::Explain,
            (None, "explain"),
            NO,
            LAYOUT,
            "Say what the columns mean",
        ),
        entry(
            P::Shared(G::Brief),
            (Some('b'), "brief"),
            NO,
            LAYOUT,
            "Do not (this is how it is)",
        ),
        entry(
            P::Shared(G::Traditional),
            (Some('T'), "traditional"),
            NO,
            LAYOUT,
            "Print in the layout of BSD",
        ),
        entry(
            P::Shared(G::Width),
            (Some('w'), "width"),
            (Required, "COLUMNS"),
            LAYOUT,
            "Width of the index [80]",
        ),
        entry(
            P::Shared(G::PrintPath),
            (Some('L'), "print-path"),
            NO,
            LAYOUT,
            "Print whole file names",
        ),
        entry(
            P::Shared(G::InlineFileNames),
            (None, "inline-file-names"),
            NO,
            LAYOUT,
            "Print file and line behind each name",
        ),
        entry(
            P::Shared(G::SourceFiles),
            (Some('y'), "separate-files"),
            NO,
            LAYOUT,
            "Write annotated source into files NAME-ann here",
        ),
        entry(
            P::Shared(G::AllLines),
            (Some('x'), "all-lines"),
            NO,
            LAYOUT,
            "Mark every line of a basic block in annotated source",
        ),
        entry(
            P::Shared(G::MinCount),
            (Some('m'), "min-count"),
            (Required, "N"),
            LAYOUT,
            "Mark lines executed less than N times with ##### [1]",
        ),
        entry(
            P::Shared(G::TableLength),
            (Some('t'), "table-length"),
            (Required, "N"),
            LAYOUT,
            "Lines in the table of those executed most [10]",
        ),
        entry(
            P::Shared(G::Demangle),
            (None, "demangle"),
            (Optional, "STYLE"),
            LAYOUT,
            "Demangle as auto, gnu-v3, java, gnat, dlang, rust or none [auto]",
        ),
        entry(
            P::Shared(G::NoDemangle),
            (None, "no-demangle"),
            NO,
            LAYOUT,
            "Print names as they stand in the executable",
        ),
        entry(
            P::Color,
            (None, "color"),
            (Required, "WHEN"),
            LAYOUT,
            "Use colour auto, always or never [auto]",
        ),
        entry(
            P::Output,
            (Some('o'), "output"),
            (Required, "FILE"),
            LAYOUT,
            "Write the report (with -s, the sum) to FILE",
        ),
        entry(
            P::Shared(G::Help),
            (Some('h'), "help"),
            NO,
            LAYOUT,
            "Print this text",
        ),
        entry(
            P::Shared(G::Version),
            (Some('v'), "version"),
            NO,
            LAYOUT,
            "Print the version",
        ),
    ]
};

/// What stops a command line of profan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum ProfanError {
    #[error(transparent)]
    Shared(#[from] GprofError),
    #[error("`{0}` is no address; write it in hexadecimal, as in 0x400000")]
    Address(String),
    #[error("`{0}` does not say what becomes of a path; write it as OLD=NEW")]
    PathMap(String),
    #[error("`{0}` is not auto, always or never")]
    Color(String),
    #[error("--keep: {0}")]
    Keep(#[from] KeepError),
    #[error("`{0}` is no number of functions")]
    Depth(String),
    #[error("`{0}` is not text or lcov")]
    Format(String),
    #[error("`{0}` is not all")]
    Bins(String),
    #[error("`{0}` is not bytes, count, unfreed-bytes or unfreed-count")]
    Value(String),
}

/// The plan of a command line, or the text to show.
pub(super) fn parse(words: Vec<OsString>) -> Result<Command, ProfanError> {
    let mut plan = Plan::new();
    let words = getopt::parse(getopt::expand_files(words), &specs()).map_err(GprofError::from)?;
    for word in words {
        let (option, value) = match word {
            Word::File(name) => {
                plan.files.push(PathBuf::from(name));
                continue;
            }
            Word::Option(option, value) => (option, value),
        };
        match option {
            ProfanOption::Shared(GprofOption::Help) => return Ok(Command::Show(help())),
            ProfanOption::Shared(GprofOption::Version) => {
                return Ok(Command::Show(super::version("profan")));
            }
            option => apply(option, value.as_deref(), &mut plan)?,
        }
    }
    plan.finish();
    gprof::check_orders(&plan)?;
    Ok(Command::Report(Box::new(plan)))
}

fn apply(option: ProfanOption, value: Option<&OsStr>, plan: &mut Plan) -> Result<(), ProfanError> {
    let path = || PathBuf::from(value.unwrap_or_default());
    let text = || value.unwrap_or_default().to_string_lossy().into_owned();
    match option {
        ProfanOption::Shared(option) => gprof::apply(option, value, plan)?,
        ProfanOption::Explain => plan.text.explains = true,
        ProfanOption::Strict => plan.is_strict = true,
        ProfanOption::Base => plan.base = Some(parse_base(&text())?),
        ProfanOption::PathMap => plan
            .source
            .search
            .add_map(parse_path_map(value.unwrap_or_default())?),
        ProfanOption::DebugDir => plan.symbols.debug_dirs.push(path()),
        ProfanOption::Output => plan.output = Some(path()),
        ProfanOption::Leaks => {
            plan.styles.set(OutputStyle::Leaks, true);
            if value.is_some() {
                let depth: usize = text().parse().map_err(|_| ProfanError::Depth(text()))?;
                plan.exact.leak_depth = Some((depth > 0).then_some(depth));
            }
        }
        ProfanOption::Bins => {
            plan.styles.set(OutputStyle::Bins, true);
            plan.exact.lists_all_sizes = match value.and_then(OsStr::to_str) {
                None => false,
                Some("all") => true,
                Some(_) => return Err(ProfanError::Bins(text())),
            };
        }
        ProfanOption::Trace => plan.styles.set(OutputStyle::Trace, true),
        ProfanOption::Coverage => {
            plan.styles.set(OutputStyle::Coverage, true);
            let specs = value.map(|_| gprof::parse_spec(&text()));
            plan.filters.exec_counts.include.extend(specs);
        }
        ProfanOption::Format => {
            if crate::render::named(&text()).is_none() {
                return Err(ProfanError::Format(text()));
            }
            if text() == "lcov" {
                plan.styles.set(OutputStyle::Coverage, true);
            }
            plan.format = Some(text());
        }
        ProfanOption::Value => {
            plan.exact.metric = match text().as_str() {
                "bytes" => Some(0),
                "count" => Some(1),
                "unfreed-bytes" => Some(2),
                "unfreed-count" => Some(3),
                _ => return Err(ProfanError::Value(text())),
            };
        }
        ProfanOption::Keep => plan.keep = Some(Keep::parse(text().as_bytes())?),
        ProfanOption::MergeNames => plan.exact.merges_names = true,
        ProfanOption::NoLibrary => plan.exact.hides_library = true,
        ProfanOption::Color => {
            plan.color = match text().as_str() {
                "auto" => ColorWhen::Auto,
                "always" => ColorWhen::Always,
                "never" => ColorWhen::Never,
                _ => return Err(ProfanError::Color(text())),
            }
        }
    }
    Ok(())
}

/// An address in hexadecimal, with or without `0x`.
fn parse_base(text: &str) -> Result<Base, ProfanError> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16)
        .map(|address| Base(Address(address)))
        .map_err(|_| ProfanError::Address(text.to_owned()))
}

/// `OLD=NEW`, apart at the first `=`.
fn parse_path_map(word: &OsStr) -> Result<PathMap, ProfanError> {
    let bytes = word.as_encoded_bytes();
    let no_map = || ProfanError::PathMap(word.to_string_lossy().into_owned());
    let middle = bytes.iter().position(|&byte| byte == b'=');
    let (old, new) = bytes.split_at(middle.filter(|&at| at > 0).ok_or_else(no_map)?);
    Ok(PathMap {
        old: old.into(),
        new: new[1..].into(),
    })
}

fn specs() -> Vec<OptionSpec<ProfanOption>> {
    let own = ENTRIES.iter().map(|entry| OptionSpec {
        id: entry.option,
        short: entry.short,
        long: Some(entry.long),
        takes: entry.takes,
    });
    // What gprof has and the help does not list is understood all the same.
    let listed = |spec: &&OptionSpec<GprofOption>| {
        ENTRIES
            .iter()
            .any(|entry| entry.option == ProfanOption::Shared(spec.id))
    };
    let silent = gprof::OPTIONS.iter().filter(|spec| !listed(spec));
    let silent = silent.map(|spec| OptionSpec {
        id: ProfanOption::Shared(spec.id),
        short: spec.short,
        long: spec.long,
        takes: spec.takes,
    });
    own.chain(silent).collect()
}

fn help() -> String {
    command().render_help().to_string()
}

/// The command line as clap describes it, for help, manual and completions.
pub(super) fn command() -> clap::Command {
    let mut command = clap::Command::new("profan")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .max_term_width(80)
        .override_usage(USAGE)
        .about(ABOUT)
        .after_help(AFTER_HELP)
        .arg(
            Arg::new("FILE")
                .hide(true)
                .num_args(0..)
                .value_hint(clap::ValueHint::FilePath),
        );
    for entry in ENTRIES {
        command = command.arg(arg_of(entry));
    }
    command
}

fn arg_of(entry: &Entry) -> Arg {
    let arg = Arg::new(entry.long)
        .long(entry.long)
        .help(entry.help)
        .help_heading(entry.heading);
    let arg = match entry.short {
        Some(short) => arg.short(short),
        None => arg,
    };
    match entry.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue),
        Takes::Required => arg.value_name(entry.value),
        Takes::Optional => arg
            .value_name(entry.value)
            .num_args(0..=1)
            .require_equals(true),
    }
}

const ABOUT: &str = "Reports profiles: gmon.out, mpatrol's allocation profiles and traces, and those of Standard ML programs";

const USAGE: &str = "\
profan [OPTION]… [FILE]…
       profan gprof|mprof|mptrace|mlprof [ARGUMENT]…
       profan man
       profan completions SHELL";

const AFTER_HELP: &str = "\
FILE is a profile, the executable, or the table of a Standard ML program, in any
order: they are told apart by what is in them. Without any, they are gmon.out,
mpatrol.out or mpatrol.trace, and a.out. Several profiles are added up; `-` is
standard input. Compressed profiles (.gz) are read as they are.

gprof, mprof, mptrace and mlprof print what the programs of these names print.

SPEC is FUNCTION, FILE:FUNCTION, FILE:LINE, FILE or LINE; for -q and -Q also
FROM/TO, two of them that a call leads from and to. Where it is optional it
must be attached: -pmain, --flat-profile=main.

Exit status: 0 done; 2 something failed. What is odd about a profile is said on
standard error, each oddity with a code, a cause and an advice.";
