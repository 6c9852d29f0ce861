//! What comes from outside while the program runs: signals that end it, and files that
//! shrink while they are mapped.
//!
//! Handlers of signals may do next to nothing, so all that they need is made before: they
//! look at numbers that change in one step, and at memory that is never given back.

mod interrupts;
mod mapped;
#[cfg(unix)]
mod slots;
mod unfinished;

pub(crate) use interrupts::{came, hold, release};
pub use mapped::set_program_name;
pub(crate) use mapped::{Mapped, SHRANK};
pub(crate) use unfinished::{Unfinished, remove_unfinished};
