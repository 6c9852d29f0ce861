//! The command line of GNU gprof 2.40.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::plan::{OutputStyle, Plan};
use crate::compat::getopt::{OptionSpec, Takes, UsageError, option as o};
use crate::filter::SymSpec;
use crate::load::Requested;
use crate::symbols::{Granularity, Style};

/// What an option of gprof means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GprofOption {
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
pub(super) const OPTIONS: &[OptionSpec<GprofOption>] = {
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
pub(super) enum GprofError {
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

/// Applies one option. Shared with profan, which has all of these too.
pub(super) fn apply(
    option: GprofOption,
    value: Option<&OsStr>,
    plan: &mut Plan,
) -> Result<(), GprofError> {
    use GprofOption as G;
    let text = value.map(|value| value.to_string_lossy().into_owned());
    let text = text.as_deref();
    let spec = || text.map(parse_spec);
    let filters = &mut plan.filters;
    match option {
        G::Brief => plan.text.explains = false,
        G::SkipStatic => plan.symbols.skips_static = true,
        G::SkipUntyped => plan.symbols.skips_untyped = true,
        G::Traditional => plan.text.is_bsd = true,
        G::ShowIdle => plan.shows_idle = true,
        G::PrintPath => plan.text.shows_paths = true,
        G::NoDemangle => plan.text.demangle = Style::None,
        G::Demangle => plan.text.demangle = demangle_style(text)?,
        G::FileFormat => plan.layout = file_format(text.unwrap_or_default())?,
        G::Width => plan.text.width = leading_number(text.unwrap_or_default()).max(1),
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
            filters.flat.include.extend(spec());
        }
        G::NoFlat => {
            plan.styles.set(OutputStyle::Flat, text.is_some());
            filters.flat.exclude.extend(spec());
        }
        G::Graph => {
            plan.styles.set(OutputStyle::Graph, true);
            filters
                .of_graph_or_arcs(spec().as_ref())
                .include
                .extend(spec());
        }
        G::NoGraph => {
            plan.styles.set(OutputStyle::Graph, text.is_some());
            filters
                .of_graph_or_arcs(spec().as_ref())
                .exclude
                .extend(spec());
        }
        G::ExcludeArcs => filters.arcs.exclude.extend(spec()),
        G::Counts => {
            plan.styles.set(OutputStyle::ExecCounts, true);
            filters.exec_counts.include.extend(spec());
        }
        G::NoCounts => {
            plan.styles.set(OutputStyle::ExecCounts, text.is_some());
            filters.exec_counts.exclude.extend(spec());
        }
        G::Source => {
            plan.styles.set(OutputStyle::AnnotatedSource, true);
            filters.annotation.include.extend(spec());
        }
        G::NoSource => {
            plan.styles
                .set(OutputStyle::AnnotatedSource, text.is_some());
            filters.annotation.exclude.extend(spec());
        }
        G::ByLine => plan.symbols.granularity = Granularity::Lines,
        G::AllLines => plan.source.marks.marks_all_lines = true,
        G::SourceFiles => plan.source.is_in_files = true,
        G::SourceDirs => plan.source.search.add_dirs(value.unwrap_or_default()),
        G::MinCount => plan.source.marks.min_count = unsigned_number(text.unwrap_or_default()),
        G::TableLength => {
            plan.source.marks.n_top_lines = leading_number(text.unwrap_or_default());
        }
        G::InlineFileNames => plan.text.shows_locations = true,
        G::ExcludeGraph => filters.graph.exclude.extend(spec()),
        G::ExcludeTime => filters.time.exclude.extend(spec()),
        G::ExcludeGraphAndTime => {
            filters.time.exclude.extend(spec());
            filters.graph.exclude.extend(spec());
        }
        G::IncludeGraph => filters.graph.include.extend(spec()),
        G::IncludeTime => filters.time.include.extend(spec()),
        G::IncludeGraphAndTime => {
            filters.time.include.extend(spec());
            filters.graph.include.extend(spec());
        }
        G::Debug | G::Help | G::Version => {}
    }
    Ok(())
}

/// An order of functions and one of files exclude each other.
pub(super) fn check_orders(plan: &Plan) -> Result<(), GprofError> {
    if plan.styles.wants(OutputStyle::FunctionOrder) && plan.symbols.file_map.is_some() {
        return Err(GprofError::TwoOrders);
    }
    Ok(())
}

pub(super) fn parse_spec(word: &str) -> SymSpec {
    let Ok(spec) = word.parse();
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
    let digits = word.strip_prefix('+').unwrap_or(word);
    let n_digits = digits.bytes().take_while(u8::is_ascii_digit).count();
    digits[..n_digits].parse().unwrap_or(0)
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
