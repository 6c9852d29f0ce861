//! By what differences are in order.

/// Which change rows are sorted by, from the largest to the smallest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferenceOrder {
    /// What functions cost themselves.
    #[default]
    Own,
    /// What they cost with all that they call.
    Total,
    /// How often they were called.
    Calls,
}
