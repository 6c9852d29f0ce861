//! profan's own reports on the heap.

mod chart;
mod columns;
#[cfg(test)]
mod tests;
mod trace;

pub use trace::{TraceTextOptions, write_trace};
