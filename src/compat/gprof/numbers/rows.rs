//! Lines of the call graph.

use crate::analyze::CycleNumber;
use crate::symbols::SymbolId;

/// The subject of an entry or line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GraphNode {
    Function(SymbolId),
    Cycle(CycleNumber),
}

/// gprof's name of the target of an indirect call.
pub const IN_REGISTER: &str = "<indirect child>";

/// A line of an entry. Its numbers are computed when it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphLine {
    /// The function has no known caller.
    NoCallers,
    /// A caller or callee: index of the arc.
    Arc(u32),
    /// The function or cycle itself.
    Own,
    /// The target of indirect calls, if the code was searched for calls.
    InRegister,
    /// A member of the cycle.
    Member(SymbolId),
}
