//! External events: signals that end the program, and mapped files that shrink.
//!
//! Signal handlers may do very little, so everything they need is prepared: they read atomic
//! values, and memory that is never freed.

mod interrupts;
mod mapped;
#[cfg(unix)]
mod slots;
mod terminal;
mod unfinished;

pub(crate) use interrupts::{came, hold, release};
pub use mapped::set_program_name;
pub(crate) use mapped::{Mapped, SHRANK};
#[cfg(unix)]
pub(crate) use terminal::SavedTerminal;
pub(crate) use terminal::restore_terminal;
pub(crate) use unfinished::Unfinished;

/// Removes incomplete files and restores the terminal, before the program ends.
/// Async-signal-safe.
pub(crate) fn clean_up() {
    unfinished::remove_unfinished();
    restore_terminal();
}
