//! Facts and choices that options state.

use std::ffi::{OsStr, OsString};
use std::fmt;
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

/// A pattern of file names, in which `*` stands for any characters and `?` for one.
#[derive(Clone, Debug)]
pub struct FilePattern {
    text: String,
    regex: Regex,
}

impl FilePattern {
    /// `None` if it is too long.
    pub(super) fn new(text: &str) -> Option<Self> {
        let escaped = regex::escape(text).replace(r"\*", ".*").replace(r"\?", ".");
        let regex = format!("(?s-u)^{escaped}$");
        Some(Self { text: text.to_owned(), regex: Regex::new(&regex).ok()? })
    }

    /// Returns whether the whole name has this form.
    pub fn matches(&self, name: &OsStr) -> bool {
        self.regex.is_match(name.as_encoded_bytes())
    }
}

impl fmt::Display for FilePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_files_covers_the_whole_name() {
        let check = |pattern: &str, name: &str, expected: bool| {
            let pattern = FilePattern::new(pattern).expect("it is short");
            assert_eq!(pattern.matches(OsStr::new(name)), expected, "{pattern}: {name}");
        };
        check("gmon.out.*", "gmon.out.17", true);
        check("gmon.out.*", "gmon-out.17", false);
        check("gmon.out.*", "a gmon.out.17", false);
        check("rank?", "rank7", true);
        check("rank?", "rank", false);
        check("größe [1]*", "größe [1]", true);
    }
}
