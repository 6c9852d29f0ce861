//! Final numbers to text.
//!
//! Printers receive `&` and a writer, and return `io::Result<()>`. Nothing is
//! counted here.

pub mod charges;
mod file_info;
pub mod gnu;
mod table;

pub use file_info::write_file_info;
