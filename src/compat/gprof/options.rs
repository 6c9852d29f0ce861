//! The command line of GNU gprof 2.40.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::filters::{Set, Side};
use super::plan::GprofPlan;
use super::printer::Flavor;
use super::printer::LocationStyle;
use super::styles::OutputStyle;
use crate::at_files;
use crate::compat::getopt::{self, OptionSpec, Takes, UsageError, Word, option as o};
use crate::compat::{Command, version};
use crate::filter::{SymSpec, Target};
use crate::load::Requested;
use crate::symbols::{Granularity, Style};

/// What an option of gprof means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GprofOption {
    Brief,
    Debug,
    Demangle,
    NoDemangle,
    ExcludeArcs,
    ExcludeGraph,
    ExcludeGraphAndTime,
    ExcludeTime,
    IncludeGraph,
    IncludeGraphAndTime,
    IncludeTime,
    ExternalSymbols,
    FileFormat,
    FileInfo,
    FileOrder,
    Flat,
    FunctionOrder,
    NoFlat,
    Graph,
    NoGraph,
    OnlyGraph,
    Help,
    PrintPath,
    SkipStatic,
    SkipUntyped,
    Traditional,
    Version,
    Width,
    ShowIdle,
    ByLine,
    Counts,
    NoCounts,
    Source,
    NoSource,
    AllLines,
    SourceFiles,
    SourceDirs,
    MinCount,
    TableLength,
    InlineFileNames,
    StaticCalls,
    Sum,
}

/// Every option, as gprof spells it.
const OPTIONS: &[OptionSpec<GprofOption>] = {
    use GprofOption as G;
    use Takes::{Nothing, Optional, Required};
    &[
        o(Some('a'), Some("no-static"), Nothing, G::SkipStatic),
        o(Some('A'), Some("annotated-source"), Optional, G::Source),
        o(Some('b'), Some("brief"), Nothing, G::Brief),
        o(Some('B'), None, Nothing, G::OnlyGraph),
        o(
            Some('c'),
            Some("static-call-graph"),
            Nothing,
            G::StaticCalls,
        ),
        o(Some('C'), Some("exec-counts"), Optional, G::Counts),
        o(Some('d'), Some("debug"), Optional, G::Debug),
        o(
            Some('D'),
            Some("ignore-non-functions"),
            Nothing,
            G::SkipUntyped,
        ),
        o(Some('e'), None, Required, G::ExcludeGraph),
        o(Some('E'), None, Required, G::ExcludeGraphAndTime),
        o(Some('f'), None, Required, G::IncludeGraph),
        o(Some('F'), None, Required, G::IncludeGraphAndTime),
        o(Some('h'), Some("help"), Nothing, G::Help),
        o(Some('i'), Some("file-info"), Nothing, G::FileInfo),
        o(Some('I'), Some("directory-path"), Required, G::SourceDirs),
        o(
            Some('J'),
            Some("no-annotated-source"),
            Optional,
            G::NoSource,
        ),
        o(Some('k'), None, Required, G::ExcludeArcs),
        o(Some('l'), Some("line"), Nothing, G::ByLine),
        o(Some('L'), Some("print-path"), Nothing, G::PrintPath),
        o(Some('m'), Some("min-count"), Required, G::MinCount),
        o(Some('n'), Some("time"), Required, G::IncludeTime),
        o(Some('N'), Some("no-time"), Required, G::ExcludeTime),
        o(Some('O'), Some("file-format"), Required, G::FileFormat),
        o(Some('p'), Some("flat-profile"), Optional, G::Flat),
        o(Some('P'), Some("no-flat-profile"), Optional, G::NoFlat),
        o(Some('q'), Some("graph"), Optional, G::Graph),
        o(Some('Q'), Some("no-graph"), Optional, G::NoGraph),
        o(
            Some('r'),
            Some("function-ordering"),
            Nothing,
            G::FunctionOrder,
        ),
        o(Some('R'), Some("file-ordering"), Required, G::FileOrder),
        o(Some('s'), Some("sum"), Nothing, G::Sum),
        o(
            Some('S'),
            Some("external-symbol-table"),
            Required,
            G::ExternalSymbols,
        ),
        o(Some('t'), Some("table-length"), Required, G::TableLength),
        o(Some('T'), Some("traditional"), Nothing, G::Traditional),
        o(Some('v'), Some("version"), Nothing, G::Version),
        o(Some('w'), Some("width"), Required, G::Width),
        o(Some('x'), Some("all-lines"), Nothing, G::AllLines),
        o(Some('y'), Some("separate-files"), Nothing, G::SourceFiles),
        o(
            Some('z'),
            Some("display-unused-functions"),
            Nothing,
            G::ShowIdle,
        ),
        o(Some('Z'), Some("no-exec-counts"), Optional, G::NoCounts),
        o(None, Some("demangle"), Optional, G::Demangle),
        o(None, Some("no-demangle"), Nothing, G::NoDemangle),
        o(None, Some("inline-file-names"), Nothing, G::InlineFileNames),
    ]
};

/// What stops a command line of gprof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::compat) enum GprofError {
    #[error(transparent)]
    Usage(#[from] UsageError),
    #[error("`{0}` is no way of demangling that gprof knows")]
    DemangleStyle(String),
    #[error("`{0}` is no file format; there are auto, magic, bsd, 4.4bsd and prof")]
    FileFormat(String),
    #[error("profiles of prof cannot be read")]
    ProfFormat,
    #[error("`-r` orders functions and `-R` files; only one of them at a time")]
    TwoOrders,
}

/// The plan of a command line, or the text to show.
pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<Command, GprofError> {
    let mut plan = GprofPlan::new();
    for word in getopt::parse(at_files::expand(words), OPTIONS)? {
        match word {
            Word::File(name) => plan.files.push(PathBuf::from(name)),
            Word::Option(GprofOption::Help, _) => return Ok(Command::Show(HELP.to_owned())),
            Word::Option(GprofOption::Version, _) => {
                return Ok(Command::Show(version("gprof")));
            }
            Word::Option(option, value) => apply(option, value.as_deref(), &mut plan)?,
        }
    }
    plan.finish();
    check_orders(&plan)?;
    Ok(Command::Gprof(Box::new(plan)))
}

fn apply(
    option: GprofOption,
    value: Option<&OsStr>,
    plan: &mut GprofPlan,
) -> Result<(), GprofError> {
    use GprofOption as G;
    let text = value.map(|value| value.to_string_lossy().into_owned());
    let text = text.as_deref();
    let spec = || text.map(parse_spec);
    let filters = &mut plan.filters;
    let mut fill = |side, set| filters.add(set, side, spec());
    let (include, exclude) = (Side::Include, Side::Exclude);
    match option {
        G::Brief => plan.explains = false,
        G::SkipStatic => plan.symbols.skips_static = true,
        G::SkipUntyped => plan.symbols.skips_untyped = true,
        G::Traditional => plan.flavor = Flavor::Bsd,
        G::ShowIdle => plan.shows_idle = true,
        G::PrintPath => plan.shows_paths = true,
        G::NoDemangle => plan.demangle = Style::None,
        G::Demangle => plan.demangle = demangle_style(text)?,
        G::FileFormat => plan.layout = file_format(text.unwrap_or_default())?,
        G::Width => plan.width = leading_number(text.unwrap_or_default()).max(1),
        G::OnlyGraph => plan.styles.set(OutputStyle::Graph, true),
        G::ExternalSymbols => plan.symbols.external = value.map(PathBuf::from),
        G::FileInfo => plan.styles.set(OutputStyle::FileInfo, true),
        G::FunctionOrder => plan.styles.set(OutputStyle::FunctionOrder, true),
        G::FileOrder => {
            plan.styles.set(OutputStyle::FileOrder, true);
            plan.symbols.file_map = value.map(PathBuf::from);
        }
        G::StaticCalls => plan.static_calls = true,
        G::Sum => plan.styles.set(OutputStyle::Sum, true),
        G::Flat => {
            plan.styles.set(OutputStyle::Flat, true);
            fill(include, Set::Flat);
        }
        G::NoFlat => {
            plan.styles.set(OutputStyle::Flat, text.is_some());
            fill(exclude, Set::Flat);
        }
        G::Graph => {
            plan.styles.set(OutputStyle::Graph, true);
            fill(include, graph_or_arcs(text));
        }
        G::NoGraph => {
            plan.styles.set(OutputStyle::Graph, text.is_some());
            fill(exclude, graph_or_arcs(text));
        }
        G::ExcludeArcs => fill(exclude, Set::Arcs),
        G::Counts => {
            plan.styles.set(OutputStyle::ExecCounts, true);
            fill(include, Set::ExecCounts);
        }
        G::NoCounts => {
            plan.styles.set(OutputStyle::ExecCounts, text.is_some());
            fill(exclude, Set::ExecCounts);
        }
        G::Source => {
            plan.styles.set(OutputStyle::AnnotatedSource, true);
            fill(include, Set::Annotation);
        }
        G::NoSource => {
            plan.styles
                .set(OutputStyle::AnnotatedSource, text.is_some());
            fill(exclude, Set::Annotation);
        }
        G::ByLine => plan.symbols.granularity = Granularity::Lines,
        G::AllLines => plan.marks.marks_all_lines = true,
        G::SourceFiles => plan.is_in_files = true,
        G::SourceDirs => plan.search.add_dirs(value.unwrap_or_default()),
        G::MinCount => plan.marks.min_count = unsigned_number(text.unwrap_or_default()),
        G::TableLength => {
            plan.marks.n_top_lines = leading_number(text.unwrap_or_default());
        }
        G::InlineFileNames => plan.locations = LocationStyle::Lines,
        G::ExcludeGraph => fill(exclude, Set::Graph),
        G::ExcludeTime => fill(exclude, Set::Time),
        G::ExcludeGraphAndTime => {
            fill(exclude, Set::Time);
            fill(exclude, Set::Graph);
        }
        G::IncludeGraph => fill(include, Set::Graph),
        G::IncludeTime => fill(include, Set::Time),
        G::IncludeGraphAndTime => {
            fill(include, Set::Time);
            fill(include, Set::Graph);
        }
        G::Debug | G::Help | G::Version => {}
    }
    Ok(())
}

/// An order of functions and one of files exclude each other.
fn check_orders(plan: &GprofPlan) -> Result<(), GprofError> {
    if plan.styles.wants(OutputStyle::FunctionOrder) && plan.symbols.file_map.is_some() {
        return Err(GprofError::TwoOrders);
    }
    Ok(())
}

/// The set of a spec for the call graph: that of arcs if it names arcs.
fn graph_or_arcs(word: Option<&str>) -> Set {
    match word {
        Some(word) if word.contains('/') => Set::Arcs,
        _ => Set::Graph,
    }
}

/// Takes a symspec apart. Line 0 is that of all code.
fn parse_spec(word: &str) -> SymSpec {
    let Ok(mut spec): Result<SymSpec, _> = word.parse();
    let halves = [Some(&mut spec.left), spec.right.as_mut()];
    for half in halves.into_iter().flatten() {
        half.target.take_if(|target| *target == Target::Line(0));
    }
    spec
}

fn demangle_style(name: Option<&str>) -> Result<Style, GprofError> {
    let unknown = |name: &str| GprofError::DemangleStyle(name.to_owned());
    name.map_or(Ok(Style::Auto), |name| {
        name.parse().map_err(|_| unknown(name))
    })
}

/// Only the first letter counts.
fn file_format(name: &str) -> Result<Option<Requested>, GprofError> {
    match name.as_bytes().first() {
        Some(b'a') => Ok(None),
        Some(b'm') => Ok(Some(Requested::Gnu)),
        Some(b'b') => Ok(Some(Requested::Bsd)),
        Some(b'4') => Ok(Some(Requested::Bsd44)),
        Some(b'p') => Err(GprofError::ProfFormat),
        _ => Err(GprofError::FileFormat(name.to_owned())),
    }
}

/// The number that a word starts with; 0 for anything else, as `atoi` has it.
fn leading_number(word: &str) -> usize {
    let word = word.trim_start();
    let (digits, sign) = match word.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (word.strip_prefix('+').unwrap_or(word), 1),
    };
    let n_digits = digits.bytes().take_while(u8::is_ascii_digit).count();
    let number = match &digits[..n_digits] {
        "" => 0,
        digits => digits.parse::<i64>().unwrap_or(i64::MAX),
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`atoi` cuts off what is more"
    )]
    let number = match (sign, number) {
        (-1, i64::MAX) => i64::MIN,
        (sign, number) => sign * number,
    } as i32;
    usize::try_from(number).unwrap_or(0)
}

/// The number that a word starts with, as `strtoul` has it: a negative one wraps,
/// and one that is too large is the largest.
fn unsigned_number(word: &str) -> u64 {
    let word = word.trim_start();
    let (digits, is_negative) = match word.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (word.strip_prefix('+').unwrap_or(word), false),
    };
    let n_digits = digits.bytes().take_while(u8::is_ascii_digit).count();
    let number = match &digits[..n_digits] {
        "" => 0,
        digits => digits.parse().unwrap_or(u64::MAX),
    };
    if is_negative && number != u64::MAX {
        number.wrapping_neg()
    } else {
        number
    }
}

const HELP: &str = "\
profan gprof [OPTION…] [EXECUTABLE [PROFILE…]]

Reports a profile as GNU gprof 2.40 does. EXECUTABLE is a.out and PROFILE gmon.out
where they are not given; several profiles are added up.

What to print (all that the profile has, if nothing is said)
  -p[SPEC], -P[SPEC]   the flat profile, or none; only SPEC, or all but SPEC
  -q[SPEC], -Q[SPEC]   the call graph and index, or none; only SPEC, or all but SPEC
  -B                   the call graph
  -C[SPEC], -Z[SPEC]   execution counts, or none; only SPEC, or all but SPEC
  -A[SPEC], -J[SPEC]   annotated source, or none; only SPEC, or all but SPEC
  -l                   by source line instead of function
  -r                   an order of functions for the linker
  -R MAP               an order of object files, whose functions MAP lists
  -i                   what is in each profile
  -s                   nothing, but write the sum of the profiles to gmon.sum

What counts
  -a                   leave static functions out
  -D                   leave local symbols out that are not functions
  -e, -f SPEC          leave SPEC out of the call graph; show only SPEC there
  -E, -F SPEC          the same, and count time accordingly
  -N, -n SPEC          leave the time of SPEC out; count only that
  -k FROM/TO           leave calls from FROM to TO out, as -QFROM/TO does
  -c                   add the calls that stand in the machine code
  -S FILE              take symbols from FILE, as nm prints them
  -O FORMAT            read profiles as auto, magic, bsd or 4.4bsd

How to print
  -b                   without explanations
  -T                   in the layout of BSD
  -w COLUMNS           width of the index
  -z                   functions without calls and time too
  -L                   whole file names
  --inline-file-names  file and line behind each name
  -I DIR[:DIR…]        where sources are looked for; so does GPROF_PATH
  -y                   annotated source into files named FILE-ann
  -x                   counts on every line of a basic block
  -m N                 ##### for lines executed less than N times
  -t N                 length of the table of lines executed most
  --demangle[=STYLE]   auto, gnu-v3, java, gnat, dlang, rust, none
  --no-demangle        names as they stand in the executable

  -h, -v               this text; the version
";
