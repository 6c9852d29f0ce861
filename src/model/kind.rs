//! What a file is.

use std::fmt;

/// What a file is, as its reader says. Files of two kinds cannot be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// In messages, with its article: `a gmon.out`.
    pub name: &'static str,
    /// It has time by address and counted calls, rather than values of contexts.
    pub is_by_address: bool,
    /// Its names are those of Standard ML.
    pub is_standard_ml: bool,
    /// Stacks were recorded, even where none has a second frame.
    pub has_stacks: bool,
    /// Two of them have a sum.
    pub adds_up: bool,
}

impl FileKind {
    /// Values of contexts that add up, and nothing more to say.
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            is_by_address: false,
            is_standard_ml: false,
            has_stacks: false,
            adds_up: true,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
