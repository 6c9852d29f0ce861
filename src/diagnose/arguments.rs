//! Files and arguments of a command line that cannot be used as they are.

use std::fmt;
use std::io;
use std::path::Path;

use super::RunError;
use super::error::codes;
use crate::symbols::{ExecutableError, SymbolOptions};

/// What a word that is no file may mean.
#[derive(Clone, Copy, Debug)]
pub enum Meant<'a> {
    /// The argument of the option before it.
    Argument(&'a str),
    /// The same, with the name of a function.
    Function { option: &'a str, name: &'a str },
    /// An option with dashes.
    Option(&'a str),
    /// A command.
    Command(&'a str),
    /// Another file.
    File(&'a str),
    /// The program for `doctor`.
    Program,
    /// A file in another place, or else this.
    Else(&'a str),
}

impl fmt::Display for Meant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(attached) => write!(f, "attach it to the option: {attached}"),
            Self::Function { option, name } => {
                write!(f, "attach a function to the option: {option}{name}")
            }
            Self::Option(name) => write!(f, "write it with hyphens: --{name}"),
            Self::Command(name) => write!(f, "did you mean `profan {name}`?"),
            Self::File(name) => write!(f, "did you mean `{name}`?"),
            Self::Program => f.write_str("profan doctor ./PROGRAM"),
            Self::Else(advice) => write!(f, "check the name and the directory, or: {advice}"),
        }
    }
}

const MAP: &str = "-R takes what `nm -A *.o` prints, in a file of its own";
const TABLE: &str = "-S takes what `nm PROGRAM` prints, in a file of its own";

/// Why a map of object files is of no use.
#[derive(Clone, Copy, Debug)]
pub enum UnusableMap {
    WithoutProgram,
    OfOtherProgram,
}

impl RunError {
    /// The file of -R is of no use.
    pub fn unusable_map(path: &Path, why: UnusableMap) -> Self {
        let reason = match why {
            UnusableMap::WithoutProgram => "it needs a program",
            UnusableMap::OfOtherProgram => "it contains no function of the program",
        };
        unusable(codes::NOT_AN_EXECUTABLE, ("-R", MAP), path, reason.to_owned())
    }

    /// The file of --baseline cannot be read.
    pub fn unusable_baseline(path: &Path, error: &io::Error) -> Self {
        let advice = "pass --baseline a report that profan saved, or a new name";
        unusable(codes::UNREADABLE, ("--baseline", advice), path, error.to_string())
    }

    /// A stream, which cannot be read twice.
    pub fn read_once(path: String) -> Self {
        let source = io::Error::other("a pipe, but --by-file reads files more than once");
        Self::Unreadable { path, source, advice: Some("write it to a file first".to_owned()) }
    }
}

/// Adds the option that named the file.
pub fn with_option(error: ExecutableError, symbols: &SymbolOptions) -> anyhow::Error {
    let (path, code, reason) = match &error {
        ExecutableError::NoSymbols { path } => {
            (path, codes::NOT_AN_EXECUTABLE, "it contains no functions".to_owned())
        }
        ExecutableError::Io { path, source } => (path, codes::UNREADABLE, source.to_string()),
        ExecutableError::FileMap { path, line } => (
            path,
            codes::NOT_AN_EXECUTABLE,
            format!("line {line} is not `FILE:ADDRESS TYPE FUNCTION`"),
        ),
        ExecutableError::Format { .. } | ExecutableError::Unsupported { .. } => {
            return error.into();
        }
    };
    let options = [("-S", &symbols.external, TABLE), ("-R", &symbols.file_map, MAP)];
    let found = options.into_iter().find_map(|(option, file, advice)| {
        let file = file.as_deref()?;
        let is_this = file.display().to_string() == *path;
        is_this.then(|| unusable(code, (option, advice), file, reason.clone()))
    });
    found.map_or_else(|| error.into(), anyhow::Error::from)
}

fn unusable(
    code: &'static str,
    (option, advice): (&'static str, &'static str),
    path: &Path,
    reason: String,
) -> RunError {
    RunError::UnusableArgument { code, option, path: path.display().to_string(), reason, advice }
}
