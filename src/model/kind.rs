//! The kinds of profiles.

use std::fmt;

/// The kinds of profiles, which cannot be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Time by address and counted calls: a gmon.out.
    Sampled,
    /// Allocations by call stack.
    Heap,
    /// Allocations one by one.
    Trace,
    /// Values of the functions of a Standard ML program, or their table.
    Mlton,
    /// Events by function and line, and calls with what they cost: a callgrind.out.
    Instrumented,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sampled => "a gmon.out",
            Self::Heap => "an allocation profile",
            Self::Trace => "an allocation trace",
            Self::Mlton => "a table or profile of MLton's",
            Self::Instrumented => "a callgrind profile",
        })
    }
}
