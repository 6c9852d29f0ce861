//! The layout of mptrace 1.4, byte for byte: table of events, statistics, and the
//! two other forms that it turns traces into.
//!
//! Printers add to a buffer of bytes, as one event may have a line in several files.

mod hatf;
mod invalid_event;
mod program;
mod statistics;
mod table;

pub use hatf::{hatf_header, hatf_line};
pub use invalid_event::invalid_event_line;
pub use program::{program_end, program_line, program_start};
pub use statistics::statistics_text;
pub use table::{EventTable, location_line};
