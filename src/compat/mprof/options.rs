//! The command line of mprof 1.3.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::numbers::{Drawing, MprofOptions, TableMeasure};
use crate::compat::CompatCommand;
use crate::compat::getopt::{OptionArgument, OptionSpec, option as o};
use crate::compat::mpatrol_options::{self, OptionError};

#[derive(Debug, Default)]
pub struct MprofPlan {
    pub file: PathBuf,
    pub options: MprofOptions,
    pub shows_graph: bool,
    /// Output file of the call-graph drawing, if any.
    pub drawing_file: Option<PathBuf>,
    pub drawing: Drawing,
    /// Printed before everything else.
    pub preface: String,
    /// Notes for standard error.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
enum MprofOption {
    Addresses,
    Counts,
    CallGraph,
    GraphFile,
    Help,
    Leaks,
    StackDepth,
    Version,
}

const OPTIONS: &[OptionSpec<MprofOption>] = {
    use MprofOption as M;
    use OptionArgument::{Nothing, Required};
    &[
        o('a', "addresses", Nothing, M::Addresses),
        o('c', "counts", Nothing, M::Counts),
        o('g', "graph-file", Required, M::GraphFile),
        o('h', "help", Nothing, M::Help),
        o('l', "leaks", Nothing, M::Leaks),
        o('n', "stack-depth", Required, M::StackDepth),
        o('v', "call-graph", Nothing, M::CallGraph),
        o('V', "version", Nothing, M::Version),
    ]
};

pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, OptionError> {
    let words = mpatrol_options::parse(words, OPTIONS)?;
    let mut plan = MprofPlan {
        options: MprofOptions {
            stack_depth: Some(1),
            ..MprofOptions::default()
        },
        notes: words.notes,
        ..MprofPlan::default()
    };
    let mut wants_help = false;
    for (option, value) in words.options {
        match option {
            MprofOption::Addresses => plan.options.by_address = true,
            MprofOption::Counts => plan.options.measure = TableMeasure::Blocks,
            MprofOption::CallGraph => plan.shows_graph = true,
            MprofOption::GraphFile => plan.drawing_file = value.map(PathBuf::from),
            MprofOption::Help => wants_help = true,
            MprofOption::Leaks => plan.drawing = Drawing::Leaks,
            MprofOption::StackDepth => {
                let depth = number(&value.unwrap_or_default(), &mut plan.notes)?;
                plan.options.stack_depth = Some(depth).filter(|&depth| depth > 0);
            }
            MprofOption::Version => plan.preface = crate::compat::version("mprof"),
        }
    }
    if wants_help {
        return Ok(CompatCommand::Show(plan.preface + HELP));
    }
    plan.options.has_graph = plan.shows_graph || plan.drawing_file.is_some();
    plan.file = mpatrol_options::only_file(&words.files, "mpatrol.out")?;
    Ok(CompatCommand::Mprof(plan))
}

/// A number, in the radix of its prefix. Saturates, with a note.
fn number(word: &OsStr, notes: &mut Vec<String>) -> Result<u64, OptionError> {
    let shown = word.to_string_lossy();
    if shown.starts_with('-') {
        return Err(OptionError::Negative(shown.into_owned()));
    }
    let lower = shown.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return Err(OptionError::NotANumber);
    }
    Ok(u64::from_str_radix(digits, base).unwrap_or_else(|_| {
        notes.push(format!("Positive number overflow in `{shown}'"));
        u64::MAX
    }))
}

/// Printed on standard output for an invalid command line.
pub(in crate::compat) const USAGE: &str = "\
profan mprof [OPTION…] [PROFILE]
mprof --help tells what the options are.
";

const HELP: &str = "\
profan mprof [OPTION…] [PROFILE]

Reports an allocation profile of mpatrol as mprof 1.3 does. PROFILE is mpatrol.out
where it is not given, and standard input where it is `-`.

  -a, --addresses        rows for single return addresses, not for functions
  -c, --counts           count blocks in the first place, not bytes
  -n, --stack-depth=N    leaks are different where the first N frames of their
                         stacks are: 1 if not given, 0 for whole stacks
  -v, --call-graph       print the call graph too
  -g, --graph-file=FILE  write the call graph to FILE, as dot draws it
  -l, --leaks            only what was not freed in FILE

  -h, --help             this text
  -V, --version          the version, and then the report

FILE can be `stdout` or `stderr`, which stand for the streams. N is decimal, or
starts with 0x, 0b, or 0 for octal.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: Result<u64, &str>, n_notes: usize) {
        let mut notes = Vec::new();
        let found = number(OsStr::new(word), &mut notes).map_err(|error| error.to_string());
        let found = found.as_ref().copied().map_err(String::as_str);
        assert_eq!(found, expected, "for {word}");
        assert_eq!(notes.len(), n_notes, "for {word}");
    }

    #[test]
    fn numbers_have_a_base() {
        check("0", Ok(0), 0);
        check("12", Ok(12), 0);
        check("0x1F", Ok(31), 0);
        check("010", Ok(8), 0);
        check("0b11", Ok(3), 0);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        check("", Err(""), 0);
        check("abc", Err(""), 0);
        check("12a", Err(""), 0);
        check("0x", Err(""), 0);
        check("08", Err(""), 0);
        check("-1", Err("Illegal positive number `-1'"), 0);
    }

    #[test]
    fn too_large_a_number_is_the_largest() {
        check("99999999999999999999", Ok(u64::MAX), 1);
    }
}
