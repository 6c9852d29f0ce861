//! Command lines to plans.
//!
//! The first word, or the name of the program, chooses between profan's own face and
//! one of the originals.

mod manual;
mod plan;
mod profan;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;

pub use plan::{
    Base, ByFilePart, ByFilePlan, ComparisonPlan, Denied, Deny, ExactPlan, FileNaming,
    GivenRunTime, Loose, OutputStyle, Plan, ReadingPlan, SourcePlan, Styles, TextPlan,
};
pub use profan::{first_words, memory_limit_of};

use crate::compat::{self, Personality, Usage, UsageError};

/// What a command line asks for.
#[derive(Debug)]
pub enum Command {
    /// Print this text.
    Show(String),
    /// Print the files whose names start so and that can be given.
    CompleteFiles(OsString),
    /// Report on profiles.
    Report(Box<Plan>),
    /// Compare two sides.
    Compare(Box<Plan>, Box<ComparisonPlan>),
    /// Examine a program.
    Inspect(Box<Plan>),
    /// What one of the originals does.
    Original(Personality, compat::CompatCommand),
}

/// What the program calls itself, and how it fails.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    pub name: &'static str,
    /// The exit status where something fails.
    pub failure: u8,
    /// It stands in for one of the originals.
    pub is_original: bool,
}

impl Mode {
    fn of(original: Option<Personality>) -> Self {
        Self {
            name: original.map_or("profan", Personality::name),
            failure: if original.is_some() { 1 } else { 2 },
            is_original: original.is_some(),
        }
    }
}

impl Command {
    /// What to do in profan's own mode.
    pub fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Report(plan) | Self::Inspect(plan) | Self::Compare(plan, _) => Some(plan),
            Self::Show(_) | Self::CompleteFiles(_) | Self::Original(..) => None,
        }
    }

    pub fn plan_mut(&mut self) -> Option<&mut Plan> {
        match self {
            Self::Report(plan) | Self::Inspect(plan) | Self::Compare(plan, _) => Some(plan),
            Self::Show(_) | Self::CompleteFiles(_) | Self::Original(..) => None,
        }
    }

    /// Which of the originals it stands in for.
    pub fn original(&self) -> Option<Personality> {
        match self {
            Self::Original(original, _) => Some(*original),
            _ => None,
        }
    }

    pub fn mode(&self) -> Mode {
        Mode::of(self.original())
    }

    /// What is wrong beside its words.
    pub fn error(&self, message: String) -> CliError {
        CliError {
            personality: self.original(),
            error: UsageError {
                message,
                usage: Usage::InMessage,
            },
        }
    }
}

/// A command line that makes no sense.
#[derive(Debug)]
pub struct CliError {
    /// Whose command line; `None` for profan's own.
    pub personality: Option<Personality>,
    /// What is wrong with it.
    pub error: UsageError,
}

impl CliError {
    fn own(message: String) -> Self {
        let usage = Usage::InMessage;
        Self {
            personality: None,
            error: UsageError { message, usage },
        }
    }

    pub fn mode(&self) -> Mode {
        Mode::of(self.personality)
    }

    /// What is wrong; nothing where the usage says it all.
    pub fn message(&self) -> Cow<'_, str> {
        let UsageError { message, usage } = &self.error;
        match usage {
            Usage::InHelp if !message.is_empty() => format!("{message}; see --help").into(),
            _ => message.into(),
        }
    }

    pub fn usage_for_stderr(&self) -> &str {
        match &self.error.usage {
            Usage::OnStderr(usage) => usage,
            _ => "",
        }
    }

    pub fn usage_for_stdout(&self) -> &str {
        match &self.error.usage {
            Usage::OnStdout(usage) => usage,
            _ => "",
        }
    }
}

/// Understands a command line, the name of the program first.
///
/// # Errors
/// When an option is unknown, incomplete or contradicts another.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, CliError> {
    let mut words: Vec<_> = args.into_iter().collect();
    let (original, n_words) = original_of(&words);
    words.drain(..n_words.min(words.len()));
    if let Some(personality) = original {
        let command = personality.parse(words);
        return command
            .map(|command| Command::Original(personality, command))
            .map_err(|error| CliError {
                personality: Some(personality),
                error,
            });
    }
    profan::parse(words).map_err(CliError::own)
}

/// The original that a command line is for, and how many of its words say so: the name of
/// the program, and perhaps the first word behind it.
fn original_of(words: &[OsString]) -> (Option<Personality>, usize) {
    let program = words.first().and_then(|word| Path::new(word).file_stem());
    if let Some(original) = program.and_then(Personality::named) {
        return (Some(original), 1);
    }
    let original = words.get(1).and_then(|word| Personality::named(word));
    (original, if original.is_some() { 2 } else { 1 })
}

/// What the program calls itself for a command line, the name of the program first.
pub fn mode_of(words: &[OsString]) -> Mode {
    Mode::of(original_of(words).0)
}

/// The line that `--version` prints.
fn version() -> String {
    format!("profan {}\n", env!("CARGO_PKG_VERSION"))
}
