//! Command lines of mpatrol's tools.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::compat::getopt::{self, GetoptError, Manner, OptionSpec, ParsedWords};

/// Errors of a command line, in mpatrol's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    #[error("Illegal option `{0}'")]
    Illegal(String),
    #[error("Option `{0}' requires an argument")]
    MissingArgument(String),
    #[error("Illegal positive number `{0}'")]
    Negative(String),
    /// Only the usage is printed.
    #[error("")]
    NotANumber,
    /// Only the usage is printed.
    #[error("")]
    SeveralFiles,
}

impl From<GetoptError> for OptionError {
    fn from(error: GetoptError) -> Self {
        match error {
            GetoptError::MissingArgument(option) => Self::MissingArgument(option),
            GetoptError::Unknown(option)
            | GetoptError::UnwantedArgument(option)
            | GetoptError::Ambiguous(option, _) => Self::Illegal(option),
        }
    }
}

/// Separates options and files.
pub(super) fn parse<Id: Copy>(
    words: Vec<OsString>,
    specs: &[OptionSpec<Id>],
) -> Result<ParsedWords<Id>, OptionError> {
    Ok(getopt::parse(words, specs, Manner::Mpatrol)?)
}

/// The only file, or the default one.
pub(super) fn only_file(files: &[OsString], usual: &str) -> Result<PathBuf, OptionError> {
    match files {
        [] => Ok(usual.into()),
        [file] => Ok(file.into()),
        _ => Err(OptionError::SeveralFiles),
    }
}
