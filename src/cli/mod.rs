//! Parses command lines into plans.
//!
//! The first word, or the name of the program, selects the native mode or a compatibility
//! mode.

mod manual;
mod profan;
mod requested;
mod stated;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;

pub use profan::by_file::ByFileOptions;
pub use profan::comparison::ComparisonOptions;
pub use profan::options::{
    FunctionOptions, LookOptions, ReadingOptions, ReportOptions, RowOptions, stack_depth,
};
pub use profan::plan::{Plan, Task};
pub use profan::{first_words, memory_limit_of, output_path};
pub use requested::RequestedSections;
pub use stated::{Base, Denied, FileNaming, FilePattern, GivenRunTime, GroupBy, Loose};

use crate::compat::{self, Original, Usage, UsageError, WithFirstLine};

/// A parsed command line.
#[derive(Debug)]
pub enum Command {
    /// Print this text.
    Show(String),
    /// Print a report.
    Report(Box<Plan>),
    /// Browse the report of these words on a full screen.
    Browse(Box<Plan>, Vec<OsString>),
    /// A command of a compatibility mode.
    Original(Original, compat::CompatCommand),
}

/// The program's name in messages, and its exit status for errors.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    pub name: &'static str,
    /// Exit status for errors.
    pub failure: u8,
    /// A compatibility mode.
    pub is_original: bool,
}

impl Mode {
    fn of(original: Option<Original>) -> Self {
        Self {
            name: original.map_or("profan", Original::name),
            failure: if original.is_some() { 1 } else { 2 },
            is_original: original.is_some(),
        }
    }
}

impl Command {
    /// The plan of a native command.
    pub fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Report(plan) | Self::Browse(plan, _) => Some(plan),
            Self::Show(_) | Self::Original(..) => None,
        }
    }

    pub fn plan_mut(&mut self) -> Option<&mut Plan> {
        match self {
            Self::Report(plan) | Self::Browse(plan, _) => Some(plan),
            Self::Show(_) | Self::Original(..) => None,
        }
    }

    /// The original of a compatibility mode.
    pub fn original(&self) -> Option<Original> {
        match self {
            Self::Original(original, _) => Some(*original),
            _ => None,
        }
    }

    pub fn mode(&self) -> Mode {
        Mode::of(self.original())
    }

    /// An error of the command line, beyond its parsing.
    pub fn error(&self, message: String) -> CliError {
        CliError {
            original: self.original(),
            error: UsageError { message, usage: Usage::InMessage },
        }
    }
}

/// An invalid command line.
#[derive(Debug)]
pub struct CliError {
    /// The compatibility mode; `None` for the native mode.
    pub original: Option<Original>,
    /// The error.
    pub error: UsageError,
}

impl CliError {
    fn own(message: String) -> Self {
        let usage = Usage::InMessage;
        Self { original: None, error: UsageError { message, usage } }
    }

    pub fn mode(&self) -> Mode {
        Mode::of(self.original)
    }

    /// The message; empty if the usage is sufficient.
    pub fn message(&self) -> Cow<'_, str> {
        let UsageError { message, usage } = &self.error;
        match usage {
            Usage::InHelp if !message.is_empty() => format!("{message}; see --help").into(),
            _ => message.into(),
        }
    }

    /// The original's line before the message, and the usage after it: on standard error, and on
    /// standard output.
    pub fn usage(&self) -> [&str; 3] {
        match &self.error.usage {
            Usage::OnStderr(line, usage) => [line, usage, ""],
            Usage::OnStdout(usage) => ["", "", usage],
            Usage::InHelp | Usage::InMessage => [""; 3],
        }
    }
}

/// The line in which an original reports this error, if known.
pub fn original_line(error: &anyhow::Error) -> Option<&str> {
    let mut causes = error.chain();
    causes.find_map(|cause| cause.downcast_ref()).map(|WithFirstLine { line, .. }| &**line)
}

/// Parses a command line, starting with the name of the program.
///
/// # Errors
/// If an option is unknown, incomplete or contradictory.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, CliError> {
    let mut words: Vec<_> = args.into_iter().collect();
    let (original, n_words) = original_of(&words);
    words.drain(..n_words.min(words.len()));
    if let Some(original) = original {
        let command = original.parse(words);
        return command
            .map(|command| Command::Original(original, command))
            .map_err(|error| CliError { original: Some(original), error });
    }
    profan::parse(words).map_err(CliError::own)
}

/// The original, and the number of words that select it: the name of the program, and
/// possibly the first word.
fn original_of(words: &[OsString]) -> (Option<Original>, usize) {
    let program = words.first().and_then(|word| Path::new(word).file_stem());
    if let Some(original) = program.and_then(Original::named) {
        return (Some(original), 1);
    }
    let original = words.get(1).and_then(|word| Original::named(word));
    (original, if original.is_some() { 2 } else { 1 })
}

/// The mode of a command line, starting with the name of the program.
pub fn mode_of(words: &[OsString]) -> Mode {
    Mode::of(original_of(words).0)
}

/// The output of `--version`.
fn version() -> String {
    format!("profan {}\n", env!("CARGO_PKG_VERSION"))
}
