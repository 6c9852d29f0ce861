//! Kinds of profile files.

use std::fmt;

/// The kind of a file, as reported by its reader. Files of different kinds cannot be added
/// up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// For messages, with its article: `a gmon.out`.
    pub name: &'static str,
    /// The file contains ticks by address and counted calls, not costs of contexts.
    pub is_by_address: bool,
    /// Names follow the rules of Standard ML.
    pub is_standard_ml: bool,
    /// The file records call stacks, even if all have one frame.
    pub has_stacks: bool,
    /// The file lists its metrics, so that one it does not list was not measured. Otherwise it may
    /// have been measured, and is 0.
    pub lists_metrics: bool,
    /// The numbers have no unit, unless the user states one.
    pub lacks_units: bool,
    /// Two files can be added up.
    pub adds_up: bool,
}

impl FileKind {
    /// A kind with costs of contexts that can be added up, and no other property.
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            is_by_address: false,
            is_standard_ml: false,
            has_stacks: false,
            lists_metrics: true,
            lacks_units: false,
            adds_up: true,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The counters of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MlmonStyle {
    /// One: self cost.
    Current,
    /// Three: self cost, cost while on the stack, and cost of the garbage collector
    /// meanwhile.
    Stack,
}

impl MlmonStyle {
    pub fn n_columns(self) -> usize {
        match self {
            Self::Current => 1,
            Self::Stack => 3,
        }
    }
}

impl fmt::Display for MlmonStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Current => "only the tops of call stacks",
            Self::Stack => "whole call stacks",
        })
    }
}
