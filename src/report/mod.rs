//! Final numbers to text.
//!
//! Printers receive `&` and a writer, and return `io::Result<()>`. Nothing is
//! counted here.

mod file_info;
pub mod gnu;
pub mod mlprof;

pub use file_info::write_file_info;
