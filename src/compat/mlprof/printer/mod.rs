//! What MLton's `mlprof` prints, byte for byte.

mod dot;
mod table;

pub use dot::write_dot;
pub use table::write_table;

/// How much of the numbers and names to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct MlprofText {
    /// Numbers as counted beside percentages.
    pub shows_raw: bool,
    /// Positions beside names.
    pub shows_positions: bool,
}
