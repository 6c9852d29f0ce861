//! Whether standard output was closed when the program started, as by `>&-`. The runtime opens
//! `/dev/null` in its place before `main`, so this looks earlier.

use std::io;

/// Refuses standard output if it was closed.
///
/// # Errors
/// As writing to it would.
pub fn check_stdout() -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "netbsd"))]
    if before_main::was_closed() {
        return Err(io::Error::from_raw_os_error(libc::EBADF));
    }
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "netbsd"))]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// ELF: the functions that run before `main`.
    #[used]
    #[expect(unsafe_code, reason = "the runtime has no such place")]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        #[expect(unsafe_code, reason = "the call takes and leaves nothing")]
        // SAFETY: it only asks whether the descriptor is open.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    pub(super) fn was_closed() -> bool {
        WAS_CLOSED.load(Ordering::Relaxed)
    }
}
