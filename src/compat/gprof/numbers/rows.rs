//! What the lines of the call graph say.

use crate::analyze::CycleNumber;
use crate::symbols::SymbolId;

/// What an entry, or a line of one, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNode {
    Function(SymbolId),
    Cycle(CycleNumber),
}

/// How a function or cycle is referred to: name, cycle, index number.
#[derive(Clone, Copy, Debug)]
pub struct NameReference {
    /// The function or cycle that is named.
    pub subject: GraphNode,
    pub cycle: Option<CycleNumber>,
    /// Its number in the order of entries, from 1.
    pub number: usize,
    /// It has an entry of its own.
    pub is_shown: bool,
}

/// Time in units of the dimension, own and of what was called.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub self_time: f64,
    pub children: f64,
}

/// What gprof calls whatever a register leads to.
pub const IN_REGISTER: &str = "<indirect child>";

/// One line of an entry. What it says is worked out when it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphLine {
    /// Nobody called the function, as far as is known.
    NoCallers,
    /// About a caller or a callee: the number of the arc.
    Arc(u32),
    /// About the function or cycle itself.
    Own,
    /// Whatever a register leads to, where calls were looked for in the code.
    InRegister,
    /// About a member of the cycle.
    Member(SymbolId),
}

/// What a line about a caller or a callee says.
#[derive(Clone, Copy, Debug)]
pub struct ArcRow {
    pub partner: SymbolId,
    pub count: u64,
    /// What flowed along it, and all calls of the callee from others. `None` for
    /// calls inside a cycle and of a function to itself: nothing flows there.
    pub flow: Option<(Times, u64)>,
}

/// What a line about a function or a cycle says: its own, or that of a member.
#[derive(Clone, Copy, Debug)]
pub struct NodeRow {
    /// Share of the total, own and of what was called.
    pub percent: f64,
    pub times: Times,
    pub calls: u64,
    pub self_calls: u64,
}
