//! Lines of the call graph.

use crate::analyze::CycleNumber;
use crate::symbols::SymbolId;

/// The subject of an entry or line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNode {
    Function(SymbolId),
    Cycle(CycleNumber),
}

/// A reference to a function or cycle: name, cycle, index number.
#[derive(Clone, Copy, Debug)]
pub struct NameReference {
    /// The function or cycle that is named.
    pub subject: GraphNode,
    pub cycle: Option<CycleNumber>,
    /// Index number, from 1.
    pub number: usize,
    /// It has an entry.
    pub is_shown: bool,
}

/// Self and child time in the dimension.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub self_time: f64,
    pub children: f64,
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

/// A line about a caller or callee.
#[derive(Clone, Copy, Debug)]
pub struct ArcRow {
    pub partner: SymbolId,
    pub count: u64,
    /// Flow along the arc, and all calls of the callee by others. `None` for calls within a
    /// cycle and recursion: nothing flows there.
    pub flow: Option<(Times, u64)>,
}

/// The line of a function or cycle, or of a member.
#[derive(Clone, Copy, Debug)]
pub struct NodeRow {
    /// Percentage of self and child time.
    pub percent: f64,
    pub times: Times,
    pub calls: u64,
    pub self_calls: u64,
}
