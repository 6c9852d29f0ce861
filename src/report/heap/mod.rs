//! profan's own reports on the heap.

mod chart;
#[cfg(test)]
mod tests;
mod trace;

pub use trace::{TraceTextOptions, write_trace};
