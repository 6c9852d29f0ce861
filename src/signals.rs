//! External events: signals that end the program, and mapped files that shrink.
//!
//! Signal handlers may do very little, so everything they need is prepared: they read atomic
//! values, and memory that is never freed.

mod interrupts;
mod mapped;
#[cfg(unix)]
mod slots;
mod unfinished;

pub(crate) use interrupts::{came, hold, release};
pub use mapped::set_program_name;
pub(crate) use mapped::{Mapped, SHRANK};
pub(crate) use unfinished::{Unfinished, remove_unfinished};
