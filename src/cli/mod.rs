//! Command lines to plans.
//!
//! The first word, or the name of the program, chooses between profan's own face and
//! one of the originals.

mod manual;
mod plan;
mod profan;

use std::ffi::OsString;
use std::path::Path;

pub use plan::{
    Base, ByFilePart, ByFilePlan, ColorWhen, ComparisonPlan, Denied, Deny, ExactPlan, FileNaming,
    GivenRunTime, Loose, OutputStyle, Plan, ReadingPlan, SourcePlan, Styles, TextPlan,
};
pub use profan::first_words;

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
    Examine(Box<Plan>),
    /// What one of the originals does.
    Original(Personality, compat::Command),
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
}

/// Understands a command line, the name of the program first.
///
/// # Errors
/// When an option is unknown, incomplete or contradicts another.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, CliError> {
    let mut words: Vec<_> = args.into_iter().collect();
    let program = if words.is_empty() {
        OsString::new()
    } else {
        words.remove(0)
    };
    let of_program = Path::new(&program).file_stem();
    let mut personality = of_program.and_then(Personality::named);
    if personality.is_none() {
        personality = words.first().and_then(|word| Personality::named(word));
        if personality.is_some() {
            words.remove(0);
        }
    }
    if let Some(personality) = personality {
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

/// The line that `--version` prints.
fn version(name: &str) -> String {
    format!("profan {} {name}\n", env!("CARGO_PKG_VERSION"))
}
