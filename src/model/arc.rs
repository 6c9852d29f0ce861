//! What was counted rather than sampled.

use super::Address;

/// Calls counted from one place to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallArc {
    /// Where the call came from. The profiler records the return address.
    pub call_site: Address,
    /// An address in the function called, as a rule just behind its entry.
    pub callee: Address,
    pub count: u64,
}

impl CallArc {
    /// Either end of calls of which is known only that it is outside of the object that
    /// was profiled. It lies in no code, since no range of addresses can end behind it.
    pub const OUTSIDE: Address = Address(u64::MAX);

    /// The arc with `distance` taken from its addresses, wrapping.
    pub fn moved_down(self, distance: u64) -> Self {
        let moved = |address: Address| match address {
            Self::OUTSIDE => Self::OUTSIDE,
            inside => Address(inside.0.wrapping_sub(distance)),
        };
        Self {
            call_site: moved(self.call_site),
            callee: moved(self.callee),
            count: self.count,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicBlockCount {
    pub address: Address,
    pub count: u64,
}
