//! Command lines to plans.
//!
//! The face is chosen by the first word or by the name of the program. What
//! differs between faces is decided here and carried as small policies.

mod at_files;
mod formats;
mod getopt;
mod gprof;
mod manual;
mod mlprof;
mod mpatrol;
mod mprof;
mod mptrace;
mod plan;
mod profan;

use std::ffi::OsString;
use std::path::Path;

pub use formats::{OutputFormat, formats};
pub use mlprof::MlprofPlan;
pub use mprof::MprofPlan;
pub use mptrace::MptracePlan;
pub use plan::{
    Base, ChargePlan, ColorWhen, Command, Face, OutputStyle, Plan, SourcePlan, Styles, TextPlan,
};

/// A command line that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct CliError {
    /// Whose command line.
    pub face: Face,
    /// What is wrong, in a line, and in further ones what would be right; empty when
    /// the usage says it all.
    pub message: String,
    /// What may be given, and where that is shown at once.
    pub usage: Usage,
}

/// Where a user who got it wrong reads what may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// In the help.
    InHelp,
    /// Where the message says.
    InMessage,
    /// On standard output, as mpatrol's tools do.
    OnStdout(&'static str),
    /// On standard error, as mlprof does.
    OnStderr(&'static str),
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
    let of_program = Path::new(&program).file_stem().and_then(Face::named);
    let face = match of_program.filter(|&face| face != Face::Profan) {
        Some(face) => face,
        None => match words.first().and_then(|word| Face::named(word)) {
            Some(face) if face != Face::Profan => {
                words.remove(0);
                face
            }
            _ => Face::Profan,
        },
    };
    let parsed = match face {
        Face::Profan => profan::parse(words),
        Face::Gprof => gprof::parse(words).map_err(|error| error.to_string()),
        Face::Mprof => mprof::parse(words).map_err(|error| error.to_string()),
        Face::Mptrace => mptrace::parse(words).map_err(|error| error.to_string()),
        Face::Mlprof => mlprof::parse(words).map_err(|error| error.to_string()),
    };
    parsed.map_err(|message| CliError {
        face,
        message,
        usage: match face {
            Face::Mprof => Usage::OnStdout(mprof::USAGE),
            Face::Mptrace => Usage::OnStdout(mptrace::USAGE),
            Face::Mlprof => Usage::OnStderr(mlprof::USAGE),
            Face::Gprof => Usage::InHelp,
            Face::Profan => Usage::InMessage,
        },
    })
}

/// The line that `--version` prints.
fn version(face: &str) -> String {
    format!("profan {} {face}\n", env!("CARGO_PKG_VERSION"))
}
