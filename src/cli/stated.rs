//! Facts and choices that options state.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use regex::bytes::Regex;

use crate::model::Address;

/// How to name files.
#[derive(Clone, Copy, Debug)]
pub enum FileNaming<'p> {
    /// By path.
    Paths,
    /// By the first group of an expression in the path.
    Ranks(&'p Regex),
    /// The same; files with the same name count as one.
    Groups(&'p Regex),
}

/// What rows are about, instead of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// Programs and libraries.
    Object,
    /// Source files.
    Source,
    /// The values of a label of samples.
    Label(String),
}

/// The load address of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base(pub Address);

impl Base {
    /// Its distance from the address that the linker chose.
    pub fn distance_from(self, link_base: Address) -> u64 {
        self.0.0.wrapping_sub(link_base.0)
    }
}

/// The stated duration of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenRunTime {
    /// Wall-clock time.
    Wall(Duration),
    /// A file with the output of `time`.
    File(PathBuf),
}

/// A file that may have been meant as the argument of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    /// As written.
    pub word: OsString,
    /// The option with this argument.
    pub attached: String,
    /// The option takes a symspec.
    pub wants_name: bool,
}

/// One warning, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// All warnings.
    Warnings,
    /// The warning with this code.
    Code(&'static str),
}
