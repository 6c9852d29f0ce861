//! Final numbers to text.
//!
//! Printers receive `&` and a writer, and return `io::Result<()>`. Nothing is
//! counted here.

pub mod charges;
mod file_info;
pub mod gnu;
pub mod heap;
pub mod mlprof;
pub mod mprof;
pub mod mptrace;
mod table;
mod text;

pub use file_info::write_file_info;
pub use text::Text;
