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
pub mod names;
pub mod printf;
mod table;
mod text;

pub use coverage::{CoverageText, write_coverage};
pub use file_info::write_file_info;
pub use lcov::write_lcov;
pub use names::{LocationStyle, NameOptions, Names, escape_controls};
pub use text::Text;
