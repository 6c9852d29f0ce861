//! What the original says of a trace that contradicts itself.

use crate::compat::mptrace::numbers::Contradiction;

/// The line for standard error, without the name of the program before it.
#[must_use]
pub fn contradiction_line(contradiction: Contradiction) -> String {
    match contradiction {
        Contradiction::AllocatedTwice(index) => format!(
            "Allocation index `{}' has been allocated twice without being freed",
            index.0
        ),
        Contradiction::Unknown(index) => format!("Unknown allocation index `{}'", index.0),
        Contradiction::AlreadyFreed(index) => {
            format!("Allocation index `{}' has already been freed", index.0)
        }
    }
}
