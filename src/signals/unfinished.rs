//! Files in the making, which are removed where a signal ends the program.

use std::path::Path;

#[cfg(unix)]
use std::ffi::CString;
#[cfg(unix)]
use std::ptr;
#[cfg(unix)]
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

/// A file that is worth nothing before it is whole. It is on the list until this is
/// dropped.
#[derive(Debug)]
pub(crate) struct Unfinished {
    #[cfg(unix)]
    place: Option<&'static AtomicPtr<CString>>,
}

impl Unfinished {
    /// Puts a path on the list. The file need not be there yet, and should not: from its
    /// first moment on somebody has to know of it.
    pub(crate) fn new(path: &Path) -> Self {
        #[cfg(unix)]
        {
            super::interrupts::listen();
            Self { place: note(path) }
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            Self {}
        }
    }
}

#[cfg(unix)]
impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            place.store(ptr::null_mut(), SeqCst);
        }
    }
}

/// Paths of files in the making. Few are made at a time; more than these are left where
/// the program ends.
#[cfg(unix)]
static UNFINISHED: [AtomicPtr<CString>; 16] = [const { AtomicPtr::new(ptr::null_mut()) }; 16];

/// The memory of a path is never given back, since a handler may be looking at it.
#[cfg(unix)]
fn note(path: &Path) -> Option<&'static AtomicPtr<CString>> {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
    let path = ptr::from_mut(Box::leak(Box::new(path)));
    let is_taken = |place: &&AtomicPtr<CString>| {
        let taken = place.compare_exchange(ptr::null_mut(), path, SeqCst, SeqCst);
        taken.is_ok()
    };
    UNFINISHED.iter().find(is_taken)
}

/// Removes them all. May be called in a handler.
#[cfg_attr(
    unix,
    expect(unsafe_code, reason = "what a handler looks at is behind pointers")
)]
pub(crate) fn remove_unfinished() {
    #[cfg(unix)]
    for place in &UNFINISHED {
        // SAFETY: it is null, or of a path that `note` made and that is never dropped or
        // changed.
        if let Some(path) = unsafe { place.load(SeqCst).as_ref() } {
            // It may not be there yet, or have its own name already.
            let _ = rustix::fs::unlink(path.as_c_str());
        }
    }
}
