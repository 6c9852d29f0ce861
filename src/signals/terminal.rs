//! The terminal while a full screen is shown: a signal that ends the program restores it.

#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::sync::Arc;

#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcsetattr};

#[cfg(unix)]
use super::slots::{Slot, Slots};

/// The settings of a terminal before a full screen, registered until this is dropped.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct SavedTerminal {
    _slot: Option<Slot<Settings>>,
}

#[cfg(unix)]
#[derive(Debug)]
struct Settings {
    terminal: Arc<File>,
    settings: Termios,
    /// The bytes that leave the full screen.
    leave: &'static [u8],
}

#[cfg(unix)]
static SAVED: Slots<Settings, 1> = Slots::new();

#[cfg(unix)]
impl SavedTerminal {
    /// Registers settings, and the bytes that leave the full screen.
    pub(crate) fn new(terminal: Arc<File>, settings: Termios, leave: &'static [u8]) -> Self {
        super::interrupts::listen();
        Self { _slot: SAVED.put(Settings { terminal, settings, leave }) }
    }
}

/// Restores the terminal, if a full screen is shown. Async-signal-safe.
pub(crate) fn restore_terminal() {
    #[cfg(unix)]
    for saved in SAVED.values() {
        // A failure cannot be reported.
        let _ = rustix::io::write(&saved.terminal, saved.leave);
        let _ = tcsetattr(&saved.terminal, OptionalActions::Now, &saved.settings);
    }
}
