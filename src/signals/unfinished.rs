//! Files in the making, which are removed where a signal ends the program.

use std::path::Path;

#[cfg(unix)]
use std::ffi::CString;

#[cfg(unix)]
use super::slots::{Slot, Slots};

/// A file that is worth nothing before it is whole. It is on the list until this is
/// dropped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    #[cfg(unix)]
    _slot: Option<Slot<CString>>,
}

/// Few are made at a time; more than these are left where the program ends.
#[cfg(unix)]
static UNFINISHED: Slots<CString, 16> = Slots::new();

impl Unfinished {
    /// Puts a path on the list. The file need not be there yet, and should not: from its
    /// first moment on somebody has to know of it.
    #[cfg(unix)]
    pub(crate) fn new(path: &Path) -> Self {
        super::interrupts::listen();
        let path = CString::new(path.as_os_str().as_encoded_bytes()).ok();
        Self {
            _slot: path.and_then(|path| UNFINISHED.put(path)),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn new(_path: &Path) -> Self {
        Self {}
    }
}

/// Removes them all. May be called in a handler.
pub(crate) fn remove_unfinished() {
    #[cfg(unix)]
    for path in UNFINISHED.values() {
        // It may not be there yet, or have its own name already.
        let _ = rustix::fs::unlink(path.as_c_str());
    }
}
