//! Parses the arguments of options.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{
    PathBufValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser,
};
use clap::{Arg, Command};
use regex::bytes::{Regex, RegexBuilder};

use crate::cli::stated::{Base, Denied, FilePattern, GivenRunTime, GroupBy};
use crate::compare::comparison::{FailOn, Limit};
use crate::compare::difference::ChangeVerdict;
use crate::diagnose::catalogue::{self, CatalogueEntry, entries};
use crate::filter::keep::{Keep, KeepError, MatchPosition};
use crate::filter::{Nearest, SymSpec};
use crate::load::{CounterBits, RequestedLayout, StackUnit};
use crate::model::{Address, HeapPoint, Label, TimeRange, nanoseconds};
use crate::output::{ColorWhen, PagerWhen};
use crate::render::{self, NameForm};
use crate::sources::PathMap;
use crate::symbols::Style;
use crate::threads;

/// A layout of profiles; `None` to detect it.
pub(super) type LayoutOption = Option<RequestedLayout>;

pub(super) const LAYOUTS: &[(&str, LayoutOption)] = &[
    ("auto", None),
    ("magic", Some(RequestedLayout::Gnu)),
    ("bsd", Some(RequestedLayout::Bsd)),
    ("4.4bsd", Some(RequestedLayout::Bsd44)),
    ("folded", Some(RequestedLayout::Folded)),
];

pub(super) const COLORS: &[(&str, ColorWhen)] =
    &[("auto", ColorWhen::Auto), ("always", ColorWhen::Always), ("never", ColorWhen::Never)];

pub(super) const PAGERS: &[(&str, PagerWhen)] =
    &[("auto", PagerWhen::Auto), ("always", PagerWhen::Always), ("never", PagerWhen::Never)];

pub(super) const NAME_FORMS: &[(&str, NameForm)] = &[
    ("full", NameForm::Full),
    ("short", NameForm::Short),
    ("base", NameForm::Base),
    ("linkage", NameForm::Linkage),
];

pub(super) const DEMANGLE_STYLES: &[(&str, Style)] = &[
    ("auto", Style::Auto),
    ("gnu-v3", Style::GnuV3),
    ("java", Style::Java),
    ("gnat", Style::Gnat),
    ("dlang", Style::Dlang),
    ("rust", Style::Rust),
    ("none", Style::None),
];

/// How wide a counter is.
pub(super) const COUNTER_BITS: &[(&str, CounterBits)] = &[
    ("8", CounterBits::Eight),
    ("16", CounterBits::Sixteen),
    ("32", CounterBits::ThirtyTwo),
    ("64", CounterBits::SixtyFour),
];

/// Whether every size of block has a row of its own.
pub(super) const SIZE_STEPS: &[(&str, bool)] = &[("powers", false), ("all", true)];

/// Whether call trees have callers below callees.
pub(super) const TREES: &[(&str, bool)] = &[("callees", false), ("callers", true)];

/// The reasons to refuse a comparison.
pub(super) const FAIL_ON: &[(&str, FailOn)] = &[
    ("slower", FailOn::Verdict(ChangeVerdict::Slower)),
    ("faster", FailOn::Verdict(ChangeVerdict::Faster)),
    ("more", FailOn::Verdict(ChangeVerdict::More)),
    ("less", FailOn::Verdict(ChangeVerdict::Less)),
    ("unclear", FailOn::Verdict(ChangeVerdict::Unclear)),
    ("new", FailOn::Verdict(ChangeVerdict::New)),
    ("gone", FailOn::Verdict(ChangeVerdict::Gone)),
    ("calls", FailOn::Calls),
    ("leaks", FailOn::Leaks),
    ("program", FailOn::Program),
];

/// The least change that matters, as shares. A single one applies to functions and the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastChange {
    pub(super) of_function: f64,
    pub(super) of_program: f64,
}

pub(super) fn least_change(text: &str) -> Result<LeastChange, &'static str> {
    const ADVICE: &str =
        "write one percentage, or two as P,Q (of the function and of the program), as in 2,0.5";
    let share =
        |text: &str| percent(text.trim()).map(|percent| percent / 100.0).map_err(|_| ADVICE);
    let (of_function, of_program) = text.split_once(',').unwrap_or((text, text));
    Ok(LeastChange { of_function: share(of_function)?, of_program: share(of_program)? })
}

/// A limit such as `Ir=2%`.
pub(super) fn limit(text: &str) -> Result<Limit, &'static str> {
    const ADVICE: &str = "write a value and a percentage, as in `Ir=2%`; with commas for several";
    let (value, growth) = text.rsplit_once('=').ok_or(ADVICE)?;
    let growth = percent(growth.trim()).map_err(|_| ADVICE)?;
    Ok(Limit { value: value.trim().to_owned(), growth: growth / 100.0 })
}

pub(super) fn alpha(text: &str) -> Result<f64, &'static str> {
    within(text, 1e-9..=0.5, "write a share from 0.000000001 to 0.5, as in 0.01")
}

/// One of a few values by its name.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = choices.iter().map(|&(name, _)| PossibleValue::new(name));
    PossibleValuesParser::new(names).map(move |name| {
        let choice = choices.iter().find(|&&(known, _)| known == name);
        choice.expect("clap lets no other name through").1
    })
}

/// The name of a format.
pub(super) fn format() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(render::names()).map(|name: String| {
        let known = render::named(&name);
        known.expect("clap lets no other name through").name
    })
}

/// Endings of pictures that profan does not draw, which `dot` makes of a graph.
const PICTURES: [&str; 8] = ["png", "pdf", "jpg", "jpeg", "gif", "webp", "ps", "eps"];

/// A file to write, whose ending does not ask for a format that profan does not have.
pub(super) fn output() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(output_path)
}

pub(super) fn output_path(path: PathBuf) -> Result<PathBuf, String> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    match PICTURES.iter().find(|picture| **picture == ending) {
        None => Ok(path),
        Some(ending) => Err(format!(
            "profan does not write {ending}; dot does: \
             profan --format dot | dot -T{ending} -o FILE.{ending}"
        )),
    }
}

/// Names of columns, in order.
pub(super) fn column_list(text: &str) -> Result<Box<[String]>, &'static str> {
    let columns: Box<[String]> = text.split(',').map(|name| name.trim().to_owned()).collect();
    let is_list = columns.iter().all(|name| !name.is_empty());
    is_list.then_some(columns).ok_or("write column names separated by commas, as in self,calls")
}

/// The column to sort by. The inclusive order has another name in pprof.
pub(super) fn sort_column(text: &str) -> Result<String, Infallible> {
    Ok(match text {
        "cum" | "cumulative" => "total".to_owned(),
        _ => text.to_owned(),
    })
}

pub(super) fn percent(text: &str) -> Result<f64, &'static str> {
    within(text.trim_end_matches('%'), 0.0..=100.0, "write a percentage from 0 to 100")
}

/// A number of a range, or else this error.
fn within<T: FromStr + PartialOrd>(
    text: &str,
    range: RangeInclusive<T>,
    error: &'static str,
) -> Result<T, &'static str> {
    let number = text.parse().ok();
    number.filter(|number| range.contains(number)).ok_or(error)
}

/// A whole number that is not too small, and not too large for its type.
pub(super) fn number_from<T: FromStr + PartialOrd + From<u8>>(
    least: u8,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| *number >= T::from(least));
        number.ok_or_else(|| format!("write a whole number of at least {least}"))
    }
}

/// Ticks a second.
pub(super) fn rate(text: &str) -> Result<NonZeroU32, &'static str> {
    let advice = "write the samples per second as a whole number from 1 to 4294967295";
    text.parse().map_err(|_| advice)
}

/// The unit of folded stacks.
pub(super) fn unit(text: &str) -> Result<StackUnit, Infallible> {
    Ok(match text {
        "samples" => StackUnit::Samples,
        "ns" => StackUnit::Nanoseconds,
        "us" => StackUnit::Microseconds,
        "ms" => StackUnit::Milliseconds,
        "bytes" => StackUnit::Bytes,
        // One name for the whole process.
        name => StackUnit::Named(String::leak(name.to_owned())),
    })
}

pub(super) fn period(text: &str) -> Result<NonZeroU64, &'static str> {
    text.parse().map_err(|_| "write the number that each sample adds as a whole number above 0")
}

/// Less is not enough for any report.
const LEAST_MEMORY: u64 = 1 << 20;

/// A size of memory in bytes, KiB, MiB or GiB.
pub(super) fn memory(text: &str) -> Result<u64, &'static str> {
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let found = units.into_iter().find_map(|(letter, shift)| {
        let number = text.strip_suffix([letter, letter.to_ascii_lowercase()])?;
        Some((number, shift))
    });
    let (number, shift) = found.unwrap_or((text, 0));
    let size = number.parse::<u64>().ok();
    let size = size.and_then(|size| size.checked_mul(1 << shift));
    let size = size.filter(|size| *size >= LEAST_MEMORY);
    size.ok_or("write a size of at least 1M, in bytes or with the suffix K, M or G")
}

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    threads::number(text).ok_or_else(|| format!("write a number from 1 to {}", threads::MOST))
}

/// The maximum width of an index.
const MOST_COLUMNS: usize = 10_000;

/// A number of columns.
pub(super) fn columns(text: &str) -> Result<usize, String> {
    let columns = number_from::<usize>(1)(text)?;
    let columns = Some(columns).filter(|columns| *columns <= MOST_COLUMNS);
    columns.ok_or_else(|| format!("write a whole number of at most {MOST_COLUMNS}"))
}

/// An expression whose patterns are searched for.
pub(super) fn keep(text: &str) -> Result<Keep, KeepError> {
    Keep::parse(text.as_bytes(), MatchPosition::Anywhere)
}

/// A pattern of file names.
pub(super) fn file_pattern(text: &str) -> Result<FilePattern, &'static str> {
    FilePattern::new(text).ok_or("the pattern is too long")
}

/// A regular expression with a group.
pub(super) fn group(text: &str) -> Result<Regex, String> {
    let pattern = RegexBuilder::new(text).unicode(false).build();
    let pattern = pattern.map_err(|error| {
        // The message shows the expression first; the error is its last line.
        let said = error.to_string();
        let last = said.lines().next_back().unwrap_or_default();
        last.trim_start_matches("error: ").to_owned()
    })?;
    match pattern.captures_len() {
        1 => Err("put the part to match in parentheses, as in 'gmon.out.(\\d+)'".to_owned()),
        _ => Ok(pattern),
    }
}

/// An address in hexadecimal, with or without `0x`.
pub(super) fn base(text: &str) -> Result<Base, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u64::from_str_radix(digits, 16)
        .map(|address| Base(Address(address)))
        .map_err(|_| "write an address in hexadecimal, as in 0x400000")
}

/// `A,B`: two points of a trace.
pub(super) fn points(text: &str) -> Result<(HeapPoint, HeapPoint), &'static str> {
    let point = |word: &str| match word {
        "start" => Some(HeapPoint::Start),
        "peak" => Some(HeapPoint::Peak),
        "end" => Some(HeapPoint::End),
        number => number.parse().ok().map(HeapPoint::Event),
    };
    let points = text.split_once(',');
    let points = points.and_then(|(from, to)| Some((point(from)?, point(to)?)));
    points.ok_or("write two points as A,B, each an event number, start, peak or end")
}

/// A spec of functions, not of calls, and not of everything.
pub(super) fn function(word: &str) -> Result<SymSpec, &'static str> {
    let spec = SymSpec::of_name(word);
    let spec = Some(spec).filter(|spec| *spec != SymSpec::default());
    spec.ok_or("write a function, a file or a line; only -q, -Q and -k take FROM/TO")
}

/// `KEY=VALUE`, apart at the first `=`.
pub(super) fn label(text: &str) -> Result<Label, &'static str> {
    let parts = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) = parts.ok_or("write KEY=VALUE, as in comm=cc1")?;
    Ok(Label { key: key.as_bytes().into(), value: value.as_bytes().into() })
}

/// `A..B`, in seconds; without A from the start, without B to the end.
pub(super) fn seconds(text: &str) -> Result<TimeRange, &'static str> {
    const ADVICE: &str = "write seconds as A..B, A.. or ..B, as in 1.5..3";
    let (from, until) = text.split_once("..").ok_or(ADVICE)?;
    let time = |word: &str| nanoseconds(word.as_bytes()).ok_or(ADVICE);
    let from = if from.is_empty() { 0 } else { time(from)? };
    let until = if until.is_empty() { None } else { Some(time(until)?) };
    let range = TimeRange { from, until };
    if range.contains(from) { Ok(range) } else { Err(ADVICE) }
}

/// `object`, `source` or `label:KEY`.
pub(super) fn group_by(text: &str) -> Result<GroupBy, &'static str> {
    match text {
        "object" => Ok(GroupBy::Object),
        "source" => Ok(GroupBy::Source),
        _ => {
            let key = text.strip_prefix("label:").filter(|key| !key.is_empty());
            let key = key.ok_or("write object, source or label:KEY, as in label:thread")?;
            Ok(GroupBy::Label(key.to_owned()))
        }
    }
}

/// `OLD=NEW`, apart at the first `=`.
pub(super) fn path_map(word: OsString) -> Result<PathMap, &'static str> {
    let bytes = word.as_encoded_bytes();
    let middle = bytes.iter().position(|&byte| byte == b'=');
    let middle = middle.filter(|&at| at > 0);
    let middle = middle.ok_or("write the old and the new start of a path as OLD=NEW")?;
    let (old, new) = bytes.split_at(middle);
    Ok(PathMap { old: old.into(), new: new[1..].into() })
}

/// Seconds, or else the file that contains them. A number is never taken as a file name.
pub(super) fn run_time(word: OsString) -> Result<GivenRunTime, &'static str> {
    const ADVICE: &str = "write the seconds of the run, above 0, as in 12.5, or name a file with \
        the output of `time`";
    if word.is_empty() {
        return Err(ADVICE);
    }
    let seconds: Option<f64> = word.to_str().and_then(|word| word.parse().ok());
    let Some(seconds) = seconds else {
        return Ok(GivenRunTime::File(word.into()));
    };
    let wall = Duration::try_from_secs_f64(seconds).ok();
    let wall = wall.filter(|wall| !wall.is_zero());
    wall.map(GivenRunTime::Wall).ok_or(ADVICE)
}

/// A parser of diagnostic codes in any notation, which proposes each as it is listed.
#[derive(Clone)]
pub(super) struct Codes<T> {
    read: fn(&str) -> Result<T, String>,
    /// The word for all codes.
    all: Option<&'static str>,
}

/// The diagnosis of a code.
pub(super) const CODES: Codes<&CatalogueEntry> = Codes { read: entry_of, all: None };

/// The diagnosis of a code, or all of them.
pub(super) const DENIALS: Codes<Denied> = Codes {
    read: |word| match word {
        ALL_WARNINGS => Ok(Denied::Warnings),
        code => entry_of(code).map(|entry| Denied::Code(entry.code)),
    },
    all: Some(ALL_WARNINGS),
};

const ALL_WARNINGS: &str = "warnings";

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Codes<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let read = self.read;
        let parser = StringValueParser::new().try_map(move |word| read(&word));
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let all = self.all.map(PossibleValue::new);
        Some(Box::new(all.into_iter().chain(codes())))
    }
}

fn codes() -> impl Iterator<Item = PossibleValue> {
    let value = |entry: &'static CatalogueEntry| PossibleValue::new(entry.code).help(entry.title);
    entries().map(value)
}

fn entry_of(word: &str) -> Result<&'static CatalogueEntry, String> {
    catalogue::entry(word).ok_or_else(|| {
        let names = entries().map(|entry| entry.code).chain([ALL_WARNINGS]);
        let meant = match Nearest::among(word, names).into_names() {
            nearest if nearest.is_empty() => String::new(),
            nearest => format!(" did you mean {}?", nearest.join(" or ")),
        };
        format!("unknown code;{meant} see `profan help diagnostics`")
    })
}
