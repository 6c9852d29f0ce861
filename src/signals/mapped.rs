//! Memory-mapped files. If one shrinks, the program ends with a message that names it.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::OnceLock;

use memmap2::Mmap;

/// Name of the program in the message, and its exit status.
static PROGRAM_NAME: OnceLock<(&'static str, u8)> = OnceLock::new();

/// Sets the program's name and its exit status for errors. Only the first call counts.
pub fn set_program_name(name: &'static str, status: u8) {
    let _ = PROGRAM_NAME.set((name, status));
}

/// The bytes of a regular file.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// Dropped before the mapping.
    #[cfg(unix)]
    _watched: unix::WatchedFile,
    bytes: Mmap,
    file: File,
}

impl Mapped {
    /// Maps a file; `path` names it in errors.
    ///
    /// # Errors
    /// If it cannot be mapped.
    #[expect(unsafe_code, reason = "mapping a file has no safe form")]
    pub(crate) fn new(file: File, path: &Path) -> io::Result<Self> {
        // SAFETY: the map is private and read only. If the file shrinks, reading the lost part
        // raises a signal, whose handler ends the process.
        let bytes = unsafe { Mmap::map(&file)? };
        #[cfg(not(unix))]
        let _ = path;
        Ok(Self {
            #[cfg(unix)]
            _watched: unix::watch(&bytes, path),
            bytes,
            file,
        })
    }

    /// Returns whether the file still has its length. The rest of a last page reads as zeros,
    /// without a signal.
    pub(crate) fn is_whole(&self) -> bool {
        let size = self.file.metadata().map(|metadata| metadata.len());
        size.is_ok_and(|size| size >= self.bytes.len() as u64)
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The problem of a shrunken file.
pub(crate) const SHRANK: &str = "shrank while it was read";

#[cfg(unix)]
mod unix {
    use std::io::{self, IsTerminal};
    use std::ops::Range;
    use std::path::Path;
    use std::ptr;
    use std::sync::Once;
    use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

    use super::{PROGRAM_NAME, SHRANK};
    use crate::report::escape::printable;
    use crate::signals::clean_up;
    use crate::signals::slots::{Slot, Slots};

    /// A mapped file, with the message about it.
    #[derive(Debug)]
    pub(super) struct MappedFile {
        addresses: Range<usize>,
        message: Box<[u8]>,
    }

    pub(super) type WatchedFile = Option<Slot<MappedFile>>;

    /// More than a program and its libraries.
    static PLACES: Slots<MappedFile, 1024> = Slots::new();

    /// Registers a mapped file.
    pub(super) fn watch(bytes: &[u8], path: &Path) -> WatchedFile {
        static HANDLED: Once = Once::new();
        HANDLED.call_once(handle);
        let escapes = io::stderr().is_terminal();
        let path = printable(path.as_os_str().as_encoded_bytes(), escapes);
        let start = bytes.as_ptr().addr();
        PLACES.put(MappedFile {
            addresses: start..start + bytes.len(),
            message: [&*path, b": ", SHRANK.as_bytes(), b"\n"].concat().into(),
        })
    }

    /// Installs the handler of `SIGBUS`.
    #[expect(unsafe_code, reason = "a handler has no safe form")]
    fn handle() {
        // SAFETY: a `sigaction` consists of plain numbers, for which zeros are valid. The handler
        // is async-signal-safe. The previous one stays in `BEFORE` for faults elsewhere.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut before) == 0 {
                let before = ptr::from_mut(Box::leak(Box::new(before)));
                BEFORE.store(before, SeqCst);
                libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut());
            }
        }
    }

    /// The previous handler.
    static BEFORE: AtomicPtr<libc::sigaction> = AtomicPtr::new(ptr::null_mut());

    /// Ends the program if the fault is in a mapped file. Otherwise restores the previous
    /// handler, and the signal recurs.
    #[expect(unsafe_code, reason = "a handler has no safe form")]
    extern "C" fn on_fault(
        _signal: libc::c_int,
        info: *mut libc::siginfo_t,
        _context: *mut libc::c_void,
    ) {
        // SAFETY: the system passes a `siginfo_t` of a fault, which has an address. The previous
        // action is null or lives for ever. Writing, removing files and ending are
        // async-signal-safe.
        unsafe {
            let address = (*info).si_addr().addr();
            for place in PLACES.values() {
                if place.addresses.contains(&address) {
                    let (name, status) = PROGRAM_NAME.get().copied().unwrap_or(("profan", 2));
                    clean_up();
                    for piece in [name.as_bytes(), b": ", &place.message] {
                        // A failure cannot be reported.
                        let _ = rustix::io::write(rustix::stdio::stderr(), piece);
                    }
                    libc::_exit(i32::from(status));
                }
            }
            libc::sigaction(libc::SIGBUS, BEFORE.load(SeqCst), ptr::null_mut());
        }
    }
}
