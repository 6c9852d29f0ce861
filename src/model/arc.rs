//! What was counted rather than sampled.

use super::Address;

/// Calls counted from one place to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallArc {
    /// Where the call came from. The profiler records the return address.
    pub call_site: Address,
    /// An address in the function called, as a rule just behind its entry.
    pub callee: Address,
    /// How many calls.
    pub count: u64,
}

/// How often a basic block was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicBlockCount {
    /// The first address of the block.
    pub address: Address,
    /// How many times.
    pub count: u64,
}
