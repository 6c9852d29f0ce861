//! The command line of GNU gprof 2.40.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::filters::Set;
use super::filters::SpecEffect::{self, Exclude, Include};
use super::plan::GprofStyle::{self, self as S};
use super::plan::{Flavor, GprofPlan, LocationStyle};
use crate::at_files;
use crate::compat::getopt::OptionArgument::{Nothing, Optional, Required};
use crate::compat::getopt::{self, GetoptError, NONE, OptionSpec, option};
use crate::compat::{CompatCommand, version};
use crate::filter::{SymSpec, SymbolTarget};
use crate::load::RequestedLayout;
use crate::symbols::{Granularity, Style};

type Spec = OptionSpec<Effect>;

#[derive(Clone, Copy)]
enum Effect {
    Nothing,
    Help,
    Version,
    Set(fn(&mut GprofPlan)),
    /// Takes the number at the start of the argument.
    Number(fn(&mut GprofPlan, usize)),
    Word(fn(&mut GprofPlan, &OsStr)),
    Choice(fn(&mut GprofPlan, Option<&str>) -> Result<(), GprofError>),
    Style(GprofStyle),
    /// Requests or excludes a style, with specs.
    StyleOf(SpecEffect, GprofStyle),
    Specs(SpecEffect, &'static [Set]),
}

const fn flag(short: char, long: &'static str, set: fn(&mut GprofPlan)) -> Spec {
    option(short, long, Nothing, Effect::Set(set))
}

const fn style(short: char, long: &'static str, style: GprofStyle) -> Spec {
    option(short, long, Nothing, Effect::Style(style))
}

const fn style_of(short: char, long: &'static str, side: SpecEffect, style: GprofStyle) -> Spec {
    option(short, long, Optional, Effect::StyleOf(side, style))
}

const fn specs(short: char, long: &'static str, side: SpecEffect, sets: &'static [Set]) -> Spec {
    option(short, long, Required, Effect::Specs(side, sets))
}

const fn number(short: char, long: &'static str, set: fn(&mut GprofPlan, usize)) -> Spec {
    option(short, long, Required, Effect::Number(set))
}

const fn word(short: char, long: &'static str, take: fn(&mut GprofPlan, &OsStr)) -> Spec {
    option(short, long, Required, Effect::Word(take))
}

/// All options, in gprof's names.
const OPTIONS: &[Spec] = &[
    flag('a', "no-static", |p| p.symbols.skips_static = true),
    style_of('A', "annotated-source", Include, S::AnnotatedSource),
    flag('b', "brief", |p| p.explains = false),
    style('B', "", S::Graph),
    flag('c', "static-call-graph", |p| p.static_calls = true),
    style_of('C', "exec-counts", Include, S::ExecCounts),
    option('d', "debug", Optional, Effect::Nothing),
    flag('D', "ignore-non-functions", |p| {
        p.symbols.skips_untyped = true;
    }),
    specs('e', "", Exclude, &[Set::Graph]),
    specs('E', "", Exclude, &[Set::Time, Set::Graph]),
    specs('f', "", Include, &[Set::Graph]),
    specs('F', "", Include, &[Set::Time, Set::Graph]),
    option('h', "help", Nothing, Effect::Help),
    style('i', "file-info", S::FileInfo),
    word('I', "directory-path", |p, dirs| p.search.add_dirs(dirs)),
    style_of('J', "no-annotated-source", Exclude, S::AnnotatedSource),
    specs('k', "", Exclude, &[Set::Arcs]),
    flag('l', "line", |p| p.symbols.granularity = Granularity::Lines),
    flag('L', "print-path", |p| p.shows_paths = true),
    word('m', "min-count", |p, word| {
        p.marks.min_count = unsigned_number(&word.to_string_lossy());
    }),
    specs('n', "time", Include, &[Set::Time]),
    specs('N', "no-time", Exclude, &[Set::Time]),
    option('O', "file-format", Required, Effect::Choice(file_format)),
    style_of('p', "flat-profile", Include, S::Flat),
    style_of('P', "no-flat-profile", Exclude, S::Flat),
    style_of('q', "graph", Include, S::Graph),
    style_of('Q', "no-graph", Exclude, S::Graph),
    style('r', "function-ordering", S::FunctionOrder),
    word('R', "file-ordering", |p, map| {
        p.styles.set(S::FileOrder, true);
        p.symbols.file_map = Some(map.into());
    }),
    style('s', "sum", S::Sum),
    word('S', "external-symbol-table", |p, table| {
        p.symbols.external = Some(table.into());
    }),
    number('t', "table-length", |p, n| p.marks.n_top_lines = n),
    flag('T', "traditional", |p| p.flavor = Flavor::Bsd),
    option('v', "version", Nothing, Effect::Version),
    number('w', "width", |p, width| p.width = width.max(1)),
    flag('x', "all-lines", |p| p.marks.marks_all_lines = true),
    flag('y', "separate-files", |p| p.is_in_files = true),
    flag('z', "display-unused-functions", |p| p.shows_zero_cost = true),
    style_of('Z', "no-exec-counts", Exclude, S::ExecCounts),
    option(NONE, "demangle", Optional, Effect::Choice(demangle_style)),
    flag(NONE, "no-demangle", |p| p.demangle = Style::None),
    flag(NONE, "inline-file-names", |p| {
        p.locations = LocationStyle::Lines;
    }),
];

/// Errors of a command line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::compat) enum GprofError {
    #[error(transparent)]
    Usage(#[from] GetoptError),
    #[error("`{0}` is no way of demangling that gprof knows")]
    DemangleStyle(String),
    #[error("`{0}` is no file format; there are auto, magic, bsd, 4.4bsd and prof")]
    FileFormat(String),
    #[error("profiles of prof cannot be read")]
    ProfFormat,
    #[error("`-r` orders functions and `-R` files; only one of them at a time")]
    TwoOrders,
}

/// The plan of a command line, or a text to show.
pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, GprofError> {
    let mut plan = GprofPlan::new();
    let words = getopt::parse(at_files::expand(words), OPTIONS)?;
    plan.files = words.files.into_iter().map(PathBuf::from).collect();
    for (effect, value) in words.options {
        match effect {
            Effect::Help => return Ok(CompatCommand::Show(HELP.to_owned())),
            Effect::Version => return Ok(CompatCommand::Show(version("gprof"))),
            _ => apply(effect, value.as_deref(), &mut plan)?,
        }
    }
    plan.finish();
    if plan.styles.wants(S::FunctionOrder) && plan.symbols.file_map.is_some() {
        return Err(GprofError::TwoOrders);
    }
    Ok(CompatCommand::Gprof(Box::new(plan)))
}

fn apply(effect: Effect, value: Option<&OsStr>, plan: &mut GprofPlan) -> Result<(), GprofError> {
    let text = value.map(OsStr::to_string_lossy);
    let text = text.as_deref();
    let spec = || text.map(parse_spec);
    match effect {
        Effect::Nothing | Effect::Help | Effect::Version => {}
        Effect::Set(set) => set(plan),
        Effect::Number(set) => set(plan, leading_number(text.unwrap_or_default())),
        Effect::Word(take) => take(plan, value.unwrap_or_default()),
        Effect::Choice(choose) => choose(plan, text)?,
        Effect::Style(style) => plan.styles.set(style, true),
        Effect::StyleOf(side, style) => {
            plan.styles.set(style, side == Include || text.is_some());
            let set = match style {
                S::Flat => Set::Flat,
                S::ExecCounts => Set::ExecCounts,
                S::AnnotatedSource => Set::Annotation,
                _ if text.is_some_and(|text| text.contains('/')) => Set::Arcs,
                _ => Set::Graph,
            };
            plan.filters.add(set, side, spec());
        }
        Effect::Specs(side, sets) => {
            for &set in sets {
                plan.filters.add(set, side, spec());
            }
        }
    }
    Ok(())
}

/// Parses a symspec. Line 0 matches all code.
fn parse_spec(word: &str) -> SymSpec {
    let Ok(mut spec): Result<SymSpec, _> = word.parse();
    let halves = [Some(&mut spec.left), spec.right.as_mut()];
    for half in halves.into_iter().flatten() {
        half.target.take_if(|target| *target == SymbolTarget::Line(0));
    }
    spec
}

fn demangle_style(plan: &mut GprofPlan, name: Option<&str>) -> Result<(), GprofError> {
    plan.demangle = match name {
        None => Style::Libiberty,
        Some(name) => {
            let unknown = |_| GprofError::DemangleStyle(name.to_owned());
            name.parse().map_err(unknown)?
        }
    };
    Ok(())
}

/// Only the first letter counts.
fn file_format(plan: &mut GprofPlan, name: Option<&str>) -> Result<(), GprofError> {
    let name = name.unwrap_or_default();
    plan.layout = match name.as_bytes().first() {
        Some(b'a') => None,
        Some(b'm') => Some(RequestedLayout::Gnu),
        Some(b'b') => Some(RequestedLayout::Bsd),
        Some(b'4') => Some(RequestedLayout::Bsd44),
        Some(b'p') => return Err(GprofError::ProfFormat),
        _ => return Err(GprofError::FileFormat(name.to_owned())),
    };
    Ok(())
}

fn signed_digits(word: &str) -> (bool, &str) {
    let word = word.trim_start();
    let (digits, is_negative) = match word.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (word.strip_prefix('+').unwrap_or(word), false),
    };
    let n_digits = digits.bytes().take_while(u8::is_ascii_digit).count();
    (is_negative, &digits[..n_digits])
}

/// The number at the start of a word; 0 for anything else, as `atoi` does.
fn leading_number(word: &str) -> usize {
    let number = match signed_digits(word) {
        (_, "") => 0,
        (true, digits) => digits.parse::<i64>().map_or(i64::MIN, |number| -number),
        (false, digits) => digits.parse().unwrap_or(i64::MAX),
    };
    #[expect(clippy::cast_possible_truncation, reason = "`atoi` cuts off what is more")]
    let number = number as i32;
    usize::try_from(number).unwrap_or(0)
}

/// The number at the start of a word, as `strtoul` does: negative numbers wrap, large ones
/// saturate.
fn unsigned_number(word: &str) -> u64 {
    match signed_digits(word) {
        (_, "") => 0,
        (true, digits) => digits.parse().map_or(u64::MAX, u64::wrapping_neg),
        (false, digits) => digits.parse().unwrap_or(u64::MAX),
    }
}

const HELP: &str = "\
Usage: profan gprof [OPTION]… [EXECUTABLE [PROFILE]…]

Print a profile as GNU gprof 2.40 does. The defaults are a.out and gmon.out.
Several profiles are added. `profan --help` describes the native reports.

Reports (by default, all that the profile supports):
  -p[SPEC]  Print the flat profile [only SPEC]
  -P[SPEC]  Omit the flat profile [omit only SPEC]
  -q[SPEC]  Print the call graph and the index [only SPEC]
  -Q[SPEC]  Omit the call graph [omit only SPEC]
  -B        Print the call graph without the flat profile
  -C[SPEC]  Print execution counts of functions and blocks [only SPEC]
  -Z[SPEC]  Omit execution counts [omit only SPEC]
  -A[SPEC]  Print source files with counts [only SPEC]
  -J[SPEC]  Omit annotated source [omit only SPEC]
  -l        Report by source line instead of by function
  -r        Print a linker order that puts functions next to their callers
  -R MAP    Print a link order of object files; MAP is the output of `nm -A *.o`
  -i        Print the contents of each profile
  -s        Write the sum of the profiles to gmon.sum

Filters:
  -n SPEC     Propagate only the time of SPEC to its callers
  -N SPEC     Do not propagate the time of SPEC to its callers
  -k FROM/TO  Omit calls from FROM to TO from the call graph
  -f SPEC     Show only SPEC in the call graph
  -e SPEC     Omit SPEC from the call graph
  -F SPEC     The same as -f and -n
  -E SPEC     The same as -e and -N
  -a          Omit static functions; the preceding function gets their time
  -D          Omit local symbols without a type
  -z          Also show functions without calls and time
  -c          Add calls found in the machine code to the call graph

Input:
  -S FILE    Read symbols from FILE, in the format of nm
  -O FORMAT  Read profiles in this layout: auto, magic, bsd or 4.4bsd
  -I DIRS    Search DIRS for sources before GPROF_PATH; repeatable

Output:
  -b                   Omit the explanations
  -T                   Print in the BSD layout
  -w COLUMNS           Set the width of the index
  -L                   Print full paths of files
  --inline-file-names  Print file and line after each name
  -y                   Write annotated source to files NAME-ann in the current
                       directory
  -x                   Annotate every line of a basic block
  -m N                 Mark lines that ran fewer than N times with #####
  -t N                 List N lines in the table of most executed lines
  --demangle[=STYLE]   Demangle names: auto, gnu-v3, java, gnat, dlang, rust or
                       none
  --no-demangle        Print mangled names, as in the executable

  -h, --help     Print this help
  -v, --version  Print the version
";
