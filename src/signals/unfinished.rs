//! Incomplete files, which are removed if a signal ends the program.

use std::path::Path;

#[cfg(unix)]
use std::ffi::CString;

#[cfg(unix)]
use super::slots::{Slot, Slots};

/// An incomplete file, registered until this is dropped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    #[cfg(unix)]
    _slot: Option<Slot<CString>>,
}

/// More files than this are not removed.
#[cfg(unix)]
static UNFINISHED: Slots<CString, 16> = Slots::new();

impl Unfinished {
    /// Registers a path. Must precede the creation of the file.
    #[cfg(unix)]
    pub(crate) fn new(path: &Path) -> Self {
        super::interrupts::listen();
        let path = CString::new(path.as_os_str().as_encoded_bytes()).ok();
        Self { _slot: path.and_then(|path| UNFINISHED.put(path)) }
    }

    #[cfg(not(unix))]
    pub(crate) fn new(_path: &Path) -> Self {
        Self {}
    }
}

/// Removes all registered files. Async-signal-safe.
pub(super) fn remove_unfinished() {
    #[cfg(unix)]
    for path in UNFINISHED.values() {
        // It may not be there yet, or have its own name already.
        let _ = rustix::fs::unlink(path.as_c_str());
    }
}
