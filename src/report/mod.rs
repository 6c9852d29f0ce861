//! Final numbers to text.
//!
//! Printers receive `&` and a writer, and return `io::Result<()>`. Nothing is
//! counted here.

pub mod charges;
mod coverage;
mod file_info;
pub mod gnu;
pub mod heap;
mod lcov;
pub mod mlprof;
pub mod mprof;
pub mod mptrace;
mod table;
mod text;

pub use coverage::{CoverageText, write_coverage};
pub use file_info::write_file_info;
pub use lcov::write_lcov;
pub use text::Text;
