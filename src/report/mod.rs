//! Final numbers to text.
//!
//! Printers receive `&` and a writer, and return `io::Result<()>`. Nothing is
//! counted here.

mod coverage;
mod file_info;
pub mod gnu;
mod lcov;
pub mod mlprof;

pub use coverage::{CoverageText, write_coverage};
pub use file_info::write_file_info;
pub use lcov::write_lcov;
