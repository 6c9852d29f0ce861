//! The output of MLton's `mlprof`, byte for byte.

mod dot;
mod table;

pub use dot::write_dot;
pub use table::write_table;
