//! Requested names that nothing has.

use std::fmt;

/// A name of a command line without a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownName {
    /// A function, or else a file or a library.
    Word { word: String, is_function: bool, why: UnknownWord },
    /// A line in which no function starts.
    Line { line: u32, file: Option<String>, nearest: Vec<u32> },
    /// A pattern of `--keep`.
    Pattern { text: String, has_names: bool },
}

/// What a word without a match may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownWord {
    /// The name of a file here.
    File,
    /// Several reports, written as one.
    Reports,
    /// An arc, in place of a function.
    Arc,
    /// A name in a program without names.
    WithoutNames,
    /// A place in a program without lines.
    WithoutLines,
    /// A name that may be that of an inlined function: split debug information is missing.
    WithoutInlined,
    Unknown,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word { word, why: UnknownWord::WithoutLines, .. } => {
                write!(f, "`{word}` not found: no source line is known")
            }
            Self::Word { word, is_function, why } => {
                let kind = if *is_function { "function" } else { "source file or library" };
                write!(f, "no {kind} named `{word}`")?;
                f.write_str(match why {
                    UnknownWord::File => ", although this is a file",
                    UnknownWord::WithoutInlined => "; files with inlined functions are missing",
                    _ => "",
                })
            }
            Self::Line { line, file, .. } => {
                write!(f, "no function starts at line {line}")?;
                file.iter().try_for_each(|file| write!(f, " of {file}"))
            }
            Self::Pattern { text, .. } => write!(f, "no function matches \"{text}\" of --keep"),
        }
    }
}

const WITHOUT_NAMES: &str = "pass the executable from before it was stripped: without symbols, \
    functions have no names";

impl UnknownName {
    /// The advice if no similar name is meant.
    pub(super) fn advice(&self) -> String {
        let advice = match self {
            Self::Word { why, .. } => match why {
                UnknownWord::File => {
                    "put a space before a FILE, as in -A FILE; -n, -N, -k, --focus and --ignore \
                     take the next word as a name, so pass them one"
                }
                UnknownWord::Reports => {
                    "separate several reports, as in -p -q: the word attached to one is a SPEC"
                }
                UnknownWord::Arc => {
                    "write one function, or a file without its directory; only -q, -Q and -k take \
                     FROM/TO"
                }
                UnknownWord::WithoutNames => WITHOUT_NAMES,
                UnknownWord::WithoutLines => {
                    "build the program with -g and pass it too, or name a function"
                }
                UnknownWord::WithoutInlined => {
                    "pass the directory of the .dwo files or of their package: --debug-dir DIR"
                }
                UnknownWord::Unknown => {
                    "list all functions with `profan -p -z`; see `profan help symspec`"
                }
            },
            Self::Line { nearest, .. } if nearest.is_empty() => "see `profan help symspec`",
            Self::Line { nearest, .. } => {
                let lines: Vec<_> = nearest.iter().map(u32::to_string).collect();
                let lines = lines.join(", ");
                return format!("the nearest functions start at {lines}; -l reports by line");
            }
            Self::Pattern { has_names: true, .. } => {
                "list all functions with `profan -p -z`; see `profan help keep`"
            }
            Self::Pattern { .. } => WITHOUT_NAMES,
        };
        advice.to_owned()
    }
}
