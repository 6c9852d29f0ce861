//! The originals, byte for byte: gprof, mprof, mptrace and mlprof.
//!
//! Each has a folder with its options, its numbers, its printer and its run, over the
//! rooms that profan's own face uses too. No room knows this wing; what a room does
//! in another way for one of these is a policy that is built here.

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

use crate::diagnose::Warning;
use crate::files::are_same;

const CANNOT_WRITE: &str = "cannot write the report";

/// Whose command line and output the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Personality {
    /// GNU gprof 2.40.
    Gprof,
    /// mpatrol's mprof 1.3.
    Mprof,
    /// mpatrol's mptrace 1.4.
    Mptrace,
    /// MLton's mlprof.
    Mlprof,
}

impl Personality {
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

    /// What its options are, in our own words.
    pub fn help(self) -> String {
        match self.parse(vec!["--help".into()]) {
            Ok(CompatCommand::Show(text)) => text,
            // mlprof has no such option.
            _ => mlprof::USAGE.to_owned(),
        }
    }

    /// Understands the words of its command line.
    ///
    /// # Errors
    /// When an option is unknown, incomplete or contradicts another.
    pub fn parse(self, words: Vec<OsString>) -> Result<CompatCommand, UsageError> {
        let parsed = match self {
            Self::Gprof => gprof::parse(words).map_err(|error| error.to_string()),
            Self::Mprof => mprof::parse(words).map_err(|error| error.to_string()),
            Self::Mptrace => mptrace::parse(words).map_err(|error| error.to_string()),
            Self::Mlprof => mlprof::parse(words).map_err(|error| error.to_string()),
        };
        parsed.map_err(|message| UsageError {
            message,
            usage: match self {
                Self::Gprof => Usage::InHelp,
                Self::Mprof => Usage::OnStdout(mprof::USAGE),
                Self::Mptrace => Usage::OnStdout(mptrace::USAGE),
                Self::Mlprof => Usage::OnStderr(mlprof::USAGE),
            },
        })
    }
}

/// A command line that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct UsageError {
    /// What is wrong, in a line, and in further ones what would be right; empty when the
    /// usage says it all.
    pub message: String,
    /// What may be given, and where that is shown at once.
    pub usage: Usage,
}

/// Where a user who got it wrong reads what may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    InHelp,
    InMessage,
    /// On standard output, as mpatrol's tools do.
    OnStdout(&'static str),
    /// On standard error, as mlprof does.
    OnStderr(&'static str),
}

/// What a command line asks for.
#[derive(Debug)]
pub enum CompatCommand {
    /// Print this text.
    Show(String),
    /// Report as gprof does.
    Gprof(Box<gprof::GprofPlan>),
    /// Report on an allocation profile as mprof does.
    Mprof(mprof::MprofPlan),
    /// Report on an allocation trace as mptrace does.
    Mptrace(mptrace::MptracePlan),
    /// Report on a Standard ML program as mlprof does.
    Mlprof(mlprof::MlprofPlan),
}

impl CompatCommand {
    /// Does it. What the original says on standard error goes to `notes`; what is odd
    /// about the profile is returned.
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

/// Refuses to write a file over what it is made from, whatever name that has.
fn check_output<'a>(path: &Path, mut inputs: impl Iterator<Item = &'a Path>) -> Result<()> {
    if inputs.any(|input| are_same(input, path)) {
        let path = path.display();
        bail!("{path} is what the report is made from, and would be written over");
    }
    Ok(())
}

/// The line that `--version` prints.
fn version(name: &str) -> String {
    format!("profan {} {name}\n", env!("CARGO_PKG_VERSION"))
}
