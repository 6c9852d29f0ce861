//! The command line of mlprof.
//!
//! Options come first and have one dash. The first word without a dash is the program; all words
//! after it are profiles. `--` and `-help` do not exist.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::compat::CompatCommand;
use crate::filter::keep::{Keep, KeepError, KeepPattern, MatchPosition, PatternError, percentage};
use crate::standard_ml::real;

/// A command line of mlprof.
#[derive(Debug)]
pub struct MlprofPlan {
    /// The program, or its table.
    pub program: PathBuf,
    /// The profiles.
    pub profiles: Vec<PathBuf>,
    /// Files that name more profiles, the last option first.
    pub lists: Vec<PathBuf>,
    /// The functions to show.
    pub keep: Keep,
    /// The functions to split into copies.
    pub splits: Vec<KeepPattern>,
    /// Output file of the graph, if requested.
    pub graph: Option<PathBuf>,
    /// Title of the graph; by default the program.
    pub title: Option<OsString>,
    /// Borders are brighter with less time on the stack. Every node needs a valid brightness,
    /// even without a graph.
    pub is_gray: bool,
    /// Print full names.
    pub has_long_names: bool,
    /// Print counts next to percentages.
    pub shows_raw: bool,
    /// Print positions next to names.
    pub shows_positions: bool,
    /// Skip unusable profiles.
    pub is_tolerant: bool,
}

/// Errors of a command line.
#[derive(Debug, thiserror::Error)]
pub(in crate::compat) enum MlprofUsageError {
    #[error("unknown option `{0}`")]
    Unknown(String),
    #[error("option `{0}` needs an argument")]
    MissingArgument(&'static str),
    #[error("option `{0}` needs `true` or `false`, not `{1}`")]
    Boolean(&'static str, String),
    #[error("option `-thresh` needs a number from 0 to 100, not `{0}`")]
    Threshold(String),
    #[error("option `-keep`: {error}")]
    Keep { text: String, error: KeepError },
    #[error("option `-split`: `{0}` is no regular expression: {1}")]
    Split(String, PatternError),
    #[error("an empty word is neither an option nor a program")]
    EmptyWord,
    #[error("no program was given")]
    NoProgram,
}

impl MlprofUsageError {
    /// The original's line for this error.
    pub(in crate::compat) fn first_line(&self) -> String {
        match self {
            Self::Unknown(option) => format!("unknown switch: {option}"),
            Self::MissingArgument(option) => format!("{option} requires an argument"),
            Self::Boolean(option, _) => format!("{option} requires a boolean"),
            Self::Threshold(text) if real(text.as_bytes()).is_none() => {
                "-thresh requires a real".to_owned()
            }
            Self::Threshold(_) => "invalid -thresh".to_owned(),
            Self::Keep { text, error } => {
                let problem = match error {
                    KeepError::Empty => "empty",
                    KeepError::Open => "unmatched (",
                    KeepError::Closed => "unmatched )",
                    KeepError::OpenString => "eof in middle of string",
                    _ => text,
                };
                format!("invalid -keep arg: Fail: {problem}")
            }
            Self::Split(text, _) => format!("invalid -split regexp: {text}"),
            Self::EmptyWord => "unhandled exception: Subscript".to_owned(),
            Self::NoProgram => "wrong number of args".to_owned(),
        }
    }
}

/// Printed after an error of the command line.
pub(in crate::compat) const USAGE: &str = "\
usage: mlprof [OPTION]... PROGRAM [mlmon.out]...

Print a profile as mlprof of MLton does. mlprof runs PROGRAM to get its table of
names. PROGRAM can also be the text of this table: the output of
`PROGRAM @MLton show-sources`, in a file whose name does not end in .txt.

  -call-graph FILE       Write the call graph to FILE, for dot
  -graph-title TITLE     Set the title of the call graph
  -gray true|false       Show total shares as grey levels of borders [false]
  -keep EXPR             Show these functions: all, \"REGEXP\", (and E...),
                         (or E...), (not E), (pred E), (succ E), (from E),
                         (to E), (thresh X), (thresh-gc X), (thresh-stack X)
                         [all]
  -long-name true|false  Show names with all their parts [true]
  -mlmon FILE            Read the names of more profiles from FILE
  -raw true|false        Also show numbers as counted [false]
  -show-line true|false  Show files and lines of functions [false]
  -split REGEXP          Show each copy of these functions by itself
  -thresh X              The same as -keep '(thresh X)'; X is from 0 to 100
  -tolerant true|false   Skip profiles that cannot be used [false]
";

/// Parses a command line.
pub(in crate::compat) fn parse(words: Vec<OsString>) -> Result<CompatCommand, MlprofUsageError> {
    let mut plan = MlprofPlan {
        program: PathBuf::new(),
        profiles: Vec::new(),
        lists: Vec::new(),
        keep: Keep::all(),
        splits: Vec::new(),
        graph: None,
        title: None,
        is_gray: false,
        has_long_names: true,
        shows_raw: false,
        shows_positions: false,
        is_tolerant: false,
    };
    let mut words = words.into_iter();
    plan.program = loop {
        let word = words.next().ok_or(MlprofUsageError::NoProgram)?;
        match word.as_encoded_bytes().first() {
            None => return Err(MlprofUsageError::EmptyWord),
            Some(b'-') => apply(&word, &mut words, &mut plan)?,
            Some(_) => break word.into(),
        }
    };
    plan.profiles = words.map(PathBuf::from).collect();
    Ok(CompatCommand::Mlprof(plan))
}

fn apply(
    option: &OsStr,
    words: &mut impl Iterator<Item = OsString>,
    plan: &mut MlprofPlan,
) -> Result<(), MlprofUsageError> {
    let mut argument = |name| words.next().ok_or(MlprofUsageError::MissingArgument(name));
    match option.as_encoded_bytes() {
        b"-call-graph" => plan.graph = Some(argument("-call-graph")?.into()),
        b"-graph-title" => plan.title = Some(argument("-graph-title")?),
        b"-gray" => plan.is_gray = boolean("-gray", argument("-gray")?)?,
        b"-keep" => {
            let text = argument("-keep")?;
            plan.keep = Keep::parse(text.as_encoded_bytes(), MatchPosition::Start)
                .map_err(|error| MlprofUsageError::Keep { text: shown(&text), error })?;
        }
        b"-long-name" => plan.has_long_names = boolean("-long-name", argument("-long-name")?)?,
        b"-mlmon" => plan.lists.insert(0, argument("-mlmon")?.into()),
        b"-raw" => plan.shows_raw = boolean("-raw", argument("-raw")?)?,
        b"-show-line" => plan.shows_positions = boolean("-show-line", argument("-show-line")?)?,
        b"-split" => plan.splits.push(pattern(&argument("-split")?)?),
        b"-thresh" => plan.keep = Keep::at_least(threshold(&argument("-thresh")?)?),
        b"-tolerant" => plan.is_tolerant = boolean("-tolerant", argument("-tolerant")?)?,
        _ => return Err(MlprofUsageError::Unknown(shown(option))),
    }
    Ok(())
}

/// The rest of the text after the word is ignored.
fn boolean(name: &'static str, value: OsString) -> Result<bool, MlprofUsageError> {
    let text = value.as_encoded_bytes();
    if text.starts_with(b"true") {
        return Ok(true);
    }
    if text.starts_with(b"false") {
        Ok(false)
    } else {
        Err(MlprofUsageError::Boolean(name, shown(&value)))
    }
}

fn threshold(value: &OsStr) -> Result<f64, MlprofUsageError> {
    percentage(value.as_encoded_bytes()).ok_or_else(|| MlprofUsageError::Threshold(shown(value)))
}

fn pattern(value: &OsStr) -> Result<KeepPattern, MlprofUsageError> {
    KeepPattern::new(value.as_encoded_bytes(), MatchPosition::Start)
        .map_err(|error| MlprofUsageError::Split(shown(value), error))
}

fn shown(word: &OsStr) -> String {
    word.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let words = line.split(' ').map(OsString::from).collect();
        let text = match parse(words) {
            Err(error) => error.to_string(),
            Ok(CompatCommand::Mlprof(plan)) => {
                let profiles = plan.profiles.iter().map(|path| path.display().to_string());
                let profiles: Vec<_> = profiles.collect();
                let program = plan.program.display();
                format!("{program}: {} raw={}", profiles.join(" "), plan.shows_raw)
            }
            Ok(_) => panic!("`{line}` is mlprof's"),
        };
        assert_eq!(text, expected, "for {line}");
    }

    #[test]
    fn options_end_at_the_program() {
        check("a.out", "a.out:  raw=false");
        check("-raw true a.out x -raw", "a.out: x -raw raw=true");
        check("-raw true -raw false a.out", "a.out:  raw=false");
        check("-- a.out", "unknown option `--`");
        check("-help", "unknown option `-help`");
        check("-raw true", "no program was given");
        check(" a.out", "an empty word is neither an option nor a program");
    }

    #[test]
    fn text_after_a_value_is_ignored() {
        check("-raw trueish a.out", "a.out:  raw=true");
        check("-thresh 5% a.out", "a.out:  raw=false");
        check("-keep all) a.out", "a.out:  raw=false");
    }

    #[test]
    fn values_are_checked() {
        check("-raw", "option `-raw` needs an argument");
        check("-raw TRUE x", "option `-raw` needs `true` or `false`, not `TRUE`");
        let words = ["-raw", " true", "x"].map(OsString::from).into();
        let blank_in_front = parse(words).map(|_| ()).expect_err("blanks count");
        assert_eq!(
            blank_in_front.to_string(),
            "option `-raw` needs `true` or `false`, not ` true`"
        );
        check("-thresh 101 x", "option `-thresh` needs a number from 0 to 100, not `101`");
        check("-thresh -1 x", "option `-thresh` needs a number from 0 to 100, not `-1`");
        check("-thresh big x", "option `-thresh` needs a number from 0 to 100, not `big`");
        check(
            "-split ( x",
            "option `-split`: `(` is no regular expression: unmatched bracket at byte 1",
        );
        check("-keep ) x", "option `-keep`: unexpected `)`");
    }
}
