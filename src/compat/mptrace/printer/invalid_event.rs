//! What the original says of a trace that contradicts itself.

use crate::compat::mptrace::numbers::InvalidEvent;

/// The line for standard error, without the name of the program before it.
pub fn invalid_event_line(invalid_event: InvalidEvent) -> String {
    match invalid_event {
        InvalidEvent::AllocatedTwice(index) => format!(
            "Allocation index `{}' has been allocated twice without being freed",
            index.0
        ),
        InvalidEvent::Unknown(index) => format!("Unknown allocation index `{}'", index.0),
        InvalidEvent::AlreadyFreed(index) => {
            format!("Allocation index `{}' has already been freed", index.0)
        }
    }
}
