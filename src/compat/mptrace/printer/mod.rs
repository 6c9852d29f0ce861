//! The layout of mptrace 1.4, byte for byte: table of events, statistics, and two other
//! output formats.
//!
//! Printers add to a buffer, since one event may have a line in several files.

mod forms;
mod table;

pub use forms::{hatf_header, hatf_line, program_end, program_line, program_start};
pub use table::{EventTable, invalid_event_line, location_line, statistics_text};
