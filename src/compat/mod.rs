//! The compatibility modes: gprof, mprof, mptrace and mlprof, byte for byte.
//!
//! Each has a directory with its options, numbers, printer and run, and uses the same modules
//! as the native mode. Those modules do not depend on it; where an original differs, they
//! take a policy that is built here.

mod first_line;
pub(crate) mod getopt;
pub mod gprof;
pub mod mlprof;
mod mpatrol_options;
pub mod mprof;
pub mod mptrace;
mod words;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
pub use first_line::WithFirstLine;

use crate::diagnose::Warning;
use crate::files::are_same;

const CANNOT_WRITE: &str = "cannot write the report";

/// The original whose command line and output the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Original {
    /// GNU gprof 2.40.
    Gprof,
    /// mprof 1.3 of mpatrol.
    Mprof,
    /// mptrace 1.4 of mpatrol.
    Mptrace,
    /// mlprof of MLton.
    Mlprof,
}

impl Original {
    pub const ALL: [Self; 4] = [Self::Gprof, Self::Mprof, Self::Mptrace, Self::Mlprof];

    pub fn name(self) -> &'static str {
        match self {
            Self::Gprof => "gprof",
            Self::Mprof => "mprof",
            Self::Mptrace => "mptrace",
            Self::Mlprof => "mlprof",
        }
    }

    pub fn named(name: &OsStr) -> Option<Self> {
        Self::ALL.into_iter().find(|one| name == one.name())
    }

    /// The description of its options.
    pub fn help(self) -> String {
        match self.parse(vec!["--help".into()]) {
            Ok(CompatCommand::Show(text)) => text,
            // mlprof has no such option.
            _ => mlprof::USAGE.to_owned(),
        }
    }

    /// Parses the words of its command line.
    ///
    /// # Errors
    /// If an option is unknown, incomplete or contradictory.
    pub fn parse(self, words: Vec<OsString>) -> Result<CompatCommand, UsageError> {
        let error = |message, usage| UsageError { message, usage };
        match self {
            Self::Gprof => gprof::parse(words).map_err(|e| error(e.to_string(), Usage::InHelp)),
            Self::Mprof => mprof::parse(words),
            Self::Mptrace => mptrace::parse(words),
            Self::Mlprof => mlprof::parse(words)
                .map_err(|e| error(e.to_string(), Usage::OnStderr(e.first_line(), mlprof::USAGE))),
        }
    }
}

/// An invalid command line.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct UsageError {
    /// The error in one line, and suggestions in further lines; empty if the usage is
    /// sufficient.
    pub message: String,
    /// How the usage is shown.
    pub usage: Usage,
}

/// How the usage is shown for an invalid command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Usage {
    InHelp,
    InMessage,
    /// On standard output, as in mpatrol's tools, possibly after the version.
    OnStdout(String),
    /// On standard error, as in mlprof, whose line precedes the message.
    OnStderr(String, &'static str),
}

/// A command of a compatibility mode.
#[derive(Debug)]
pub enum CompatCommand {
    /// Print this text.
    Show(String),
    /// A report of gprof.
    Gprof(Box<gprof::GprofPlan>),
    /// A report of mprof on an allocation profile.
    Mprof(mprof::MprofPlan),
    /// A report of mptrace on an allocation trace.
    Mptrace(mptrace::MptracePlan),
    /// A report of mlprof on a Standard ML program.
    Mlprof(mlprof::MlprofPlan),
}

impl CompatCommand {
    /// Runs the command. Writes the original's messages to `notes`; returns warnings about
    /// the profile.
    pub fn run(&self, out: &mut dyn Write, notes: &mut dyn Write) -> Result<Vec<Warning>> {
        match self {
            Self::Show(text) => out.write_all(text.as_bytes())?,
            Self::Gprof(plan) => return gprof::run(plan, out),
            Self::Mprof(plan) => mprof::run(plan, out, notes)?,
            Self::Mptrace(plan) => mptrace::run(plan, out, notes)?,
            Self::Mlprof(plan) => mlprof::run(plan, out, notes)?,
        }
        Ok(Vec::new())
    }
}

/// Refuses an output file that is also an input, under any name.
fn check_output<'a>(path: &Path, mut inputs: impl Iterator<Item = &'a Path>) -> Result<()> {
    if inputs.any(|input| are_same(input, path)) {
        let path = path.display();
        bail!("{path} is what the report is made from, and would be written over");
    }
    Ok(())
}

/// The output of `--version`: the original's first line, then profan's.
fn version(original: &str) -> String {
    format!("{original}\nprinted by profan {}\n", env!("CARGO_PKG_VERSION"))
}
