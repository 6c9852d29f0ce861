//! How far a profile reaches in other bytes.

/// A profile at the start of some bytes.
pub(super) struct Extent {
    pub(super) n_bytes: usize,
    pub(super) has_histogram: bool,
}
